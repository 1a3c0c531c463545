package import Platform

/// Why a ledger could not do as asked.
package enum LedgerError: Error, Sendable {
  /// Another run holds the ledger; trying again later helps.
  case busy
  /// There is no file where a ledger was to be.
  case missing
  /// The file is no ledger of pumpline.
  case notALedger
  /// The file was made by a newer pumpline.
  case newer(version: Int64)
  /// The ledger keeps something else than what was asked of it.
  case otherKind(LedgerKind)
  /// The file is damaged.
  case damaged(SQLiteError)
  /// There is no room, or no right, to write.
  case noRoom(SQLiteError)
  /// SQLite did something unexpected.
  case failed(SQLiteError)

  /// Sorts what SQLite answered by what a person can do about it.
  package init(_ error: SQLiteError) {
    if error.isBusy {
      self = .busy
    } else if error.isNoDatabase {
      self = .notALedger
    } else if error.isDamage {
      self = .damaged(error)
    } else if error.isOutOfRoom {
      self = .noRoom(error)
    } else {
      self = .failed(error)
    }
  }
}
