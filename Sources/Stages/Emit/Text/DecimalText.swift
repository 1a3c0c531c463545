package import Platform

/// Amounts as the shortest decimal, made of integers only (N8).
package enum DecimalText {
  /// Appends an integer that counts a unit's decimal fractions, such as 2083 thousandths as
  /// `2.083`.
  ///
  /// A point separates, whatever the locale; there is no exponent, no `-0` and no trailing zero.
  /// `decimals` is how many digits stand behind the point, 0 to 8.
  @inline(__always)
  package static func append(_ amount: Int64, decimals: Int, to buffer: inout ByteBuffer) {
    if amount < 0 { buffer.append(UInt8(ascii: "-")) }
    let magnitude = amount.magnitude
    // Divisions by constants, which are ten times faster, for the units that samples use.
    switch decimals {
    case 0: buffer.append(decimal: magnitude)
    case 3:
      buffer.append(decimal: magnitude / 1000)
      buffer.append(fraction: magnitude % 1000, width: 3)
    case 6:
      buffer.append(decimal: magnitude / 1_000_000)
      buffer.append(fraction: magnitude % 1_000_000, width: 6)
    default: appendRare(magnitude, decimals: decimals, to: &buffer)
    }
  }

  /// Any other number of digits, 1 to 8.
  private static func appendRare(
    _ magnitude: UInt64, decimals: Int, to buffer: inout ByteBuffer
  ) {
    precondition((1...8).contains(decimals))
    let unit = (0..<decimals).reduce(1) { power, _ in power * 10 } as UInt64
    buffer.append(decimal: magnitude / unit)
    buffer.append(fraction: magnitude % unit, width: decimals)
  }
}
