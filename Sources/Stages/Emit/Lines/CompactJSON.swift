import Platform

/// JSON of somebody else as a part of a line of ours.
enum CompactJSON {
  /// Appends well-formed JSON without the white space between its tokens, which may break lines;
  /// what is no UTF-8 becomes a replacement character.
  static func append(_ json: [UInt8], to buffer: inout ByteBuffer) {
    // Texts have no line breaks inside strings, so only what stands between tokens is taken out.
    var compact: [UInt8] = []
    compact.reserveCapacity(json.count)
    var isInString = false
    var isEscaped = false
    for byte in json {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else {
          isEscaped = byte == UInt8(ascii: "\\")
          isInString = byte != UInt8(ascii: "\"")
        }
      } else {
        if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { continue }
        isInString = byte == UInt8(ascii: "\"")
      }
      compact.append(byte)
    }
    buffer.append(utf8: String(decoding: compact, as: UTF8.self))
  }
}
