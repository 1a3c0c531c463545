package import PumpModel

/// A day of a wall calendar, in no particular zone.
package struct LocalDay: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  package var daysSince1970: Int64

  /// Creates a day from its number.
  package init(daysSince1970: Int64) { self.daysSince1970 = daysSince1970 }

  /// The day that a pump's clock shows.
  package init(_ time: PumpTime) {
    daysSince1970 = time.wallSeconds.flooredDivision(by: 86_400)
  }

  /// Orders days as a calendar does.
  package static func < (left: LocalDay, right: LocalDay) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }

  /// Year, month and day.
  package var civil: CivilTime { CivilTime(daysSince1970: daysSince1970) }
}
