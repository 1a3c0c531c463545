/// Decimals in text, as whole numbers of a small unit: exact, and never through floating point.
package enum DecimalReading {
  /// Reads digits with a point and an exponent, in units of 10 to the minus `decimals`.
  ///
  /// Signs, other characters and what does not fit in 64 bits give nil. Digits beyond the unit that
  /// are not zero give nil too, or are rounded, half up.
  package static func amount(
    _ bytes: RawSpan, _ range: Range<Int>, decimals: Int, rounding: Bool = false
  ) -> Int64? {
    var mantissa: UInt64 = 0
    var exponent = decimals
    var isFraction = false
    var digits = 0
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = bytes.byteOfText(at: position)
      position += 1
      if byte == 0x2E, !isFraction {
        isFraction = true
      } else if byte &- 0x30 < 10 {
        digits += 1
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
    return digits > 0 ? scaled(mantissa, by: exponent, rounding: rounding) : nil
  }

  /// The number after an `e`, if it is one that an amount could have.
  private static func power(_ bytes: RawSpan, _ range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    let first = bytes.byteOfText(at: range.lowerBound)
    let isSigned = first == 0x2B || first == 0x2D
    let number = digits(bytes, range.lowerBound + (isSigned ? 1 : 0)..<range.upperBound)
    guard let number, number <= 30 else { return nil }
    return first == 0x2D ? -Int(number) : Int(number)
  }

  private static func scaled(_ mantissa: UInt64, by exponent: Int, rounding: Bool) -> Int64? {
    guard mantissa > 0 else { return 0 }
    var value = mantissa
    var lastRest: UInt64 = 0
    for _ in 0..<exponent.magnitude {
      if exponent > 0 {
        let (product, isOver) = value.multipliedReportingOverflow(by: 10)
        guard !isOver else { return nil }
        value = product
      } else {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: 10)
        guard rest == 0 || rounding else { return nil }
        (value, lastRest) = (quotient, rest)
      }
    }
    return Int64(exactly: lastRest >= 5 ? value + 1 : value)
  }

  /// The number that a range of digits is; nil if there is anything else, or if it does not fit.
  package static func digits(_ bytes: RawSpan, _ range: Range<Int>) -> UInt64? {
    guard !range.isEmpty else { return nil }
    var number: UInt64 = 0
    for position in range {
      let digit = bytes.byteOfText(at: position) &- 0x30
      guard digit < 10 else { return nil }
      let (product, isOver) = number.multipliedReportingOverflow(by: 10)
      let (sum, isOverAgain) = product.addingReportingOverflow(UInt64(digit))
      guard !isOver, !isOverAgain else { return nil }
      number = sum
    }
    return number
  }
}

extension RawSpan {
  /// The byte at an offset; 0 beyond the end.
  @inline(__always)
  func byteOfText(at offset: Int) -> UInt8 {
    guard offset >= 0, offset < byteCount else { return 0 }
    return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
