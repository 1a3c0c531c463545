import Platform
import PumpModel

/// Checks the rows of a ledger for what must hold of each: lengths, order, digests, and that what
/// they point to is there.
///
/// Nothing is trusted: a damaged row is told, never decoded further.
package struct LedgerRowCheck {
  let database: SQLiteConnection
  /// How many copies of records were looked at.
  package private(set) var records: UInt64 = 0
  /// How many samples were looked at, withdrawn ones included.
  package private(set) var samples: UInt64 = 0

  static let wrongChecksum = "rows that are not as they were written"

  /// Creates a check of a ledger.
  package init(_ ledger: Ledger) { database = ledger.database }

  /// What SQLite itself finds wrong with the file, at most ten things.
  package func integrity() throws(LedgerError) -> [LedgerProblem] {
    try run { () throws(SQLiteError) in
      let statement = try database.prepare("PRAGMA integrity_check(10)")
      var problems: [LedgerProblem] = []
      while try statement.step() {
        let words = statement.text(0)
        if words != "ok" { problems.append(LedgerProblem(.file, words)) }
      }
      return problems
    }
  }

  /// What is wrong with documents, the sets of them, and texts.
  package func documents() throws(LedgerError) -> [LedgerProblem] {
    try run { () throws(SQLiteError) in
      var faults = FaultCounts()
      for (fault, sql) in Self.documentFaults {
        for _ in 0..<(try database.integer(sql) ?? 0) { faults.note(fault) }
      }
      let names = try database.prepare("SELECT digest, name FROM identity_names")
      let sha256 = Digest256()
      while try names.step() {
        if UInt64(bitPattern: names.int64(0)) != NameKeeper.digest(of: names.text(1), by: sha256) {
          faults.note("ids of records that their digests are not of")
        }
      }
      return faults.problems(.documents, pump: nil) + (try texts())
    }
  }

  /// What is wrong with the names of pumps, and with what outputs are said to have been given.
  package func namesAndSinks() throws(LedgerError) -> [LedgerProblem] {
    try run { () throws(SQLiteError) in
      var (names, sinks) = (FaultCounts(), FaultCounts())
      let pumps = try database.prepare("SELECT pump, name, name_checksum FROM pumps")
      while try pumps.step() {
        let sum = PumpRegistry.checksum(ofName: pumps.text(1), of: pumps.int64(0))
        if !pumps.isNull(2), pumps.int64(2) != sum { names.note("names that were not given") }
      }
      let ahead = try database.integer(
        """
        SELECT count(*) FROM sinks WHERE mark NOT BETWEEN 0 AND coalesce(
          (SELECT value FROM settings WHERE name = 'change'), 0)
        """)
      for _ in 0..<(ahead ?? 0) {
        sinks.note("outputs that were given more changes than there are")
      }
      return names.problems(.pumps, pump: nil) + sinks.problems(.sinks, pump: nil)
    }
  }

  private static let documentFaults = [
    (
      "digests that are none",
      "SELECT count(*) FROM documents WHERE length(digest) <> 32"
    ),
    (
      "sets of documents without what they were made of",
      """
      SELECT count(*) FROM holders h WHERE parent <> 0
        AND (parent >= holder OR NOT EXISTS (SELECT 1 FROM holders p WHERE p.holder = h.parent))
      """
    ),
    (
      "sets of a document that is not there",
      """
      SELECT count(*) FROM holders h
      WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.document = h.document)
      """
    ),
    (
      "numbers of a document or a pump that is not there",
      """
      SELECT count(*) FROM document_numbers n
      WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.document = n.document)
        OR NOT EXISTS (SELECT 1 FROM pumps p WHERE p.pump = n.pump)
      """
    ),
    (
      "rows of exports of a document or a pump that is not there",
      """
      SELECT count(*) FROM export_rows r
      WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.document = r.document)
        OR NOT EXISTS (SELECT 1 FROM pumps p WHERE p.pump = r.pump)
      """
    ),
    (
      "rows of exports without the id of their record",
      """
      SELECT count(*) FROM export_rows r WHERE name IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM identity_names n WHERE n.digest = r.name)
      """
    ),
  ]

  private func texts() throws(SQLiteError) -> [LedgerProblem] {
    let statement = try database.prepare("SELECT digest, text FROM properties")
    let digest = Digest256()
    var faults = FaultCounts()
    while try statement.step() {
      statement.withBlob(1) { digest.update($0) }
      let found = digest.finish().bytes.prefix(16)
      let kept = statement.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
      if !found.elementsEqual(kept) { faults.note("texts that their digests are not of") }
    }
    return faults.problems(.properties, pump: nil)
  }

  /// What is wrong with a pump's journal.
  package mutating func journal(of pump: LedgerPump) throws(LedgerError) -> [LedgerProblem] {
    do {
      let rows = try database.prepare(
        "SELECT high, low, entries, checksum FROM journal WHERE pump = ? ORDER BY high, low")
      rows.bind(1, pump.number)
      let holders = try database.prepare("SELECT 1 FROM holders WHERE holder = ?")
      let texts = try database.prepare("SELECT 1 FROM properties WHERE digest = ?")
      var check = JournalCheck(holders: holders, texts: texts)
      while try rows.step() {
        let first = SortKey(
          partition: 0, high: unordered(rows.int64(0)), low: unordered(rows.int64(1)))
        let bytes = rows.withBlob(2) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
        let sum = rows.isNull(3) ? nil : rows.int64(3)
        try check.take(bytes, first: first, checksum: sum)
      }
      records += check.records
      return check.faults.problems(.journal, pump: pump.label.name)
    } catch {
      throw LedgerError(error)
    }
  }

  /// What is wrong with the rows of a pump's samples.
  package mutating func samples(of pump: LedgerPump) throws(LedgerError) -> [LedgerProblem] {
    do {
      let change = UInt64(
        try database.integer("SELECT value FROM settings WHERE name = 'change'") ?? 0)
      let rows = try database.prepare(
        """
        SELECT high, low, change, live, is_ordered, first_start, last_start, newest_end, entries,
          taken, checksum
        FROM samples WHERE pump = ? ORDER BY high, low
        """)
      rows.bind(1, pump.number)
      var check = SampleCheck(newestChange: change, names: try LedgerNames(database))
      while try rows.step() {
        let stated = SampleRowFacts(
          change: UInt64(clamping: rows.int64(2)), live: rows.int64(3), taken: rows.int64(9),
          isOrdered: rows.int64(4) != 0, firstStart: rows.int64(5), lastStart: rows.int64(6),
          newestEnd: rows.int64(7))
        let first = SortKey(
          partition: 0, high: unordered(rows.int64(0)), low: unordered(rows.int64(1)))
        let sum = rows.isNull(10) ? nil : rows.int64(10)
        rows.withBlob(8) { check.take($0, first: first, stated: stated, checksum: sum) }
      }
      samples += check.samples
      return check.faults.problems(.samples, pump: pump.label.name)
    } catch {
      throw LedgerError(error)
    }
  }

  func run<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(LedgerError) -> Result {
    do { return try body() } catch { throw LedgerError(error) }
  }
}

