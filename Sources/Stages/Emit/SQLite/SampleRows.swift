import Platform
import PumpModel

/// The rows of samples on their way into a SQLite output.
///
/// They wait until there are enough for a statement that inserts many at once, which costs half of
/// inserting each by itself. What is left at the end is inserted one by one.
struct SampleRows {
  private let many: SQLiteStatement
  private let one: SQLiteStatement
  private let pumps: [PumpLabel]
  private let prefixes: [[UInt8]]
  private let zones: [String]
  private let words: StatusWords
  private let names: (any IdentityNames)?
  private var cursor: ZoneCursor
  private var utc = TimeText()
  private var local = TimeText()
  private var waiting: [OutputRow] = []
  /// What stays bound at each place of `many`: mostly the next row there needs the same.
  private var kept: [Kept]

  /// The values that rarely change from row to row.
  private struct Kept {
    var pump = -1
    var type: SampleType?
    var zone = -1
  }

  /// How many rows go into one statement.
  private static let rowsAtOnce = 16
  /// How many columns a row has.
  private static let columns: Int32 = 14

  /// Prepares the statements; `replaces` tells whether rows may take the place of others.
  init(
    _ connection: SQLiteConnection, _ context: OutputContext, replaces: Bool = false
  ) throws(SQLiteError) {
    let insert = replaces ? "INSERT OR REPLACE" : "INSERT"
    let row = "(?" + String(repeating: ",?", count: Int(Self.columns) - 1) + ")"
    let rows = row + String(repeating: "," + row, count: Self.rowsAtOnce - 1)
    one = try connection.prepare("\(insert) INTO samples VALUES " + row)
    many = try connection.prepare("\(insert) INTO samples VALUES " + rows)
    pumps = context.pumps
    prefixes = context.pumps.map { Array(IdentityText.prefix(pump: $0.name).utf8) }
    words = context.statusWords
    names = context.names
    zones = context.schedule.entries.map(\.rules.name)
    cursor = ZoneCursor(context.schedule)
    kept = Array(repeating: Kept(), count: Self.rowsAtOnce)
  }

  /// Takes a row; `text` is room for what is made of it.
  mutating func insert(_ row: OutputRow, text: inout ByteBuffer) throws(SQLiteError) {
    waiting.append(row)
    guard waiting.count == Self.rowsAtOnce else { return }
    for (place, row) in waiting.enumerated() {
      kept[place] = bind(row, at: place, of: many, keeping: kept[place], text: &text)
    }
    waiting.removeAll(keepingCapacity: true)
    try many.run()
  }

  /// Inserts the rows that still wait.
  mutating func flush(text: inout ByteBuffer) throws(SQLiteError) {
    for row in waiting {
      _ = bind(row, at: 0, of: one, keeping: Kept(), text: &text)
      try one.run()
    }
    waiting.removeAll()
  }

  /// Binds the values of a row and returns what is kept of them.
  private mutating func bind(
    _ row: OutputRow, at place: Int, of statement: SQLiteStatement, keeping kept: Kept,
    text: inout ByteBuffer
  ) -> Kept {
    let first = Int32(place) * Self.columns
    cursor.seek(row.sample.start)
    bindTexts(of: row, after: first, of: statement, text: &text)
    Self.bindNumbers(of: row, after: first, of: statement)
    let now = Kept(
      pump: row.pump, type: row.sample.identity.kind.type, zone: cursor.entry)
    bindChanges(from: kept, to: now, after: first, of: statement)
    return now
  }

  private mutating func bindTexts(
    of row: OutputRow, after first: Int32, of statement: SQLiteStatement, text: inout ByteBuffer
  ) {
    let sample = row.sample
    text.removeAll()
    Self.bind(statement, first + 1, &text) { buffer in
      if sample.identity.scheme == .named {
        buffer.append(utf8: sample.identity.text(pump: "", names: names))
      } else {
        buffer.append(prefixes[row.pump])
        IdentityText.appendSuffix(sample.identity, to: &buffer)
      }
    }
    Self.bind(statement, first + 7, &text) { utc.appendUTC(sample.start, to: &$0) }
    Self.bind(statement, first + 8, &text) { utc.appendUTC(sample.end, to: &$0) }
    Self.bind(statement, first + 11, &text) {
      local.appendLocal(sample.start, offset: cursor.offset, to: &$0)
    }
    Self.bind(statement, first + 14, &text) { JSONMetadata.append(sample, words, to: &$0) }
  }

  private static func bindNumbers(
    of row: OutputRow, after first: Int32, of statement: SQLiteStatement
  ) {
    let sample = row.sample
    statement.bind(first + 4, sample.amount)
    statement.bind(first + 5, value(sample))
    statement.bind(first + 9, sample.start.unixSeconds)
    statement.bind(first + 10, sample.end.unixSeconds)
    statement.bind(first + 13, Int64(row.revision))
  }

  private func bindChanges(
    from kept: Kept, to now: Kept, after first: Int32, of statement: SQLiteStatement
  ) {
    if kept.pump != now.pump { statement.bind(first + 2, pumps[now.pump].name) }
    if kept.type != now.type {
      statement.bind(first + 3, now.type?.rawValue)
      statement.bind(first + 6, now.type?.unit)
    }
    if kept.zone != now.zone { statement.bind(first + 12, zones[now.zone]) }
  }

  /// The amount in its unit: one division of whole numbers, so the nearest double there is.
  private static func value(_ sample: Sample) -> Double {
    switch sample.identity.kind.decimals {
    case 6: Double(sample.amount) / 1_000_000
    case 3: Double(sample.amount) / 1000
    default: Double(sample.amount)
    }
  }

  /// Binds what a closure appends.
  static func bind(
    _ statement: SQLiteStatement, _ index: Int32, _ text: inout ByteBuffer,
    _ append: (inout ByteBuffer) -> Void
  ) {
    let start = text.count
    append(&text)
    text.withText(start..<text.count) { statement.bind(index, utf8: $0) }
  }
}
