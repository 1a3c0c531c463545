import Platform
package import PumpModel

/// What a run reads, on its way into a ledger's journal: records wait sorted beside the ledger
/// until all documents are read, pumps are named and it is known which documents count.
package final class JournalImport {
  let ledger: Ledger
  private let spool: SortSpool
  private var failure: SQLiteError?
  private var numbers: [NumbersKey: (lowest: UInt32, highest: UInt32)] = [:]
  private var current = CurrentNumbers()
  private var estimates: [EstimateKey: Estimate] = [:]
  private var estimatesOfDocument: (document: UInt32, count: Int) = (0, 0)
  private var estimatesByDocument: [UInt32: Int] = [:]
  private let rows: RowImport
  /// Texts by document and digest.
  private let texts: SortSpool
  /// References that name a group other than 0.
  private var grouped: Set<UInt32> = []
  /// Documents with records that carry no pump at all.
  private var unnamed: Set<UInt32> = []
  private var lastUnnamed: UInt32?

  private static let memory = 10 << 20
  private static let textMemory = 2 << 20
  /// What SQLite sorts of more rows would take as much memory as the cache beside it.
  private static let mostRowsInCache = 1 << 14
  /// A document's estimated times are noted by difference; past this many, no new differences.
  private static let mostEstimates = 256

  /// Numbers are noted by document, reference and group.
  private struct NumbersKey: Hashable {
    var document: UInt32
    var reference: UInt32
    var group: UInt32?
  }

  /// The numbers that are being noted.
  private struct CurrentNumbers {
    var key: NumbersKey?
    var lowest: UInt32 = .max
    var highest: UInt32 = 0

    @inline(__always)
    func holds(_ record: PumpRecord, _ document: UInt32) -> Bool {
      guard let key else { return false }
      return key.document == document && key.reference == record.pump
        && key.group == (record.hasGroup ? record.group : nil)
    }
  }

  private struct EstimateKey: Hashable {
    var document: UInt32
    var reference: UInt32
    var seconds: Int64
  }

  private struct Estimate {
    var records: Int64
    var first: UInt32
    var last: UInt32
  }

  /// Creates an import into a ledger.
  package init(_ ledger: Ledger) {
    self.ledger = ledger
    spool = SortSpool(memory: Self.memory)
    texts = SortSpool(memory: Self.textMemory)
    rows = RowImport(ledger.database)
  }

  /// Takes rows of exports of a document.
  package func append(rows: [ExportRow], document: UInt32) throws(LedgerError) {
    for row in rows where row.pump == 0 { noteUnnamed(document) }
    try ledger.run { () throws(SQLiteError) in try self.rows.append(rows, document: document) }
  }

  /// Makes one row of those that came more than once, the document with them.
  ///
  /// - Returns: how many places of the document have a row, all others left out of account; 0 if two
  ///   rows of one place say different things.
  package func uniteRows(of document: UInt32) throws(LedgerError) -> UInt64 {
    try ledger.run { () throws(SQLiteError) in try self.rows.unite(of: document) }
  }

  /// Takes records of a document, which the run counts from 0.
  ///
  /// - Throws: `LedgerError` where the temporary file cannot grow.
  package func append(
    _ records: Span<PumpRecord>, document: UInt32
  ) throws(LedgerError) {
    do throws(SQLiteError) {
      try spool.fill { buffer throws(SQLiteError) in
        for index in records.indices {
          let record = records[index]
          let key = JournalEntry.key(of: record)
          let place = SortKey(partition: record.pump, high: key.high, low: key.low)
          unsafe buffer.append(place, size: JournalEntry.bodySize) { bytes, offset in
            unsafe JournalEntry.storeBody(
              payload: record.payload, present: record.present, holder: document, in: bytes,
              at: offset)
          }
        }
      }
    } catch {
      throw LedgerError(error)
    }
    // Taken out, so that it is a value that nothing else can reach meanwhile.
    var current = self.current
    for index in records.indices { note(records[index], document, &current) }
    self.current = current
  }

  /// Takes the text of properties, whose digest is the payload of their record; nobody would read
  /// it in a ledger that is gone after the run.
  package func keep(
    properties: Span<UInt8>, digest: PumpRecord.Payload, document: UInt32
  ) throws(LedgerError) {
    guard !ledger.isTemporary else { return }
    let key = SortKey(
      partition: document, high: UInt64(digest.word0) << 32 | UInt64(digest.word1),
      low: UInt64(digest.word2) << 32 | UInt64(digest.word3))
    try ledger.run { () throws(SQLiteError) in
      try texts.append(key) { arena in unsafe arena.append(properties.bytes) }
    }
  }

  /// Notes that `estimatedDateTime` of a record differs from its time.
  package func note(estimateDiffersBy seconds: Int64, of record: PumpRecord, document: UInt32) {
    if estimatesOfDocument.document != document { estimatesOfDocument = (document, 0) }
    let key = EstimateKey(document: document, reference: record.pump, seconds: seconds)
    if estimates[key] == nil {
      guard estimatesOfDocument.count < Self.mostEstimates else { return }
      estimatesOfDocument.count += 1
    }
    var estimate = estimates[key] ?? Estimate(records: 0, first: .max, last: 0)
    estimate.records += 1
    estimate.first = min(estimate.first, record.seconds)
    estimate.last = max(estimate.last, record.seconds)
    estimates[key] = estimate
  }

  /// Notes by how much `estimatedDateTime` of some records of a document differs, as it was added
  /// up elsewhere; said again it replaces what was said before.
  package func note(
    estimateDiffersBy seconds: Int64, records: Int64, from first: UInt32, until last: UInt32,
    reference: UInt32, document: UInt32
  ) {
    let key = EstimateKey(document: document, reference: reference, seconds: seconds)
    if estimates[key] == nil {
      let known = estimatesByDocument[document, default: 0]
      guard known < Self.mostEstimates else { return }
      estimatesByDocument[document] = known + 1
    }
    estimates[key] = Estimate(records: records, first: first, last: last)
  }

  /// Notes the numbers of a document and the groups of a pump; most often nothing is new.
  @inline(__always)
  private func note(
    _ record: PumpRecord, _ document: UInt32, _ current: inout CurrentNumbers
  ) {
    if record.hasGroup, record.group != 0 { grouped.insert(record.pump) }
    if record.pump == 0 { noteUnnamed(document) }
    guard !record.isFromClockChanges else { return }
    if current.holds(record, document) {
      current.lowest = min(current.lowest, record.number)
      current.highest = max(current.highest, record.number)
    } else {
      keep(current)
      current = begin(record, document)
    }
  }

  private func noteUnnamed(_ document: UInt32) {
    guard lastUnnamed != document else { return }
    lastUnnamed = document
    unnamed.insert(document)
  }

  private func begin(_ record: PumpRecord, _ document: UInt32) -> CurrentNumbers {
    let key = NumbersKey(
      document: document, reference: record.pump, group: record.hasGroup ? record.group : nil)
    let kept = numbers[key]
    return CurrentNumbers(
      key: key, lowest: min(kept?.lowest ?? .max, record.number),
      highest: max(kept?.highest ?? 0, record.number))
  }

  private func keep(_ current: CurrentNumbers) {
    if let key = current.key { numbers[key] = (current.lowest, current.highest) }
  }
}

