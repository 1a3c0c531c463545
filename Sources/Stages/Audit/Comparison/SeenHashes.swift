/// The hashes of a set that were seen, in a bounded list of bits: one that was seen is known, and now and
/// then one that was not is taken for one that was.
struct SeenHashes {
  private var bits = [UInt64](repeating: 0, count: wordCount)

  /// 1 MiB: of 115,000 hashes, the samples of a year, less than one in a hundred is mistaken.
  private static let wordCount = 1 << 17

  /// Notes a hash; false if it may have been noted before.
  mutating func insert(_ hash: Int64) -> Bool {
    // Its highest bits are the ones in which every letter of an id has a part.
    let place = UInt64(bitPattern: hash) >> 41
    let word = Int(place >> 6)
    let bit: UInt64 = 1 << (place & 63)
    guard bits[word] & bit == 0 else { return false }
    bits[word] |= bit
    return true
  }
}
