import Platform
import PumpModel

/// The tables that hold what stands beside a pump's samples, each row with the piece of the history
/// that it came of.
final class SideTables {
  let database: SQLiteConnection
  let pump: Int64
  private let insertPending: SQLiteStatement
  private let insertHole: SQLiteStatement
  private let insertFinding: SQLiteStatement
  private let insertIncomplete: SQLiteStatement
  private let insertSegment: SQLiteStatement
  private let insertDayPart: SQLiteStatement
  private let insertDay: SQLiteStatement
  private let deleteDay: SQLiteStatement
  private let deleteDayFindings: SQLiteStatement
  private let selectDayParts: SQLiteStatement
  private let selectRowDayParts: SQLiteStatement
  /// The days of which parts were taken out or kept.
  private var days: Set<Int64> = []

  private static let byPiece = [
    "pending", "holes", "findings", "incomplete", "counterparts", "basal_days",
  ]

  init(_ database: SQLiteConnection, pump: Int64) throws(SQLiteError) {
    self.database = database
    self.pump = pump
    insertPending = try database.prepare("INSERT INTO pending VALUES (?, ?, ?, ?, ?, ?, ?)")
    insertHole = try database.prepare("INSERT INTO holes VALUES (?, ?, ?, ?, ?)")
    insertFinding = try database.prepare("INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?)")
    insertIncomplete = try database.prepare("INSERT INTO incomplete VALUES (?, ?, ?, ?)")
    insertSegment = try database.prepare("INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    insertDayPart = try database.prepare(
      "INSERT INTO day_parts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    insertDay = try database.prepare(
      "INSERT INTO days VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    deleteDay = try database.prepare("DELETE FROM days WHERE pump = ? AND day = ?")
    deleteDayFindings = try database.prepare(
      "DELETE FROM findings WHERE pump = ? AND segment IS NULL AND day = ?")
    // By itself SQLite would go through all parts of the pump in their order.
    selectDayParts = try database.prepare(
      """
      SELECT rate_seconds, bolus, carbohydrate, delivered, zero, suspended, has_hole, within,
        active_from, active_until, total_from, total_until, total, difference
      FROM day_parts INDEXED BY day_parts_by_day WHERE pump = ? AND day = ? ORDER BY segment
      """)
    selectRowDayParts = try database.prepare(
      """
      SELECT rate_seconds, bolus, carbohydrate, delivered, zero, 0, 0, within, active_from,
        active_until, NULL
      FROM row_day_parts INDEXED BY row_day_parts_by_day WHERE pump = ? AND day = ?
      """)
  }

  /// Takes everything out.
  func clear() throws(SQLiteError) {
    let tables =
      Self.byPiece + [
        "clocks", "days", "weeks", "segments", "segment_sums", "day_parts", "row_pieces",
        "row_day_parts", "row_counterparts",
      ]
    for table in tables { try run("DELETE FROM \(table) WHERE pump = ?") }
  }

  /// Takes out what is said of the history as a whole.
  func clearWhole() throws(SQLiteError) {
    try run("DELETE FROM clocks WHERE pump = ?")
    try run("DELETE FROM pending WHERE pump = ? AND segment IS NULL")
    try run("DELETE FROM findings WHERE pump = ? AND segment IS NULL AND day IS NULL")
  }

  /// Takes out what came of pieces of the history.
  func clear(from start: UInt64, until end: UInt64) throws(SQLiteError) {
    let last = end == .max ? Int64.max : ordered(end) - 1
    // Asked for each day once, SQLite would go through all days of the pump.
    let select = try database.prepare(
      "SELECT day FROM day_parts WHERE pump = ? AND segment BETWEEN ? AND ?")
    select.bind(1, pump)
    select.bind(2, ordered(start))
    select.bind(3, last)
    while try select.step() { days.insert(select.int64(0)) }
    for table in Self.byPiece + ["day_parts"] {
      try run(
        "DELETE FROM \(table) WHERE pump = ? AND segment BETWEEN ? AND ?", ordered(start), last)
    }
    try run(
      "DELETE FROM segments WHERE pump = ? AND start BETWEEN ? AND ?", ordered(start), last)
  }

  /// Takes out a day's totals and findings.
  func clear(day: Int64) throws(SQLiteError) {
    for delete in [deleteDay, deleteDayFindings] {
      delete.bind(1, pump)
      delete.bind(2, day)
      try delete.run()
    }
  }

  /// The days of which anything was taken out or kept, in order.
  func touchedDays() throws(SQLiteError) -> [Int64] { days.sorted() }

  /// Notes that something of a day was taken out or kept.
  func touch(day: Int64) { days.insert(day) }

  /// What a day got from all pieces of the history and of rows; nil if nothing.
  func sum(of day: Int64) throws(SQLiteError) -> DayPart? {
    var sum: DayPart?
    for select in [selectDayParts, selectRowDayParts] {
      select.bind(1, pump)
      select.bind(2, day)
      defer { select.reset() }
      while try select.step() {
        let part = DayPart(day: day, reading: select)
        if sum == nil { sum = part } else { sum?.add(part) }
      }
    }
    return sum
  }

  private func run(_ sql: String, _ values: Int64...) throws(SQLiteError) {
    let statement = try database.prepare(sql)
    statement.bind(1, pump)
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 2), value) }
    try statement.run()
  }
}

