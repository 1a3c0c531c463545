/// The record that ends a zip and says where its directory is.
enum ZipEnd {
  /// What the end of a file says of the zip that the file is.
  enum Reading {
    /// A record ends the file, and its directory stands where it says.
    case whole
    /// A record ends the file, and its directory stands further on than it says: something lies
    /// before the zip.
    case displaced
    /// Bytes follow the last record.
    case followed
    /// There is no record.
    case missing
  }

  /// The record without its comment.
  private static let fixed = 22
  /// The record with the longest comment.
  static let longest = fixed + 65_535
  /// What a zip of more than 4 GiB has before the record: a longer one, and where that is.
  private static let long = 56
  private static let locator = 20

  /// Reads the last bytes of a file of a length.
  ///
  /// The last record counts, as it does for libarchive, be it in the comment of another.
  static func reading(ofTail tail: [UInt8], ofLength length: UInt64) -> Reading {
    guard tail.count >= fixed else { return .missing }
    for start in stride(from: tail.count - fixed, through: 0, by: -1)
    where tail[start..<start + 4].elementsEqual([0x50, 0x4B, 5, 6]) {
      let comment = number(tail, start + 20, 2)
      let rest = UInt64(tail.count - start - fixed)
      guard comment == rest else { return comment < rest ? .followed : .missing }
      return fits(tail, start, at: length - UInt64(tail.count - start)) ? .whole : .displaced
    }
    return .missing
  }

  /// Whether the record at `start` of the tail, and at `position` of the file, says where it is: right
  /// behind its directory, but for a longer record or a signature.
  private static func fits(_ tail: [UInt8], _ start: Int, at position: UInt64) -> Bool {
    let (size, offset) = (number(tail, start + 12, 4), number(tail, start + 16, 4))
    guard size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF else {
      guard size + offset < position else { return size + offset == position }
      let between = start - Int(clamping: position - size - offset)
      return between >= 0
        && [[0x50, 0x4B, 5, 5], [0x50, 0x4B, 6, 6]].contains {
          tail[between..<between + 4].elementsEqual($0)
        }
    }
    let before = start - locator - long
    guard before >= 0, tail[before..<before + 4].elementsEqual([0x50, 0x4B, 6, 6]) else {
      return true
    }
    return number(tail, start - locator + 8, 8) == position - UInt64(locator + long)
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
    (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
  }
}
