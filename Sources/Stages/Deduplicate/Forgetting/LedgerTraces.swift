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

  /// Whether a text that was forgotten is part of a longer one that stays, and stands nowhere by
  /// itself: then its bytes in the file are no trace of it.
  package func holdsOnlyAsPart(_ text: [UInt8]) throws(LedgerError) -> Bool {
    try run { () throws(SQLiteError) in
      let columns = try database.prepare(
        """
        SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'
          AND (c.type = 'TEXT' OR (t.name = 'properties' AND c.name = 'text'))
        """)
      var isPart = false
      while try columns.step() {
        let (table, column) = (columns.text(0), columns.text(1))
        let values = try database.prepare(
          """
          SELECT min(length(CAST("\(column)" AS BLOB))) FROM "\(table)"
          WHERE instr(CAST("\(column)" AS BLOB), ?) > 0
          """)
        values.bind(1, blob: unsafe text.span.bytes)
        guard try values.step(), !values.isNull(0) else { continue }
        guard values.int64(0) > Int64(text.count) else { return false }
        isPart = true
      }
      return isPart
    }
  }

  private func emptyJournal() throws(SQLiteError) {
    let statement = try database.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
    guard try statement.step(), statement.int64(0) == 0 else { throw SQLiteError.busy }
  }
}
