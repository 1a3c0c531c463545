package import PumpModel

/// What of a row may be a dose of others, wherever the row may be compared.
package struct RowDoses: Sendable, Hashable {
  /// The piece that the row is in.
  package let piece: RowPiece
  /// The row's own time.
  package let time: Int64
  let parts: [DoseMatching.Part]

  /// The seconds in which its doses are compared, in order.
  package var ends: [Int64] { parts.map(\.end) }
}

/// Which rows and counterparts may tell one dose.
package struct PossiblePairs {
  /// The places of rows that some counterpart may tell.
  package private(set) var rows: Set<Int> = []
  /// The places of counterparts that some row may tell.
  package private(set) var counterparts: Set<Int> = []
  /// Whether more counterparts are near a row than are looked at.
  package private(set) var isCrowded = false

  /// More than a pump can give; fewer than `DoseMatching` leaves aside.
  private static let most = 48

  /// Finds all pairs of rows of a source and counterparts.
  package init(_ rows: [RowDoses], _ counterparts: [Counterpart], of source: ExportSource) {
    let doses = CandidateDoses(
      counterparts, spanning: counterparts.map { RowNormalizer.comparedSpan(of: $0, source) })
    for (index, row) in rows.enumerated() {
      for part in row.parts {
        var found: [Int] = []
        doses.forEach(of: part) { found.append($0.event) }
        guard !found.isEmpty else { continue }
        self.rows.insert(index)
        self.counterparts.formUnion(found)
        if found.count > Self.most { isCrowded = true }
      }
    }
  }
}

extension RowNormalizer {
  /// What of a row may be a dose of others, at the times at which it may be compared: some seconds after
  /// its own; nil where it has none.
  package func doses(of row: ExportRow, after delays: Set<Int64>) -> RowDoses? {
    var parts: [DoseMatching.Part] = []
    for delay in delays { parts += self.parts(of: NumberedRow(row, ordinal: 0, delay: delay), 0) }
    guard !parts.isEmpty else { return nil }
    parts.sort { ($0.end, $0.kind.rawValue, $0.amount) < ($1.end, $1.kind.rawValue, $1.amount) }
    return RowDoses(piece: RowPiece(of: row), time: row.time, parts: parts)
  }

  /// How many rows of one source, from the first on, can be decided on, since no counterpart may be a
  /// dose of rows on both sides; rows to come are compared at `next` or later.
  package func settled(
    _ rows: [NumberedRow], with counterparts: [Counterpart], before next: Int64
  ) -> Int {
    guard let source = rows.first?.row.source else { return 0 }
    let parts = rows.enumerated().flatMap { self.parts(of: $1, $0) }
    let spans = counterparts.map { Self.comparedSpan(of: $0, source) }
    var last = Array(rows.indices)
    var first = [Int](repeating: rows.count, count: counterparts.count)
    let pairs = DoseMatching.pairs(parts, counterparts, spans)
    for pair in pairs {
      first[pair.event] = min(first[pair.event], parts[pair.part].row)
    }
    for pair in pairs {
      let isOpen = spans[pair.event].upperBound >= next - Self.reach
      let row = isOpen ? rows.count : parts[pair.part].row
      last[first[pair.event]] = max(last[first[pair.event]], row)
    }
    var settled = 0
    var reaches = -1
    for index in rows.indices {
      reaches = max(reaches, last[index])
      if reaches == index { settled = index + 1 }
    }
    return settled
  }
}
