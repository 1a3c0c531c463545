import Platform
package import PumpModel

/// What the ids of samples of records begin with that have ids of their own, as a ledger keeps it by
/// digest.
final class LedgerNames: IdentityNames {
  private let select: SQLiteStatement
  private var last: (digest: UInt64, name: String)?

  init(_ database: SQLiteConnection) throws(SQLiteError) {
    select = try database.prepare("SELECT name FROM identity_names WHERE digest = ?")
  }

  /// The beginning that a digest stands for; nil if the ledger has none.
  func name(of digest: UInt64) -> String? {
    if let last, last.digest == digest { return last.name }
    select.bind(1, Int64(bitPattern: digest))
    defer { select.reset() }
    guard (try? select.step()) == true else { return nil }
    last = (digest, select.text(0))
    return last?.name
  }

  /// Makes sure that rows can be named.
  func check(_ rows: [OutputRow]) throws(LedgerError) {
    for row in rows where row.sample.identity.scheme == .named {
      guard name(of: row.sample.identity.nameDigest) != nil else {
        throw .checkFailed("a record's own id is missing")
      }
    }
  }
}

extension Ledger {
  /// The names of records.
  package func names() throws(LedgerError) -> any IdentityNames { try recordNames() }

  func recordNames() throws(LedgerError) -> LedgerNames {
    try run { () throws(SQLiteError) in try LedgerNames(database) }
  }
}

/// Adds names of records to a table.
struct NameKeeper {
  private let insert: SQLiteStatement
  private let select: SQLiteStatement

  init(_ database: SQLiteConnection, table: String = "identity_names") throws(SQLiteError) {
    insert = try database.prepare("INSERT OR IGNORE INTO \(table) VALUES (?, ?)")
    select = try database.prepare("SELECT name FROM \(table) WHERE digest = ?")
  }

  /// The digest that stands for a name: the first 64 bits of its SHA-256.
  static func digest(of name: String, by sha256: Digest256) -> UInt64 {
    let bytes = Array(name.utf8)
    sha256.update(unsafe bytes.span.bytes)
    return sha256.finish().bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Keeps a name under its digest.
  ///
  /// - Throws: `SQLiteError` also where another name stands there, which nothing but intent makes.
  func keep(_ name: String, under digest: UInt64) throws(SQLiteError) {
    insert.bind(1, Int64(bitPattern: digest))
    insert.bind(2, name)
    try insert.run()
    select.bind(1, Int64(bitPattern: digest))
    defer { select.reset() }
    guard try select.step(), select.text(0) == name else {
      throw .checkFailed("two records with ids of their own have one digest")
    }
  }
}
