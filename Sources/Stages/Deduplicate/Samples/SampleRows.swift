import Platform

/// The samples of one pump and kind as rows of sorted entries.
final class SampleRows {
  private let pump: Int64
  private let kinds: ClosedRange<Int64>
  private let insert: SQLiteStatement
  private let delete: SQLiteStatement
  private let select: SQLiteStatement
  private let all: SQLiteStatement
  /// Keeps the forms of samples that a sink was given and that hold no longer.
  let superseded: SupersededForms

  /// How many bytes a row holds when it is written: with its last sample a page full.
  static let bytesPerRow = 31 * 1024

  /// Creates access to the rows of a kind, as ledgers count kinds.
  init(_ database: SQLiteConnection, pump: Int64, storageKind: UInt64) throws(SQLiteError) {
    self.pump = pump
    kinds = ordered(storageKind << 58)...ordered((storageKind + 1) << 58 - 1)
    insert = try database.prepare(
      """
      INSERT INTO samples (
        pump, high, low, change, live, is_ordered, first_start, last_start, newest_end, entries)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    delete = try database.prepare("DELETE FROM samples WHERE chunk = ?")
    select = try database.prepare("SELECT entries FROM samples WHERE chunk = ?")
    all = try database.prepare(
      """
      SELECT chunk, high, low FROM samples WHERE pump = ? AND high BETWEEN ? AND ?
      ORDER BY high, low
      """)
    superseded = try SupersededForms(database, pump: pump)
  }

  /// The rows in order.
  func chunks() throws(SQLiteError) -> [Int64] {
    all.bind(1, pump)
    all.bind(2, kinds.lowerBound)
    all.bind(3, kinds.upperBound)
    defer { all.reset() }
    var chunks: [Int64] = []
    while try all.step() { chunks.append(all.int64(0)) }
    return chunks
  }

  /// The rows in order, with the keys of their first samples.
  func places() throws(SQLiteError) -> [(chunk: Int64, key: SortKey)] {
    all.bind(1, pump)
    all.bind(2, kinds.lowerBound)
    all.bind(3, kinds.upperBound)
    defer { all.reset() }
    var places: [(chunk: Int64, key: SortKey)] = []
    while try all.step() {
      let key = SortKey(
        partition: 0, high: unordered(all.int64(1)), low: unordered(all.int64(2)))
      places.append((all.int64(0), key))
    }
    return places
  }

  /// A row's entries.
  func entries(of chunk: Int64) throws(SQLiteError) -> [UInt8] {
    select.bind(1, chunk)
    defer { select.reset() }
    guard try select.step() else { return [] }
    return select.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
  }

  /// Takes a row out and gives its entries.
  func take(_ chunk: Int64) throws(SQLiteError) -> [UInt8] {
    let entries = try entries(of: chunk)
    guard !entries.isEmpty else { return [] }
    delete.bind(1, chunk)
    try delete.run()
    return entries
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
    try arena.withBytes { bytes throws(SQLiteError) in try insert.run(blob: bytes, at: 10) }
  }
}

/// What is known of a row of samples without reading it; of starts and ends, those that are live.
struct SampleRowFacts: Equatable {
  /// The newest change number.
  var change: UInt64 = 0
  /// How many samples are not withdrawn.
  var live: Int64 = 0
  /// Whether starts ascend.
  var isOrdered = true
  /// The start of the first sample.
  var firstStart: Int64 = .max
  /// The start of the last sample.
  var lastStart: Int64 = .min
  /// The newest end.
  var newestEnd: Int64 = .min

  @inline(__always)
  mutating func add(change: UInt64, isLive: Bool, start: Int64, end: Int64) {
    self.change = max(self.change, change)
    guard isLive else { return }
    if live == 0 { firstStart = start }
    live += 1
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
  private var facts = SampleRowFacts()

  init(rows: SampleRows) {
    self.rows = rows
  }

  /// Appends a sample; `body` writes its bytes.
  @inline(__always)
  mutating func append(
    _ key: SortKey, change: UInt64, isLive: Bool, start: Int64, end: Int64,
    _ body: (inout ByteArena) -> Void
  ) throws(SQLiteError) {
    if arena.count >= SampleRows.bytesPerRow { try flush() }
    if first == nil { first = key }
    facts.add(change: change, isLive: isLive, start: start, end: end)
    body(&arena)
  }

  /// Writes what has been collected.
  mutating func flush() throws(SQLiteError) {
    guard let key = first else { return }
    try rows.add(key: key, facts, arena)
    arena.removeAll()
    first = nil
    facts = SampleRowFacts()
  }
}
