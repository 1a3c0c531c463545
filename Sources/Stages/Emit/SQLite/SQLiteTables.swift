import Platform
import PumpModel

/// The open tables of a SQLite output, with what is written into them.
final class SQLiteTables {
  let connection: SQLiteConnection
  private let context: OutputContext
  private let days: LocalDays
  private var samples: SampleRows
  private let share: SQLiteStatement
  private let event: SQLiteStatement
  private var text = ByteBuffer()
  private var time = TimeText()

  /// Prepares to write into tables that are there; `replaces` tells whether samples may take the
  /// place of others.
  init(
    _ connection: SQLiteConnection, _ context: OutputContext, replaces: Bool
  ) throws(SQLiteError) {
    self.connection = connection
    self.context = context
    days = LocalDays(context.schedule)
    samples = try SampleRows(connection, context, replaces: replaces)
    share = try connection.prepare("INSERT INTO basal_over_midnight VALUES (?1,?2,?3,?4)")
    event = try connection.prepare(
      "INSERT INTO pump_events VALUES (NULL,?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)")
  }

  /// Inserts a sample.
  func insert(_ row: OutputRow) throws(SQLiteError) {
    try samples.insert(row, text: &text)
    if row.sample.identity.kind.isBasal { try insertShares(row) }
  }

  /// Inserts what still waits to be.
  func flush() throws(SQLiteError) { try samples.flush(text: &text) }

  /// Keeps what each day got of basal that ends on a later day than it began.
  private func insertShares(_ row: OutputRow) throws(SQLiteError) {
    let sample = row.sample
    // The last second that it covers: an end at midnight belongs to the day before.
    let last = max(sample.start, sample.end + -1)
    guard days.day(at: sample.start) != days.day(at: last) else { return }
    let device = context.pumps[row.pump].name
    for part in days.shares(of: sample.amount, from: sample.start, to: sample.end) {
      share.bind(1, sample.identity.text(pump: device, names: context.names))
      share.bind(2, device)
      text.removeAll()
      SampleRows.bind(share, 3, &text) { TimeText.appendDay(part.day, to: &$0) }
      share.bind(4, part.amount)
      try share.run()
    }
  }

  /// Inserts a pump event.
  func insert(_ row: PumpEventRow) throws(SQLiteError) {
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

  /// The details of an event as a JSON object of texts.
  func details(of row: PumpEventRow) -> String {
    text.removeAll()
    Self.append(row.details, to: &text)
    return text.withText(0..<text.count) { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
  }

  /// Runs what talks to SQLite and sorts its errors.
  static func translating<Result>(
    _ path: String, _ body: () throws(SQLiteError) -> Result
  ) throws(OutputError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      if error.isBusy { throw .busy(path: path) }
      throw error.isFull ? .outOfSpace(path: path) : .failed(path: path, reason: "\(error)")
    }
  }
}
