import Platform
package import PumpModel

extension Ledger {
  /// Whether a pump has rows of exports.
  package func hasRows(of pump: Int64) throws(LedgerError) -> Bool {
    try run { () throws(SQLiteError) in
      let select = try database.prepare("SELECT 1 FROM export_rows WHERE pump = ? LIMIT 1")
      select.bind(1, pump)
      return try select.step()
    }
  }

  /// The sources of which a pump has rows, in order.
  package func rowSources(of pump: Int64) throws(LedgerError) -> [ExportSource] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        "SELECT DISTINCT source FROM export_rows WHERE pump = ? ORDER BY source")
      select.bind(1, pump)
      var sources: [ExportSource] = []
      while try select.step() {
        if let source = ExportSource(rawValue: UInt8(clamping: select.int64(0))) {
          sources.append(source)
        }
      }
      return sources
    }
  }

  /// A reader of a pump's rows of a source that hold: all of them, or those whose own times lie in
  /// some ranges, which must be given in order.
  package func rows(
    of pump: Int64, from source: ExportSource, _ section: RowSection,
    in times: [Range<Int64>]? = nil
  ) throws(LedgerError) -> RowReader {
    try run { () throws(SQLiteError) in
      try RowReader(database, pump: pump, source: source, section, times: times)
    }
  }

  /// The words that status codes of rows stand for.
  package func statusWords() throws(LedgerError) -> StatusWords {
    try run { () throws(SQLiteError) in
      try StatusWordList(database).read()
    }
  }

  /// The code that the next new word gets.
  func nextStatusCode() throws(LedgerError) -> Int64 {
    try run { () throws(SQLiteError) in
      let last = try database.integer(
        "SELECT seq FROM sqlite_sequence WHERE name = 'status_words'")
      return max(Int64(StatusWords.firstCode), (last ?? 0) + 1)
    }
  }

  /// Adds up what became of a pump's rows of some sources, in place of what was kept before.
  package func addUpRows(
    of pump: Int64, from sources: some Sequence<ExportSource>
  ) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let delete = try database.prepare("DELETE FROM row_accounts WHERE pump = ?")
      delete.bind(1, pump)
      try delete.run()
      // Of a source without pieces nothing was looked at.
      let insert = try database.prepare(
        """
        INSERT INTO row_accounts
        SELECT ?1, ?2, coalesce(sum(rows), 0), coalesce(sum(matched), 0),
          coalesce(sum(unmatched), 0), coalesce(sum(meals_of_events), 0), coalesce(sum(readings), 0),
          coalesce(sum(matched_readings), 0), coalesce(sum(rates), 0), coalesce(sum(derived), 0),
          coalesce(sum(meals_alone), 0)
        FROM row_pieces WHERE pump = ?1 AND source = ?2
        """)
      for source in sources {
        insert.bind(1, pump)
        insert.bind(2, Int64(source.rawValue))
        try insert.run()
      }
    }
  }

  /// What became of rows, by pump and source.
  package func rowAccounts() throws(LedgerError) -> [(
    pump: Int64, source: ExportSource, account: RowAccount
  )] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare("SELECT * FROM row_accounts ORDER BY pump, source")
      var found: [(pump: Int64, source: ExportSource, account: RowAccount)] = []
      func count(_ column: Int32) -> UInt64 { UInt64(clamping: select.int64(column)) }
      while try select.step() {
        guard let source = ExportSource(rawValue: UInt8(clamping: select.int64(1))) else {
          continue
        }
        var account = RowAccount()
        (account.rows, account.matched, account.unmatched) = (count(2), count(3), count(4))
        account.mealsOfEvents = count(5)
        (account.readings, account.matchedReadings) = (count(6), count(7))
        (account.rates, account.derived, account.mealsAlone) = (count(8), count(9), count(10))
        found.append((select.int64(0), source, account))
      }
      return found
    }
  }
}

/// What rows of exports say, as they are read for samples.
package enum RowSection: Sendable {
  /// Boluses, meals that were told with one, and meals whose bolus no record tells.
  case boluses
  /// Glucose readings.
  case readings
  /// Basal rates.
  case rates

  /// The sections in the ledger that rows of a source may be in, as SQL lists them; of a single one they
  /// are read in the order of their key.
  func list(of source: ExportSource) -> String {
    switch self {
    case .boluses: source.tellsMealsApart ? "0, \(RowCoding.meals)" : "0"
    case .readings: "1, 2"
    case .rates: "\(RowCoding.rates)"
    }
  }

  /// The section of rows that give samples of a kind.
  init(of kind: SampleKind) {
    self =
      switch kind {
      case .basal: .rates
      case .bolus, .extended, .carbs: .boluses
      case .cgm, .meter: .readings
      }
  }

  /// The section that stands under a number in the ledger.
  init(number: Int64) {
    self =
      switch number {
      case 0, RowCoding.meals: .boluses
      case RowCoding.rates: .rates
      default: .readings
      }
  }

  /// The number by which a ledger keeps what is told in it.
  var number: Int64 { self == .boluses ? 0 : 1 }
}

