import Platform
import PumpModel

/// What the tables of a SQLite output look like, as its writer makes them.
package struct DatabaseForm: Sendable {
  /// The statements that make them.
  let statements: String
  /// The version that is kept in `user_version`.
  let version: Int64

  /// Takes the statements that make the tables, and their version.
  package init(statements: String, version: Int) {
    self.statements = statements
    self.version = Int64(version)
  }

  /// What tables, views, triggers and indexes of a database are not as its writer makes them.
  ///
  /// Those of older versions are not looked at.
  func findings(in database: SQLiteConnection) throws(SQLiteError) -> [Finding] {
    let own = try database.integer("PRAGMA user_version") ?? 0
    guard own == version else {
      guard own > version || own < 1 else { return [] }
      return [
        Finding(
          .tableMalformed, text: "the database says that it is of a version that is not known")
      ]
    }
    let wanted = try SQLiteConnection(.temporary)
    try wanted.execute(statements)
    var held = try Self.objects(of: database)
    var findings: [Finding] = []
    for (name, sql) in try Self.objects(of: wanted).sorted(by: { $0.key < $1.key }) {
      let found = held.removeValue(forKey: name)
      guard found != sql else { continue }
      let what = found == nil ? "is missing" : "is not as pumpline makes it"
      // What adds doses up, or holds them, may tell other sums.
      let isOfData = sql.hasPrefix("CREATE VIEW") || found == nil && sql.hasPrefix("CREATE TABLE")
      findings.append(
        Finding(isOfData ? .databaseDamaged : .tableMalformed, text: "\(name) \(what)"))
    }
    if !held.isEmpty {
      findings.append(
        Finding(
          .tableMalformed,
          text: "tables, views, triggers or indexes that pumpline does not make: \(held.count)"))
    }
    return findings
  }

  /// What a schema has, by name, with the statements that made it; at most a thousand.
  private static func objects(
    of database: SQLiteConnection
  ) throws(SQLiteError) -> [String: String] {
    let select = try database.prepare(
      "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' LIMIT 1000"
    )
    var objects: [String: String] = [:]
    while try select.step() { objects[select.text(0)] = select.text(1) }
    return objects
  }

  /// Whether a database has a table of a name that is a plain one: views and tables of extensions may do
  /// anything when they are read.
  static func hasTable(_ name: String, in database: SQLiteConnection) throws(SQLiteError) -> Bool {
    let select = try database.prepare(
      "SELECT 1 FROM sqlite_schema WHERE name = ? AND type = 'table' AND sql LIKE 'CREATE TABLE%'")
    select.bind(1, name)
    return try select.step()
  }
}
