/// The clock of a pump: true time plus an offset, plus what it has drifted since it was set.
struct PumpClock {
  /// Seconds that the clock is ahead of UTC when it has just been set.
  private(set) var offset: Int64
  var driftSecondsPerDay = 0.0
  private var setAt: Int64

  init(at now: Int64, offset: Int64) {
    self.offset = offset
    setAt = now
  }

  /// What the clock shows, in seconds since 1970-01-01T00:00:00 of its own.
  func wall(at now: Int64) -> Int64 {
    now + offset + Int64(driftSecondsPerDay * Double(now - setAt) / 86_400)
  }

  mutating func set(offset: Int64, at now: Int64) {
    self.offset = offset
    setAt = now
  }
}
