package import Platform
package import PumpModel

/// Times as text, digit by digit: no formatter, no locale, no host zone.
///
/// Years beyond 0 to 9999 are written as the nearest second of that range.
package enum TimeText {
  /// Appends `2026-05-04T16:31:10Z`.
  @inline(__always)
  package static func appendUTC(_ instant: Instant, to buffer: inout ByteBuffer) {
    appendWall(instant, minutes: 0, separator: UInt8(ascii: "T"), to: &buffer)
    buffer.append(UInt8(ascii: "Z"))
  }

  /// Appends `2026-05-04T12:31:10-04:00`, the wall time at an offset in seconds east of UTC.
  ///
  /// Of an offset with seconds only the minutes count, in the wall time too: the instant stays.
  @inline(__always)
  package static func appendLocal(
    _ instant: Instant, offset: Int64, to buffer: inout ByteBuffer
  ) {
    let minutes = offset / 60
    appendWall(instant, minutes: minutes, separator: UInt8(ascii: "T"), to: &buffer)
    appendSign(minutes, to: &buffer)
    buffer.append(decimal: minutes.magnitude / 60, width: 2)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(decimal: minutes.magnitude % 60, width: 2)
  }

  /// Appends `2026-05-04 12:31:10 -0400`, as Health exports write every date (APPLE_HEALTH 3);
  /// seconds of an offset are treated as in `appendLocal`.
  @inline(__always)
  package static func appendApple(
    _ instant: Instant, offset: Int64, to buffer: inout ByteBuffer
  ) {
    let minutes = offset / 60
    appendWall(instant, minutes: minutes, separator: UInt8(ascii: " "), to: &buffer)
    buffer.append(UInt8(ascii: " "))
    appendSign(minutes, to: &buffer)
    buffer.append(decimal: minutes.magnitude / 60, width: 2)
    buffer.append(decimal: minutes.magnitude % 60, width: 2)
  }

  /// Appends the date of a day counted from 1970-01-01, such as `2026-05-04`.
  package static func appendDay(_ day: Int64, to buffer: inout ByteBuffer) {
    let earliest = earliestSecond.flooredDivision(by: 86_400)
    let latest = latestSecond.flooredDivision(by: 86_400)
    appendDate(CivilTime(daysSince1970: min(max(day, earliest), latest)), to: &buffer)
  }

  /// 0000-01-01T00:00:00.
  private static let earliestSecond: Int64 = -62_167_219_200
  /// 9999-12-31T23:59:59.
  private static let latestSecond: Int64 = 253_402_300_799

  private static func clamp(_ seconds: Int64) -> Int64 {
    min(max(seconds, earliestSecond), latestSecond)
  }

  @inline(__always)
  private static func appendWall(
    _ instant: Instant, minutes: Int64, separator: UInt8, to buffer: inout ByteBuffer
  ) {
    let time = CivilTime(secondsSince1970: clamp(clamp(instant.unixSeconds) + minutes * 60))
    appendDate(time, to: &buffer)
    buffer.append(separator)
    buffer.append(twoDigits: time.hour)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(twoDigits: time.minute)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(twoDigits: time.second)
  }

  @inline(__always)
  private static func appendDate(_ time: CivilTime, to buffer: inout ByteBuffer) {
    buffer.append(twoDigits: time.year / 100)
    buffer.append(twoDigits: time.year % 100)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(twoDigits: time.month)
    buffer.append(UInt8(ascii: "-"))
    buffer.append(twoDigits: time.day)
  }

  private static func appendSign(_ minutes: Int64, to buffer: inout ByteBuffer) {
    buffer.append(minutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
  }
}
