import Platform
package import PumpModel

/// What the samples of days and weeks add up to.
extension Ledger {
  private static let lacksTotalsSetting = "lacks_totals"

  /// Whether rows of days stem from a version that did not add their samples up.
  package func lacksTotals() throws(LedgerError) -> Bool {
    try run { () throws(SQLiteError) in
      try database.integer(
        "SELECT value FROM settings WHERE name = '\(Self.lacksTotalsSetting)'") != nil
    }
  }

  /// Says that all rows of days have what their samples add up to.
  package func noteTotals() throws(LedgerError) {
    try run { () throws(SQLiteError) in
      try database.execute(
        "DELETE FROM settings WHERE name = '\(Self.lacksTotalsSetting)'")
    }
  }

  /// The local days of a pump that have rows, in order.
  package func daysWithRows(of pump: Int64) throws(LedgerError) -> [Int64] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare("SELECT day FROM days WHERE pump = ? ORDER BY day")
      select.bind(1, pump)
      var days: [Int64] = []
      while try select.step() { days.append(select.int64(0)) }
      return days
    }
  }

  /// Keeps what the samples of some days of a pump, which have rows, add up to, and adds up its weeks.
  package func keep(
    _ totals: [(day: Int64, given: SampleTotals)], of pump: Int64
  ) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let update = try database.prepare(
        """
        UPDATE days SET given_basal = ?3, derived_basal = ?4, basal_samples = ?5,
          bolus_samples = ?6, carbohydrate_samples = ?7
        WHERE pump = ?1 AND day = ?2
        """)
      for (day, given) in totals {
        update.bind(1, pump)
        update.bind(2, day)
        update.bind(3, given.basal)
        update.bind(4, given.derivedBasal)
        update.bind(5, given.basalSamples)
        update.bind(6, given.bolusSamples)
        update.bind(7, given.carbohydrateSamples)
        try update.run()
      }
      try database.addUpWeeks(of: pump, mondays: Set(totals.map { WeekTotals.monday(of: $0.day) }))
    }
  }

  /// Gives what the samples of every local day with a row add up to, by pump and day; nothing where an
  /// older version has not added them up.
  package func forEachDayOfSamples(
    _ body: (_ pump: String, _ day: Int64, _ knownSeconds: Int64, SampleTotals) throws -> Void
  ) throws {
    let rows = try run { () throws(SQLiteError) in
      try database.prepare(
        """
        SELECT p.name, t.day, t.delivered + t.zero + t.suspended, coalesce(t.given_basal, 0),
          coalesce(t.derived_basal, 0), t.bolus, t.carbohydrate, coalesce(t.basal_samples, 0),
          coalesce(t.bolus_samples, 0), coalesce(t.carbohydrate_samples, 0)
        FROM days t JOIN pumps p USING (pump) ORDER BY p.name, t.day
        """)
    }
    while try run({ () throws(SQLiteError) in try rows.step() }) {
      try body(rows.text(0), rows.int64(1), rows.int64(2), SampleTotals(rows, from: 3))
    }
  }

  /// Gives every week, by pump and Monday.
  package func forEachWeek(_ body: (_ pump: String, WeekTotals) throws -> Void) throws {
    let rows = try run { () throws(SQLiteError) in
      try database.prepare(
        """
        SELECT p.name, t.monday, t.days, t.known, t.basal, t.derived_basal, t.bolus,
          t.carbohydrate, t.basal_samples, t.bolus_samples, t.carbohydrate_samples
        FROM weeks t JOIN pumps p USING (pump) ORDER BY p.name, t.monday
        """)
    }
    while try run({ () throws(SQLiteError) in try rows.step() }) {
      var week = WeekTotals(monday: rows.int64(1))
      week.days = rows.int64(2)
      week.knownSeconds = rows.int64(3)
      week.given = SampleTotals(rows, from: 4)
      try body(rows.text(0), week)
    }
  }
}

extension SampleTotals {
  /// Reads seven columns.
  fileprivate init(_ row: SQLiteStatement, from first: Int32) {
    self.init()
    basal = row.int64(first)
    derivedBasal = row.int64(first + 1)
    bolus = row.int64(first + 2)
    carbohydrate = row.int64(first + 3)
    basalSamples = row.int64(first + 4)
    bolusSamples = row.int64(first + 5)
    carbohydrateSamples = row.int64(first + 6)
  }
}

extension SQLiteConnection {
  /// Adds up weeks of a pump anew from the rows of their days.
  func addUpWeeks(of pump: Int64, mondays: Set<Int64>) throws(SQLiteError) {
    let delete = try prepare("DELETE FROM weeks WHERE pump = ? AND monday = ?")
    let insert = try prepare(
      """
      INSERT INTO weeks
      SELECT ?1, ?2, count(*), sum(delivered + zero + suspended), \(Self.sumsOfDays)
      FROM days WHERE pump = ?1 AND day BETWEEN ?2 AND ?2 + 6 HAVING count(*) > 0
      """)
    for monday in mondays.sorted() {
      for statement in [delete, insert] {
        statement.bind(1, pump)
        statement.bind(2, monday)
        try statement.run()
      }
    }
  }

  /// What weeks are made of.
  static let sumsOfDays = """
    sum(coalesce(given_basal, 0)), sum(coalesce(derived_basal, 0)), sum(bolus),
      sum(carbohydrate), sum(coalesce(basal_samples, 0)), sum(coalesce(bolus_samples, 0)),
      sum(coalesce(carbohydrate_samples, 0))
    """
}
