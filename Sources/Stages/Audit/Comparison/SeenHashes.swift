/// The texts of a set that were seen, by hashes in a bounded list of bits: one that was seen is known, and
/// now and then one that was not is taken for one that was.
struct SeenHashes {
  private var bits: [UInt64] = []

  /// 1 MiB: of 115,000 ids, the samples of a year, hardly any is mistaken; of 700,000 one in a hundred.
  private static let wordCount = 1 << 17
  /// How many bits a text has.
  private static let places: UInt64 = 4

  /// Notes a text; false if it may have been noted before.
  mutating func insert(_ text: String) -> Bool {
    if bits.isEmpty { bits = Array(repeating: 0, count: Self.wordCount) }
    let hash = Self.hash(text)
    let (first, step) = (hash & 0xFFFF_FFFF, hash >> 32 | 1)
    var isNew = false
    for number in 0..<Self.places {
      let place = first &+ number &* step
      let word = Int(place >> 6) & (Self.wordCount - 1)
      let bit: UInt64 = 1 << (place & 63)
      if bits[word] & bit == 0 {
        isNew = true
        bits[word] |= bit
      }
    }
    return isNew
  }

  /// FNV-1a, mixed so that every letter has a part in every bit.
  private static func hash(_ text: String) -> UInt64 {
    var text = text
    var hash: UInt64 = text.withUTF8 { bytes in
      unsafe bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return hash ^ hash >> 33
  }
}
