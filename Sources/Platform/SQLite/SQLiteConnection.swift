internal import CSQLite

/// A connection to one database.
///
/// Confined to its owner: never used from two places at once.
///
/// Statements from `prepare` must be released before the connection is.
@safe package final class SQLiteConnection {
  fileprivate let handle: OpaquePointer
  /// Whether it vanishes on close.
  package let isTemporary: Bool

  /// Where a database is kept.
  package enum Place: Sendable {
    /// A file that is made, mode 0600, if it is not there.
    case file(String)
    /// A file that must be there.
    case existingFile(String)
    /// A file that must be there; nothing can be written.
    case readOnlyFile(String)
    /// A private temporary database, in memory up to its page cache, that vanishes on close.
    case temporary
  }

  /// Opens a database.
  ///
  /// - Throws: `SQLiteError` if it cannot be opened.
  package init(_ place: Place) throws(SQLiteError) {
    let (path, flags): (String, Int32) =
      switch place {
      case .file(let path): (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      case .existingFile(let path): (path, SQLITE_OPEN_READWRITE)
      case .readOnlyFile(let path): (path, SQLITE_OPEN_READONLY)
      case .temporary: ("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      }
    if case .file(let path) = place { createPrivateFile(path) }
    var opened: OpaquePointer?
    let flagsWithCodes = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flagsWithCodes, nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) }
      unsafe sqlite3_close_v2(opened)
      throw SQLiteError(code: code, message: message ?? "out of memory")
    }
    unsafe self.handle = handle
    isTemporary = if case .temporary = place { true } else { false }
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Refuses from now on what could damage the file: writable schemas, shadow tables.
  ///
  /// It also refuses to turn journals off, even those of temporary tables, so settle these before.
  package func refuseDamage() {
    unsafe _ = pumpline_sqlite_config_defensive(handle)
  }

  /// Refuses from now on rows and texts that are longer, which a file from elsewhere may hold.
  package func limitLength(bytes: Int32) {
    unsafe _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, bytes)
  }

  /// Runs statements that take no values and give no rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Compiles one statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try SQLiteStatement(sql, on: self)
  }

  /// How long a call waits for another process, in milliseconds.
  package func setBusyTimeout(milliseconds: Int32) {
    unsafe _ = sqlite3_busy_timeout(handle, milliseconds)
  }

  /// The first column of the first row, as an integer; nil if there is no row or it is NULL.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.int64(0)
  }

  /// The first column of the first row, as text; nil if there is no row or it is NULL.
  package func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.text(0)
  }

  /// Rows changed by the last INSERT, UPDATE or DELETE.
  package var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

  /// The row id of the last INSERT.
  package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  fileprivate func error(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, message: unsafe String(cString: sqlite3_errmsg(handle)))
  }
}

/// A compiled statement: bind, step, read; then `reset` to use it again.
@safe package final class SQLiteStatement {
  private let connection: SQLiteConnection
  private let handle: OpaquePointer

  fileprivate init(_ sql: String, on connection: SQLiteConnection) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let handle = unsafe prepared else { throw connection.error(code) }
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Moves to the next row; false when there is none.
  package func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      unsafe sqlite3_reset(handle)
      throw connection.error(code)
    }
  }

  /// Steps to the end, then resets: for statements whose rows nobody reads.
  package func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Makes the statement ready to be bound and stepped again; bound values stay.
  package func reset() { unsafe _ = sqlite3_reset(handle) }

  /// Binds an integer to a parameter, counted from 1.
  package func bind(_ index: Int32, _ value: Int64) {
    unsafe _ = sqlite3_bind_int64(handle, index, value)
  }

  /// Binds an integer or NULL.
  package func bind(_ index: Int32, _ value: Int64?) {
    if let value { bind(index, value) } else { unsafe _ = sqlite3_bind_null(handle, index) }
  }

  /// Binds a floating-point number.
  package func bind(_ index: Int32, _ value: Double) {
    unsafe _ = sqlite3_bind_double(handle, index, value)
  }

  /// Binds text or NULL; the text is copied.
  package func bind(_ index: Int32, _ value: String?) {
    guard var value else {
      unsafe _ = sqlite3_bind_null(handle, index)
      return
    }
    value.withUTF8 { bytes in
      unsafe _ = bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe sqlite3_bind_text(
          handle, index, characters.baseAddress ?? emptyText, Int32(characters.count), transient)
      }
    }
  }

  /// Binds UTF-8 text given as bytes; they are copied.
  package func bind(_ index: Int32, utf8 bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { raw in
      let characters = unsafe raw.assumingMemoryBound(to: CChar.self)
      unsafe _ = sqlite3_bind_text(
        handle, index, characters.baseAddress ?? emptyText, Int32(characters.count), transient)
    }
  }

  /// Binds a blob; the bytes are copied.
  package func bind(_ index: Int32, blob bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { raw in
      if let base = raw.baseAddress {
        unsafe _ = sqlite3_bind_blob(handle, index, base, Int32(raw.count), transient)
      } else {
        unsafe _ = sqlite3_bind_zeroblob(handle, index, 0)
      }
    }
  }

  /// Runs with a blob whose bytes are not copied, since the statement ends before they do.
  package func run(blob bytes: RawSpan, at index: Int32) throws(SQLiteError) {
    var failure: SQLiteError?
    unsafe bytes.withUnsafeBytes { raw in
      unsafe _ = sqlite3_bind_blob(handle, index, raw.baseAddress, Int32(raw.count), nil)
      do throws(SQLiteError) { try run() } catch { failure = error }
      unsafe _ = sqlite3_bind_null(handle, index)
    }
    if let failure { throw failure }
  }

  /// A column of the current row, counted from 0, as an integer; NULL gives 0.
  package func int64(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// A column of the current row as a floating-point number; NULL gives 0.
  package func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// Whether a column is NULL.
  package func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// A column as text; NULL gives an empty text.
  package func text(_ column: Int32) -> String {
    guard let characters = unsafe sqlite3_column_text(handle, column) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: characters, count: count), as: UTF8.self)
  }

  /// The bytes of a column, valid during the call.
  package func withBlob<Result>(
    _ column: Int32, _ body: (RawSpan) throws -> Result
  ) rethrows -> Result {
    let bytes = unsafe sqlite3_column_blob(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
    return try unsafe body(buffer.bytes)
  }
}

/// `SQLITE_TRANSIENT`, a macro with a cast that Swift cannot import: SQLite copies the bytes.
private var transient: sqlite3_destructor_type {
  unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// A place to point to for text of no bytes, since a nil pointer would bind NULL.
private var emptyText: UnsafePointer<CChar> { unsafe UnsafePointer(sqlite3_libversion()) }
