/// The texts of a set that were seen, by hashes in a bounded list of bits: one that was seen is known, and
/// now and then one that was not is taken for one that was.
struct SeenHashes {
  private var bits: [UInt64] = []

  /// 1 MiB: of 115,000 ids, the samples of a year, less than one in a hundred is mistaken.
  private static let wordCount = 1 << 17

  /// Notes a text; false if it may have been noted before.
  mutating func insert(_ text: String) -> Bool {
    if bits.isEmpty { bits = Array(repeating: 0, count: Self.wordCount) }
    // In the highest bits every letter of an id has a part.
    let place = Self.hash(text) >> 41
    let word = Int(place >> 6)
    let bit: UInt64 = 1 << (place & 63)
    guard bits[word] & bit == 0 else { return false }
    bits[word] |= bit
    return true
  }

  /// FNV-1a.
  private static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      unsafe bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
  }
}
