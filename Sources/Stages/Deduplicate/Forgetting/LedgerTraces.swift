import Platform

extension Ledger {
  /// The setting that stands while traces of what was forgotten may be left in the file.
  static let tracesSetting = "traces"

  /// Whether something was forgotten and its traces were not yet removed.
  package func hasTraces() throws(LedgerError) -> Bool {
    try run { () throws(SQLiteError) in
      try database.integer("SELECT value FROM settings WHERE name = '\(Self.tracesSetting)'") != nil
    }
  }

  /// Writes the file anew without what was freed in it, and empties the journal beside it.
  ///
  /// Not within a transaction. It takes room for a second file of the size of the first for a
  /// while, in a temporary file that has no name.
  ///
  /// - Throws: `LedgerError.busy` while somebody reads the ledger; the traces stay then, and the
  ///   ledger remembers that.
  package func removeTraces() throws(LedgerError) {
    try run { () throws(SQLiteError) in
      try database.execute("VACUUM")
      try emptyJournal()
      try database.execute("DELETE FROM settings WHERE name = '\(Self.tracesSetting)'")
      try emptyJournal()
    }
  }

  private func emptyJournal() throws(SQLiteError) {
    let statement = try database.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
    guard try statement.step(), statement.int64(0) == 0 else { throw SQLiteError.busy }
  }
}
