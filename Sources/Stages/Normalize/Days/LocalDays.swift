import PumpModel

/// Finds local days of the zone schedule, one after the other.
struct LocalDays {
  private let schedule: ZoneSchedule
  private var cached: (day: Int64, range: Range<Int64>) = (0, 0..<0)

  init(schedule: ZoneSchedule) {
    self.schedule = schedule
  }

  /// The local day at an instant, and the Unix seconds around it that belong to that day.
  ///
  /// Near a change of offset or zone the range may be a part of the day only.
  mutating func day(at instant: Int64) -> (day: Int64, range: Range<Int64>) {
    if cached.range.contains(instant) { return cached }
    let (_, offset, span) = schedule.span(at: Instant(unixSeconds: instant))
    let day = (instant + offset).flooredDivision(by: 86_400)
    let from = day * 86_400 - offset
    cached = (day, max(from, span.lowerBound)..<min(from + 86_400, span.upperBound))
    return cached
  }

  /// How many seconds a local day has, which an instant lies in.
  mutating func length(ofDayAt instant: Int64) -> Int64 {
    let (day, range) = day(at: instant)
    var from = range.lowerBound
    var until = range.upperBound
    while from > .min, self.day(at: from - 1).day == day { from = self.day(at: from - 1).range.lowerBound }
    while until < .max, self.day(at: until).day == day { until = self.day(at: until).range.upperBound }
    return until - from
  }
}
