/// The checksum at the end of a gzip stream, which libarchive passes over.
struct CRC32 {
  private var state: UInt32 = .max

  /// The checksum of all bytes so far.
  var value: UInt32 { ~state }

  /// Adds bytes, eight at a time.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var crc = state
    unsafe Self.tables.withUnsafeBufferPointer { table in
      let whole = bytes.count & ~7
      var offset = 0
      while offset < whole {
        let word = unsafe UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let low = UInt32(truncatingIfNeeded: word) ^ crc
        let high = UInt32(truncatingIfNeeded: word >> 32)
        unsafe crc =
          table[0x700 | Int(low & 0xFF)] ^ table[0x600 | Int(low >> 8 & 0xFF)]
          ^ table[0x500 | Int(low >> 16 & 0xFF)] ^ table[0x400 | Int(low >> 24)]
        unsafe crc ^=
          table[0x300 | Int(high & 0xFF)] ^ table[0x200 | Int(high >> 8 & 0xFF)]
          ^ table[0x100 | Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
        offset += 8
      }
      while offset < bytes.count {
        unsafe crc = crc >> 8 ^ table[Int((crc ^ UInt32(bytes[offset])) & 0xFF)]
        offset += 1
      }
    }
    state = crc
  }

  /// For each byte, what it adds when zero to seven bytes follow it.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
      tables[byte] = crc
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()
}

/// Checks a gzip stream against the checksum and length at its end.
struct GzipCheck {
  private var checksum = CRC32()
  private var length: UInt32 = 0

  /// Adds unpacked bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe checksum.update(bytes)
    length &+= UInt32(truncatingIfNeeded: bytes.count)
  }

  /// Whether the last eight bytes of the stream speak against what was unpacked.
  ///
  /// Where the length differs, the stream was joined from several or is followed by padding; its
  /// end then says nothing of the whole.
  func isContradicted(byLastBytes tail: UInt64) -> Bool {
    UInt32(truncatingIfNeeded: tail >> 32) == length
      && UInt32(truncatingIfNeeded: tail) != checksum.value
  }
}
