/// The checksum of pumps' messages: CRC-16/CCITT-FALSE, polynomial 0x1021, beginning with 0xFFFF.
enum CRC16 {
  /// The checksum of a range of bytes.
  static func checksum(of bytes: RawSpan, _ range: Range<Int>) -> UInt16 {
    var checksum: UInt16 = 0xFFFF
    for position in range {
      // Eight steps of the division at once: the polynomial has few terms.
      var high = UInt8(truncatingIfNeeded: checksum >> 8) ^ bytes.byte(at: position)
      high ^= high >> 4
      let quotient = UInt16(high)
      checksum = checksum << 8 ^ quotient << 12 ^ quotient << 5 ^ quotient
    }
    return checksum
  }
}
