import Platform
package import PumpModel

/// A ledger's samples in the order that an output wants them, in bounded memory.
///
/// Where the ledger's own order already is the order of time, which is the rule, samples are read
/// straight from it; the rest is sorted beside it.
package final class OrderedSamples {
  private let pumps: [LedgerPump]
  private let ordering: SampleOrdering
  private let names: LedgerNames
  private var entries: EntryStream?
  private var ties: [Tie] = []
  /// How many samples there are.
  package private(set) var count = 0
  /// The newest end among them.
  package private(set) var newestEnd: Instant?

  private static let batch = 2048
  private static let memory = 6 << 20
  private let memory: Int
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

  /// Prepares samples; of those to be sorted, so many bytes are held at once.
  init(
    _ ledger: Ledger, pumps: [LedgerPump], selection: SampleSelection, order: OutputOrder,
    memory: Int
  ) throws(LedgerError) {
    self.memory = memory
    self.pumps = pumps
    names = try ledger.recordNames()
    ordering = SampleOrdering(order: order)
    do {
      try prepare(ledger.database, selection)
    } catch {
      throw LedgerError(error)
    }
  }

  private func prepare(
    _ database: SQLiteConnection, _ selection: SampleSelection
  ) throws(SQLiteError) {
    var groups: [UInt32: [Part]] = [:]
    var newest = Int64.min
    for (index, pump) in pumps.enumerated() {
      for (storage, kind) in SampleOrdering.storageKinds where selection.kinds.contains(kind) {
        if storage == StoredSample.zeroBasal, !selection.keepsZeroBasal { continue }
        if storage == StoredSample.derivedBasal, !selection.showsDerivedBasal { continue }
        let scan = try SampleScan(
          database, pump: pump.number, storageKind: storage, selection: selection)
        guard scan.count > 0 else { continue }
        count += scan.count
        newest = max(newest, scan.newestEnd)
        groups[ordering.group(index, kind), default: []].append(
          Part(
            index: index, pump: pump.number, storage: storage, rank: UInt64(ordering.rank(kind)),
            isOrdered: scan.isOrdered))
      }
    }
    if count > 0 { newestEnd = Instant(unixSeconds: newest) }
    let sequence = PartSequence(
      database, groups.keys.sorted().map { groups[$0] ?? [] }, selection, memory: memory)
    entries = try EntryStream(sequence)
  }

  /// Fills `batch` with the next rows; false at the end.
  package func next(into batch: inout OutputBatch) throws(LedgerError) -> Bool {
    batch.rows.removeAll(keepingCapacity: true)
    batch.lineage.removeAll(keepingCapacity: true)
    do {
      // The stream is taken out, so that it is a value that nothing else can reach meanwhile.
      if var entries = self.entries.take() {
        while batch.rows.count < Self.batch, !entries.isAtEnd {
          try take(&entries, into: &batch)
        }
        self.entries = consume entries
      }
    } catch {
      throw LedgerError(error)
    }
    try names.check(batch.rows)
    guard batch.rows.isEmpty else { return true }
    self.entries = nil
    return false
  }

  /// Takes the samples of one start, in the order of their ids.
  private func take(
    _ entries: inout EntryStream, into batch: inout OutputBatch
  ) throws(SQLiteError) {
    let first = batch.rows.count
    let key = entries.key
    let group = ordering.group(of: key.partition)
    repeat {
      // Taken out, or the stream would be copied into the closure.
      let partition = entries.key.partition
      batch.rows.append(entries.withBody { row($0, partition, &batch.lineage) })
      try entries.advance()
    } while !entries.isAtEnd && entries.key.high == key.high && entries.key.low == key.low
      && ordering.group(of: entries.key.partition) == group
    if batch.rows.count - first > 1 { sortTies(&batch.rows, from: first) }
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
      row.sample.identity.append(
        to: &id, pump: pumps[row.pump].label.name.utf8Span.span, names: names)
      ties.append(Tie(row: row, id: id))
    }
    ties.sort { $0.id.lexicographicallyPrecedes($1.id) }
    for (offset, tie) in ties.enumerated() { rows[first + offset] = tie.row }
  }
}

/// The samples of one pump and kind.
private struct Part {
  /// The pump's place in the list that outputs name it by.
  var index: Int
  /// The pump's number in the ledger.
  var pump: Int64
  /// The kind as ledgers count it.
  var storage: UInt64
  /// What orders samples of equal start before their ids do.
  var rank: UInt64
  /// Whether starts ascend in the ledger's order.
  var isOrdered: Bool

  var partition: UInt32 { SampleOrdering.partition(index, storage: storage) }
}

/// Gives groups of parts one after the other, each merged by start; opened when its turn comes, so
/// that many pumps do not take memory at once.
private final class PartSequence: ChunkSource {
  private let database: SQLiteConnection
  private let selection: SampleSelection
  private var groups: [[Part]]
  private var current: MergeSource?
  private var spools: [SortSpool] = []

  private let memory: Int

  init(
    _ database: SQLiteConnection, _ groups: [[Part]], _ selection: SampleSelection, memory: Int
  ) {
    self.memory = memory
    self.database = database
    self.selection = selection
    self.groups = groups.reversed()
  }

  func nextChunk(into arena: inout ByteArena) throws(SQLiteError) -> Bool {
    while true {
      if let current, try current.nextChunk(into: &arena) { return true }
      current = nil
      for spool in spools { spool.drop() }
      spools = []
      guard let parts = groups.popLast() else { return false }
      var sources: [any ChunkSource] = []
      // What is sorted of all kinds is held at once.
      let share = memory / max(1, parts.count { !$0.isOrdered })
      for part in parts { sources.append(try source(of: part, memory: share)) }
      current = try MergeSource(sources)
    }
  }

  private func source(
    of part: Part, memory: Int
  ) throws(SQLiteError) -> any ChunkSource {
    let source = try SampleSource(
      database, pump: part.pump, storageKind: part.storage, selection: selection,
      partition: part.partition, rank: part.rank)
    guard !part.isOrdered else { return source }
    let spool = SortSpool(memory: memory)
    var unsorted = try EntryStream(source)
    while !unsorted.isAtEnd {
      try spool.append(unsorted.key) { arena in unsorted.withBody { arena.append($0) } }
      try unsorted.advance()
    }
    try spool.finish()
    spools.append(spool)
    return try spool.entries(part.partition)
  }
}
