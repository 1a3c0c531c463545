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
  ///
  /// A journey west can bring a date back, so all its pieces within two days are added up.
  mutating func length(ofDayAt instant: Int64) -> Int64 {
    let day = self.day(at: instant).day
    var at = instant - 2 * 86_400
    var length: Int64 = 0
    while at < instant + 2 * 86_400 {
      let (other, range) = self.day(at: at)
      if other == day { length += range.upperBound - max(range.lowerBound, at) }
      at = range.upperBound
    }
    return length
  }
}
