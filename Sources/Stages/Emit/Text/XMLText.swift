/// Text inside attributes of an XML 1.0 document.
enum XMLText {
  /// The UTF-8 bytes of a text between double quotes of an attribute.
  ///
  /// `>` is written as an entity too and line breaks as references, as Health exports do; what
  /// XML 1.0 cannot hold at all is left out, since one such character makes every reader refuse
  /// the whole file (APPLE_HEALTH 8).
  static func attribute(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes += "&amp;".utf8
      case "<": bytes += "&lt;".utf8
      case ">": bytes += "&gt;".utf8
      case "\"": bytes += "&quot;".utf8
      case "\t": bytes += "&#9;".utf8
      case "\n": bytes += "&#10;".utf8
      case "\r": bytes += "&#13;".utf8
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": continue
      default: bytes += UTF8.encode(scalar).map(Array.init) ?? []
      }
    }
    return bytes
  }
}
