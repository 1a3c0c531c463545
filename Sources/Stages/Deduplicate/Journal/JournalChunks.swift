import Platform

/// The journal of one pump as rows of sorted entries, some hundred each: what a run changes is
/// rewritten, the rest is not touched.
final class JournalChunks {
  private let pump: Int64
  private let hasChecksums: Bool
  private let insert: SQLiteStatement
  private let delete: SQLiteStatement
  private let select: SQLiteStatement
  private let all: SQLiteStatement
  private let before: SQLiteStatement

  /// How many entries a row holds when it is written: a page of a temporary ledger full.
  static let entriesPerChunk = 800

  init(_ database: SQLiteConnection, pump: Int64) throws(SQLiteError) {
    self.pump = pump
    // Nobody but this run reads the rows of a temporary ledger.
    hasChecksums = !database.isTemporary
    insert = try database.prepare(
      "INSERT INTO journal (pump, high, low, entries, checksum) VALUES (?, ?, ?, ?, ?)")
    delete = try database.prepare("DELETE FROM journal WHERE chunk = ?")
    select = try database.prepare("SELECT entries, checksum FROM journal WHERE chunk = ?")
    all = try database.prepare(
      """
      SELECT chunk, high, low FROM journal
      WHERE pump = ?1 AND high >= ?2 AND (high > ?2 OR low >= ?3) ORDER BY high, low
      """)
    before = try database.prepare(
      """
      SELECT high, low FROM journal
      WHERE pump = ?1 AND high <= ?2 AND (high < ?2 OR low < ?3)
      ORDER BY high DESC, low DESC LIMIT 1
      """)
  }

  /// The rows in order, from the last that begins before a key on.
  func places(from key: SortKey = .least) throws(SQLiteError) -> [RowPlace] {
    all.bind(1, pump)
    before.bind(1, pump)
    return try RowPlace.all(all, from: key, before: before)
  }

  /// A row's entries.
  func entries(of chunk: Int64) throws(SQLiteError) -> [UInt8] {
    select.bind(1, chunk)
    defer { select.reset() }
    guard try select.step() else { return [] }
    return try Self.checkedEntries(of: select, 0)
  }

  /// Reads a row's entries, whose checksum stands in the next column.
  ///
  /// - Throws: `SQLiteError` if they have another one, or are not whole entries.
  static func checkedEntries(
    of statement: SQLiteStatement, _ column: Int32
  ) throws(SQLiteError) -> [UInt8] {
    let bytes = try RowChecksum.checkedBytes(of: statement, column)
    guard !bytes.isEmpty, bytes.count.isMultiple(of: JournalEntry.size) else {
      throw .checkFailed("a row of the journal does not hold whole entries")
    }
    return bytes
  }

  func remove(_ chunk: Int64) throws(SQLiteError) {
    delete.bind(1, chunk)
    try delete.run()
  }

  /// Writes a row of entries.
  func add(_ arena: borrowing ByteArena) throws(SQLiteError) {
    guard arena.count >= JournalEntry.size else { return }
    insert.bind(1, pump)
    arena.withBytes { bytes in
      insert.bind(2, ordered(bytes.load(0, as: UInt64.self)))
      insert.bind(3, ordered(bytes.load(8, as: UInt64.self)))
      insert.bind(5, hasChecksums ? RowChecksum.of(bytes) : nil)
    }
    try arena.withBytes { bytes throws(SQLiteError) in try insert.run(blob: bytes, at: 4) }
  }
}
