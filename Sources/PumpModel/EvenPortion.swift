/// What is given in a part of a time, of an amount that is given evenly over all of it.
package enum EvenPortion {
  /// `amount * part / whole` without overflow, rounded down; all of it at the end.
  ///
  /// Nothing is negative.
  package static func of(_ amount: Int64, part: Int64, whole: Int64) -> Int64 {
    guard part < whole else { return amount }
    let product = UInt64(max(amount, 0)).multipliedFullWidth(by: UInt64(part))
    return Int64(UInt64(whole).dividingFullWidth(product).quotient)
  }
}