extension SideTables {
  /// Keeps what a piece of the history gave, or, without one, the history as a whole.
  func keep(_ batch: borrowing NormalizedBatch, _ segment: Int64?) throws(SQLiteError) {
    for index in batch.pending.indices { try keep(batch.pending[index], segment) }
    for index in batch.holes.indices { try keep(batch.holes[index], segment) }
    for index in batch.findings.indices { try keep(batch.findings[index], segment, day: nil) }
    for index in batch.incomplete.indices { try keep(batch.incomplete[index], segment) }
  }

  /// Keeps a piece of the history.
  func keep(_ segment: StoredSegment) throws(SQLiteError) {
    insertSegment.bind(1, pump)
    insertSegment.bind(2, ordered(segment.start))
    insertSegment.bind(3, Int64(clamping: segment.notes.records))
    insertSegment.bind(4, Int64(bitPattern: segment.state.digest))
    insertSegment.bind(5, segment.notes.now.unixSeconds)
    insertSegment.bind(6, segment.notes.newest?.unixSeconds)
    insertSegment.bind(7, words: segment.state.seed.words)
    insertSegment.bind(8, words: segment.words)
    insertSegment.bind(9, segment.checksum)
    try insertSegment.run()
    for part in segment.notes.days { try keep(part, ordered(segment.start)) }
  }

  private func keep(_ part: PendingPart, _ segment: Int64?) throws(SQLiteError) {
    insertPending.bind(1, pump)
    insertPending.bind(2, part.kind.rawValue)
    insertPending.bind(3, part.start?.unixSeconds)
    insertPending.bind(4, Int64(part.number))
    insertPending.bind(5, part.extent.map { Int64($0.lastNumber) })
    insertPending.bind(6, part.extent.map { Int64(clamping: $0.count) })
    insertPending.bind(7, segment)
    try insertPending.run()
  }

  private func keep(_ hole: Hole, _ segment: Int64?) throws(SQLiteError) {
    insertHole.bind(1, pump)
    insertHole.bind(2, hole.start.unixSeconds)
    insertHole.bind(3, hole.end?.unixSeconds)
    insertHole.bind(4, hole.reason.rawValue)
    insertHole.bind(5, segment)
    try insertHole.run()
  }

  func keep(_ finding: Finding, _ segment: Int64?, day: Int64?) throws(SQLiteError) {
    insertFinding.bind(1, pump)
    insertFinding.bind(2, finding.code.rawValue)
    insertFinding.bind(3, finding.start?.unixSeconds)
    insertFinding.bind(4, finding.end?.unixSeconds)
    insertFinding.bind(5, finding.text)
    insertFinding.bind(6, segment)
    insertFinding.bind(7, day)
    try insertFinding.run()
  }

