/// A running digest of 64 bits: two states of a computation whose digests are equal are taken to be
/// equal.
///
/// The same for every process and machine, so that it can be kept. It guards against mistakes and
/// damaged bits, not against anybody who forges.
public struct StateDigest: Hashable, Sendable {
  /// The digest of what was mixed in so far, in its order.
  public var value: UInt64

  /// A digest of nothing.
  @inlinable
  public init() { value = 0x243F_6A88_85A3_08D3 }

  /// Mixes in 64 bits.
  ///
  /// Of two sequences that differ in one word only the digests always differ.
  @inlinable
  public mutating func mix(_ word: UInt64) {
    let mixed = ((value ^ word) &+ 0x1319_8A2E_0370_7344) &* 0x9E37_79B9_7F4A_7C15
    value = mixed ^ mixed >> 32
  }

  /// Mixes in a number.
  @inlinable
  public mutating func mix(_ number: Int64) { mix(UInt64(bitPattern: number)) }

  /// Mixes in a number, or that there is none.
  @inlinable
  public mutating func mix(_ number: Int64?) {
    mix(number == nil ? 0 : 1 as UInt64)
    if let number { mix(number) }
  }

  /// Mixes in an answer to a question.
  @inlinable
  public mutating func mix(_ flag: Bool) { mix(flag ? 1 : 0 as UInt64) }

  /// Mixes in a place in a pump's order.
  @inlinable
  public mutating func mix(_ position: EventPosition) {
    mix(position.high)
    mix(position.low)
  }
}
