/// A small deterministic source of chance (SplitMix64).
///
/// The same seed gives the same numbers on every machine, so a failure that names its seed can
/// be seen again. `describe` belongs in the comment of every expectation that rests on chance.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  /// What the sequence began with.
  package let seed: UInt64
  private var state: UInt64

  /// Starts the sequence of a seed.
  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A text that says how to see the same numbers again.
  package var describe: String { "seed \(seed)" }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// An integer of a range, both ends included.
  ///
  /// Written out, since the standard library does not promise the same numbers for ever.
  package mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// Whether something of a given likelihood, in thousandths, happens.
  package mutating func happens(inThousand likelihood: Int) -> Bool {
    integer(0...999) < likelihood
  }
}
