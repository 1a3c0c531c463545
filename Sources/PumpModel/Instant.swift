/// A moment, in whole seconds since 1970-01-01T00:00:00Z.
public struct Instant: Hashable, Comparable, Sendable {
  /// Seconds since the Unix epoch.
  public var unixSeconds: Int64

  /// Creates an instant from Unix seconds.
  @inlinable
  public init(unixSeconds: Int64) { self.unixSeconds = unixSeconds }

  /// Orders instants in time.
  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool {
    left.unixSeconds < right.unixSeconds
  }

  /// The instant so many seconds later.
  @inlinable
  public static func + (instant: Instant, seconds: Int64) -> Instant {
    Instant(unixSeconds: instant.unixSeconds + seconds)
  }

  /// Seconds from the right instant to the left one.
  @inlinable
  public static func - (left: Instant, right: Instant) -> Int64 {
    left.unixSeconds - right.unixSeconds
  }
}
