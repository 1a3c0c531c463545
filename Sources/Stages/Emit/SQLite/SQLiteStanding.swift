import Platform

/// What a database of samples remembers of the ledger that it shows.
package struct SQLiteStanding: Sendable, Equatable {
  /// The ledger's id.
  package var ledger: String
  /// The ledger's count of changes up to which it shows everything.
  package var change: UInt64
  /// Which samples it shows, and in which zones: databases that show the same have equal texts.
  package var shows: String

  /// Describes a standing.
  package init(ledger: String, change: UInt64, shows: String) {
    self.ledger = ledger
    self.change = change
    self.shows = shows
  }

  /// Reads what the database at a path remembers; nil if there is none that shows a ledger, or it
  /// cannot be read now.
  package init?(at path: String) {
    guard case .database(SQLiteSchema.applicationID) = SQLiteFile(at: path),
      let connection = try? SQLiteConnection(.readOnlyFile(path)),
      let standing = try? Self(in: connection)
    else { return nil }
    self = standing
  }

  /// Reads what an open database remembers; nil if it shows no ledger.
  init?(in connection: SQLiteConnection) throws(SQLiteError) {
    guard try connection.integer("PRAGMA user_version") == Int64(SQLiteSchema.version) else {
      return nil
    }
    let statement = try connection.prepare("SELECT id, change, shows FROM ledger")
    guard try statement.step() else { return nil }
    self.init(
      ledger: statement.text(0), change: UInt64(max(statement.int64(1), 0)),
      shows: statement.text(2))
  }

  /// Writes it, in place of what was remembered before.
  func keep(in connection: SQLiteConnection) throws(SQLiteError) {
    try connection.execute("DELETE FROM ledger")
    let insert = try connection.prepare("INSERT INTO ledger VALUES (?, ?, ?)")
    insert.bind(1, ledger)
    insert.bind(2, Int64(clamping: change))
    insert.bind(3, shows)
    try insert.run()
  }
}
