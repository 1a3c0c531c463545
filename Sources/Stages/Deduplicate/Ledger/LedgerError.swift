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
  /// Made-up data and a pump's would come together.
  case mixed(DataMixture)
  /// The file is damaged.
  case damaged(SQLiteError)
  /// What the ledger holds contradicts itself, or is not what is made of it again.
  case checkFailed(String)
  /// The file may not be made, opened or written to.
  case denied(SQLiteError)
  /// There is no room to write, or the device failed.
  case noRoom(SQLiteError)
  /// SQLite did something unexpected.
  case failed(SQLiteError)

  /// Sorts what SQLite answered by what a person can do about it.
  package init(_ error: SQLiteError) {
    if error.isBusy {
      self = .busy
    } else if error.isNoDatabase {
      self = .notALedger
    } else if error.isFailedCheck {
      self = .checkFailed(error.message)
    } else if error.isDamage {
      self = .damaged(error)
    } else if error.isDenied {
      self = .denied(error)
    } else if error.isOutOfRoom {
      self = .noRoom(error)
    } else {
      self = .failed(error)
    }
  }
}
