import PumpModel

/// Turns wall times into instants by a zone's rules alone, date by date (N3, without any records).
struct ZoneClock {
  private let schedule: ZoneSchedule
  /// Wall times in here, seconds since 1970, are shown once, at `cachedOffset`.
  private var cachedWall: Range<Int64> = 0..<0
  private var cachedOffset: Int64 = 0

  init(schedule: ZoneSchedule) {
    self.schedule = schedule
  }

  /// The instant of a record's time, given that of the record before it.
  ///
  /// Of a time that occurs twice the later reading holds when the earlier lies before the previous
  /// record and the later does not.
  mutating func instant(of time: PumpTime, after previous: Instant?) -> Instant {
    let wall = time.wallSeconds
    if cachedWall.contains(wall) { return Instant(unixSeconds: wall - cachedOffset) }
    let readings = schedule.rules(atWall: wall).readings(ofWall: wall)
    switch readings {
    case .once(let instant):
      remember(instant, wall: wall)
      return instant
    case .skipped:
      return readings.earlier(wall: wall)
    case .twice(let earlier, let later):
      guard let previous else { return earlier }
      return earlier < previous && later >= previous ? later : earlier
    }
  }

  /// The instant of a reading's own time: of a time that occurs twice, the one with its record's
  /// offset, else the earlier (N7).
  mutating func instant(ofReading time: PumpTime, recordOffset: Int64) -> Instant {
    let wall = time.wallSeconds
    if cachedWall.contains(wall) { return Instant(unixSeconds: wall - cachedOffset) }
    let readings = schedule.rules(atWall: wall).readings(ofWall: wall)
    if case .twice(_, let later) = readings, wall - later.unixSeconds == recordOffset {
      return later
    }
    return readings.earlier(wall: wall)
  }

  /// Keeps the wall times around an instant that need no second look.
  private mutating func remember(_ instant: Instant, wall: Int64) {
    let rules = schedule.rules(atWall: wall)
    let (offset, range) = rules.span(at: instant)
    // Two days inside the span's ends no other offset can show the same wall time.
    let margin: Int64 = 172_800
    guard range.lowerBound < instant.unixSeconds - margin || range.lowerBound == .min,
      range.upperBound > instant.unixSeconds + margin || range.upperBound == .max
    else { return }
    var from = range.lowerBound == .min ? Int64.min / 2 : range.lowerBound + margin
    var until = range.upperBound == .max ? Int64.max / 2 : range.upperBound - margin
    for entry in schedule.entries {
      guard let start = entry.from else { continue }
      if start <= wall { from = max(from, start) } else { until = min(until, start) }
    }
    guard from < until else { return }
    cachedWall = from..<until
    cachedOffset = Int64(offset)
  }
}
