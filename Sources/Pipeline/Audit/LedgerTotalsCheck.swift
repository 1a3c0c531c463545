import Deduplicate
import Normalize
import PumpModel

/// Counts what the samples of a ledger add up to, and compares it with the totals that it keeps.
struct LedgerTotalsCheck {
  private let ledger: Ledger
  private let schedule: ZoneSchedule

  /// Begins; the ledger must be in a transaction.
  init(_ ledger: Ledger, _ schedule: ZoneSchedule) {
    self.ledger = ledger
    self.schedule = schedule
  }

  /// What differs: one finding for days, one for weeks; none of a ledger of an older version, which
  /// keeps no totals until a run adds them up.
  func findings() throws -> [Finding] {
    guard try !ledger.lacksTotals() else { return [] }
    var kept: [String: [Int64: SampleTotals]] = [:]
    try ledger.forEachDayOfSamples { pump, day, _, given in
      kept[pump, default: [:]][day] = given
    }
    var weeks: [String: [Int64: SampleTotals]] = [:]
    try ledger.forEachWeek { pump, week in weeks[pump, default: [:]][week.monday] = week.given }
    var differingDays: [Int64] = []
    var differingWeeks: [Int64] = []
    for pump in try ledger.pumps() {
      let own = kept[pump.label.name] ?? [:]
      let counted = try counted(of: pump.number)
      differingDays += Self.differing(own, counted)
      var sums: [Int64: SampleTotals] = [:]
      for (day, given) in counted {
        sums[WeekTotals.monday(of: day), default: SampleTotals()] += given
      }
      differingWeeks += Self.differing(weeks[pump.label.name] ?? [:], sums)
    }
    return [finding("day", differingDays), finding("week", differingWeeks)].compactMap(\.self)
  }

  private func counted(of pump: Int64) throws -> [Int64: SampleTotals] {
    var sums = SampleSums(schedule: schedule)
    try ledger.forEachSample(of: pump, touching: Int64.min..<Int64.max) { sums.add($0) }
    return sums.byDay
  }

  private static func differing(
    _ left: [Int64: SampleTotals], _ right: [Int64: SampleTotals]
  ) -> [Int64] {
    Set(left.keys).union(right.keys).filter {
      left[$0] ?? SampleTotals() != right[$0] ?? SampleTotals()
    }
  }

  private func finding(_ word: String, _ differing: [Int64]) -> Finding? {
    guard let first = differing.min() else { return nil }
    return Finding(
      .databaseDamaged,
      text:
        "the totals of \(differing.count) \(word)\(differing.count == 1 ? "" : "s") are not the sums "
        + "of their samples; the first begins on \(LocalDay(daysSince1970: first).text)")
  }
}