/// Reads a pump's rows of one source, by time: of those that contradict each other, the one that
/// holds (N10).
package final class RowReader {
  private let statement: SQLiteStatement
  private var candidate: Candidate?
  /// The ranges of times that are yet to be read.
  private var times: ArraySlice<Range<Int64>>

  private struct Candidate {
    var row: NumberedRow
    var section: Int64
    var run: Int64

    /// Whether both rows are named alike: by an id of their own, or by their time and count.
    func isOfOneID(as other: Candidate) -> Bool {
      guard section == other.section else { return false }
      if let digest = row.nameDigest { return digest == other.row.nameDigest }
      return row.row.time == other.row.row.time && row.ordinal == other.row.ordinal
    }
  }

  init(
    _ database: SQLiteConnection, pump: Int64, source: ExportSource, _ section: RowSection,
    times: [Range<Int64>]? = nil
  ) throws(SQLiteError) {
    var (held, at, meal) = ("", "time", "NULL, NULL")
    if source.namesRecords {
      // One record may stand at different times in different documents.
      _ = try NamedRows(database).hold(of: pump, from: source, in: times)
      held = "JOIN \(NamedRows.table) USING (section, time, ordinal, document)"
      (at, meal) = ("at", "meal, meal_at")
    }
    let range = times == nil ? "" : "AND time >= ? AND time < ?"
    let order = source.namesRecords ? "r.name" : "ordinal"
    statement = try database.prepare(
      """
      SELECT section, source, time, \(RowCoding.content), ordinal, d.run, r.name, \(at), \(meal)
      FROM export_rows r JOIN documents d USING (document) \(held)
      WHERE pump = ? AND source = ? AND section IN (\(section.list(of: source))) \(range)
      ORDER BY \(at), section, \(order)
      """)
    statement.bind(1, pump)
    statement.bind(2, Int64(source.rawValue))
    self.times = times?[...] ?? []
    guard times == nil || turnToNextRange() else { return }
    candidate = try read()
  }

  private func turnToNextRange() -> Bool {
    guard let range = times.popFirst() else { return false }
    statement.reset()
    statement.bind(3, range.lowerBound)
    statement.bind(4, range.upperBound)
    return true
  }

  /// The next row; nil at the end.
  package func take() throws(LedgerError) -> NumberedRow? {
    do {
      guard var best = candidate else { return nil }
      candidate = try read()
      while let other = candidate, other.isOfOneID(as: best) {
        if Self.holds(other, over: best) { best = other }
        candidate = try read()
      }
      return best.row
    } catch {
      throw LedgerError(error)
    }
  }

  private func read() throws(SQLiteError) -> Candidate? {
    while try !statement.step() {
      guard turnToNextRange() else { return nil }
    }
    let after = 3 + Int32(RowCoding.count)
    guard var row = RowCoding.row(statement, from: 0) else {
      throw .checkFailed("a row of an export cannot be read")
    }
    if case .bolus(var bolus) = row.content, !statement.isNull(after + 4) {
      bolus.carbohydrate = UInt32(clamping: statement.int64(after + 4))
      bolus.requestTime = statement.int64(after + 5)
      row.content = .bolus(bolus)
    }
    return Candidate(
      row: NumberedRow(
        row, ordinal: UInt32(clamping: statement.int64(after)),
        nameDigest: statement.isNull(after + 2)
          ? nil : UInt64(bitPattern: statement.int64(after + 2)),
        delay: statement.int64(after + 3) - row.time),
      section: statement.int64(0), run: statement.int64(after + 1))
  }

  /// Whether a row holds and not the other: the one that was read in a later run, else the greater.
  private static func holds(_ row: Candidate, over other: Candidate) -> Bool {
    if row.run != other.run { return row.run > other.run }
    return RowOrder.precedes(other.row.row.content, row.row.row.content)
  }
}

/// The order of rows that contradict each other (N10).
enum RowOrder {
  /// Whether what a row says is less than what another says.
  static func precedes(_ left: ExportRow.Content, _ right: ExportRow.Content) -> Bool {
    switch (left, right) {
    case (.bolus(let left), .bolus(let right)):
      for (left, right) in zip(numbers(of: left), numbers(of: right)) where left != right {
        return left < right
      }
      for (left, right) in zip(details(of: left), details(of: right)) where left != right {
        return left.lexicographicallyPrecedes(right)
      }
      if left.isAutomatic != right.isAutomatic { return right.isAutomatic }
      if left.isOverride != right.isOverride { return right.isOverride }
      return left.number.map(Int64.init) ?? -1 < right.number.map(Int64.init) ?? -1
    case (.reading(let left, _), .reading(let right, _)): return left < right
    case (.rate(let left, let seconds), .rate(let right, let others)):
      return (left, seconds) < (right, others)
    case (.meal(let left), .meal(let right)): return left < right
    default: return false
    }
  }

  private static func numbers(of bolus: RowBolus) -> [Int64] {
    [
      bolus.normal.map { Int64($0.amount) } ?? -1, bolus.extended.map { Int64($0.amount) } ?? -1,
      bolus.carbohydrate.map(Int64.init) ?? -1, bolus.requestTime ?? .min,
    ]
  }

  /// Decimals, start, end and status of the normal and then of the extended part, as words whose
  /// order is theirs.
  private static func details(of bolus: RowBolus) -> [[Int64]] {
    [
      [bolus.normal.map { Int64($0.decimals) } ?? -1], status(of: bolus.normal),
      [
        bolus.extended.map { Int64($0.decimals) } ?? -1, bolus.span?.lowerBound ?? .min,
        bolus.span?.upperBound ?? .min,
      ],
      status(of: bolus.extended),
    ]
  }

  private static func status(of dose: RowDose?) -> [Int64] {
    dose?.status.map { $0.utf8.map(Int64.init) } ?? []
  }
}
