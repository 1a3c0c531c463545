import Platform
package import PumpModel

/// A ledger's samples in the order that an output wants them, in bounded memory.
///
/// Where the ledger's own order already is the order of time, which is the rule, samples are read
/// straight from it; the rest is sorted beside it.
package final class OrderedSamples {
  private let pumps: [LedgerPump]
  private let order: OutputOrder
  private let memory: Int
  private var cursor: SpoolCursor
  private var spools: [SortSpool] = []
  private var ties: [Tie] = []
  /// How many samples there are.
  package private(set) var count = 0
  /// The newest end among them.
  package private(set) var newestEnd: Instant?

  /// How many bytes of each pump's and kind's samples are sorted at once.
  private static let memory = 6 << 20
  private static let batch = 2048
  /// The kinds as ledgers order by them; 7 is a rate of zero.
  private static let storageKinds: [(storage: UInt64, kind: SampleKind)] = [
    (0, .basal), (7, .basal), (1, .bolus), (2, .extended), (3, .carbs), (4, .cgm), (5, .meter),
  ]

  private struct Tie {
    var row: OutputRow
    var id: [UInt8]
  }

  /// Prepares samples of some pumps, which outputs name by their place in the list.
  package convenience init(
    _ ledger: Ledger, pumps: [LedgerPump], selection: SampleSelection, order: OutputOrder
  ) throws(LedgerError) {
    try self.init(
      ledger, pumps: pumps, selection: selection, order: order, memory: Self.memory)
  }

  /// Prepares samples, sorting so many bytes at once.
  init(
    _ ledger: Ledger, pumps: [LedgerPump], selection: SampleSelection, order: OutputOrder,
    memory: Int
  ) throws(LedgerError) {
    self.pumps = pumps
    self.order = order
    self.memory = memory
    cursor = MergeCursor([])
    do {
      try prepare(ledger.database, selection)
    } catch {
      throw LedgerError(error)
    }
  }

  private func prepare(
    _ database: SQLiteConnection, _ selection: SampleSelection
  ) throws(SQLiteError) {
    var groups: [UInt32: [SpoolCursor]] = [:]
    for (index, pump) in pumps.enumerated() {
      for (storage, kind) in Self.storageKinds where selection.kinds.contains(kind) {
        if storage == 7, !selection.keepsZeroBasal { continue }
        let partition = UInt32(index) << 3 | UInt32(storage)
        func open() throws(SQLiteError) -> SampleCursor {
          try SampleCursor(
            database, pump: pump.number, storageKind: storage, selection: selection,
            partition: partition, rank: UInt64(rank(kind)))
        }
        let scan = try scan(open())
        guard scan.count > 0 else { continue }
        let cursor: SpoolCursor =
          scan.isOrdered ? try open() : try sorted(open(), database, partition)
        groups[group(index, kind), default: []].append(cursor)
      }
    }
    let merged = groups.keys.sorted().map { MergeCursor(groups[$0] ?? []) }
    cursor = SequenceCursor(merged)
  }

  /// Rows of a lower group come before all rows of a higher one.
  private func group(_ pump: Int, _ kind: SampleKind) -> UInt32 {
    switch order {
    case .device: UInt32(pump)
    case .healthType: UInt32(rank(kind))
    }
  }

  /// What orders samples of equal start; by device the type's name, by HealthKit's type nothing.
  private func rank(_ kind: SampleKind) -> Int {
    switch (order, kind) {
    case (.device, .cgm): 0
    case (.device, .meter): 1
    case (.device, .basal): 2
    case (.device, .bolus), (.device, .extended): 3
    case (.device, .carbs): 4
    case (.healthType, .cgm), (.healthType, .meter): 0
    case (.healthType, .carbs): 1
    case (.healthType, .basal), (.healthType, .bolus), (.healthType, .extended): 2
    }
  }

  private func scan(_ cursor: SampleCursor) throws(SQLiteError) -> (count: Int, isOrdered: Bool) {
    var seen = 0
    var isOrdered = true
    var last: UInt64 = 0
    var newest = newestEnd?.unixSeconds ?? .min
    while let key = cursor.key {
      if key.high < last { isOrdered = false }
      last = key.high
      seen += 1
      newest = max(newest, cursor.withBody { SampleCoding.end($0, at: 0) })
      try cursor.advance()
    }
    if seen > 0 { newestEnd = Instant(unixSeconds: newest) }
    count += seen
    return (seen, isOrdered)
  }

  private func sorted(
    _ cursor: SampleCursor, _ database: SQLiteConnection, _ partition: UInt32
  ) throws(SQLiteError) -> SpoolCursor {
    let spool = SortSpool(database: database, name: "output_\(partition)", memory: memory)
    while let key = cursor.key {
      try spool.append(key) { arena in cursor.withBody { arena.append($0) } }
      try cursor.advance()
    }
    try spool.finish()
    spools.append(spool)
    return try spool.cursor(partition)
  }

  /// Fills `batch` with the next rows; false at the end.
  package func next(into batch: inout OutputBatch) throws(LedgerError) -> Bool {
    batch.rows.removeAll(keepingCapacity: true)
    batch.lineage.removeAll(keepingCapacity: true)
    do {
      while batch.rows.count < Self.batch, let key = cursor.key { try take(key, into: &batch) }
      guard batch.rows.isEmpty else { return true }
      for spool in spools { try spool.drop() }
      spools = []
      return false
    } catch {
      throw LedgerError(error)
    }
  }

  /// Takes the samples of one start, in the order of their ids.
  private func take(_ key: SortKey, into batch: inout OutputBatch) throws(SQLiteError) {
    let first = batch.rows.count
    let group = group(of: key.partition)
    repeat {
      let partition = cursor.key?.partition ?? 0
      batch.rows.append(cursor.withBody { row($0, partition, &batch.lineage) })
      try cursor.advance()
    } while cursor.key.map {
      $0.high == key.high && $0.low == key.low && self.group(of: $0.partition) == group
    } ?? false
    if batch.rows.count - first > 1 { sortTies(&batch.rows, from: first) }
  }

  private func group(of partition: UInt32) -> UInt32 {
    let kind = Self.storageKinds.first { $0.storage == UInt64(partition & 7) }?.kind ?? .basal
    return group(Int(partition >> 3), kind)
  }

  private func row(
    _ bytes: RawSpan, _ partition: UInt32, _ lineage: inout [EventReference]
  ) -> OutputRow {
    let from = lineage.count
    SampleCoding.appendLineage(bytes, at: 0, to: &lineage)
    return OutputRow(
      sample: SampleCoding.sample(bytes, at: 0), pump: Int(partition >> 3),
      revision: SampleCoding.revision(bytes, at: 0), lineage: from..<lineage.count)
  }

  private func sortTies(_ rows: inout [OutputRow], from first: Int) {
    ties.removeAll(keepingCapacity: true)
    for row in rows[first...] {
      var id: [UInt8] = []
      row.sample.identity.append(to: &id, pump: pumps[row.pump].label.name.utf8Span.span)
      ties.append(Tie(row: row, id: id))
    }
    ties.sort { $0.id.lexicographicallyPrecedes($1.id) }
    for (offset, tie) in ties.enumerated() { rows[first + offset] = tie.row }
  }
}

/// One cursor after the other.
private final class SequenceCursor: SpoolCursor {
  private var cursors: ArraySlice<SpoolCursor>

  init(_ cursors: [SpoolCursor]) {
    self.cursors = cursors[...]
    super.init()
    look()
  }

  private func look() {
    while let first = cursors.first, first.key == nil { cursors = cursors.dropFirst() }
    key = cursors.first?.key
  }

  override func advance() throws(SQLiteError) {
    try cursors.first?.advance()
    look()
  }

  override func withBody<Result>(_ body: (RawSpan) -> Result) -> Result {
    guard let first = cursors.first else { return body(RawSpan()) }
    return first.withBody(body)
  }
}
