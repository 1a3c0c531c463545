/// The characters of a text as UTF-8, from bytes of one or two a character cut anywhere.
///
/// Bytes of one a character are handed on as they are: what the rules read is ASCII, and a cell of
/// words is looked at when it is read (`TableRow.text(of:)`).
struct DocumentText {
  /// How characters are written.
  enum Coding { case bytes, littleEndian, bigEndian }

  private let coding: Coding
  /// The first byte of a character that a chunk's end cut.
  private var first: UInt8?
  private var highSurrogate: UInt16?
  private var output: [UInt8] = []

  init(_ coding: Coding) { self.coding = coding }

  /// The marks that stand before a text of two bytes a character; no record and no frame begins with
  /// one.
  static let marks: [(mark: [UInt8], coding: Coding)] = [
    ([0xFF, 0xFE], .littleEndian), ([0xFE, 0xFF], .bigEndian),
  ]

  /// Whether the text broke off inside a character.
  var isCut: Bool { first != nil || highSurrogate != nil }

  /// Gives the characters of the next bytes to `body`.
  mutating func feed(_ bytes: RawSpan, _ body: (RawSpan) -> Void) {
    guard coding != .bytes else { return body(bytes) }
    output.removeAll(keepingCapacity: true)
    for position in 0..<bytes.byteCount {
      let byte = bytes.byte(at: position)
      guard let before = first else {
        first = byte
        continue
      }
      first = nil
      take(
        coding == .littleEndian
          ? UInt16(byte) << 8 | UInt16(before) : UInt16(before) << 8 | UInt16(byte))
    }
    let text = output
    body(unsafe text.span.bytes)
  }

  private mutating func take(_ unit: UInt16) {
    if let high = highSurrogate {
      highSurrogate = nil
      if 0xDC00...0xDFFF ~= unit {
        append(0x10000 + UInt32(high & 0x3FF) << 10 + UInt32(unit & 0x3FF))
        return
      }
      append(0xFFFD)
    }
    switch unit {
    case 0xD800...0xDBFF: highSurrogate = unit
    case 0xDC00...0xDFFF: append(0xFFFD)
    default: append(UInt32(unit))
    }
  }

  private mutating func append(_ scalar: UInt32) {
    guard let scalar = Unicode.Scalar(scalar) else { return }
    output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
