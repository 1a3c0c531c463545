import Platform

/// The memory of all that was read and said: a journal of records, the samples made of them, and
/// what stands beside them (ARCHITECTURE, "A run, exactly once").
///
/// One connection, one owner. Reads see the last commit until `begin`; from then on everything up
/// to `commit` is one transaction.
package final class Ledger {
  let database: SQLiteConnection
  private let waitMilliseconds: Int32
  private var isWriting = false
  /// What marks a file as a ledger.
  package static var applicationID: UInt32 {
    UInt32(truncatingIfNeeded: LedgerSchema.applicationID)
  }
  /// Whether it is gone after the run.
  package var isTemporary: Bool { database.isTemporary }

  /// Where a ledger is kept.
  package enum Place: Sendable {
    /// A file, made with mode 0600 if it is not there.
    case file(String)
    /// A file that must be there and be a ledger.
    case existing(String)
    /// A private one for a single run, without journals: what fails leaves it unusable.
    case temporary

    /// The path of its file, if it has one.
    fileprivate var path: String? {
      switch self {
      case .file(let path), .existing(let path): path
      case .temporary: nil
      }
    }

    /// The place for a run that keeps nothing: a temporary one where the file would be made, since
    /// it must not be; the file where it is there, or could not be made and says why.
    package static func forDryRun(_ path: String) -> Place {
      let couldBeMade = (try? OutputTarget.file(path).check()) != nil
      return SQLiteFile(at: path) == .empty && couldBeMade ? .temporary : .file(path)
    }
  }

  /// Opens a ledger and brings its tables up to date.
  ///
  /// - Parameters:
  ///   - place: where it is kept.
  ///   - waitMilliseconds: how long to wait while another run holds it.
  ///   - keepsNothing: whether all is taken back in the end, new tables too.
  /// - Throws: `LedgerError`; a file that is refused is left as it was.
  package init(
    _ place: Place, waitMilliseconds: Int32, keepsNothing: Bool = false
  ) throws(LedgerError) {
    if case .existing(let path) = place, SQLiteFile(at: path) == .empty { throw .missing }
    // SQLite takes a few bytes of anything for an empty database and writes over them.
    if let path = place.path, SQLiteFile(at: path) == .other { throw .notALedger }
    self.waitMilliseconds = waitMilliseconds
    do {
      switch place {
      case .file(let path): database = try SQLiteConnection(.file(path))
      case .existing(let path): database = try SQLiteConnection(.existingFile(path))
      case .temporary: database = try SQLiteConnection(.temporary)
      }
    } catch {
      throw LedgerError(error)
    }
    try prepareWaiting(place, keepsNothing)
    database.setBusyTimeout(milliseconds: waitMilliseconds)
  }

  /// Prepares the file, again and again while another run is making it: SQLite does not wait by
  /// itself for every lock that this needs.
  private func prepareWaiting(_ place: Place, _ keepsNothing: Bool) throws(LedgerError) {
    let pause: Int32 = 10
    var waited: Int32 = 0
    while true {
      do throws(LedgerError) {
        try prepare(place, keepsNothing)
        return
      } catch {
        try? database.execute("ROLLBACK")
        guard case .busy = error, waited < waitMilliseconds else { throw error }
        HostClock.pause(milliseconds: pause)
        waited += pause
      }
    }
  }

  private func prepare(_ place: Place, _ keepsNothing: Bool) throws(LedgerError) {
    // Settings such as the journal's mode are written into the file, so what it is comes first.
    try refuseOthers(place)
    do {
      try Self.configure(database, place)
      try migrate(keepsNothing: keepsNothing)
    } catch {
      throw LedgerError(error)
    }
  }

  /// Refuses what is no ledger, and what a newer pumpline made.
  private func refuseOthers(_ place: Place) throws(LedgerError) {
    let application, version, tables: Int64
    do {
      // One look for all three: another run may be making the ledger just now.
      try database.execute("BEGIN")
      application = try database.integer("PRAGMA application_id") ?? 0
      version = try database.integer("PRAGMA user_version") ?? 0
      tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      try database.execute("COMMIT")
    } catch {
      throw LedgerError(error)
    }
    var isEmpty = application == 0 && version == 0 && tables == 0
    if case .existing = place { isEmpty = false }
    guard isEmpty || application == LedgerSchema.applicationID else { throw .notALedger }
    guard version <= LedgerSchema.version else { throw .newer(version: version) }
  }

  private static func configure(
    _ database: SQLiteConnection, _ place: Place
  ) throws(SQLiteError) {
    try database.execute(
      """
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA temp_store = FILE;
      PRAGMA temp.page_size = 32768;
      PRAGMA temp.journal_mode = OFF;
      PRAGMA temp.cache_size = -2048;
      """)
    switch place {
    case .file, .existing:
      // Old content is overwritten, so that what is forgotten is gone from the file.
      try database.execute(
        """
        PRAGMA page_size = 8192;
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -8192;
        """)
      database.refuseDamage()
    case .temporary:
      try database.execute(
        """
        PRAGMA page_size = 32768;
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA secure_delete = OFF;
        PRAGMA cache_size = -20480;
        """)
    }
  }

  /// Holds a temporary ledger to the cache of others.
  ///
  /// A year or two of a pump stay in memory as a whole, and no file is written for them; where there
  /// is more than that, a larger cache spares little, and memory is bounded.
  func keepCacheSmall() throws(SQLiteError) {
    guard isTemporary else { return }
    try database.execute("PRAGMA cache_size = -8192")
  }

  private func migrate(keepsNothing: Bool) throws(SQLiteError) {
    guard try database.integer("PRAGMA user_version") ?? 0 < LedgerSchema.version else { return }
    try database.execute("BEGIN IMMEDIATE")
    // Another process may have taken the steps while this one waited.
    let now = try database.integer("PRAGMA user_version") ?? 0
    if now == 0 { try database.execute(LedgerTables.sql) }
    for step in LedgerSchema.steps.dropFirst(now == 0 ? LedgerSchema.steps.count : Int(now)) {
      try database.execute(step.sql)
    }
    try database.execute(
      """
      PRAGMA application_id = \(LedgerSchema.applicationID);
      PRAGMA user_version = \(LedgerSchema.version);
      """)
    // What keeps nothing goes on in this transaction, which its end takes back.
    isWriting = keepsNothing
    if !keepsNothing { try database.execute("COMMIT") }
  }

  /// Begins the one transaction in which a run changes the ledger.
  package func begin() throws(LedgerError) {
    guard !isWriting else { return }
    try run { () throws(SQLiteError) in try database.execute("BEGIN IMMEDIATE") }
    isWriting = true
  }

  /// Begins to read what the last commit left; commits of others are not seen until `rollback`.
  package func beginReading() throws(LedgerError) {
    try run { () throws(SQLiteError) in
      try database.execute("BEGIN; SELECT count(*) FROM settings;")
    }
    isWriting = true
  }

  /// Begins the transaction, waiting as long as the ledger was told to while another run holds it.
  ///
  /// - Parameters:
  ///   - waiting: is told once if there is anything to wait for.
  ///   - goesOn: is asked some times a second whether to go on waiting.
  /// - Throws: `LedgerError.busy` if it waited in vain.
  package func begin(
    waiting: () -> Void, goesOn: () -> Bool
  ) throws(LedgerError) {
    guard !isWriting else { return }
    defer { database.setBusyTimeout(milliseconds: waitMilliseconds) }
    var waited: Int32 = 0
    var slice: Int32 = 0
    while true {
      database.setBusyTimeout(milliseconds: slice)
      do throws(SQLiteError) {
        try database.execute("BEGIN IMMEDIATE")
        isWriting = true
        return
      } catch {
        waited += slice
        guard error.isBusy, waited < waitMilliseconds, goesOn() else { throw LedgerError(error) }
        if slice == 0 { waiting() }
        slice = min(100, waitMilliseconds - waited)
      }
    }
  }

  /// Runs reads that all see the ledger at one moment.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try run { () throws(SQLiteError) in try database.execute("BEGIN") }
    defer { try? database.execute("COMMIT") }
    return try body()
  }

  /// Makes all changes since `begin` last.
  package func commit() throws(LedgerError) {
    try run { () throws(SQLiteError) in try database.execute("COMMIT") }
    isWriting = false
  }

  /// Takes back all changes since `begin`.
  package func rollback() {
    guard isWriting else { return }
    try? database.execute("ROLLBACK")
    isWriting = false
  }

  /// Runs what talks to SQLite and sorts its errors.
  func run<Result>(_ body: () throws(SQLiteError) -> Result) throws(LedgerError) -> Result {
    do {
      return try body()
    } catch {
      throw LedgerError(error)
    }
  }

  /// The count of changes to samples; only grows.
  var change: UInt64 {
    get throws(SQLiteError) {
      UInt64(
        try database.integer("SELECT value FROM settings WHERE name = 'change'") ?? 0)
    }
  }

  func setChange(_ change: UInt64) throws(SQLiteError) {
    try set("change", integer: Int64(change))
  }

  func set(_ name: String, integer value: Int64) throws(SQLiteError) {
    let statement = try database.prepare("INSERT OR REPLACE INTO settings VALUES (?, ?)")
    statement.bind(1, name)
    statement.bind(2, value)
    try statement.run()
  }

  func set(_ name: String, text value: String) throws(SQLiteError) {
    let statement = try database.prepare("INSERT OR REPLACE INTO settings VALUES (?, ?)")
    statement.bind(1, name)
    statement.bind(2, value)
    try statement.run()
  }
}
