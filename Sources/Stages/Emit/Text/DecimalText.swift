package import Platform

/// Amounts as the shortest decimal, made of integers only (N8).
package enum DecimalText {
  /// Appends an integer that counts a unit's decimal fractions, such as 2083 thousandths as
  /// `2.083`.
  ///
  /// A point separates, whatever the locale; there is no exponent, no `-0` and no trailing zero.
  /// `decimals` is how many digits stand behind the point, 0 to 18.
  @inline(__always)
  package static func append(_ amount: Int64, decimals: Int, to buffer: inout ByteBuffer) {
    if amount < 0 { buffer.append(UInt8(ascii: "-")) }
    let magnitude = amount.magnitude
    // Divisions by constants, which are ten times faster, for the units that samples use.
    switch decimals {
    case 0: buffer.append(decimal: magnitude)
    case 3: append(magnitude / 1000, magnitude % 1000, width: 3, to: &buffer)
    case 6: append(magnitude / 1_000_000, magnitude % 1_000_000, width: 6, to: &buffer)
    default:
      let unit = powerOfTen(decimals)
      append(magnitude / unit, magnitude % unit, width: decimals, to: &buffer)
    }
  }

  @inline(__always)
  private static func append(
    _ whole: UInt64, _ fraction: UInt64, width: Int, to buffer: inout ByteBuffer
  ) {
    buffer.append(decimal: whole)
    guard fraction > 0 else { return }
    var (digits, width) = (fraction, width)
    while digits % 10 == 0 {
      digits /= 10
      width -= 1
    }
    buffer.append(UInt8(ascii: "."))
    buffer.append(decimal: digits, width: width)
  }

  private static func powerOfTen(_ exponent: Int) -> UInt64 {
    precondition((0...18).contains(exponent))
    return (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
