/// Calendar fields of a count of seconds, in the proleptic Gregorian calendar.
///
/// Pure integer arithmetic, because Foundation's calendar is a thousand times slower and depends
/// on settings of the host. Valid for the years 0 to 9999; callers clamp before.
public struct CivilTime: Equatable, Sendable {
  /// The year, 0 to 9999.
  public var year: Int
  /// The month, 1 to 12.
  public var month: Int
  /// The day of the month, 1 to 31.
  public var day: Int
  /// The hour, 0 to 23.
  public var hour: Int
  /// The minute, 0 to 59.
  public var minute: Int
  /// The second, 0 to 59.
  public var second: Int

  /// Splits seconds since 1970-01-01T00:00:00 into fields.
  @inlinable
  public init(secondsSince1970 seconds: Int64) {
    let days = seconds.flooredDivision(by: 86_400)
    let rest = Int(seconds - days * 86_400)
    self.init(daysSince1970: days)
    hour = rest / 3600
    minute = rest % 3600 / 60
    second = rest % 60
  }

  /// The midnight that starts a day, counted from 1970-01-01.
  @inlinable
  public init(daysSince1970 days: Int64) {
    // Counts from 0000-03-01, so that the leap day ends the year.
    let shifted = days + 719_468
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    hour = 0
    minute = 0
    second = 0
  }

  /// Days from 1970-01-01 to a date; the fields must be a real date.
  @inlinable
  public static func days(year: Int, month: Int, day: Int) -> Int64 {
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = shiftedYear.flooredDivision(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The number of days of a month, leap years included.
  @inlinable
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    default: 31
    }
  }
}

extension Int64 {
  /// The quotient rounded towards minus infinity; the divisor must be positive.
  @inlinable
  public func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self < 0 && quotient * divisor != self ? quotient - 1 : quotient
  }
}
