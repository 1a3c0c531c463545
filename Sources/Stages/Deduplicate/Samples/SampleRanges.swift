package import PumpModel

/// What was normalized again of a pump: ranges of its history, and of its rows of exports.
package struct SampleRanges: Sendable {
  /// The ranges of its history.
  package var windows: [SampleWindow] = []
  /// The ranges of rows: how they are named, and the pump seconds that name them.
  private(set) var rows: [(scheme: SampleIdentity.Scheme, seconds: ClosedRange<UInt32>)] = []
  /// The digests of rows with names of their own, by the sections that these stand in, or stood in.
  private(set) var names: [RowSection: Set<UInt64>] = [:]

  /// Creates ranges of nothing.
  package init() {}

  /// Adds rows with names of their own.
  package mutating func add(names: [RowSection: Set<UInt64>]) {
    self.names.merge(names) { $0.union($1) }
  }

  /// Adds the rows of pieces, of sources that name samples by times.
  package mutating func add(_ pieces: some Sequence<RowPiece>) {
    for piece in pieces.sorted() where piece.source.namesTimes {
      let times = piece.times
      let first = times.lowerBound - PumpTime.epochInUnixSeconds
      let last = times.upperBound - 1 - PumpTime.epochInUnixSeconds
      // Rows of other times give no samples.
      guard last >= 0, first <= Int64(UInt32.max) else { continue }
      let seconds = UInt32(clamping: first)...UInt32(clamping: last)
      if let before = rows.last, before.scheme == piece.source.scheme,
        Int64(before.seconds.upperBound) + 1 == Int64(seconds.lowerBound)
      {
        rows[rows.count - 1].seconds = before.seconds.lowerBound...seconds.upperBound
      } else {
        rows.append((piece.source.scheme, seconds))
      }
    }
  }

  /// Whether a sample of this name came of them, if the ledger held one before.
  func replace(_ identity: SampleIdentity) -> Bool {
    guard identity.scheme != .event else {
      return windows.contains { $0.replaces(identity) }
    }
    if identity.scheme == .named {
      return names[RowSection(of: identity.kind)]?.contains(identity.nameDigest) ?? false
    }
    // They stand in the order of their schemes and seconds.
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      let (scheme, seconds) = rows[middle]
      if (scheme.rawValue, seconds.upperBound) < (identity.scheme.rawValue, identity.first) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < rows.count else { return false }
    return rows[low].scheme == identity.scheme && rows[low].seconds.contains(identity.first)
  }
}
