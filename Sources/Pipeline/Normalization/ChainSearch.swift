import Deduplicate
import Normalize
import PumpModel

/// More is near what changed than is compared without the whole: no pump gives so much.
struct TooMuchNearby: Error {}

/// Finds the rows of boluses of one source that chains of possible pairs join with rows or doses.
///
/// Rows that do not hold, and rows at all times at which they may be compared, count: what they let go
/// may be another's now. A row of a chain without anything that is new or gone is what it was.
struct ChainSearch {
  private let ledger: Ledger
  private let pump: Int64
  private let source: ExportSource
  private let normalizer: RowNormalizer
  /// The sources whose rows are compared with those of this one.
  private let earlier: [ExportSource]
  /// What events told or tell that is new or gone.
  private let changed: [Counterpart]
  /// The rows that were found.
  private(set) var rows: Set<RowDoses> = []
  private var counterparts: Set<Counterpart> = []
  private var newRows: [RowDoses] = []
  private var newCounterparts: [Counterpart] = []

  /// How far a time of the pump's clock is from its instant at most, and the dose of a log's number from
  /// the row that tells it: 26 hours.
  static let mostOffset = RowBolus.mostClockShift
  /// So many rows and counterparts fit in memory.
  private static let most = 65_536

  /// Begins a search that found nothing yet.
  init(
    _ ledger: Ledger, pump: Int64, source: ExportSource, after earlier: [ExportSource],
    _ normalizer: RowNormalizer, changed: some Sequence<Counterpart>
  ) {
    self.ledger = ledger
    self.pump = pump
    self.source = source
    self.earlier = earlier
    self.normalizer = normalizer
    self.changed = changed.filter(\.isDose)
  }

  /// Adds what is new or gone.
  mutating func addChanged() { take(changed) }

  /// Adds the rows of pieces.
  mutating func add(_ pieces: some Sequence<RowPiece>) throws {
    for piece in pieces where piece.source == source {
      var rows: [ExportRow] = []
      try ledger.forEachRow(of: pump, from: source, .boluses, in: piece.times) { row in
        if piece.times.contains(row.time) { rows.append(row) }
      }
      try take(rows)
    }
  }

  /// Finds all that chains join with what was added.
  mutating func run() throws {
    while !newRows.isEmpty || !newCounterparts.isEmpty {
      let found = newCounterparts
      newCounterparts = []
      try take(rowsNear: found)
      let rows = newRows
      newRows = []
      try take(counterpartsNear: rows)
    }
  }

  private mutating func take(_ found: [Counterpart]) {
    for counterpart in found where counterparts.insert(counterpart).inserted {
      newCounterparts.append(counterpart)
    }
  }

  private mutating func take(_ found: [RowDoses]) throws {
    for row in found where rows.insert(row).inserted { newRows.append(row) }
    guard rows.count + counterparts.count <= Self.most else { throw TooMuchNearby() }
  }

  private mutating func take(_ found: [ExportRow]) throws { try take(doses(of: found)) }

  private mutating func take(rowsNear counterparts: [Counterpart]) throws {
    guard !counterparts.isEmpty else { return }
    // A row that tells a number is compared at the time of the dose which the log has under it.
    let beyond = RowNormalizer.reach + (source == .nightscout ? Self.mostOffset : 0)
    let ranges = counterparts.map {
      let span = RowNormalizer.comparedSpan(of: $0, source)
      return span.lowerBound - beyond..<span.upperBound + beyond + 1
    }
    var near: [ExportRow] = []
    for range in SortedSeconds.joined(ranges.sorted { $0.lowerBound < $1.lowerBound }, over: 3600) {
      try ledger.forEachRow(of: pump, from: source, .boluses, in: range) { near.append($0) }
      guard near.count <= Self.most else { throw TooMuchNearby() }
    }
    let candidates = try doses(of: near).filter { !rows.contains($0) }
    let pairs = try pairs(candidates, counterparts)
    try take(pairs.rows.sorted().map { candidates[$0] })
  }

  private mutating func take(counterpartsNear rows: [RowDoses]) throws {
    guard !rows.isEmpty else { return }
    let ends = SortedSeconds(rows.flatMap(\.ends))
    var near: [Counterpart] = []
    for range in ends.ranges(widenedBy: RowNormalizer.reach, and: normalizer.margins(of: source)) {
      near += try told(in: range) {
        ends.hasAny(within: RowNormalizer.comparedSpan(of: $0, source))
          && !counterparts.contains($0)
      }
    }
    take(try pairs(rows, near).counterparts.sorted().map { near[$0] })
    guard self.rows.count + counterparts.count <= Self.most else { throw TooMuchNearby() }
  }

  /// What events tell, and rows of earlier sources alone, of doses that ended in a range.
  private func told(
    in range: Range<Int64>, where isWanted: (Counterpart) -> Bool
  ) throws -> [Counterpart] {
    try ledger.counterparts(
      of: pump, usesInstants: source.tellsInstants, from: range.lowerBound,
      through: range.upperBound - 1
    ) { $0.isDose && isWanted($0) }
      + ledger.counterparts(
        of: pump, toldBy: earlier, .boluses, usesInstants: source.tellsInstants,
        from: range.lowerBound, through: range.upperBound - 1, where: isWanted)
  }

  private func pairs(
    _ rows: [RowDoses], _ counterparts: [Counterpart]
  ) throws -> PossiblePairs {
    let pairs = PossiblePairs(rows, counterparts, of: source)
    if pairs.isCrowded { throw TooMuchNearby() }
    return pairs
  }

  /// What of rows may be doses, at all times at which they may be compared.
  private func doses(of rows: [ExportRow]) throws -> [RowDoses] {
    let delays = try delays(of: rows)
    return rows.compactMap { row in
      var own: Set<Int64> = [0]
      if let number = row.number { own.formUnion((delays[number] ?? []).map { $0 - row.time }) }
      return normalizer.doses(of: row, after: own.filter { abs($0) <= Self.mostOffset })
    }
  }

  /// When the pump's log has or had doses under the numbers that rows tell.
  private func delays(of rows: [ExportRow]) throws -> [UInt32: Set<Int64>] {
    guard source == .nightscout else { return [:] }
    let numbered = rows.filter { $0.number != nil }
    let numbers = Set(numbered.compactMap(\.number))
    guard !numbers.isEmpty else { return [:] }
    var found: [UInt32: Set<Int64>] = [:]
    for dose in changed where numbers.contains(dose.number) {
      found[dose.number, default: []].insert(dose.instant.unixSeconds)
    }
    for range in SortedSeconds(numbered.map(\.time)).ranges(widenedBy: Self.mostOffset) {
      let doses = try ledger.counterparts(
        of: pump, usesInstants: true, from: range.lowerBound, through: range.upperBound - 1
      ) { $0.isDose && numbers.contains($0.number) }
      for dose in doses { found[dose.number, default: []].insert(dose.instant.unixSeconds) }
    }
    return found
  }
}

extension ExportRow {
  /// The number that the pump's log gave the end of the dose, if the row is a bolus that tells it.
  fileprivate var number: UInt32? {
    guard case .bolus(let bolus) = content else { return nil }
    return bolus.number
  }
}
