/// Text inside a JSON document.
enum JSONText {
  /// The UTF-8 bytes of a text as a JSON string, quotes included.
  static func quoted(_ text: String) -> [UInt8] {
    [UInt8(ascii: "\"")] + escaped(text) + [UInt8(ascii: "\"")]
  }

  /// The UTF-8 bytes of a text between the quotes of a JSON string.
  static func escaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case UInt8(ascii: "\r"): bytes += "\\r".utf8
      case UInt8(ascii: "\t"): bytes += "\\t".utf8
      case 0..<0x20:
        bytes += "\\u00".utf8
        bytes += [hexDigit(byte >> 4), hexDigit(byte & 0xF)]
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  /// The small digit of a value below 16.
  static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
