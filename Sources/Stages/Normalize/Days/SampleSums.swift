package import PumpModel

/// Adds samples up by local day: for the totals that are kept of days, and to see that the pump's days
/// (N11) are the sums of their samples.
package struct SampleSums {
  private var days: LocalDays
  private var sums: [Int64: Sum] = [:]
  /// The day that was added to last and its sum, which may be ahead of the one in `sums`.
  private var last: (day: Int64, sum: Sum)?

  private struct Sum: Equatable {
    var rateSeconds: Int64 = 0
    var given = SampleTotals()
  }

  /// Rates that are too small to give a sample still count in a day's total: up to 0.001 IU.
  private static let tolerance: Int64 = 1000

  /// Creates sums of nothing.
  package init(schedule: ZoneSchedule) { days = LocalDays(schedule: schedule) }

  /// Adds a sample that is not a rate of zero; a basal one is cut at local midnights.
  package mutating func add(_ sample: Sample) {
    let start = sample.start.unixSeconds
    switch sample.identity.kind {
    case .basal: add(basal: sample, from: start, until: sample.end.unixSeconds)
    case .bolus, .extended:
      edit(days.day(at: start).day) {
        $0.given.bolus += sample.amount
        $0.given.bolusSamples += 1
      }
    case .carbs:
      edit(days.day(at: start).day) {
        $0.given.carbohydrate += sample.amount
        $0.given.carbohydrateSamples += 1
      }
    case .cgm, .meter: break
    }
  }

  private mutating func add(basal sample: Sample, from start: Int64, until end: Int64) {
    let rate = Int64(sample.metadata.rate ?? 0)
    let isDerived = sample.identity.isDerivedBasal
    var at = start
    var given: Int64 = 0
    var begun: Int64 = 1
    repeat {
      let (day, range) = days.day(at: at)
      let until = max(at, min(end, range.upperBound))
      // What is given up to here less what was given before, so that the parts add up.
      let upToHere = EvenPortion.of(sample.amount, part: until - start, whole: end - start)
      edit(day) {
        $0.rateSeconds += rate * (until - at)
        $0.given.basal += upToHere - given
        if isDerived { $0.given.derivedBasal += upToHere - given }
        $0.given.basalSamples += begun
      }
      given = upToHere
      begun = 0
      at = until
    } while at < end
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

  /// What samples add up to, by day.
  package var byDay: [Int64: SampleTotals] {
    var given = sums.mapValues(\.given)
    if let last { given[last.day] = last.sum.given }
    return given
  }

  /// What the samples of a day add up to.
  package func given(on day: Int64) -> SampleTotals { sum(of: day).given }

  /// Whether a day's totals are the sums of the samples that were added.
  package func agree(with totals: DayTotals) -> Bool {
    let sum = sum(of: totals.day)
    let basal = roundedHalfEven(sum.rateSeconds * 10, over: 36)
    return sum.given.bolus == totals.bolus && sum.given.carbohydrate == totals.carbohydrate
      && abs(basal - totals.basal) <= Self.tolerance
  }
}
