internal import CSQLite

/// What SQLite answered when it did not do as asked.
///
/// Values bound to statements are never shown.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The extended result code.
  package let code: Int32
  /// SQLite's own words.
  package let message: String

  /// Creates an error of SQLite, or, with code 0, of who talks to it.
  package init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  /// What SQLite says where another process holds the database, for answers that are no errors.
  package static var busy: SQLiteError {
    SQLiteError(code: SQLITE_BUSY, message: "database is locked")
  }

  /// The primary result code.
  package var primaryCode: Int32 { code & 0xFF }
  /// Whether another process holds the database.
  package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  /// Whether the device or the quota is full.
  package var isFull: Bool { primaryCode == SQLITE_FULL }
  /// Whether there was no room to write, or the device failed.
  package var isOutOfRoom: Bool {
    primaryCode == SQLITE_FULL || primaryCode == SQLITE_IOERR
  }
  /// Whether the file may not be made, opened or written to.
  package var isDenied: Bool {
    primaryCode == SQLITE_READONLY || primaryCode == SQLITE_CANTOPEN || primaryCode == SQLITE_PERM
  }
  /// Whether the file is no database at all.
  package var isNoDatabase: Bool { primaryCode == SQLITE_NOTADB }
  /// Whether the file is no database, or a damaged one.
  package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  /// SQLite's words with the code.
  package var description: String { "\(message) (SQLite \(code))" }
}
