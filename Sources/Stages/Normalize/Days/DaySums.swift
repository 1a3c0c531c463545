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
