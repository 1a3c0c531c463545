package import PumpModel

/// Turns what a local day got from all pieces of a pump's history into its totals (N11).
package struct DaySums {
  private var days: LocalDays
  private let factor: Int64

  /// Above this a difference from the pump's own total is a finding: 0.05 IU.
  private static let tolerance: Int64 = 50_000

  /// Creates sums of the days of a zone schedule.
  package init(schedule: ZoneSchedule, concentration: Concentration) {
    days = LocalDays(schedule: schedule)
    factor = concentration.factor
  }

  /// The totals of a day, and what a reader should know of them.
  package mutating func totals(_ part: DayPart) -> (DayTotals, Finding?) {
    var totals = DayTotals(day: part.day)
    totals.basal = roundedHalfEven(part.rateSeconds * factor * 10, over: 36)
    totals.bolus = part.bolus
    totals.carbohydrate = part.carbohydrate
    totals.deliveredSeconds = part.delivered
    totals.zeroSeconds = part.zero
    totals.suspendedSeconds = part.suspended
    let known = part.delivered + part.zero + part.suspended
    totals.unknownSeconds = max(0, days.length(ofDayAt: part.within) - known)
    totals.pumpBasal = part.total?.basal
    totals.difference = part.hasHole ? nil : part.total?.difference
    if part.activeFrom <= part.activeUntil {
      totals.active =
        Instant(unixSeconds: part.activeFrom)...Instant(unixSeconds: part.activeUntil)
    }
    guard let total = part.total, let difference = totals.difference,
      abs(difference) > Self.tolerance
    else { return (totals, nil) }
    let finding = Finding(
      .basalTotalDiffers, start: Instant(unixSeconds: total.from),
      end: Instant(unixSeconds: total.until),
      text: "The day's basal differs from the pump's own total.")
    return (totals, finding)
  }
}

/// Adds samples up by local day, to see that the totals of days are the sums of their samples.
package struct SampleSums {
  private var days: LocalDays
  private var sums: [Int64: Sum] = [:]
  /// The day that was added to last and its sum, which may be ahead of the one in `sums`.
  private var last: (day: Int64, sum: Sum)?

  private struct Sum: Equatable {
    var rateSeconds: Int64 = 0
    var bolus: Int64 = 0
    var carbohydrate: Int64 = 0
  }

  /// Rates that are too small to give a sample still count in a day's total: up to 0.001 IU.
  private static let tolerance: Int64 = 1000

  /// Creates sums of nothing.
  package init(schedule: ZoneSchedule) { days = LocalDays(schedule: schedule) }

  /// Adds a sample; a basal one is cut at local midnights.
  package mutating func add(_ sample: Sample) {
    var at = sample.start.unixSeconds
    switch sample.identity.kind {
    case .basal:
      while at < sample.end.unixSeconds {
        let (day, range) = days.day(at: at)
        let until = min(sample.end.unixSeconds, range.upperBound)
        let seconds = until - at
        edit(day) { $0.rateSeconds += Int64(sample.metadata.rate ?? 0) * seconds }
        at = until
      }
    case .bolus, .extended: edit(days.day(at: at).day) { $0.bolus += sample.amount }
    case .carbs: edit(days.day(at: at).day) { $0.carbohydrate += sample.amount }
    case .cgm, .meter: break
    }
  }

  /// Changes a day's sum; most often it is the one that was changed last.
  @inline(__always)
  private mutating func edit(_ day: Int64, _ change: (inout Sum) -> Void) {
    if last?.day != day { turn(to: day) }
    guard var sum = last?.sum else { return }
    change(&sum)
    last = (day, sum)
  }

  @inline(never)
  private mutating func turn(to day: Int64) {
    if let last { sums[last.day] = last.sum }
    last = (day, sums[day] ?? Sum())
  }

  private func sum(of day: Int64) -> Sum {
    if let last, last.day == day { return last.sum }
    return sums[day] ?? Sum()
  }

  /// Whether a day's totals are the sums of the samples that were added.
  package func agree(with totals: DayTotals) -> Bool {
    let sum = sum(of: totals.day)
    let basal = roundedHalfEven(sum.rateSeconds * 10, over: 36)
    return sum.bolus == totals.bolus && sum.carbohydrate == totals.carbohydrate
      && abs(basal - totals.basal) <= Self.tolerance
  }

  /// The days on which something was given.
  package var daysWithSamples: [Int64] {
    Set(sums.keys).union(last.map { [$0.day] } ?? []).filter { sum(of: $0) != Sum() }.sorted()
  }
}
