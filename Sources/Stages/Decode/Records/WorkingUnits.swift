/// A 32-bit float in the whole units that the rules reckon in, rounded half to even.
///
/// The product of a float and a small factor is exact in a double, so this rounds once.
enum WorkingUnits {
  /// `value * factor` rounded; nil if it is negative, not finite or, rounded, above `limit`.
  ///
  /// The limit is at most 2^32 - 1, the factor at most 1000.
  @inline(__always)
  static func whole(_ value: Float, times factor: Double, upTo limit: UInt32) -> UInt32? {
    let product = Double(value) * factor
    // False for NaN too. The half keeps the sum below in the range where it is exact.
    guard product >= 0, product <= Double(limit) + 0.5 else { return nil }
    // Adding 2^52 leaves no bits for a fraction: the sum is rounded half to even by the processor.
    let rounded = (product + 0x1p52).bitPattern & 0xF_FFFF_FFFF_FFFF
    return rounded <= UInt64(limit) ? UInt32(truncatingIfNeeded: rounded) : nil
  }

  /// U/h in mU/h; nil if, rounded, it is above 15 U/h.
  @inline(__always)
  static func rate(_ value: Float) -> UInt16? {
    whole(value, times: 1000, upTo: 15_000).map { UInt16(truncatingIfNeeded: $0) }
  }

  /// U/h in mU/h of a rate that is not commanded; nil above 15 U/h, which is checked before
  /// rounding.
  @inline(__always)
  static func baseRate(_ value: Float) -> UInt16? { value > 15 ? nil : rate(value) }

  /// U in mU; nil above 80 U, which is checked before rounding.
  @inline(__always)
  static func amount(_ value: Float) -> UInt32? {
    value > 80 ? nil : whole(value, times: 1000, upTo: 80_000)
  }

  /// Percent in hundredths; nil above 250, which is checked before rounding.
  @inline(__always)
  static func percent(_ value: Float) -> UInt16? {
    value > 250 ? nil : whole(value, times: 100, upTo: 25_000).map(UInt16.init(truncatingIfNeeded:))
  }

  /// Grams in mg; nil from 65535 g.
  @inline(__always)
  static func carbs(_ value: Float) -> UInt32? {
    value >= 65_535 ? nil : whole(value, times: 1000, upTo: 65_534_999)
  }
}
