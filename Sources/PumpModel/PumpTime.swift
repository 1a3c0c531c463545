/// A time on a pump's own clock: seconds since 2008-01-01T00:00:00 of its wall clock.
///
/// A pump knows no zone, so this is no instant: only a `Timeline` (NORMALIZATION N3) turns it
/// into one. The range is that of the 32-bit field in a history-log record: until 2144.
public struct PumpTime: Hashable, Comparable, Sendable {
  /// Seconds since 2008-01-01T00:00:00 on the pump's clock.
  public var seconds: UInt32

  /// Creates a time from the raw field of a record.
  @inlinable
  public init(seconds: UInt32) { self.seconds = seconds }

  /// Orders times as the pump's clock shows them.
  @inlinable
  public static func < (left: PumpTime, right: PumpTime) -> Bool { left.seconds < right.seconds }

  /// The Unix time of 2008-01-01T00:00:00Z, the pump's epoch read as if it were UTC.
  public static let epochInUnixSeconds: Int64 = 1_199_145_600

  /// The wall time as a count of seconds since 1970-01-01T00:00:00 of the same wall clock.
  @inlinable
  public var wallSeconds: Int64 { Int64(seconds) + 1_199_145_600 }
}
