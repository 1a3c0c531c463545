import PumpModel

/// Amounts and times of sample lines, in whole units.
enum LineNumbers {
  /// A decimal, as text or as a number, in units of 10 to the minus `decimals`.
  ///
  /// Exact or nothing: digits beyond the unit that are not zero, signs and what does not fit give
  /// nil. There is no way through a floating-point number.
  static func amount(_ bytes: RawSpan, _ value: Range<Int>, decimals: Int) -> Int64? {
    let range = LineJSON.characters(bytes, value) ?? value
    guard
      JSONBytes.skipNumber(bytes.extracting(0..<range.upperBound), range.lowerBound)
        == range.upperBound
    else { return nil }
    var mantissa: UInt64 = 0
    var exponent = decimals
    var isFraction = false
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = bytes.byte(at: position)
      position += 1
      if byte == 0x2E {
        isFraction = true
      } else if byte &- 0x30 < 10 {
        let (product, isOver) = mantissa.multipliedReportingOverflow(by: 10)
        let (sum, isOverAgain) = product.addingReportingOverflow(UInt64(byte - 0x30))
        guard !isOver, !isOverAgain else { return nil }
        mantissa = sum
        if isFraction { exponent -= 1 }
      } else {
        guard byte | 0x20 == 0x65, let power = power(bytes, position..<range.upperBound) else {
          return nil
        }
        exponent += power
        break
      }
    }
    return scaled(mantissa, by: exponent)
  }

  /// The number after an `e`, if it is one that an amount could have.
  private static func power(_ bytes: RawSpan, _ range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    let first = bytes.byte(at: range.lowerBound)
    let isSigned = first == 0x2B || first == 0x2D
    let digits = LineJSON.digits(
      bytes, range.lowerBound + (isSigned ? 1 : 0)..<range.upperBound)
    guard let digits, digits <= 30 else { return nil }
    return first == 0x2D ? -Int(digits) : Int(digits)
  }

  private static func scaled(_ mantissa: UInt64, by exponent: Int) -> Int64? {
    guard mantissa > 0 else { return 0 }
    var value = mantissa
    for _ in 0..<exponent.magnitude {
      if exponent > 0 {
        let (product, isOver) = value.multipliedReportingOverflow(by: 10)
        guard !isOver else { return nil }
        value = product
      } else {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: 10)
        guard rest == 0 else { return nil }
        value = quotient
      }
    }
    return Int64(exactly: value)
  }

  /// A time such as `2026-05-04T16:31:10Z`, or with an offset of hours and minutes.
  static func instant(_ bytes: RawSpan, _ value: Range<Int>) -> Instant? {
    guard let range = LineJSON.characters(bytes, value), range.count >= 20 else { return nil }
    let start = range.lowerBound
    func number(_ offset: Int, _ count: Int) -> Int? {
      LineJSON.digits(bytes, start + offset..<start + offset + count).map {
        Int(truncatingIfNeeded: $0)
      }
    }
    func isByte(_ byte: UInt8, at offset: Int) -> Bool { bytes.byte(at: start + offset) == byte }
    guard let year = number(0, 4), isByte(0x2D, at: 4), let month = number(5, 2),
      isByte(0x2D, at: 7), let day = number(8, 2), isByte(0x54, at: 10),
      let hour = number(11, 2), isByte(0x3A, at: 13), let minute = number(14, 2),
      isByte(0x3A, at: 16), let second = number(17, 2),
      (1...12).contains(month), day >= 1, day <= CivilTime.days(inMonth: month, of: year),
      hour < 24, minute < 60, second < 60,
      let offset = offset(bytes, start + 19..<range.upperBound)
    else { return nil }
    let days = CivilTime.days(year: year, month: month, day: day)
    return Instant(unixSeconds: days * 86_400 + Int64(hour * 3600 + minute * 60 + second) - offset)
  }

  /// `Z` or `±HH:MM`, as seconds east of UTC.
  private static func offset(_ bytes: RawSpan, _ range: Range<Int>) -> Int64? {
    let first = bytes.byte(at: range.lowerBound)
    if first == 0x5A { return range.count == 1 ? 0 : nil }
    guard first == 0x2B || first == 0x2D, range.count == 6,
      bytes.byte(at: range.lowerBound + 3) == 0x3A,
      let hours = LineJSON.digits(bytes, range.lowerBound + 1..<range.lowerBound + 3),
      let minutes = LineJSON.digits(bytes, range.lowerBound + 4..<range.upperBound),
      hours < 24, minutes < 60
    else { return nil }
    let seconds = Int64(hours * 3600 + minutes * 60)
    return first == 0x2D ? -seconds : seconds
  }
}
