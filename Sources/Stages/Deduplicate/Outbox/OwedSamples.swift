import Platform
package import PumpModel

/// What a sink is owed: how the samples that it shows differ from those that it was given, sorted
/// beside the ledger in bounded memory, so that it can be written when the ledger has moved on.
///
/// What a sink was given last is worked out from the marks of all sinks of the same output: another
/// selection gives nothing twice.
package final class OwedSamples {
  private let sink: LedgerSink
  /// The sinks of the same output, the lowest mark first.
  private let given: [LedgerSink]
  /// The pumps that rows name by their place, those among them that were proven to be others.
  package let pumps: [LedgerPump]
  private let recordNames: LedgerNames
  /// What ids of samples of named records begin with.
  package var names: any IdentityNames { recordNames }
  private let ordering: SampleOrdering
  private let spool: SortSpool
  /// What it was worked out from; equal ones give equal samples.
  package let basis: Basis
  /// How many samples are fresh, revised and withdrawn for the sink.
  package private(set) var counts = SampleChanges()
  /// The newest end among the samples of a change, as they are now.
  package private(set) var newestEnds: [OutputChange: Instant] = [:]

  private static let memory = 6 << 20

  /// What is owed follows from what was given and from the ledger's count of changes.
  package struct Basis: Sendable, Equatable {
    /// The sinks of the output, with their marks.
    fileprivate var given: [LedgerSink]
    /// The ledger's count of changes.
    fileprivate var change: UInt64
  }

  /// Finds what a sink is owed.
  ///
  /// A database is told of every change above its mark, whether it was given the sample before or
  /// not.
  package convenience init(
    _ ledger: Ledger, sink: LedgerSink, order: OutputOrder
  ) throws(LedgerError) {
    try self.init(ledger, sink: sink, order: order, memory: Self.memory)
  }

  /// Finds what a sink is owed; of what is to be sorted, so many bytes are held at once.
  init(
    _ ledger: Ledger, sink: LedgerSink, order: OutputOrder, memory: Int
  ) throws(LedgerError) {
    self.sink = sink
    given = try ledger.sinks().filter { $0.format == sink.format && $0.target == sink.target }
      .sorted { $0.mark < $1.mark }
    basis = Basis(given: given, change: try ledger.changeNumber)
    pumps = try ledger.pumps()
    recordNames = try ledger.recordNames()
    ordering = SampleOrdering(order: order)
    spool = SortSpool(memory: memory)
    try ledger.run { () throws(SQLiteError) in
      for (index, pump) in pumps.enumerated() {
        for (storage, _) in SampleOrdering.storageKinds {
          try find(ledger.database, pump.number, index, storage)
        }
      }
      try spool.finish()
    }
  }

  /// Whether nothing is owed.
  package var isEmpty: Bool { counts.fresh + counts.revised + counts.withdrawn == 0 }

  /// The samples of some changes, in the sink's order.
  package func rows(
    of changes: Set<OutputChange>, showing forms: OwedForms
  ) throws(LedgerError) -> OwedRows {
    do {
      var groups: [UInt32: [UInt32]] = [:]
      for partition in spool.partitions {
        groups[ordering.group(of: partition), default: []].append(partition)
      }
      let sources = groups.keys.sorted().map { group in
        (groups[group] ?? []).sorted()
      }
      return try OwedRows(
        spool, groups: sources, changes: changes, forms: forms, pumps: pumps.map(\.label.name),
        names: recordNames)
    } catch {
      throw LedgerError(error)
    }
  }

  /// Frees what the samples take.
  package func drop() { spool.drop() }

  private func find(
    _ database: SQLiteConnection, _ pump: Int64, _ index: Int, _ storage: UInt64
  ) throws(SQLiteError) {
    let rows = try database.prepare(
      """
      SELECT entries FROM samples WHERE pump = ? AND high BETWEEN ? AND ? AND change > ?
      ORDER BY high, low
      """)
    rows.bind(1, pump)
    rows.bind(2, ordered(storage << 58))
    rows.bind(3, ordered((storage + 1) << 58 - 1))
    rows.bind(4, Int64(clamping: sink.mark))
    let forms = try database.prepare(FormsOfRange.query)
    let partition = SampleOrdering.partition(index, storage: storage)
    while try rows.step() {
      let changed = rows.withBlob(0) { Self.changed($0, above: sink.mark) }
      guard let first = changed.first, let last = changed.last else { continue }
      let range = StoredSample.key(of: first.sample).high...StoredSample.key(of: last.sample).high
      let old = try FormsOfRange(forms, pump: pump, high: range)
      for sample in changed { try take(sample, old, pump, partition) }
    }
  }

  /// The samples of a row that changed after a mark.
  private static func changed(_ row: RawSpan, above mark: UInt64) -> [StoredSample] {
    var changed: [StoredSample] = []
    var offset = 0
    while offset < row.byteCount {
      if SampleCoding.change(row, at: offset) > mark {
        changed.append(SampleCoding.stored(row, at: offset))
      }
      offset += SampleCoding.size(row, at: offset)
    }
    return changed
  }

  private func take(
    _ current: StoredSample, _ forms: FormsOfRange, _ pump: Int64, _ partition: UInt32
  ) throws(SQLiteError) {
    let isShown = !current.isWithdrawn && sink.selection.shows(current.sample, of: pump)
    guard !sink.isDatabase else {
      // A sample that it never shows may have the id of one that it does.
      guard sink.selection.covers(current.sample, of: pump) else { return }
      return isShown
        ? try add(.revised, old: nil, new: current, partition)
        : try add(.withdrawn, old: current, new: nil, partition)
    }
    switch (last(given: current, forms, pump), isShown ? current : nil) {
    case (nil, nil): return
    case (nil, let new?): try add(.fresh, old: nil, new: new, partition)
    case (let old?, nil):
      guard sink.selection.shows(old.sample, of: pump) else { return }
      try add(.withdrawn, old: old, new: nil, partition)
    case (let old?, let new?):
      guard !old.hasSameContent(as: new.sample) else { return }
      try add(.revised, old: old, new: new, partition)
    }
  }

  /// The form of a sample that the output was given last: each of its sinks in turn gave the form
  /// that held at its mark, or told that there was none any more.
  private func last(
    given current: StoredSample, _ forms: FormsOfRange, _ pump: Int64
  ) -> StoredSample? {
    var last: StoredSample?
    for sink in given {
      if let form = forms.form(of: current, at: sink.mark),
        sink.selection.shows(form.sample, of: pump)
      {
        last = form
      } else if let told = last, sink.selection.shows(told.sample, of: pump) {
        last = nil
      }
    }
    return last
  }

  private func add(
    _ change: OutputChange, old: StoredSample?, new: StoredSample?, _ partition: UInt32
  ) throws(SQLiteError) {
    guard let shown = new ?? old else { return }
    switch change {
    case .fresh: counts.fresh += 1
    case .revised: counts.revised += 1
    case .withdrawn: counts.withdrawn += 1
    }
    let end = shown.sample.end
    newestEnds[change] = max(newestEnds[change] ?? end, end)
    let key = SortKey(
      partition: partition, high: UInt64(bitPattern: shown.sample.start.unixSeconds) ^ 1 << 63,
      low: UInt64(ordering.rank(shown.sample.identity.kind)))
    try spool.append(key) { arena in
      arena.append(change.code)
      for form in [old, new].compactMap(\.self) {
        SampleCoding.append(
          form.sample, revision: form.revision, change: form.change,
          isWithdrawn: form.isWithdrawn, lineage: form.lineage[...], to: &arena)
      }
    }
  }
}