  private func keep(_ request: IncompleteRequest, _ segment: Int64?) throws(SQLiteError) {
    insertIncomplete.bind(1, pump)
    insertIncomplete.bind(2, Int64(request.bolus))
    insertIncomplete.bind(3, request.start.unixSeconds)
    insertIncomplete.bind(4, segment)
    try insertIncomplete.run()
  }

  private func keep(_ part: DayPart, _ segment: Int64) throws(SQLiteError) {
    days.insert(part.day)
    let words = [
      pump, segment, part.day, part.rateSeconds, part.bolus, part.carbohydrate, part.delivered,
      part.zero, part.suspended, part.hasHole ? 1 : 0, part.within, part.activeFrom,
      part.activeUntil,
    ]
    for (index, word) in words.enumerated() { insertDayPart.bind(Int32(index + 1), word) }
    insertDayPart.bind(14, part.total?.from)
    insertDayPart.bind(15, part.total?.until)
    insertDayPart.bind(16, part.total?.basal)
    insertDayPart.bind(17, part.total?.difference)
    try insertDayPart.run()
  }

  func keep(_ day: DayTotals, given: SampleTotals?) throws(SQLiteError) {
    days.insert(day.day)
    insertDay.bind(1, pump)
    insertDay.bind(2, day.day)
    insertDay.bind(3, day.basal)
    insertDay.bind(4, day.bolus)
    insertDay.bind(5, day.carbohydrate)
    insertDay.bind(6, day.deliveredSeconds)
    insertDay.bind(7, day.zeroSeconds)
    insertDay.bind(8, day.suspendedSeconds)
    insertDay.bind(9, day.unknownSeconds)
    insertDay.bind(10, day.pumpBasal)
    insertDay.bind(11, day.difference)
    insertDay.bind(12, day.active?.lowerBound.unixSeconds)
    insertDay.bind(13, day.active?.upperBound.unixSeconds)
    insertDay.bind(14, given?.basal)
    insertDay.bind(15, given?.derivedBasal)
    insertDay.bind(16, given?.basalSamples)
    insertDay.bind(17, given?.bolusSamples)
    insertDay.bind(18, given?.carbohydrateSamples)
    try insertDay.run()
  }

  /// Adds up the weeks of all days that were touched.
  func addUpWeeks() throws(SQLiteError) {
    try database.addUpWeeks(of: pump, mondays: Set(days.map(WeekTotals.monday(of:))))
  }

  func keep(_ clocks: [ClockRow]) throws(SQLiteError) {
    let insert = try database.prepare(
      "INSERT INTO clocks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (position, clock) in clocks.enumerated() {
      insert.bind(1, pump)
      insert.bind(2, Int64(position))
      insert.bind(3, clock.usesRecords ? 1 as Int64 : 0)
      insert.bind(4, clock.opening.rawValue)
      insert.bind(5, clock.start?.unixSeconds)
      insert.bind(6, clock.end?.unixSeconds)
      insert.bind(7, clock.offset)
      insert.bind(8, clock.driftMilliseconds)
      insert.bind(9, Int64(clamping: clock.records))
      try insert.run()
    }
  }
}

extension DayPart {
  /// Reads what `sum` selects.
  fileprivate init(day: Int64, reading row: SQLiteStatement) {
    self.init(day: day, within: row.int64(7))
    rateSeconds = row.int64(0)
    bolus = row.int64(1)
    carbohydrate = row.int64(2)
    delivered = row.int64(3)
    zero = row.int64(4)
    suspended = row.int64(5)
    hasHole = row.int64(6) != 0
    activeFrom = row.int64(8)
    activeUntil = row.int64(9)
    guard !row.isNull(10) else { return }
    total = Total(
      from: row.int64(10), until: row.int64(11), basal: row.int64(12),
      difference: row.isNull(13) ? nil : row.int64(13))
  }
}
