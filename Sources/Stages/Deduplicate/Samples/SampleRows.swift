import Platform

/// The samples of one pump and kind as rows of sorted entries.
final class SampleRows {
  private let pump: Int64
  private let hasChecksums: Bool
  private let kinds: ClosedRange<Int64>
  private let insert: SQLiteStatement
  private let delete: SQLiteStatement
  private let select: SQLiteStatement
  private let all: SQLiteStatement
  private let before: SQLiteStatement
  /// Keeps the forms of samples that a sink was given and that hold no longer.
  let superseded: SupersededForms

  /// How many bytes a row holds when it is written: with its last sample a page full.
  static let bytesPerRow = 31 * 1024

  /// Creates access to the rows of a kind, as ledgers count kinds.
  init(_ database: SQLiteConnection, pump: Int64, storageKind: UInt64) throws(SQLiteError) {
    self.pump = pump
    // Nobody but this run reads the rows of a temporary ledger.
    hasChecksums = !database.isTemporary
    kinds = ordered(storageKind << 58)...ordered((storageKind + 1) << 58 - 1)
    insert = try database.prepare(
      """
      INSERT INTO samples (
        pump, high, low, change, live, is_ordered, first_start, last_start, newest_end, entries,
        checksum, taken)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    delete = try database.prepare("DELETE FROM samples WHERE chunk = ?")
    select = try database.prepare("SELECT entries, checksum FROM samples WHERE chunk = ?")
    all = try database.prepare(
      """
      SELECT chunk, high, low FROM samples
      WHERE pump = ?1 AND high BETWEEN ?2 AND ?4 AND (high > ?2 OR low >= ?3) ORDER BY high, low
      """)
    before = try database.prepare(
      """
      SELECT high, low FROM samples
      WHERE pump = ?1 AND high BETWEEN ?4 AND ?2 AND (high < ?2 OR low < ?3)
      ORDER BY high DESC, low DESC LIMIT 1
      """)
    superseded = try SupersededForms(database, pump: pump)
  }

  /// The rows in order, from the last that begins before a key on.
  func places(from key: SortKey = .least) throws(SQLiteError) -> [RowPlace] {
    all.bind(1, pump)
    before.bind(1, pump)
    all.bind(4, kinds.upperBound)
    before.bind(4, kinds.lowerBound)
    let first = SortKey(
      partition: 0, high: max(key.high, unordered(kinds.lowerBound)), low: key.low)
    return try RowPlace.all(all, from: first, before: before)
  }

  /// A row's entries.
  func entries(of chunk: Int64) throws(SQLiteError) -> [UInt8] {
    select.bind(1, chunk)
    defer { select.reset() }
    guard try select.step() else { return [] }
    return try RowChecksum.checkedBytes(of: select, 0)
  }

  /// Takes a row out and gives its entries.
  func take(_ chunk: Int64) throws(SQLiteError) -> [UInt8] {
    let entries = try entries(of: chunk)
    try remove(chunk)
    return entries
  }

  func remove(_ chunk: Int64) throws(SQLiteError) {
    delete.bind(1, chunk)
    try delete.run()
  }

  /// Writes a row.
  func add(key: SortKey, _ facts: SampleRowFacts, _ arena: borrowing ByteArena)
    throws(SQLiteError)
  {
    insert.bind(1, pump)
    insert.bind(2, ordered(key.high))
    insert.bind(3, ordered(key.low))
    insert.bind(4, Int64(clamping: facts.change))
    insert.bind(5, facts.live)
    insert.bind(6, facts.isOrdered ? 1 as Int64 : 0)
    insert.bind(7, facts.firstStart)
    insert.bind(8, facts.lastStart)
    insert.bind(9, facts.newestEnd)
    arena.withBytes { insert.bind(11, hasChecksums ? RowChecksum.of($0) : nil) }
    insert.bind(12, facts.taken)
    try arena.withBytes { bytes throws(SQLiteError) in try insert.run(blob: bytes, at: 10) }
  }
}

/// What is known of a row of samples without reading it; of starts and ends, those that are live.
struct SampleRowFacts: Equatable {
  /// The newest change number.
  var change: UInt64 = 0
  /// How many samples are not withdrawn.
  var live: Int64 = 0
  /// How many of these are not the first of their id.
  var taken: Int64 = 0
  /// Whether starts ascend.
  var isOrdered = true
  /// The start of the first sample.
  var firstStart: Int64 = .max
  /// The start of the last sample.
  var lastStart: Int64 = .min
  /// The newest end.
  var newestEnd: Int64 = .min

  @inline(__always)
  mutating func add(
    change: UInt64, isLive: Bool, isTaken: Bool, start: Int64, end: Int64
  ) {
    self.change = max(self.change, change)
    guard isLive else { return }
    if live == 0 { firstStart = start }
    live += 1
    if isTaken { taken += 1 }
    if start < lastStart { isOrdered = false }
    lastStart = start
    newestEnd = max(newestEnd, end)
  }
}

/// Collects samples in order and writes them as rows.
struct SampleRowWriter {
  let rows: SampleRows
  private var arena = ByteArena(capacity: SampleRows.bytesPerRow + 4096)
  private var first: SortKey?
  private var last: SortKey?
  private var facts = SampleRowFacts()
  /// The row in whose place the samples come, as long as it is still there.
  private var original: (chunk: Int64, bytes: [UInt8])?

  init(rows: SampleRows) {
    self.rows = rows
  }

  /// Puts what is appended in place of a row, which stays where nothing changes.
  mutating func replace(_ chunk: Int64, holding bytes: [UInt8]) { original = (chunk, bytes) }

  /// Appends a sample; `body` writes its bytes.
  ///
  /// Samples of one id never stand in two rows.
  @inline(__always)
  mutating func append(
    _ key: SortKey, change: UInt64, isLive: Bool, isTaken: Bool, start: Int64, end: Int64,
    _ body: (inout ByteArena) -> Void
  ) throws(SQLiteError) {
    if arena.count >= SampleRows.bytesPerRow, let last, !StoredSample.haveOneID(last, key) {
      try flush()
    }
    if first == nil { first = key }
    last = key
    facts.add(change: change, isLive: isLive, isTaken: isTaken, start: start, end: end)
    body(&arena)
  }

  /// Writes what has been collected, unless it is all that the row held that it replaces.
  mutating func finish() throws(SQLiteError) {
    if let original, arena.holds(original.bytes) {
      self.original = nil
    } else {
      try flush()
    }
    if let original { try rows.remove(original.chunk) }
    reset()
  }

  private mutating func flush() throws(SQLiteError) {
    guard let key = first else { return }
    if let original { try rows.remove(original.chunk) }
    original = nil
    try rows.add(key: key, facts, arena)
    reset()
  }

  private mutating func reset() {
    arena.removeAll()
    first = nil
    facts = SampleRowFacts()
  }
}