extension JournalImport {
  /// Names the pumps and takes the records of accepted documents into the journal.
  ///
  /// The ledger must be in its transaction.
  ///
  /// - Throws: `NamingError`, `LedgerError`.
  package func finish(
    _ documents: [AcceptedDocument], claims: PumpClaims, count: UInt32
  ) throws -> ImportOutcome {
    keep(current)
    current = CurrentNumbers()
    var outcome = ImportOutcome()
    do {
      var kept = [UInt32?](repeating: nil, count: Int(count))
      let held = try ledger.dataNature()
      let run = try ledger.database.integer("SELECT max(run) + 1 FROM documents") ?? 1
      for document in documents { try keep(document, run, &kept, &outcome) }
      var claims = claims
      claims.hasUnnamed = claims.hasUnnamed && hasUnnamed(in: kept)
      let named = try PumpRegistry(database: ledger.database).name(claims)
      outcome.pumps = named.byReference
      try ledger.settle(
        nature(of: documents.lazy.filter { kept[Int($0.index)] != nil }, named: named), held: held)
      try keepStatements(documents, claims, named)
      if rows.count > Self.mostRowsInCache { try ledger.keepCacheSmall() }
      outcome.touchedRows = try rows.finish(kept, pumps: named.byReference)
      outcome.changedPumps.formUnion(outcome.touchedRows.keys)
      try keepNumbers(kept, named)
      try keepEstimates(kept, named, &outcome)
      noteClaims(documents, kept, named, &outcome)
      try keepTexts(kept)
      try spool.finish()
      if spool.hasSpilled { try ledger.keepCacheSmall() }
      let sets = try DocumentSets(ledger.database)
      try mergePumps(named.merged, sets, &outcome)
      try mergeRecords(kept, named, sets, &outcome)
      spool.drop()
    } catch let error as SQLiteError {
      throw LedgerError(error)
    }
    return outcome
  }

