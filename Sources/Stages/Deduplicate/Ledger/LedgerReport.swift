import Platform
package import PumpModel

extension Ledger {
  /// Gives every pending part, by pump and start.
  package func forEachPending(
    _ body: (_ pump: String, PendingPart) throws -> Void
  ) throws {
    let statement = try query(
      """
      SELECT p.name, t.kind, t.start_at, t.number, t.last_number, t.records
      FROM pending t JOIN pumps p USING (pump)
      ORDER BY p.name, t.start_at, t.kind, t.number, t.last_number
      """)
    while try step(statement) {
      let part = PendingPart(
        kind: PendingPart.Kind(rawValue: statement.text(1)) ?? .basal,
        start: statement.instant(2), number: UInt32(truncatingIfNeeded: statement.int64(3)),
        extent: statement.isNull(4)
          ? nil
          : PendingPart.Extent(
            lastNumber: UInt32(truncatingIfNeeded: statement.int64(4)),
            count: UInt64(statement.int64(5))))
      try body(statement.text(0), part)
    }
  }

  /// Gives every hole, by pump and start.
  package func forEachHole(_ body: (_ pump: String, Hole) throws -> Void) throws {
    let statement = try query(
      """
      SELECT p.name, t.start_at, t.end_at, t.reason FROM holes t JOIN pumps p USING (pump)
      ORDER BY p.name, t.start_at, t.end_at, t.reason
      """)
    while try step(statement) {
      try body(
        statement.text(0),
        Hole(
          start: Instant(unixSeconds: statement.int64(1)), end: statement.instant(2),
          reason: Hole.Reason(rawValue: statement.text(3)) ?? .silence))
    }
  }

  /// Gives every finding of a pump, by pump, time and code.
  package func forEachFinding(_ body: (_ pump: String, Finding) throws -> Void) throws {
    let statement = try query(
      """
      SELECT p.name, t.code, t.start_at, t.end_at, t.text FROM findings t JOIN pumps p USING (pump)
      ORDER BY p.name, t.start_at, t.end_at, t.code, t.text
      """)
    while try step(statement) {
      guard let code = FindingCode(rawValue: statement.text(1)) else { continue }
      try body(
        statement.text(0),
        Finding(
          code, start: statement.instant(2), end: statement.instant(3), text: statement.text(4)))
    }
  }

  /// Gives every request that never finished, by pump and start.
  package func forEachIncomplete(
    _ body: (_ pump: String, IncompleteRequest) throws -> Void
  ) throws {
    let statement = try query(
      """
      SELECT p.name, t.bolus, t.start_at FROM incomplete t JOIN pumps p USING (pump)
      ORDER BY p.name, t.start_at, t.bolus
      """)
    while try step(statement) {
      try body(
        statement.text(0),
        IncompleteRequest(
          bolus: UInt16(truncatingIfNeeded: statement.int64(1)),
          start: Instant(unixSeconds: statement.int64(2))))
    }
  }

  /// Gives every stretch of a clock, by pump and order.
  package func forEachClock(_ body: (_ pump: String, ClockRow) throws -> Void) throws {
    let statement = try query(
      """
      SELECT p.name, t.uses_records, t.opening, t.start_at, t.end_at, t.offset_seconds,
        t.drift_milliseconds, t.records
      FROM clocks t JOIN pumps p USING (pump) ORDER BY p.name, t.position
      """)
    while try step(statement) {
      try body(
        statement.text(0),
        ClockRow(
          usesRecords: statement.int64(1) != 0,
          opening: ClockRow.Opening(rawValue: statement.text(2)) ?? .beginning,
          start: statement.instant(3), end: statement.instant(4),
          offset: statement.isNull(5) ? nil : statement.int64(5),
          driftMilliseconds: statement.int64(6), records: UInt64(statement.int64(7))))
    }
  }

  /// Gives every local day, by pump and day.
  package func forEachDay(_ body: (_ pump: String, DayTotals) throws -> Void) throws {
    let statement = try query(
      """
      SELECT p.name, t.day, t.basal, t.bolus, t.carbohydrate, t.delivered, t.zero, t.suspended,
        t.unknown, t.pump_basal, t.difference, t.active_from, t.active_until
      FROM days t JOIN pumps p USING (pump) ORDER BY p.name, t.day
      """)
    while try step(statement) {
      var day = DayTotals(day: statement.int64(1))
      day.basal = statement.int64(2)
      day.bolus = statement.int64(3)
      day.carbohydrate = statement.int64(4)
      day.deliveredSeconds = statement.int64(5)
      day.zeroSeconds = statement.int64(6)
      day.suspendedSeconds = statement.int64(7)
      day.unknownSeconds = statement.int64(8)
      day.pumpBasal = statement.isNull(9) ? nil : statement.int64(9)
      day.difference = statement.isNull(10) ? nil : statement.int64(10)
      if let from = statement.instant(11), let until = statement.instant(12), from <= until {
        day.active = from...until
      }
      try body(statement.text(0), day)
    }
  }

  private func query(_ sql: String) throws(LedgerError) -> SQLiteStatement {
    try run { () throws(SQLiteError) in try database.prepare(sql) }
  }

  private func step(_ statement: SQLiteStatement) throws(LedgerError) -> Bool {
    try run { () throws(SQLiteError) in try statement.step() }
  }
}

extension SQLiteStatement {
  /// A column of Unix seconds; nil for NULL.
  func instant(_ column: Int32) -> Instant? {
    isNull(column) ? nil : Instant(unixSeconds: int64(column))
  }
}
