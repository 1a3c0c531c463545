/// The dictionary that unpacking an xz stream will ask for, read from its first block's header.
///
/// libarchive lets liblzma take up to 1 GiB, and offers no way to say less.
enum XZDictionary {
  /// Dictionaries above this are refused.
  static let limit: UInt64 = 128 << 20

  /// The size that the first block asks for; nil if the header cannot be understood, which is
  /// left to liblzma to report.
  static func size(firstBytes bytes: RawSpan) -> UInt64? {
    let blockStart = 12
    // A size byte of 0 is an index: a stream without blocks.
    guard bytes.byteCount > blockStart + 2, bytes.byte(at: blockStart) != 0 else { return nil }
    let flags = bytes.byte(at: blockStart + 1)
    var offset = blockStart + 2
    if flags & 0x40 != 0 { _ = number(in: bytes, at: &offset) }
    if flags & 0x80 != 0 { _ = number(in: bytes, at: &offset) }
    for _ in 0...(flags & 3) {
      let filter = number(in: bytes, at: &offset)
      let properties = number(in: bytes, at: &offset)
      guard properties < 64, offset < bytes.byteCount else { return nil }
      if filter == 0x21, properties == 1 { return dictionary(code: bytes.byte(at: offset)) }
      offset += Int(properties)
    }
    return nil
  }

  /// LZMA2's one-byte code: 2 or 3 times a power of two.
  private static func dictionary(code: UInt8) -> UInt64? {
    guard code <= 40 else { return nil }
    return UInt64(2 | (code & 1)) << UInt64(code / 2 + 11)
  }

  /// A number in seven-bit groups, lowest first.
  private static func number(in bytes: RawSpan, at offset: inout Int) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      let byte = bytes.byte(at: offset)
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { break }
    }
    return value
  }
}
