import PumpModel

/// The JSON of a line, read in place; the line must be UTF-8.
enum LineJSON {
  /// Walks over the members of the object whose brace is at `start`, `depth` being open around it.
  ///
  /// `body` gets the names' characters and the values. Gives the position after the object, or
  /// `JSONBytes.none` if it is malformed or cut.
  static func members(
    _ bytes: RawSpan, at start: Int, depth: Int = 0,
    _ body: (_ name: Range<Int>, _ value: Range<Int>) throws(LineFault) -> Void
  ) throws(LineFault) -> Int {
    guard start < bytes.byteCount, bytes.byte(at: start) == 0x7B else { return JSONBytes.none }
    var position = JSONBytes.skipSpace(bytes, start + 1)
    guard position < bytes.byteCount else { return JSONBytes.none }
    if bytes.byte(at: position) == 0x7D { return position + 1 }
    while true {
      guard position < bytes.byteCount, bytes.byte(at: position) == 0x22 else {
        return JSONBytes.none
      }
      let name = position + 1
      let nameEnd = JSONBytes.skipString(bytes, name)
      guard nameEnd >= 0 else { return JSONBytes.none }
      let value = JSONBytes.skipColon(bytes, nameEnd)
      guard value >= 0 else { return JSONBytes.none }
      position = JSONBytes.skipValue(bytes, value, depth: depth + 1)
      guard position >= 0 else { return JSONBytes.none }
      try body(name..<nameEnd - 1, value..<position)
      position = JSONBytes.skipSpace(bytes, position)
      guard position < bytes.byteCount else { return JSONBytes.none }
      if bytes.byte(at: position) == 0x7D { return position + 1 }
      guard bytes.byte(at: position) == 0x2C else { return JSONBytes.none }
      position = JSONBytes.skipSpace(bytes, position + 1)
    }
  }

  /// Walks over the elements of a list that is known to be well formed; false if it is no list.
  static func elements(
    _ bytes: RawSpan, _ range: Range<Int>, _ body: (Range<Int>) throws(LineFault) -> Void
  ) throws(LineFault) -> Bool {
    guard bytes.byte(at: range.lowerBound) == 0x5B else { return false }
    var position = JSONBytes.skipSpace(bytes, range.lowerBound + 1)
    while position < range.upperBound - 1 {
      let end = JSONBytes.skipValue(bytes, position, depth: 1)
      guard end >= 0 else { return false }
      try body(position..<end)
      position = JSONBytes.skipSpace(bytes, end)
      // A comma or the closing bracket.
      position = JSONBytes.skipSpace(bytes, position + 1)
    }
    return true
  }

  /// Whether characters are a text of ours, written without escapes.
  static func isText(_ bytes: RawSpan, _ range: Range<Int>, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard range.count == count else { return false }
    for index in 0..<count {
      guard unsafe bytes.byte(at: range.lowerBound + index) == text.utf8Start[index] else {
        return false
      }
    }
    return true
  }

  /// Whether a value is `null`.
  static func isNull(_ bytes: RawSpan, _ value: Range<Int>) -> Bool {
    bytes.byte(at: value.lowerBound) == 0x6E
  }

  /// `true` or `false`; nil for any other value.
  static func bool(_ bytes: RawSpan, _ value: Range<Int>) -> Bool? {
    switch bytes.byte(at: value.lowerBound) {
    case 0x74: true
    case 0x66: false
    default: nil
    }
  }

  /// The characters of a string value without its quotes; nil for any other value.
  static func characters(_ bytes: RawSpan, _ value: Range<Int>) -> Range<Int>? {
    guard bytes.byte(at: value.lowerBound) == 0x22 else { return nil }
    return value.lowerBound + 1..<value.upperBound - 1
  }

  /// The text of a string value, escapes resolved; nil for another value or one that is longer
  /// than `limit` bytes.
  static func text(_ bytes: RawSpan, _ value: Range<Int>, limit: Int) -> [UInt8]? {
    guard let range = characters(bytes, value), range.count <= limit * 6 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      let next = JSONBytes.findSpecial(bytes, position, range.upperBound)
      result.append(bytes, position..<next)
      position = next
      guard position < range.upperBound else { break }
      guard bytes.byte(at: position + 1) == 0x75 else {
        result.append(JSONEscape.byte(bytes.byte(at: position + 1)))
        position += 2
        continue
      }
      JSONEscape.append(scalar(bytes, &position, range.upperBound), to: &result)
    }
    return result.count <= limit ? result : nil
  }

  /// The character of an escape of four digits, or of two that are a pair.
  private static func scalar(_ bytes: RawSpan, _ position: inout Int, _ end: Int) -> Unicode.Scalar
  {
    let first = unit(bytes, position)
    position += 6
    if (0xD800..<0xDC00).contains(first), end - position >= 6,
      bytes.byte(at: position) == 0x5C, bytes.byte(at: position + 1) == 0x75
    {
      let second = unit(bytes, position)
      if (0xDC00..<0xE000).contains(second) {
        position += 6
        let code = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
        return Unicode.Scalar(code) ?? "\u{FFFD}"
      }
    }
    return Unicode.Scalar(first) ?? "\u{FFFD}"
  }

  private static func unit(_ bytes: RawSpan, _ position: Int) -> UInt32 {
    (2..<6).reduce(0) { code, index in
      code << 4 | UInt32(JSONBytes.hexValue(bytes.byte(at: position + index)) ?? 0)
    }
  }

  /// A whole number that is not negative, written plainly, up to a limit; nil for any other value.
  static func whole(_ bytes: RawSpan, _ value: Range<Int>, upTo limit: UInt64) -> UInt64? {
    DecimalReading.digits(bytes, value).flatMap { $0 <= limit ? $0 : nil }
  }

  /// A whole number with or without a sign, written plainly; nil for any other value.
  static func signed(_ bytes: RawSpan, _ value: Range<Int>) -> Int64? {
    guard bytes.byte(at: value.lowerBound) == 0x2D else {
      return DecimalReading.digits(bytes, value).flatMap { Int64(exactly: $0) }
    }
    return DecimalReading.digits(bytes, value.lowerBound + 1..<value.upperBound).flatMap {
      $0 <= UInt64(Int64.max) ? -Int64($0) : nil
    }
  }

  /// The 32-bit words that a string of small hexadecimal digits is; nil if it is anything else.
  static func words(_ bytes: RawSpan, _ value: Range<Int>, count: Int) -> [UInt32]? {
    guard let range = characters(bytes, value), range.count == count * 8 else { return nil }
    var words = [UInt32](repeating: 0, count: count)
    for (index, position) in range.enumerated() {
      guard let digit = JSONBytes.hexValue(bytes.byte(at: position)) else { return nil }
      words[index >> 3] = words[index >> 3] << 4 | UInt32(digit)
    }
    return words
  }
}
