import Platform
import PumpModel

/// The rejects of a run: kept in a private database, since a hostile input may have millions.
final class RejectList {
  private var database: SQLiteConnection?
  private var insert: SQLiteStatement?
  /// How many rejects there are.
  private(set) var count = 0

  /// Adds a reject of a document.
  func add(_ reject: Reject, of document: UInt32) throws(SQLiteError) {
    let statement: SQLiteStatement
    if let insert { statement = insert } else { statement = try open() }
    let (kind, place): (Int64, Int64?) =
      switch reject.position {
      case .whole: (0, nil)
      case .offset(let offset): (1, Int64(clamping: offset))
      case .line(let line): (2, Int64(clamping: line))
      case .index(let index): (3, Int64(clamping: index))
      }
    statement.bind(1, Int64(document))
    statement.bind(2, kind)
    statement.bind(3, place)
    statement.bind(4, reject.reason)
    try statement.run()
    count += 1
  }

  /// Takes back the rejects of a document, which then is one reject itself.
  func removeAll(of document: UInt32) throws(SQLiteError) {
    guard let database else { return }
    let delete = try database.prepare("DELETE FROM rejects WHERE document = ?")
    delete.bind(1, Int64(document))
    try delete.run()
    count -= database.changes
  }

  /// Gives every reject, document by document, in the order in which they were found.
  func forEach(_ body: (_ document: UInt32, Reject) throws -> Void) throws {
    guard let database else { return }
    let statement = try database.prepare(
      "SELECT document, kind, place, reason FROM rejects ORDER BY document, id")
    try Self.give(statement, body)
  }

  /// Gives the rejects of a document, in the order in which they were found.
  func forEach(of document: UInt32, _ body: (Reject) throws -> Void) throws {
    guard let database else { return }
    let statement = try database.prepare(
      "SELECT document, kind, place, reason FROM rejects WHERE document = ? ORDER BY id")
    statement.bind(1, Int64(document))
    try Self.give(statement) { try body($1) }
  }

  private static func give(
    _ statement: SQLiteStatement, _ body: (_ document: UInt32, Reject) throws -> Void
  ) throws {
    while try statement.step() {
      let place = UInt64(statement.int64(2))
      let position: Reject.Position =
        switch statement.int64(1) {
        case 1: .offset(place)
        case 2: .line(place)
        case 3: .index(place)
        default: .whole
        }
      try body(
        UInt32(truncatingIfNeeded: statement.int64(0)), Reject(position, statement.text(3)))
    }
  }

  private func open() throws(SQLiteError) -> SQLiteStatement {
    let database = try SQLiteConnection(.temporary)
    try database.execute(
      """
      PRAGMA journal_mode = OFF;
      CREATE TABLE rejects (
        id INTEGER PRIMARY KEY, document INTEGER NOT NULL, kind INTEGER NOT NULL, place INTEGER,
        reason TEXT NOT NULL);
      CREATE INDEX rejects_of ON rejects (document, id);
      BEGIN;
      """)
    let statement = try database.prepare(
      "INSERT INTO rejects (document, kind, place, reason) VALUES (?, ?, ?, ?)")
    self.database = database
    insert = statement
    return statement
  }
}
