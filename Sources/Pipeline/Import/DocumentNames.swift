import Platform

/// The names of a run's documents: the first of them here, the others in a private database, since an
/// archive may have 100,000 members, each with a name of kilobytes.
final class DocumentNames {
  private var first: [String] = []
  private var count = 0
  private var later: Later?

  private struct Later {
    let insert: SQLiteStatement
    let select: SQLiteStatement
  }

  private static let mostHeld = 256

  /// Adds the name of the next document.
  func append(_ name: String) throws(SQLiteError) {
    try set(name, of: count)
    count += 1
  }

  /// Gives a document another name.
  func set(_ name: String, of document: Int) throws(SQLiteError) {
    if first.indices.contains(document) {
      first[document] = name
    } else if document == first.count, document < Self.mostHeld {
      first.append(name)
    } else {
      let insert = try opened().insert
      insert.bind(1, Int64(document))
      insert.bind(2, name)
      try insert.run()
    }
  }

  /// The name of a document; empty for none.
  func name(of document: Int) throws(SQLiteError) -> String {
    if first.indices.contains(document) { return first[document] }
    guard let select = later?.select else { return "" }
    select.bind(1, Int64(document))
    defer { select.reset() }
    return try select.step() ? select.text(0) : ""
  }

  private func opened() throws(SQLiteError) -> Later {
    if let later { return later }
    let database = try SQLiteConnection(.temporary)
    try database.execute(
      """
      PRAGMA journal_mode = OFF;
      CREATE TABLE names (document INTEGER PRIMARY KEY, name TEXT NOT NULL);
      BEGIN;
      """)
    let opened = Later(
      insert: try database.prepare("INSERT OR REPLACE INTO names VALUES (?, ?)"),
      select: try database.prepare("SELECT name FROM names WHERE document = ?"))
    later = opened
    return opened
  }
}
