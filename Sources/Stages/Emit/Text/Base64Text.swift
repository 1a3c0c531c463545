/// Bytes as base64 (RFC 4648), padded.
enum Base64Text {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      var word = piece.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      word <<= UInt32(8 * (3 - piece.count))
      for place in 0..<4 {
        let isPadding = place > piece.count
        text.append(
          isPadding ? UInt8(ascii: "=") : digits[Int(word >> UInt32(18 - 6 * place) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
