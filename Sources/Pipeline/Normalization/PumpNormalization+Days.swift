import Deduplicate
import Normalize
import PumpModel

/// What local days and their weeks add up to.
extension PumpNormalization {
  /// Ends a replacement, of which nothing before a place was replaced: the days, what is said of the
  /// history as a whole, and the check of what was done.
  func finish(
    _ replacement: PumpReplacement, _ pump: LedgerPump, _ timeline: Timeline,
    changedFrom place: UInt64 = 0
  ) throws {
    var touched: Set<Int64> = []
    for span in replacement.touched.spans { touched.formUnion(schedule.localDays(of: span)) }
    var sums = DaySums(schedule: schedule, concentration: concentration)
    var totals: [DayTotals] = []
    for part in try replacement.takeDays(besides: touched) {
      let (own, finding) = sums.totals(part)
      totals.append(own)
      if let finding { try replacement.add(finding, day: own.day) }
    }
    try replacement.keep(totals, given: try samples(of: pump, on: totals))
    let noted = try NotedHistory.whole(
      of: pump.number, in: ledger, timeline: timeline, changedFrom: place)
    var batch = NormalizedBatch()
    noted.account.addFindings(into: &batch)
    try addFindings(noted.differing, noted.conflicting, pump, into: &batch)
    try replacement.keep(whole: batch, clocks: noted.account.clocks())
  }

  /// What the samples of days add up to, once it is sure that their totals are the same.
  private func samples(
    of pump: LedgerPump, on totals: [DayTotals]
  ) throws -> [Int64: SampleTotals] {
    var given: [Int64: SampleTotals] = [:]
    try forEachSum(of: pump, on: totals.map(\.day)) { index, sums in
      let day = totals[index]
      guard sums.agree(with: day) else {
        throw LedgerError.checkFailed("a day's totals are not the sums of its samples")
      }
      given[day.day] = sums.given(on: day.day)
    }
    return given
  }

  /// Adds up the samples of all days, in a ledger that an older version made.
  func addUpDaysIfLacking() throws {
    guard try ledger.lacksTotals() else { return }
    for pump in try ledger.pumps() { try addUpDays(of: pump) }
    try ledger.noteTotals()
  }

  private func addUpDays(of pump: LedgerPump) throws {
    let days = try ledger.daysWithRows(of: pump.number)
    var totals: [(day: Int64, given: SampleTotals)] = []
    try forEachSum(of: pump, on: days) { index, sums in
      totals.append((days[index], sums.given(on: days[index])))
    }
    try ledger.keep(totals, of: pump.number)
  }

  /// Gives for each of some days, in order, sums that hold all of its samples.
  private func forEachSum(
    of pump: LedgerPump, on days: [Int64], _ body: (Int, SampleSums) throws -> Void
  ) throws {
    var first = 0
    while first < days.count {
      // Days in a row are looked at together: their samples stand side by side.
      var last = first
      while last + 1 < days.count, days[last + 1] - days[last] < 7 { last += 1 }
      var sums = SampleSums(schedule: schedule)
      let time = (days[first] - 2) * 86_400..<(days[last] + 3) * 86_400
      try ledger.forEachSample(of: pump.number, touching: time) { sums.add($0) }
      for index in first...last { try body(index, sums) }
      first = last + 1
    }
  }
}

extension ZoneSchedule {
  /// The local days that a span of time touches.
  func localDays(of span: ClosedRange<Int64>) -> Set<Int64> {
    var days: Set<Int64> = []
    var at = span.lowerBound
    while true {
      let (_, offset, range) = self.span(at: Instant(unixSeconds: at))
      let end = min(span.upperBound, range.upperBound - 1)
      days.formUnion(
        (at + offset).flooredDivision(by: 86_400)...(end + offset).flooredDivision(by: 86_400))
      guard end < span.upperBound else { return days }
      at = end + 1
    }
  }
}
