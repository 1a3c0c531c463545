/// A time of day and calendar as a clock on a wall shows it, in no particular zone.
package struct WallTime: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00 of the same clock.
  package var secondsSince1970: Int64

  /// Creates a wall time from its seconds.
  package init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  /// Orders times as the clock shows them.
  package static func < (left: WallTime, right: WallTime) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }
}