  /// Whether a document that counts holds records that carry no pump at all.
  private func hasUnnamed(in kept: [UInt32?]) -> Bool {
    unnamed.contains { kept[Int($0)] != nil }
  }

  /// Finds or adds a document; a known one counts only for what was said with it.
  private func keep(
    _ document: AcceptedDocument, _ run: Int64, _ kept: inout [UInt32?],
    _ outcome: inout ImportOutcome
  ) throws(SQLiteError) {
    let select = try ledger.database.prepare(
      "SELECT document, is_complete FROM documents WHERE digest = ?")
    select.bind(1, blob: unsafe document.digest.span.bytes)
    if try select.step() {
      outcome.known.insert(document.index)
      if document.references.contains(0) {
        outcome.unnamedPumps[document.index] = try pumps(of: select.int64(0))
      }
      if document.isComplete, select.int64(1) == 0 {
        try setComplete(select.int64(0), &outcome)
      }
      return
    }
    let insert = try ledger.database.prepare(
      """
      INSERT INTO documents (digest, format, is_complete, bytes, records, missing_bodies, run)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    insert.bind(1, blob: unsafe document.digest.span.bytes)
    insert.bind(2, document.format.rawValue)
    insert.bind(3, document.isComplete ? 1 as Int64 : 0)
    insert.bind(4, Int64(clamping: document.bytes))
    insert.bind(5, Int64(clamping: document.records))
    insert.bind(6, Int64(clamping: document.missingBodies))
    insert.bind(7, run)
    try insert.run()
    kept[Int(document.index)] = UInt32(truncatingIfNeeded: ledger.database.lastInsertedRow)
  }

  private func setComplete(
    _ document: Int64, _ outcome: inout ImportOutcome
  ) throws(SQLiteError) {
    let update = try ledger.database.prepare(
      "UPDATE documents SET is_complete = 1 WHERE document = ?")
    update.bind(1, document)
    try update.run()
    let pumps = try ledger.database.prepare(
      "SELECT DISTINCT pump FROM document_numbers WHERE document = ?")
    pumps.bind(1, document)
    while try pumps.step() { outcome.changedPumps.insert(pumps.int64(0)) }
  }

  private func keepNumbers(_ kept: [UInt32?], _ named: NamedPumps) throws(SQLiteError) {
    let insert = try ledger.database.prepare(
      "INSERT INTO document_numbers VALUES (?, ?, ?, ?, ?)")
    for (key, range) in numbers {
      guard let document = kept[Int(key.document)], let pump = named.byReference[key.reference]
      else { continue }
      insert.bind(1, Int64(document))
      insert.bind(2, pump)
      insert.bind(3, key.group.map(Int64.init))
      insert.bind(4, Int64(range.lowest))
      insert.bind(5, Int64(range.highest))
      try insert.run()
    }
    let update = try ledger.database.prepare("UPDATE pumps SET has_groups = 1 WHERE pump = ?")
    for reference in grouped {
      guard let pump = named.byReference[reference] else { continue }
      update.bind(1, pump)
      try update.run()
    }
  }

  /// A new document that is said to be complete changes what is known of its pumps, even if every
  /// record in it is a copy.
  private func noteClaims(
    _ documents: [AcceptedDocument], _ kept: [UInt32?], _ named: NamedPumps,
    _ outcome: inout ImportOutcome
  ) {
    let complete = Set(documents.lazy.filter(\.isComplete).map(\.index))
    for key in numbers.keys where complete.contains(key.document) && kept[Int(key.document)] != nil
    {
      if let pump = named.byReference[key.reference] { outcome.changedPumps.insert(pump) }
    }
  }

  private func keepEstimates(
    _ kept: [UInt32?], _ named: NamedPumps, _ outcome: inout ImportOutcome
  ) throws(SQLiteError) {
    let insert = try ledger.database.prepare(
      "INSERT INTO estimated_times VALUES (?, ?, ?, ?, ?, ?)")
    for (key, estimate) in estimates {
      guard let document = kept[Int(key.document)], let pump = named.byReference[key.reference]
      else { continue }
      insert.bind(1, Int64(document))
      insert.bind(2, pump)
      insert.bind(3, key.seconds)
      insert.bind(4, estimate.records)
      insert.bind(5, Int64(estimate.first))
      insert.bind(6, Int64(estimate.last))
      try insert.run()
      outcome.changedPumps.insert(pump)
    }
  }

  private func keepTexts(_ kept: [UInt32?]) throws(SQLiteError) {
    try texts.finish()
    let insert = try ledger.database.prepare("INSERT OR IGNORE INTO properties VALUES (?, ?)")
    for document in texts.partitions where kept[Int(document)] != nil {
      var entries = try EntryStream(try texts.entries(document))
      var last: SortKey?
      while !entries.isAtEnd {
        if entries.key != last { try keepText(entries, insert) }
        last = entries.key
        try entries.advance()
      }
    }
    texts.drop()
  }

  private func keepText(
    _ text: borrowing EntryStream, _ insert: SQLiteStatement
  ) throws(SQLiteError) {
    let digest = [text.key.high.bigEndian, text.key.low.bigEndian]
    insert.bind(1, blob: unsafe digest.span.bytes)
    var failure: SQLiteError?
    text.withBody { bytes in
      do throws(SQLiteError) { try insert.run(blob: bytes, at: 2) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Pours the journal of pumps that were proven to be others into those.
  private func mergePumps(
    _ merged: [(from: Int64, into: Int64)], _ sets: DocumentSets, _ outcome: inout ImportOutcome
  ) throws(SQLiteError) {
    for (from, into) in merged {
      let old = try JournalChunks(ledger.database, pump: from)
      let moved = SortSpool(memory: Self.memory)
      for place in try old.places() {
        var entries = StoredEntries(try old.entries(of: place.chunk))
        while let entry = entries.next {
          try moved.append(entry.key) { arena in
            JournalEntry.append(
              payload: entry.payload, present: entry.present, holder: entry.holder, to: &arena)
          }
          entries.advance()
        }
        try old.remove(place.chunk)
      }
      try moved.finish()
      try pour(moved, into: into, sets)
      moved.drop()
      for pump in [into, from] {
        outcome.changedPumps.insert(pump)
        outcome.touched[pump, default: TouchedRecords()].noteEverything()
      }
    }
  }

  private func pour(
    _ moved: SortSpool, into pump: Int64, _ sets: DocumentSets
  ) throws(SQLiteError) {
    let merge = JournalMerge(
      chunks: try JournalChunks(ledger.database, pump: pump), sets: sets, holders: .sets)
    var entries = try EntryStream(try moved.entries(0))
    _ = try merge.merge(&entries)
  }

  private func mergeRecords(
    _ kept: [UInt32?], _ named: NamedPumps, _ sets: DocumentSets, _ outcome: inout ImportOutcome
  ) throws(SQLiteError) {
    guard kept.contains(where: { $0 != nil }) else { return }
    var references: [Int64: [UInt32]] = [:]
    for reference in spool.partitions {
      if let pump = named.byReference[reference] { references[pump, default: []].append(reference) }
    }
    for pump in references.keys.sorted() {
      let own = references[pump] ?? []
      var sources: [any ChunkSource] = []
      for reference in own { sources.append(try spool.entries(reference)) }
      var entries = try EntryStream(
        sources.count == 1 ? sources[0] : try MergeSource(sources))
      let merge = JournalMerge(
        chunks: try JournalChunks(ledger.database, pump: pump), sets: sets,
        holders: .documents(kept))
      let merged = try merge.merge(&entries)
      outcome.duplicates.merge(merged.duplicates, uniquingKeysWith: +)
      guard merged.hasNewCopies else { continue }
      outcome.changedPumps.insert(pump)
      outcome.touched[pump, default: TouchedRecords()].add(merged.touched)
    }
  }
}