/// Checks a pump's journal, row by row.
private struct JournalCheck {
  let holders: SQLiteStatement
  let texts: SQLiteStatement
  private(set) var faults = FaultCounts()
  private(set) var records: UInt64 = 0
  private var last: SortKey?
  private var knownHolder: UInt32?

  init(holders: SQLiteStatement, texts: SQLiteStatement) {
    self.holders = holders
    self.texts = texts
  }

  /// `checksum` is nil in rows that were written before there were checksums.
  mutating func take(
    _ bytes: [UInt8], first: SortKey, checksum: Int64?
  ) throws(SQLiteError) {
    if let checksum, checksum != RowChecksum.of(unsafe bytes.span.bytes) {
      faults.note(LedgerRowCheck.wrongChecksum)
    }
    guard !bytes.isEmpty, bytes.count.isMultiple(of: JournalEntry.size) else {
      faults.note("rows of a wrong length")
      return
    }
    var entries = StoredEntries(bytes)
    if entries.next?.key != first { faults.note("rows that stand in a wrong place") }
    while let entry = entries.next {
      try check(entry)
      entries.advance()
    }
  }

  private mutating func check(_ entry: JournalEntry) throws(SQLiteError) {
    records += 1
    let record = entry.record
    if let last, entry.key.precedes(last) {
      faults.note("records out of order", number: record.number)
    }
    last = entry.key
    let key = JournalEntry.key(of: record)
    if key != (entry.high, entry.low) {
      faults.note("records that their digests are not of", number: record.number)
    }
    if entry.holder != knownHolder {
      if try isThere(holders, { $0.bind(1, Int64(entry.holder)) }) {
        knownHolder = entry.holder
      } else {
        faults.note("records that no document holds", number: record.number)
      }
    }
    if record.hasText {
      let digest = record.payload.bytes
      if try !isThere(texts, { $0.bind(1, blob: unsafe digest.span.bytes) }) {
        faults.note("records without their text", number: record.number)
      }
    }
  }

