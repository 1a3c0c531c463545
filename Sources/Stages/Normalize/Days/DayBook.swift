import PumpModel

/// Adds up what the local days of one pump get (N11), piece by piece of its history.
///
/// Memory grows with the days of a piece.
struct DayBook {
  private var days: LocalDays
  private var parts: [Int64: DayPart] = [:]
  /// The part of the last day, which is not in `parts` while it stands here.
  private var last: DayPart?

  init(schedule: ZoneSchedule) {
    days = LocalDays(schedule: schedule)
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
  ///
  /// Of a time longer than a pump's clock can count, which only a damaged clock change makes, the
  /// two ends have rows.
  mutating func touch(from start: Int64, until end: Int64, isHole: Bool = false) {
    guard end - start <= Int64(UInt32.max) else {
      touch(from: start, until: start + 1, isHole: isHole)
      touch(from: end - 1, until: end, isHole: isHole)
      return
    }
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

  /// Notes the pump's own total of the day that its last second lies in, and what ours differs by,
  /// if all of its time is known.
  mutating func set(pumpBasal: Int64, difference: Int64?, of check: PumpTotalCheck) {
    let last = check.until - 1
    edit(days.day(at: last).day, within: last) { row in
      row.total = DayPart.Total(
        from: check.from, until: check.until, basal: pumpBasal, difference: difference)
    }
  }

  private mutating func edit(
    _ day: Int64, within instant: Int64, _ change: (inout DayPart) -> Void
  ) {
    var part: DayPart
    if let last, last.day == day {
      part = last
    } else {
      if let last { parts[last.day] = last }
      part = parts[day] ?? DayPart(day: day, within: instant)
    }
    change(&part)
    last = part
  }

  /// Gives what the days got since the last call, in their order.
  mutating func take() -> [DayPart] {
    if let last { parts[last.day] = last }
    last = nil
    defer { parts.removeAll() }
    return parts.keys.sorted().compactMap { parts[$0] }
  }
}
