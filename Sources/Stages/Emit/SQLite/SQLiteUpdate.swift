package import Platform
package import PumpModel

/// Brings a database of samples up to date with its ledger, in one transaction.
///
/// Calls come in this order: `remove`, `write`, `events`, `commit`. Dropped before, it leaves the
/// database as it was.
package final class SQLiteUpdate {
  private let path: String
  private let context: OutputContext
  private let tables: SQLiteTables
  private let removeSample: SQLiteStatement
  private let removeShares: SQLiteStatement
  /// The events that the database holds, as far as they equal the ones given so far.
  private var held: SQLiteStatement?
  private var heldCount: Int64 = 0

  /// Opens a database and begins; another program that uses it is waited for.
  ///
  /// - Throws: `OutputError.busy` if it is used for longer, or no longer remembers `old`.
  package init(
    _ path: String, context: OutputContext, expecting old: SQLiteStanding, waitMilliseconds: Int32
  ) throws(OutputError) {
    self.path = path
    self.context = context
    let opened = try SQLiteTables.translating(path) { () throws(SQLiteError) in
      let connection = try SQLiteConnection(.file(path))
      connection.setBusyTimeout(milliseconds: waitMilliseconds)
      try connection.execute("PRAGMA cache_size = -8192; PRAGMA synchronous = FULL;")
      try connection.execute("BEGIN IMMEDIATE")
      return try SQLiteStanding(in: connection) == old ? connection : nil
    }
    guard let connection = opened else { throw .busy(path: path) }
    (tables, removeSample, removeShares, held) = try SQLiteTables.translating(path) {
      () throws(SQLiteError) in
      (
        try SQLiteTables(connection, context, replaces: true),
        try connection.prepare("DELETE FROM samples WHERE external_id = ?"),
        try connection.prepare("DELETE FROM basal_over_midnight WHERE external_id = ?"),
        try connection.prepare(
          """
          SELECT device, category, name, at_epoch, zone, sequence, pump_seconds, event_id, details
          FROM pump_events ORDER BY id
          """)
      )
    }
  }

  /// Removes samples that are no more.
  package func remove(_ batch: OutputBatch) throws(OutputError) {
    try SQLiteTables.translating(path) { () throws(SQLiteError) in
      for row in batch.rows {
        try removeShares(of: row)
        removeSample.bind(1, id(of: row))
        try removeSample.run()
      }
    }
  }

  /// Writes samples that are new or different.
  package func write(_ batch: OutputBatch) throws(OutputError) {
    try SQLiteTables.translating(path) { () throws(SQLiteError) in
      for row in batch.rows {
        if row.sample.identity.kind.isBasal { try removeShares(of: row) }
        try tables.insert(row)
      }
    }
  }

  /// Takes all pump events that the database is to show, in order: as long as it holds the same,
  /// nothing is written.
  package func write(events: [PumpEventRow]) throws(OutputError) {
    try SQLiteTables.translating(path) { () throws(SQLiteError) in
      for event in events {
        if held != nil, try holdsNext(event) { continue }
        try tables.insert(event)
      }
    }
  }

  /// Ends the transaction; from now on the database remembers this standing.
  ///
  /// - Returns: how many samples it holds then.
  package func commit(_ standing: SQLiteStanding) throws(OutputError) -> Int {
    try SQLiteTables.translating(path) { () throws(SQLiteError) in
      try tables.flush()
      if held != nil { try dropRest() }
      try standing.keep(in: tables.connection)
      let count = try tables.connection.integer("SELECT count(*) FROM samples") ?? 0
      try tables.connection.execute("COMMIT")
      return Int(count)
    }
  }

  private func id(of row: OutputRow) -> String {
    row.sample.identity.text(pump: context.pumps[row.pump].name, names: context.names)
  }

  private func removeShares(of row: OutputRow) throws(SQLiteError) {
    removeShares.bind(1, id(of: row))
    try removeShares.run()
  }

  /// Whether the next event that the database holds is this one; if not, the rest is removed.
  private func holdsNext(_ event: PumpEventRow) throws(SQLiteError) -> Bool {
    if let held, try held.step(), isEqual(held, event) {
      heldCount += 1
      return true
    }
    try dropRest()
    return false
  }

  private func isEqual(_ held: SQLiteStatement, _ event: PumpEventRow) -> Bool {
    let span = context.schedule.span(at: event.at)
    return held.int64(3) == event.at.unixSeconds
      && held.int64(5) == Int64(event.reference.number)
      && held.int64(6) == Int64(event.reference.seconds) && held.int64(7) == Int64(event.eventID)
      && held.text(0) == context.pumps[event.pump].name && held.text(1) == event.category
      && held.text(2) == event.name
      && held.text(4) == context.schedule.entries[span.entry].rules.name
      && held.text(8) == tables.details(of: event)
  }

  /// Removes the events behind those that were found equal; ids count from 1 without gaps.
  private func dropRest() throws(SQLiteError) {
    held = nil
    let remove = try tables.connection.prepare("DELETE FROM pump_events WHERE id > ?")
    remove.bind(1, heldCount)
    try remove.run()
  }
}
