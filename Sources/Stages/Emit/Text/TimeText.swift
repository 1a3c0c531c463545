package import Platform
package import PumpModel

/// Times as text, digit by digit: no formatter, no locale, no host zone.
///
/// Rows come in order of time, so the date of the last one is kept for the next. Years beyond 0 to
/// 9999 are written as the nearest second of that range.
package struct TimeText {
  private var date = DateWords(day: 0)

  /// Creates a writer that has no date ready.
  package init() {}

  /// Appends `2026-05-04T16:31:10Z`.
  @inline(__always)
  package mutating func appendUTC(_ instant: Instant, to buffer: inout ByteBuffer) {
    appendWall(instant, minutes: 0, separator: UInt8(ascii: "T"), to: &buffer)
    buffer.append(UInt8(ascii: "Z"))
  }

  /// Appends `2026-05-04T12:31:10-04:00`, the wall time at an offset in seconds east of UTC.
  ///
  /// Of an offset with seconds only the minutes count, in the wall time too: the instant stays.
  @inline(__always)
  package mutating func appendLocal(
    _ instant: Instant, offset: Int64, to buffer: inout ByteBuffer
  ) {
    let minutes = offset / 60
    appendWall(instant, minutes: minutes, separator: UInt8(ascii: "T"), to: &buffer)
    let hour = TwoDigits.word(minutes.magnitude / 60)
    let minute = TwoDigits.word(minutes.magnitude % 60)
    let colon = UInt64(UInt8(ascii: ":")) << 24
    buffer.append(word: Self.sign(minutes) | hour << 8 | colon | minute << 32, count: 6)
  }

  /// Appends `2026-05-04 12:31:10 -0400`, as Health exports write every date (APPLE_HEALTH 3);
  /// seconds of an offset are treated as in `appendLocal`.
  @inline(__always)
  package mutating func appendApple(
    _ instant: Instant, offset: Int64, to buffer: inout ByteBuffer
  ) {
    let minutes = offset / 60
    appendWall(instant, minutes: minutes, separator: UInt8(ascii: " "), to: &buffer)
    let hour = TwoDigits.word(minutes.magnitude / 60)
    let minute = TwoDigits.word(minutes.magnitude % 60)
    let blank = UInt64(UInt8(ascii: " "))
    buffer.append(word: blank | Self.sign(minutes) << 8 | hour << 16 | minute << 32, count: 6)
  }

  /// Appends what a pump's clock shows, `2026-05-04T12:31:10`, which has no zone.
  @inline(__always)
  package mutating func appendWallTime(_ time: PumpTime, to buffer: inout ByteBuffer) {
    appendWall(
      Instant(unixSeconds: time.wallSeconds), minutes: 0, separator: UInt8(ascii: "T"),
      to: &buffer)
  }

  /// Appends what a pump's clock shows, given in seconds since 1970 of that clock.
  mutating func appendWallTime(wallSeconds: Int64, to buffer: inout ByteBuffer) {
    appendWall(
      Instant(unixSeconds: wallSeconds), minutes: 0, separator: UInt8(ascii: "T"), to: &buffer)
  }

  /// Appends the date of a day counted from 1970-01-01, such as `2026-05-04`.
  package static func appendDay(_ day: Int64, to buffer: inout ByteBuffer) {
    DateWords(day: min(max(day, earliest / 86_400), latest / 86_400)).append(to: &buffer)
  }

  /// 0000-01-01T00:00:00.
  private static let earliest: Int64 = -62_167_219_200
  /// 9999-12-31T23:59:59.
  private static let latest: Int64 = 253_402_300_799

  private static func clamp(_ seconds: Int64) -> Int64 { min(max(seconds, earliest), latest) }

  @inline(__always)
  private mutating func appendWall(
    _ instant: Instant, minutes: Int64, separator: UInt8, to buffer: inout ByteBuffer
  ) {
    let wall = Self.clamp(Self.clamp(instant.unixSeconds) + minutes * 60)
    var second = wall - date.day * 86_400
    if !(0..<86_400).contains(second) {
      date = DateWords(day: wall.flooredDivision(by: 86_400))
      second = wall - date.day * 86_400
    }
    date.append(to: &buffer)
    buffer.append(separator)
    buffer.append(word: Self.clock(UInt64(second)), count: 8)
  }

  /// `HH:mm:ss` of a second of the day.
  @inline(__always)
  private static func clock(_ second: UInt64) -> UInt64 {
    let colons = UInt64(UInt8(ascii: ":")) * (1 << 16 | 1 << 40)
    return TwoDigits.word(second / 3600) | TwoDigits.word(second / 60 % 60) << 24
      | TwoDigits.word(second % 60) << 48 | colons
  }

  @inline(__always)
  private static func sign(_ minutes: Int64) -> UInt64 {
    UInt64(minutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
  }
}

/// A date as the two words that its text is made of.
private struct DateWords {
  /// The day, counted from 1970-01-01.
  let day: Int64
  /// `yyyy-MM-`.
  private let yearAndMonth: UInt64
  /// `dd`.
  private let dayOfMonth: UInt64

  /// Works out the text of a day of the years 0 to 9999.
  init(day: Int64) {
    self.day = day
    let civil = CivilTime(daysSince1970: day)
    let hyphens = UInt64(UInt8(ascii: "-")) * (1 << 32 | 1 << 56)
    yearAndMonth =
      TwoDigits.word(UInt64(civil.year / 100)) | TwoDigits.word(UInt64(civil.year % 100)) << 16
      | TwoDigits.word(UInt64(civil.month)) << 40 | hyphens
    dayOfMonth = TwoDigits.word(UInt64(civil.day))
  }

  @inline(__always)
  func append(to buffer: inout ByteBuffer) {
    buffer.append(word: yearAndMonth, count: 8)
    buffer.append(word: dayOfMonth, count: 2)
  }
}

/// Numbers from 0 to 99 as two characters in a word, the first one in the lowest byte.
private enum TwoDigits {
  @inline(__always)
  static func word(_ value: UInt64) -> UInt64 {
    // A reciprocal of 10, exact up to 99.
    let tens = (value &* 103) >> 10
    return 0x3030 | tens | (value &- 10 &* tens) << 8
  }
}
