import PumpModel

extension SyntheticPump {
  /// Plans to set the clock if it will be wrong by the end of the coming day.
  mutating func planClock() {
    let tomorrow = Instant(unixSeconds: now + 86_400)
    guard options.setsClock, plannedClock == nil, zone.offset(at: tomorrow) != clock.offset else {
      return
    }
    let change = zone.span(at: Instant(unixSeconds: now)).range.upperBound
    let from = change < tomorrow.unixSeconds ? change : now
    let delay = options.clockDelayHours
    let hours = random.integer(delay.lowerBound * 60...delay.upperBound * 60)
    var at = from + Int64(hours) * 60 + Int64(random.integer(0...59))
    // Nobody sets a clock at night, and the day's totals stay within one midnight.
    while !(7..<22).contains((at + clock.offset) % 86_400 / 3600) { at += 3600 }
    plannedClock = at
    schedule(.setClock(at), after: at - now)
  }

  mutating func setClock(plannedFor instant: Int64) {
    guard plannedClock == instant else { return }
    setClock()
  }

  /// Sets the clock to the zone's time.
  mutating func setClock() {
    plannedClock = nil
    moveClock(to: zone.offset(at: Instant(unixSeconds: now)))
  }

  /// Writes the pair of records that a set of the clock leaves, date first.
  private mutating func moveClock(to offset: Int64) {
    let prior = clock.wall(at: now)
    clock.set(offset: offset, at: now)
    let after = clock.wall(at: now)
    let epochDay = PumpTime.epochInUnixSeconds / 86_400
    let (priorDay, afterDay) = (prior / 86_400 - epochDay, after / 86_400 - epochDay)
    let counter = UInt32(truncatingIfNeeded: now &* 1000)
    write(
      14, .dateChanged(prior: UInt32(priorDay), after: UInt32(afterDay), clock: counter),
      at: UInt32(prior - PumpTime.epochInUnixSeconds + (afterDay - priorDay) * 86_400))
    write(
      13,
      .timeChanged(
        prior: UInt32(prior % 86_400 * 1000) + UInt32(random.integer(0...999)),
        after: UInt32(after % 86_400 * 1000), clock: counter &+ 12))
    planMidnight()
  }

  mutating func losePower(minutes: Int) {
    accrue()
    basal.rate = 0
    basal.isSuspended = true
    basal.temp = nil
    plannedClock = nil
    offUntil = now + Int64(minutes) * 60
    schedule(.powerUp, after: Int64(minutes) * 60)
  }

  mutating func powerUp() {
    offUntil = nil
    accrue()
    // It wakes at the first second of 2008; the wearer answers its question for the date at once.
    basal.daySum = 0
    write(90, .newDay(commanded: 0), at: 0)
    clock.set(
      offset: PumpTime.epochInUnixSeconds + Int64(random.integer(30...90)) - now, at: now)
    setClock()
    schedule(.resume, after: 120)
  }
}
