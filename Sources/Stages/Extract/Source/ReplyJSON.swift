/// A value of a small JSON answer.
package indirect enum ReplyValue: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number, as it is written.
  case number(String)
  /// A text.
  case string(String)
  /// A list.
  case array([ReplyValue])
  /// Keys with their values, in order; none stands twice.
  case object([Member])

  /// A key with its value.
  package struct Member: Sendable, Equatable {
    /// The key.
    package var key: String
    /// The value.
    package var value: ReplyValue
  }

  /// The value of a key; nil if this is no object or has none.
  package subscript(_ key: String) -> ReplyValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text; nil if it is none.
  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The elements; nil if it is no list.
  package var elements: [ReplyValue]? {
    guard case .array(let values) = self else { return nil }
    return values
  }

  /// The whole number, without a fraction; nil if it is no number.
  package var integer: Int64? {
    guard case .number(let text) = self else { return nil }
    return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
  }
}

/// Reads JSON answers strictly: the grammar of RFC 8259, UTF-8, nothing before or behind.
///
/// A value that is kept has no key twice: readers that take different ones of two would believe
/// different tokens.
package struct ReplyJSON {
  private let bytes: [UInt8]
  private var position = 0

  private static let deepest = 64

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value that bytes write; nil if they are no JSON.
  package static func value(of bytes: [UInt8]) -> ReplyValue? {
    var reader = ReplyJSON(bytes)
    reader.skipSpace()
    guard let value = reader.value(depth: 0, keeps: true), reader.isAtEnd else { return nil }
    return value
  }

  /// The keys of an object whose values are lists, without keeping anything of them; nil if the
  /// bytes are no JSON, or no object.
  package static func lists(of bytes: [UInt8]) -> [String]? {
    var reader = ReplyJSON(bytes)
    reader.skipSpace()
    var keys: [String] = []
    guard reader.peek == UInt8(ascii: "{"),
      reader.members(depth: 0, keeps: false, { keys.append($0) }) != nil, reader.isAtEnd
    else { return nil }
    return keys
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return position == bytes.count
    }
  }

  private mutating func skipSpace() {
    while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int, keeps: Bool) -> ReplyValue? {
    guard depth < Self.deepest, let first = peek else { return nil }
    switch first {
    case UInt8(ascii: "{"): return members(depth: depth, keeps: keeps) { _ in }.map { .object($0) }
    case UInt8(ascii: "["): return elements(depth: depth, keeps: keeps)
    case UInt8(ascii: "\""): return string(keeps: keeps).map { .string($0) }
    case UInt8(ascii: "t"): return word("true", .boolean(true))
    case UInt8(ascii: "f"): return word("false", .boolean(false))
    case UInt8(ascii: "n"): return word("null", .null)
    default: return number()
    }
  }

  private mutating func word(_ word: String, _ value: ReplyValue) -> ReplyValue? {
    guard bytes[position...].starts(with: word.utf8) else { return nil }
    position += word.utf8.count
    return value
  }

  /// The members of an object; `onList` is told the keys of lists.
  private mutating func members(
    depth: Int, keeps: Bool, _ onList: (String) -> Void
  ) -> [ReplyValue.Member]? {
    position += 1
    var members: [ReplyValue.Member] = []
    var keys: Set<String> = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return members }
    while true {
      guard peek == UInt8(ascii: "\""), let key = string(keeps: keeps || depth == 0) else {
        return nil
      }
      guard !keeps || keys.insert(key).inserted else { return nil }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { return nil }
      skipSpace()
      if peek == UInt8(ascii: "[") { onList(key) }
      guard let value = value(depth: depth + 1, keeps: keeps) else { return nil }
      if keeps { members.append(ReplyValue.Member(key: key, value: value)) }
      skipSpace()
      if take(UInt8(ascii: "}")) { return members }
      guard take(UInt8(ascii: ",")) else { return nil }
      skipSpace()
    }
  }

  private mutating func elements(depth: Int, keeps: Bool) -> ReplyValue? {
    position += 1
    var values: [ReplyValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(values) }
    while true {
      guard let value = value(depth: depth + 1, keeps: keeps) else { return nil }
      if keeps { values.append(value) }
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(values) }
      guard take(UInt8(ascii: ",")) else { return nil }
      skipSpace()
    }
  }

  private mutating func number() -> ReplyValue? {
    let start = position
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) {
      guard isDigit(peek) else { return nil }
      while isDigit(peek) { position += 1 }
    }
    if take(UInt8(ascii: ".")) {
      guard isDigit(peek) else { return nil }
      while isDigit(peek) { position += 1 }
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      position += 1
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard isDigit(peek) else { return nil }
      while isDigit(peek) { position += 1 }
    }
    return .number(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func string(keeps: Bool) -> String? {
    position += 1
    var text: [UInt8] = []
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard keeps else { return "" }
        return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        if keeps {
          text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
      case 0..<0x20: return nil
      default: if keeps { text.append(byte) }
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = peek else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return unicode()
    default: return nil
    }
  }

  private mutating func unicode() -> Unicode.Scalar? {
    guard let first = unit() else { return nil }
    guard (0xD800...0xDBFF).contains(first) else {
      return Unicode.Scalar(first) ?? "\u{FFFD}"
    }
    guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let second = unit(),
      (0xDC00...0xDFFF).contains(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func unit() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    position += 4
    return unit
  }
}
