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
  private let context: OutputContext
  private let days: LocalDays
  private var text = ByteBuffer()
  private var time = TimeText()
  private var database: Database?

  /// The open database with its statements.
  private struct Database {
    let connection: SQLiteConnection
    var samples: SampleRows
    let share: SQLiteStatement
    let event: SQLiteStatement

    init(_ path: String, _ context: OutputContext) throws(SQLiteError) {
      connection = try SQLiteConnection(.file(path))
      // Large pages: a third of the time went into handing small ones to the system.
      try connection.execute(
        """
        PRAGMA page_size = 16384; PRAGMA cache_size = -8192; PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;
        """)
      try connection.execute(SQLiteSchema.statements)
      samples = try SampleRows(connection, context)
      share = try connection.prepare("INSERT INTO basal_over_midnight VALUES (?1,?2,?3,?4)")
      event = try connection.prepare(
        "INSERT INTO pump_events VALUES (NULL,?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)")
    }
  }

  /// Begins a database.
  ///
  /// - Throws: `OutputError.cannotCreate` as `check` does.
  package init(_ target: OutputTarget, context: OutputContext) throws(OutputError) {
    try Self.check(target)
    file = try StagedFile(target)
    path = target.name
    self.context = context
    days = LocalDays(context.schedule)
    let staged = file.stagedPath ?? path
    database = try Self.translating(path) { () throws(SQLiteError) in
      try Database(staged, context)
    }
  }

  /// Refuses a target that must not be replaced: standard output, what is not a regular file, a
  /// file that is no database of this kind, a ledger among them, and one that a program has left
  /// a journal to.
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
    case .other:
      throw .cannotCreate(path: path, reason: "it is no SQLite database; name another file")
    }
    guard !SQLiteFile.hasJournal(besides: path) else {
      throw .cannotCreate(
        path: path, reason: "another program is writing to it; close that and try again")
    }
  }

  /// Rows by device, start, type, external id.
  package var order: OutputOrder { .device }

  /// Inserts samples.
  package func write(_ batch: OutputBatch) throws(OutputError) {
    try Self.translating(path) { () throws(SQLiteError) in
      for row in batch.rows {
        try database?.samples.insert(row, text: &text)
        if row.sample.identity.kind.isBasal { try insertShares(row) }
      }
    }
  }

  /// Inserts pump events, in the order given.
  package func write(events: [PumpEventRow]) throws(OutputError) {
    try Self.translating(path) { () throws(SQLiteError) in
      for event in events { try insert(event) }
    }
  }

  /// Commits, closes the database and brings it to the device.
  package func seal() throws(OutputError) {
    try Self.translating(path) { () throws(SQLiteError) in
      try database?.samples.flush(text: &text)
      try database?.connection.execute("COMMIT")
    }
    database = nil
    try file.seal()
  }

  /// Publishes the file.
  package func publish() throws(OutputError) { try file.publish() }

  /// Discards the file.
  package func discard() {
    database = nil
    file.discard()
  }

  /// Keeps what each day got of basal that ends on a later day than it began.
  private func insertShares(_ row: OutputRow) throws(SQLiteError) {
    let sample = row.sample
    // The last second that it covers: an end at midnight belongs to the day before.
    let last = max(sample.start, sample.end + -1)
    guard let share = database?.share, days.day(at: sample.start) != days.day(at: last) else {
      return
    }
    let device = context.pumps[row.pump].name
    for part in days.shares(of: sample.amount, from: sample.start, to: sample.end) {
      share.bind(1, sample.identity.text(pump: device))
      share.bind(2, device)
      text.removeAll()
      SampleRows.bind(share, 3, &text) { TimeText.appendDay(part.day, to: &$0) }
      share.bind(4, part.amount)
      try share.run()
    }
  }

  private func insert(_ row: PumpEventRow) throws(SQLiteError) {
    guard let event = database?.event else { return }
    let span = context.schedule.span(at: row.at)
    event.bind(1, context.pumps[row.pump].name)
    event.bind(2, row.category)
    event.bind(3, row.name)
    text.removeAll()
    SampleRows.bind(event, 4, &text) { time.appendUTC(row.at, to: &$0) }
    event.bind(5, row.at.unixSeconds)
    SampleRows.bind(event, 6, &text) {
      time.appendLocal(row.at, offset: span.offset, to: &$0)
    }
    event.bind(7, context.schedule.entries[span.entry].rules.name)
    event.bind(8, Int64(row.reference.number))
    event.bind(9, Int64(row.reference.seconds))
    event.bind(10, Int64(row.eventID))
    SampleRows.bind(event, 11, &text) { Self.append(row.details, to: &$0) }
    try event.run()
  }

  private static func append(_ details: [PumpEventRow.Detail], to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "{"))
    for (index, detail) in details.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      buffer.append(JSONText.quoted(detail.name))
      buffer.append(UInt8(ascii: ":"))
      buffer.append(JSONText.quoted(detail.value))
    }
    buffer.append(UInt8(ascii: "}"))
  }

  private static func translating<Result>(
    _ path: String, _ body: () throws(SQLiteError) -> Result
  ) throws(OutputError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw error.isFull ? .outOfSpace(path: path) : .failed(path: path, reason: "\(error)")
    }
  }
}
