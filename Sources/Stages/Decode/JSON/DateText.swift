import PumpModel

/// Times of the web service, `2026-04-30T11:57:38`, read in place.
struct DateText {
  /// The first eight characters of the date before and its last two, as they lie in memory; before
  /// the first date the two are none.
  private var lastDate: UInt64 = 0
  private var lastDay: UInt64 = .max
  private var lastMidnight: Int64 = 0

  /// What a time text says.
  enum Reading: Equatable {
    /// Seconds since 2008-01-01T00:00:00.
    case seconds(Int64)
    /// Not a real time.
    case unusable
  }

  /// The time in a string's characters: date, `T`, time, and then nothing, a fraction, or `Z`.
  ///
  /// Whatever stands after the seconds is not looked at beyond its form: a pump knows whole
  /// seconds and no zone.
  @inline(__always)
  mutating func read(_ bytes: RawSpan, _ range: Range<Int>) -> Reading {
    let start = range.lowerBound
    guard range.count >= 19, bytes.byte(at: start + 10) == 0x54,
      range.count == 19 || Self.isTail(bytes, start + 19..<range.upperBound),
      let midnight = midnight(bytes, start), let time = Self.time(bytes, start + 11)
    else { return .unusable }
    return .seconds(midnight + time)
  }

  /// The time of a string on the day of the time before, read with its quotes; nil, and the
  /// position is left, if it is anything else.
  @inline(__always)
  func readQuoted(_ bytes: RawSpan, _ position: inout Int) -> Int64? {
    guard bytes.byteCount - position >= 24 else { return nil }
    let date = bytes.word(at: position + 1)
    let tail = bytes.word(at: position + 9)
    // Two digits of the day, then the `T`.
    guard bytes.byte(at: position) == 0x22, date == lastDate, tail & 0xFFFF == lastDay,
      tail >> 16 & 0xFF == 0x54, let time = Self.time(bytes, position + 12)
    else { return nil }
    let next = bytes.byte(at: position + 20)
    if next == 0x5A, bytes.byte(at: position + 21) == 0x22 {
      position += 22
    } else if next == 0x22 {
      position += 21
    } else {
      return nil
    }
    return lastMidnight + time
  }

  /// The midnight of a date, which is mostly that of the text before.
  @inline(__always)
  private mutating func midnight(_ bytes: RawSpan, _ start: Int) -> Int64? {
    let date = bytes.word(at: start)
    let day = UInt64(bytes.byte(at: start + 8)) | UInt64(bytes.byte(at: start + 9)) << 8
    if date == lastDate, day == lastDay { return lastMidnight }
    guard let midnight = Self.date(bytes, start) else { return nil }
    (lastDate, lastDay, lastMidnight) = (date, day, midnight)
    return midnight
  }

  private static func date(_ bytes: RawSpan, _ start: Int) -> Int64? {
    guard let century = number(bytes, start), let year = number(bytes, start + 2),
      let month = number(bytes, start + 5), let day = number(bytes, start + 8),
      bytes.byte(at: start + 4) == 0x2D, bytes.byte(at: start + 7) == 0x2D,
      month >= 1, month <= 12, day >= 1,
      day <= CivilTime.days(inMonth: month, of: century * 100 + year)
    else { return nil }
    let days = CivilTime.days(year: century * 100 + year, month: month, day: day)
    return days * 86_400 - PumpTime.epochInUnixSeconds
  }

  @inline(__always)
  private static func time(_ bytes: RawSpan, _ start: Int) -> Int64? {
    // Bytes 0, 1, 3, 4, 6, 7 become digits 0 to 9, the two colons 0.
    let digits = bytes.word(at: start) ^ 0x3030_3A30_303A_3030
    let sums = digits &+ 0x0606_0006_0600_0606
    guard (digits | sums) & 0xF0F0_FFF0_F0FF_F0F0 == 0 else { return nil }
    let pairs = digits &* 10 &+ digits >> 8
    let hour = pairs & 0xFF
    let minute = pairs >> 24 & 0xFF
    let second = pairs >> 48 & 0xFF
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return Int64(truncatingIfNeeded: hour * 3600 + minute * 60 + second)
  }

  private static func number(_ bytes: RawSpan, _ start: Int) -> Int? {
    let (tens, units) = (bytes.byte(at: start) &- 0x30, bytes.byte(at: start + 1) &- 0x30)
    return tens < 10 && units < 10 ? Int(tens) * 10 + Int(units) : nil
  }

  /// A fraction of a second, `Z`, or both.
  private static func isTail(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    if bytes.byte(at: position) == 0x2E {
      position += 1
      let first = position
      while position < range.upperBound, bytes.byte(at: position) &- 0x30 < 10 { position += 1 }
      guard position > first else { return false }
    }
    if position < range.upperBound, bytes.byte(at: position) == 0x5A { position += 1 }
    return position == range.upperBound
  }
}
