import Platform

/// The samples of one pump as rows of sorted entries.
final class SampleRows {
  private let pump: Int64
  private let insert: SQLiteStatement
  private let delete: SQLiteStatement
  private let select: SQLiteStatement
  private let all: SQLiteStatement

  /// How many bytes a row holds when it is written.
  static let bytesPerRow = 16 * 1024

  init(_ database: SQLiteConnection, pump: Int64) throws(SQLiteError) {
    self.pump = pump
    insert = try database.prepare(
      "INSERT INTO samples (pump, high, low, change, live, entries) VALUES (?, ?, ?, ?, ?, ?)")
    delete = try database.prepare("DELETE FROM samples WHERE chunk = ?")
    select = try database.prepare("SELECT entries FROM samples WHERE chunk = ?")
    all = try database.prepare("SELECT chunk FROM samples WHERE pump = ? ORDER BY high, low")
  }

  /// The rows in order.
  func chunks() throws(SQLiteError) -> [Int64] {
    all.bind(1, pump)
    defer { all.reset() }
    var chunks: [Int64] = []
    while try all.step() { chunks.append(all.int64(0)) }
    return chunks
  }

  /// Takes a row out and gives its entries.
  func take(_ chunk: Int64) throws(SQLiteError) -> [UInt8] {
    select.bind(1, chunk)
    guard try select.step() else {
      select.reset()
      return []
    }
    let entries = select.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
    select.reset()
    delete.bind(1, chunk)
    try delete.run()
    return entries
  }

  /// Writes a row.
  func add(key: SortKey, change: UInt64, live: Int64, _ arena: borrowing ByteArena)
    throws(SQLiteError)
  {
    insert.bind(1, pump)
    insert.bind(2, ordered(key.high))
    insert.bind(3, ordered(key.low))
    insert.bind(4, Int64(change))
    insert.bind(5, live)
    arena.withBytes { insert.bind(6, blob: $0) }
    try insert.run()
  }
}

/// Collects samples in order and writes them as rows.
struct SampleRowWriter {
  let rows: SampleRows
  private var arena = ByteArena(capacity: SampleRows.bytesPerRow + 4096)
  private var first: SortKey?
  private var change: UInt64 = 0
  private var live: Int64 = 0

  init(rows: SampleRows) {
    self.rows = rows
  }

  /// Appends a sample; `body` writes its bytes.
  mutating func append(
    _ key: SortKey, change: UInt64, isLive: Bool, _ body: (inout ByteArena) -> Void
  ) throws(SQLiteError) {
    if arena.count >= SampleRows.bytesPerRow { try flush() }
    if first == nil { first = key }
    self.change = max(self.change, change)
    if isLive { live += 1 }
    body(&arena)
  }

  /// Writes what has been collected.
  mutating func flush() throws(SQLiteError) {
    guard let key = first else { return }
    try rows.add(key: key, change: change, live: live, arena)
    arena.removeAll()
    first = nil
    change = 0
    live = 0
  }
}
