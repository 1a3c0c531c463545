extension ByteBuffer {
  /// Appends a number in decimal digits.
  @inlinable @inline(__always)
  package mutating func append(decimal value: UInt64) {
    if value < 10 {
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
    } else if value < 100_000_000 {
      let digits = DigitWord.digits(of: value)
      // Leading zeros are low bytes.
      let skipped = digits.trailingZeroBitCount / 8
      append(word: (digits | DigitWord.zeros) >> UInt64(8 * skipped), count: 8 - skipped)
    } else {
      appendLong(value)
    }
  }

  /// Appends the last digits of a number below 100 000 000, leading zeros included; `width` is 1
  /// to 8.
  @inlinable @inline(__always)
  package mutating func append(decimal value: UInt64, width: Int) {
    let digits = DigitWord.digits(of: value) | DigitWord.zeros
    append(word: digits >> UInt64(8 * (8 - width)), count: width)
  }

  /// Appends a point and a number below 100 000 000 as the digits behind it, `width` of them, 1 to
  /// 8, without trailing zeros; nothing for 0.
  @inlinable @inline(__always)
  package mutating func append(fraction value: UInt64, width: Int) {
    guard value > 0 else { return }
    append(UInt8(ascii: "."))
    let digits = DigitWord.digits(of: value) >> UInt64(8 * (8 - width))
    // Trailing zeros are high bytes.
    append(word: digits | DigitWord.zeros, count: 8 - digits.leadingZeroBitCount / 8)
  }

  @usableFromInline
  mutating func appendLong(_ value: UInt64) {
    append(decimal: value / 100_000_000)
    append(decimal: value % 100_000_000, width: 8)
  }
}

/// Eight decimal digits in one word, the first one in the lowest byte, so that a single store
/// writes them: a digit at a time costs ten times as much.
@usableFromInline package enum DigitWord {
  /// The character `0` eight times.
  @inlinable package static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The digits of a number below 100 000 000, each as a byte from 0 to 9.
  ///
  /// Halves the number in three steps, all lanes of a step at once; the factors are reciprocals
  /// of 100 and 10, exact for what a lane can hold.
  @inlinable @inline(__always)
  package static func digits(of value: UInt64) -> UInt64 {
    let fours = value / 10_000 | (value % 10_000) << 32
    let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- 100 &* hundreds) << 16
    let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- 10 &* tens) << 8
  }
}
