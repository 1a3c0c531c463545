package import PumpModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The only place that asks the host what time it is, so that a test or `--now` can answer.
package struct HostClock: Sendable {
  private let read: @Sendable () -> Instant

  /// A clock that answers what it is told to.
  package init(_ read: @escaping @Sendable () -> Instant) { self.read = read }

  /// A clock that stands still.
  package static func fixed(_ instant: Instant) -> HostClock { HostClock { instant } }

  /// The host's clock.
  package static let system = HostClock {
    var now = timespec()
    unsafe _ = clock_gettime(CLOCK_REALTIME, &now)
    return Instant(unixSeconds: Int64(now.tv_sec))
  }

  /// Milliseconds of a clock that never goes back, to tell how long something takes.
  package static func monotonicMilliseconds() -> Int64 {
    var now = timespec()
    unsafe _ = clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  /// Waits; a signal ends the waiting.
  package static func pause(milliseconds: Int32) {
    var time = timespec(
      tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    unsafe _ = nanosleep(&time, nil)
  }

  /// The time now.
  package var now: Instant { read() }
}
