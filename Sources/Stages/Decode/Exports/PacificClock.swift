import PumpModel

/// The wall clock of Los Angeles, by the law of the United States since 2007.
///
/// The older site counted times of basal from that clock: what it shows at an instant is what the
/// pump showed, wherever the pump was (FORMATS F).
enum PacificClock {
  private static let standard: Int64 = -8 * 3600
  private static let daylight: Int64 = -7 * 3600

  /// What the clock shows at an instant, in seconds since 1970 of the wall clock; the instant must be
  /// of a year from 2007 to 9999.
  static func wallSeconds(at instant: Int64) -> Int64 {
    let year = CivilTime(secondsSince1970: instant + standard).year
    // It goes forward at two o'clock of standard time, and back at two o'clock of daylight time.
    let forward = sunday(2, of: 3, in: year) * 86_400 + 2 * 3600 - standard
    let back = sunday(1, of: 11, in: year) * 86_400 + 2 * 3600 - daylight
    return instant + (forward..<back ~= instant ? daylight : standard)
  }

  /// The day, from 1970, of a month's n-th Sunday; 1970-01-01 was a Thursday.
  private static func sunday(_ count: Int64, of month: Int, in year: Int) -> Int64 {
    let first = CivilTime.days(year: year, month: month, day: 1)
    return first + (10 - first % 7) % 7 + (count - 1) * 7
  }
}