extension OutputChange {
  /// The byte that stands for a change in a spool.
  fileprivate var code: UInt8 {
    switch self {
    case .fresh: 0
    case .revised: 1
    case .withdrawn: 2
    }
  }

  fileprivate init(code: UInt8) {
    switch code {
    case 0: self = .fresh
    case 1: self = .revised
    default: self = .withdrawn
    }
  }
}

/// Which forms of an owed sample become rows.
package enum OwedForms: Sendable {
  /// The form that holds now; where none does, the last one.
  case last
  /// The form that was given, then the one that holds now.
  case both
}

/// Gives owed samples as rows, in the sink's order.
package final class OwedRows {
  private let changes: Set<OutputChange>
  private let forms: OwedForms
  private let pumps: [String]
  private let names: LedgerNames
  private var groups: ArraySlice<[UInt32]>
  private let spool: SortSpool
  private var entries: EntryStream?
  private static let batch = 2048

  fileprivate init(
    _ spool: SortSpool, groups: [[UInt32]], changes: Set<OutputChange>, forms: OwedForms,
    pumps: [String], names: LedgerNames
  ) throws(SQLiteError) {
    self.spool = spool
    self.groups = groups[...]
    self.changes = changes
    self.forms = forms
    self.pumps = pumps
    self.names = names
    try open()
  }

  /// Opens the next group.
  private func open() throws(SQLiteError) {
    entries = nil
    guard let partitions = groups.popFirst() else { return }
    var sources: [any ChunkSource] = []
    for partition in partitions { sources.append(try spool.entries(partition)) }
    entries = try EntryStream(MergeSource(sources))
  }

  /// Fills `batch` with the next rows; false at the end.
  package func next(into batch: inout OutputBatch) throws(LedgerError) -> Bool {
    batch.rows.removeAll(keepingCapacity: true)
    batch.lineage.removeAll(keepingCapacity: true)
    do {
      while batch.rows.count < Self.batch, var entries = self.entries.take() {
        if entries.isAtEnd {
          try open()
        } else {
          try take(&entries, into: &batch)
          self.entries = consume entries
        }
      }
    } catch {
      throw LedgerError(error)
    }
    try names.check(batch.rows)
    return !batch.rows.isEmpty
  }

  /// Takes the samples of one start, in the order of their ids.
  private func take(
    _ entries: inout EntryStream, into batch: inout OutputBatch
  ) throws(SQLiteError) {
    let key = entries.key
    var ties: [(id: [UInt8], rows: [OutputRow])] = []
    repeat {
      let pump = Int(entries.key.partition >> 3)
      let rows = entries.withBody { self.rows($0, pump, &batch.lineage) }
      if let first = rows.first {
        var id: [UInt8] = []
        first.sample.identity.append(
          to: &id, pump: pumps[pump].utf8Span.span, names: names)
        ties.append((id, rows))
      }
      try entries.advance()
    } while !entries.isAtEnd && entries.key.high == key.high && entries.key.low == key.low
    if ties.count > 1 { ties.sort { $0.id.lexicographicallyPrecedes($1.id) } }
    for tie in ties { batch.rows.append(contentsOf: tie.rows) }
  }

  private func rows(
    _ bytes: RawSpan, _ pump: Int, _ lineage: inout [EventReference]
  ) -> [OutputRow] {
    let change = OutputChange(code: bytes.load(0, as: UInt8.self))
    guard changes.contains(change) else { return [] }
    var rows: [OutputRow] = []
    var offset = 1
    while offset < bytes.byteCount {
      let from = lineage.count
      SampleCoding.appendLineage(bytes, at: offset, to: &lineage)
      var row = OutputRow(
        sample: SampleCoding.sample(bytes, at: offset), pump: pump,
        revision: SampleCoding.revision(bytes, at: offset), lineage: from..<lineage.count)
      row.change = change
      offset += SampleCoding.size(bytes, at: offset)
      row.isOldForm = change == .withdrawn || (change == .revised && offset < bytes.byteCount)
      rows.append(row)
    }
    return forms == .both ? rows : Array(rows.suffix(1))
  }
}
