import Platform
import PumpModel

/// The statement that puts samples into a SQLite output.
///
/// Values that rarely change from row to row stay bound.
struct SampleRows {
  private let insert: SQLiteStatement
  private let pumps: [PumpLabel]
  private let prefixes: [[UInt8]]
  private let zones: [String]
  private var cursor: ZoneCursor
  private var utc = TimeText()
  private var local = TimeText()
  private var bound: (pump: Int, type: SampleType?, zone: Int) = (-1, nil, -1)

  /// Prepares the statement.
  init(_ connection: SQLiteConnection, _ context: OutputContext) throws(SQLiteError) {
    insert = try connection.prepare(
      "INSERT INTO samples VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)")
    pumps = context.pumps
    prefixes = context.pumps.map { Array(IdentityText.prefix(pump: $0.name).utf8) }
    zones = context.schedule.entries.map(\.rules.name)
    cursor = ZoneCursor(context.schedule)
  }

  /// Inserts one row; `text` is room for what is made of it.
  mutating func insert(_ row: OutputRow, text: inout ByteBuffer) throws(SQLiteError) {
    let sample = row.sample
    cursor.seek(sample.start)
    bindRare(row, zone: cursor.entry)
    bindNumbers(row)
    text.removeAll()
    Self.bind(insert, 1, &text) { buffer in
      buffer.append(prefixes[row.pump])
      IdentityText.appendSuffix(sample.identity, to: &buffer)
    }
    Self.bind(insert, 7, &text) { utc.appendUTC(sample.start, to: &$0) }
    Self.bind(insert, 8, &text) { utc.appendUTC(sample.end, to: &$0) }
    Self.bind(insert, 11, &text) {
      local.appendLocal(sample.start, offset: cursor.offset, to: &$0)
    }
    Self.bind(insert, 14, &text) { JSONMetadata.append(sample, to: &$0) }
    try insert.run()
  }

  private mutating func bindRare(_ row: OutputRow, zone: Int) {
    let type = row.sample.identity.kind.type
    if bound.pump != row.pump { insert.bind(2, pumps[row.pump].name) }
    if bound.type != type {
      insert.bind(3, type.rawValue)
      insert.bind(6, type.unit)
    }
    if bound.zone != zone { insert.bind(12, zones[zone]) }
    bound = (row.pump, type, zone)
  }

  private func bindNumbers(_ row: OutputRow) {
    let sample = row.sample
    insert.bind(4, sample.amount)
    insert.bind(5, Self.value(sample))
    insert.bind(9, sample.start.unixSeconds)
    insert.bind(10, sample.end.unixSeconds)
    insert.bind(13, Int64(row.revision))
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
