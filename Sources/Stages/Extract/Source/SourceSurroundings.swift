package import Platform
package import PumpModel

/// What a client needs of the world, so that a test can be the world.
package struct SourceSurroundings {
  /// Asks servers.
  package var transport: any HTTPTransport
  /// How often something is tried again.
  package var policy = RetryPolicy()
  /// What time it is.
  package var clock: HostClock
  /// Milliseconds of a clock that never goes back.
  package var stopwatch: () -> Int64
  /// Waits so many milliseconds; false if the wait was cut short since the process is to end.
  package var wait: (Int) -> Bool
  /// A number from 0 up to 1.
  package var chance: () -> Double
  /// Is told of every request.
  package var note: (RequestNote) -> Void

  /// Creates surroundings; those of the host but for the transport, unless said.
  package init(
    transport: any HTTPTransport, clock: HostClock = .system,
    stopwatch: @escaping () -> Int64 = HostClock.monotonicMilliseconds,
    wait: @escaping (Int) -> Bool = SourceSurroundings.waitOnHost,
    chance: @escaping () -> Double = SecureRandom.fraction,
    note: @escaping (RequestNote) -> Void = { _ in }
  ) {
    self.transport = transport
    self.clock = clock
    self.stopwatch = stopwatch
    self.wait = wait
    self.chance = chance
    self.note = note
  }

  /// Waits, looking several times a second whether the process is to end.
  package static func waitOnHost(_ milliseconds: Int) -> Bool {
    let end = HostClock.monotonicMilliseconds() + Int64(milliseconds)
    while !Interruption.isRequested {
      let left = end - HostClock.monotonicMilliseconds()
      guard left > 0 else { return true }
      HostClock.pause(milliseconds: Int32(min(left, 200)))
    }
    return false
  }
}