  private func isThere(
    _ statement: SQLiteStatement, _ bind: (SQLiteStatement) -> Void
  ) throws(SQLiteError) -> Bool {
    bind(statement)
    defer { statement.reset() }
    return try statement.step()
  }
}

extension PumpRecord.Payload {
  /// The sixteen bytes, in their order.
  var bytes: [UInt8] {
    [word0, word1, word2, word3].flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }
}

/// Checks a pump's samples, row by row.
private struct SampleCheck {
  let newestChange: UInt64
  let names: LedgerNames
  private(set) var faults = FaultCounts()
  private(set) var samples: UInt64 = 0
  private var last: SortKey?

  init(newestChange: UInt64, names: LedgerNames) {
    self.newestChange = newestChange
    self.names = names
  }

  /// Rows without a checksum were written before they said how many ids were taken.
  mutating func take(
    _ row: RawSpan, first: SortKey, stated: SampleRowFacts, checksum: Int64?
  ) {
    if let checksum, checksum != RowChecksum.of(row) { faults.note(LedgerRowCheck.wrongChecksum) }
    guard row.byteCount > 0, SampleCoding.isSound(row) else {
      faults.note("rows that are no samples")
      return
    }
    var facts = SampleRowFacts()
    var offset = 0
    while offset < row.byteCount {
      let stored = SampleCoding.stored(row, at: offset)
      if offset == 0, StoredSample.key(of: stored.sample) != first {
        faults.note("rows that stand in a wrong place")
      }
      check(stored, kind: first.high >> 58)
      facts.add(
        change: stored.change, isLive: !stored.isWithdrawn,
        isTaken: stored.sample.identity.ordinal > 1, start: stored.sample.start.unixSeconds,
        end: stored.sample.end.unixSeconds)
      offset += SampleCoding.size(row, at: offset)
    }
    if checksum == nil { facts.taken = stated.taken }
    if facts != stated { faults.note("rows that say something else of themselves") }
  }

  private mutating func check(_ stored: StoredSample, kind: UInt64) {
    samples += 1
    let number = stored.sample.identity.first
    let key = StoredSample.key(of: stored.sample)
    if let last, !last.precedes(key) { faults.note("samples out of order", number: number) }
    last = key
    if StoredSample.storageKind(stored.sample) != kind {
      faults.note("samples of another kind than their row", number: number)
    }
    if stored.revision == 0 || stored.change == 0 || stored.change > newestChange {
      faults.note("samples with an impossible revision", number: number)
    }
    let identity = stored.sample.identity
    if identity.scheme == .named, names.name(of: identity.nameDigest) == nil {
      faults.note("samples without the id of their record")
    }
    if stored.sample.end < stored.sample.start {
      faults.note("samples that end before they begin", number: number)
    }
  }
}

extension SampleCoding {
  /// Whether bytes are whole samples of known kinds, so that they can be read at all.
  static func isSound(_ row: RawSpan) -> Bool {
    var offset = 0
    while offset < row.byteCount {
      guard row.byteCount - offset >= header else { return false }
      let room = (row.byteCount - offset - header) / 8
      guard Int(row.load(offset, as: UInt32.self)) <= room,
        SampleKind(rawValue: row.load(offset + 66, as: UInt8.self)) != nil,
        SampleIdentity.Scheme(rawValue: row.load(offset + 67, as: UInt8.self)) != nil,
        row.load(offset + 62, as: UInt16.self) > 0
      else { return false }
      offset += size(row, at: offset)
    }
    return true
  }
}
