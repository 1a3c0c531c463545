import PumpModel

/// Adds up one pump's local days (N11).
///
/// Memory grows with the number of days.
struct DayBook {
  private var days: LocalDays
  private let factor: Int64
  private var rows: [Int64: Row] = [:]
  private var lastDay: Int64?
  private var last = Row()

  private struct Row {
    /// Rate times seconds: mU/h of the pump × s.
    var rateSeconds: Int64 = 0
    var bolus: Int64 = 0
    var carbohydrate: Int64 = 0
    var delivered: Int64 = 0
    var zero: Int64 = 0
    var suspended: Int64 = 0
    var pumpBasal: Int64?
    var difference: Int64?
    var check: PumpTotalCheck?
    var hasHole = false
    var within: Int64 = 0
    var activeFrom: Int64 = .max
    var activeUntil: Int64 = .min
  }

  init(schedule: ZoneSchedule, concentration: Concentration) {
    days = LocalDays(schedule: schedule)
    factor = concentration.factor
  }

  /// Adds a basal segment, cut at local midnights; the rate is the pump's, in mU/h.
  mutating func add(rate: Int64, isSuspended: Bool, from start: Int64, until end: Int64) {
    var at = start
    while at < end {
      let (day, range) = days.day(at: at)
      let until = min(end, range.upperBound)
      edit(day, within: at) { row in
        row.rateSeconds += rate * (until - at)
        if rate > 0 {
          row.delivered += until - at
          row.activeFrom = min(row.activeFrom, at)
          row.activeUntil = max(row.activeUntil, until)
        } else if isSuspended {
          row.suspended += until - at
        } else {
          row.zero += until - at
        }
      }
      at = until
    }
  }

  /// Makes sure that the days of an unknown time have rows.
  mutating func touch(from start: Int64, until end: Int64, isHole: Bool = false) {
    var at = start
    while at < end {
      let (day, range) = days.day(at: at)
      edit(day, within: at) { if isHole { $0.hasHole = true } }
      at = range.upperBound
    }
  }

  /// Adds a bolus, in mIU of real insulin, on the day of its start.
  mutating func add(bolus: Int64, from start: Int64, until end: Int64) {
    edit(days.day(at: start).day, within: start) { row in
      row.bolus += bolus
      row.activeFrom = min(row.activeFrom, start)
      row.activeUntil = max(row.activeUntil, end)
    }
  }

  /// Adds carbohydrate, in mg, on the day of its start.
  mutating func add(carbohydrate: Int64, at start: Int64) {
    edit(days.day(at: start).day, within: start) { $0.carbohydrate += carbohydrate }
  }

  /// Notes the pump's own total of the day that its record lies in, and what ours differs by, if
  /// all of its time is known.
  mutating func set(pumpBasal: Int64, difference: Int64?, of check: PumpTotalCheck) {
    edit(days.day(at: check.until).day, within: check.until) { row in
      row.pumpBasal = pumpBasal
      row.difference = difference
      row.check = check
    }
  }

  private mutating func edit(_ day: Int64, within instant: Int64, _ change: (inout Row) -> Void) {
    if lastDay != day {
      if let lastDay { rows[lastDay] = last }
      last = rows[day] ?? Row(within: instant)
      lastDay = day
    }
    change(&last)
  }

  /// Above this a difference from the pump's own total is a finding: 0.05 IU.
  private static let tolerance: Int64 = 50_000

  /// The totals, in the order of days.
  mutating func finish(into batch: inout NormalizedBatch) -> [DayTotals] {
    if let lastDay { rows[lastDay] = last }
    return rows.keys.sorted().map { day in
      let row = rows[day] ?? Row()
      var totals = DayTotals(day: day)
      totals.basal = roundedHalfEven(row.rateSeconds * factor * 10, over: 36)
      totals.bolus = row.bolus
      totals.carbohydrate = row.carbohydrate
      totals.deliveredSeconds = row.delivered
      totals.zeroSeconds = row.zero
      totals.suspendedSeconds = row.suspended
      let known = row.delivered + row.zero + row.suspended
      totals.unknownSeconds = max(0, days.length(ofDayAt: row.within) - known)
      totals.pumpBasal = row.pumpBasal
      totals.difference = row.hasHole ? nil : row.difference
      if let difference = totals.difference, abs(difference) > Self.tolerance,
        let check = row.check
      {
        batch.findings.append(
          Finding(
            .basalTotalDiffers, start: Instant(unixSeconds: check.from),
            end: Instant(unixSeconds: check.until),
            text: "The day's basal differs from the pump's own total."))
      }
      if row.activeFrom <= row.activeUntil {
        totals.active =
          Instant(unixSeconds: row.activeFrom)...Instant(unixSeconds: row.activeUntil)
      }
      return totals
    }
  }
}
