/// Times in text, digit by digit.
package enum InstantReading {
  /// How a time is written.
  package enum Form: Sendable {
    /// `2026-05-04T16:31:10Z`, or with an offset of hours and minutes, `-04:00`.
    case internet
    /// `2026-05-04 12:31:10 -0400`, as Apple Health writes it.
    case health
  }

  /// The seconds of the years 0 to 9999, which all texts can show.
  package static let years: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  /// Reads a time that fills a range; nil if it is in another form or no real time.
  package static func instant(_ bytes: RawSpan, _ range: Range<Int>, as form: Form) -> Instant? {
    guard range.count >= 20 else { return nil }
    let start = range.lowerBound
    // Of four digits at most, which always fit.
    func number(_ offset: Int, _ count: Int) -> Int? {
      var number = 0
      for place in offset..<offset + count {
        let digit = bytes.byteOfText(at: start + place) &- 0x30
        guard digit < 10 else { return nil }
        number = number &* 10 &+ Int(digit)
      }
      return number
    }
    func isByte(_ byte: UInt8, at offset: Int) -> Bool {
      bytes.byteOfText(at: start + offset) == byte
    }
    guard let year = number(0, 4), isByte(0x2D, at: 4), let month = number(5, 2),
      isByte(0x2D, at: 7), let day = number(8, 2), isByte(form == .health ? 0x20 : 0x54, at: 10),
      let hour = number(11, 2), isByte(0x3A, at: 13), let minute = number(14, 2),
      isByte(0x3A, at: 16), let second = number(17, 2),
      (1...12).contains(month), day >= 1, day <= CivilTime.days(inMonth: month, of: year),
      hour < 24, minute < 60, second < 60,
      let offset = offset(bytes, start + 19..<range.upperBound, as: form)
    else { return nil }
    let days = CivilTime.days(year: year, month: month, day: day)
    let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second) - offset
    return years.contains(seconds) ? Instant(unixSeconds: seconds) : nil
  }

  /// What follows the clock, as seconds east of UTC.
  private static func offset(_ bytes: RawSpan, _ range: Range<Int>, as form: Form) -> Int64? {
    var first = range.lowerBound
    switch form {
    case .internet:
      if bytes.byteOfText(at: first) == 0x5A { return range.count == 1 ? 0 : nil }
      guard range.count == 6, bytes.byteOfText(at: first + 3) == 0x3A else { return nil }
    case .health:
      guard range.count == 6, bytes.byteOfText(at: first) == 0x20 else { return nil }
      first += 1
    }
    let sign = bytes.byteOfText(at: first)
    guard sign == 0x2B || sign == 0x2D,
      let hours = DecimalReading.digits(bytes, first + 1..<first + 3),
      let minutes = DecimalReading.digits(bytes, range.upperBound - 2..<range.upperBound),
      hours < 24, minutes < 60
    else { return nil }
    let seconds = Int64(hours * 3600 + minutes * 60)
    return sign == 0x2D ? -seconds : seconds
  }
}
