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
    return DecimalReading.amount(bytes, range, decimals: decimals)
  }

  /// A time such as `2026-05-04T16:31:10Z`, or with an offset of hours and minutes.
  static func instant(_ bytes: RawSpan, _ value: Range<Int>) -> Instant? {
    LineJSON.characters(bytes, value).flatMap {
      InstantReading.instant(bytes, $0, as: .internet)
    }
  }
}
