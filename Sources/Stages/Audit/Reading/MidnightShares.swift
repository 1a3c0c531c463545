import Platform
import PumpModel

/// Looks whether `basal_over_midnight` of a SQLite output gives basal to the days in which it was, so that
/// its daily totals are those of its samples.
struct MidnightShares {
  private let connection: SQLiteConnection
  private let offset: (String, Instant) -> Int64?

  private static let table = "basal_over_midnight"
  private static let day: Int64 = 86_400
  /// No basal of an output is longer than its evidence is apart (N4); what is, is somebody's own.
  private static let longest: Int64 = 4 * day

  /// Looks into a database; `offset` gives the offset of a zone at an instant, in seconds, and nil where
  /// the zone is not known.
  init(in connection: SQLiteConnection, offset: @escaping (String, Instant) -> Int64?) {
    (self.connection, self.offset) = (connection, offset)
  }

  /// What is wrong; nothing where there is no such table.
  func findings() throws(SQLiteError) -> [Finding] {
    guard try DatabaseForm.hasTable(Self.table, in: connection) else { return [] }
    var findings: [Finding] = []
    func tell(_ count: Int64, _ text: String) {
      guard count > 0 else { return }
      findings.append(Finding(.databaseDamaged, text: text))
    }
    let sums = try contradictingSums()
    tell(
      sums,
      "of \(sums) samples, what \(Self.table) gives to each day does not add up to their amount")
    let foreign = try foreignRows()
    tell(
      foreign,
      "rows of \(Self.table) that are not of basal, or of another pump than their sample: \(foreign)"
    )
    let misgiven = try misgivenSamples()
    tell(misgiven, "basal that \(Self.table) does not give to its days: \(misgiven) samples")
    return findings
  }

  /// How many samples are not what their days add up to.
  private func contradictingSums() throws(SQLiteError) -> Int64 {
    try connection.integer(
      """
      SELECT count(*) FROM
        (SELECT external_id, sum(amount) AS shares FROM \(Self.table) GROUP BY external_id)
        LEFT JOIN samples USING (external_id)
      WHERE amount IS NOT shares
      """) ?? 0
  }

  private func foreignRows() throws(SQLiteError) -> Int64 {
    try connection.integer(
      """
      SELECT count(*) FROM \(Self.table) AS shares JOIN samples USING (external_id)
      WHERE samples.type <> 'insulin.basal' OR samples.device IS NOT shares.device
      """) ?? 0
  }

  /// How many samples of basal are not given to the days in which they were, or are given to days though
  /// they are of one.
  private func misgivenSamples() throws(SQLiteError) -> Int64 {
    let changes = try zoneChanges()
    let newest = try connection.integer("SELECT max(end_epoch) FROM samples") ?? .min
    let select = try connection.prepare(
      """
      SELECT zone, start_epoch, end_epoch, amount, shares FROM samples LEFT JOIN (
        SELECT external_id, group_concat(day || '=' || amount, ' ') AS shares
        FROM (SELECT external_id, day, amount FROM \(Self.table) ORDER BY external_id, day)
        GROUP BY external_id) USING (external_id)
      WHERE type = 'insulin.basal' AND end_epoch > start_epoch
      """)
    var count: Int64 = 0
    while try select.step() {
      let (start, end) = (select.int64(1), select.int64(2))
      guard InstantReading.years.contains(start), InstantReading.years.contains(end),
        end - start <= Self.longest,
        let days = days(of: select.int64(3), from: start, until: end, in: select.text(0))
      else { continue }
      let expected = days.count > 1 ? days.map { "\($0.day)=\($0.amount)" } : []
      let given = select.isNull(4) ? [] : select.text(4).split(separator: " ").map(String.init)
      // A schedule may have another zone from within the sample on, which only later ones tell.
      let isExact =
        end < newest
        && changes?.contains(where: { start < $0 && $0 <= end + Self.day }) == false
      let isGiven = isExact ? given == expected : Self.lies(given, in: days.map(\.day))
      if !isGiven { count += 1 }
    }
    return count
  }

  /// Whether shares are of some days, as far as these are several.
  private static func lies(_ shares: [String], in days: [String]) -> Bool {
    guard let first = days.first, let last = days.last, first != last else { return true }
    guard let earliest = shares.first, let latest = shares.last else { return false }
    return first <= earliest.prefix(10) && latest.prefix(10) <= last
  }

  /// When samples begin to tell another zone than those before them; nil: too often to look.
  private func zoneChanges() throws(SQLiteError) -> [Int64]? {
    guard try connection.integer("SELECT count(DISTINCT zone) FROM samples") ?? 0 > 1 else {
      return []
    }
    let select = try connection.prepare(
      """
      SELECT start_epoch FROM (
        SELECT start_epoch, zone, lag(zone) OVER (ORDER BY start_epoch, end_epoch) AS other FROM samples)
      WHERE zone <> other LIMIT 1001
      """)
    var changes: [Int64] = []
    while try select.step() { changes.append(select.int64(0)) }
    return changes.count <= 1000 ? changes : nil
  }

  /// What each local day gets of an amount that is given evenly, as `emit` divides it; nil where the zone
  /// is not known.
  private func days(
    of amount: Int64, from start: Int64, until end: Int64, in zone: String
  ) -> [(day: String, amount: Int64)]? {
    func day(_ second: Int64) -> Int64? {
      offset(zone, Instant(unixSeconds: second)).map {
        (second + $0).flooredDivision(by: Self.day)
      }
    }
    guard amount >= 0, let last = day(end - 1), var current = day(start) else { return nil }
    var days: [(day: String, amount: Int64)] = []
    var (from, given): (Int64, Int64) = (start, 0)
    while current < last {
      // The first second of the next day lies between the two.
      var (low, high) = (from, end - 1)
      while low + 1 < high {
        let middle = (low + high) / 2
        guard let other = day(middle) else { return nil }
        if other > current { high = middle } else { low = middle }
      }
      let upToHere = EvenPortion.of(amount, part: high - start, whole: end - start)
      days.append((Self.text(ofDay: current), upToHere - given))
      guard let next = day(high), next > current else { return nil }
      (from, given, current) = (high, upToHere, next)
    }
    days.append((Self.text(ofDay: current), amount - given))
    return days
  }

  private static func text(ofDay day: Int64) -> String {
    let civil = CivilTime(secondsSince1970: day * Self.day)
    return [(civil.year, 4), (civil.month, 2), (civil.day, 2)].map { number, count in
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }.joined(separator: "-")
  }
}
