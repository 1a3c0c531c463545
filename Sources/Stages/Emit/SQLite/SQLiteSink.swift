package import Platform
package import PumpModel

/// Writes samples and pump events into a SQLite database (schema: `SQLiteSchema`).
///
/// The database is made whole beside its target and takes its place by a rename, so nothing is
/// journalled while it grows.
package final class SQLiteSink: SampleSink {
  /// What marks a file as one of pumpline's outputs; a ledger has another number.
  package static var applicationID: UInt32 { SQLiteSchema.applicationID }

  private let path: String
  private let file: StagedFile
  private let standing: SQLiteStanding?
  private var tables: SQLiteTables?

  /// Begins a database.
  ///
  /// - Parameters:
  ///   - target: Where it goes.
  ///   - context: What all outputs of the run share.
  ///   - owner: Whose file it is while it waits.
  ///   - standing: What it is to remember of the ledger that it shows.
  /// - Throws: `OutputError` as `check` does.
  package init(
    _ target: OutputTarget, context: OutputContext, owner: String? = nil,
    standing: SQLiteStanding? = nil
  ) throws(OutputError) {
    try Self.check(target)
    // SQLite takes locks of its own, which on some file systems are the same.
    file = try StagedFile(target, owner: owner, isLocked: false)
    path = target.name
    self.standing = standing
    let staged = file.stagedPath ?? path
    tables = try SQLiteTables.translating(path) { () throws(SQLiteError) in
      try Self.create(staged, context)
    }
  }

  private static func create(
    _ path: String, _ context: OutputContext
  ) throws(SQLiteError) -> SQLiteTables {
    let connection = try SQLiteConnection(.file(path))
    // Large pages: a third of the time went into handing small ones to the system.
    try connection.execute(
      """
      PRAGMA page_size = 16384; PRAGMA cache_size = -8192; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;
      """)
    try connection.execute(SQLiteSchema.statements)
    return try SQLiteTables(connection, context, replaces: false)
  }

  /// Refuses a target that must not be replaced: standard output, what is not a regular file, a
  /// file that is no database of this kind, a ledger among them, and, as busy, one that a program
  /// is writing to.
  package static func check(_ target: OutputTarget) throws(OutputError) {
    try target.check()
    guard case .file(let path) = target else {
      throw .cannotCreate(
        path: target.name, reason: "a database needs a file; name one that ends in .sqlite")
    }
    switch SQLiteFile(at: path) {
    case .empty, .database(applicationID): break
    case .database:
      throw .cannotCreate(
        path: path, reason: "it is a database of another program; name another file")
    case .other, .unreadable:
      throw .cannotCreate(path: path, reason: "it is no SQLite database; name another file")
    }
    recoverJournal(besides: path)
    guard !SQLiteFile.hasJournal(besides: path) else {
      throw .busy(path: path)
    }
  }

  /// Lets SQLite take back what a run that died had begun; a journal that is in use stays.
  private static func recoverJournal(besides path: String) {
    guard SQLiteFile.hasJournal(besides: path), case .database(applicationID) = SQLiteFile(at: path)
    else { return }
    // A journal that nothing was played from stays until the next write, so there is one.
    guard let connection = try? SQLiteConnection(.file(path)),
      let version = try? connection.integer("PRAGMA user_version"),
      (try? connection.execute("BEGIN IMMEDIATE")) != nil
    else { return }
    try? connection.execute("PRAGMA user_version = \(version); COMMIT;")
  }

  /// Rows by device, start, type, external id.
  package var order: OutputOrder { .device }

  /// Inserts samples.
  package func write(_ batch: OutputBatch) throws(OutputError) {
    try SQLiteTables.translating(path) { () throws(SQLiteError) in
      for row in batch.rows { try tables?.insert(row) }
    }
  }

  /// Inserts pump events, in the order given.
  package func write(events: [PumpEventRow]) throws(OutputError) {
    try SQLiteTables.translating(path) { () throws(SQLiteError) in
      for event in events { try tables?.insert(event) }
    }
  }

  /// Commits, closes the database and brings it to the device.
  package func seal() throws(OutputError) {
    try SQLiteTables.translating(path) { () throws(SQLiteError) in
      try tables?.flush()
      if let connection = tables?.connection { try standing?.keep(in: connection) }
      try tables?.connection.execute("COMMIT")
    }
    tables = nil
    try file.seal()
  }

  /// The path under which the file waits to be published.
  package var stagedPath: String? { file.stagedPath }

  /// Publishes the file.
  package func publish() throws(OutputError) { try file.publish() }

  /// Leaves the file to be published later.
  package func leave() { file.leave() }

  /// Discards the file.
  package func discard() {
    tables = nil
    file.discard()
  }
}
