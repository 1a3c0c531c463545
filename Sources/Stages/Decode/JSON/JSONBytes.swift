/// JSON read in place, from a span that holds the whole of what is read.
///
/// Every function takes the position of a first byte and gives the position after the last one, or
/// `JSONBytes.none` if the bytes are malformed or end too early. `JSONReader` knows the same
/// grammar for bytes cut anywhere, and finds out where an error is.
enum JSONBytes {
  /// No position: malformed, or cut.
  static var none: Int { -1 }

  /// The first byte at or after a position that is no white space; the count if there is none.
  @inline(__always)
  static func skipSpace(_ bytes: RawSpan, _ start: Int) -> Int {
    var position = start
    while position < bytes.byteCount, isSpace(bytes.byte(at: position)) { position += 1 }
    return position
  }

  /// Whether a byte is JSON's white space.
  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Whether there are control characters that no JSON text may hold.
  static func hasControls(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    range.contains { bytes.byte(at: $0) < 0x20 && !isSpace(bytes.byte(at: $0)) }
  }

  /// The first quote, backslash or control character at or after a position; `end` if none.
  @inline(__always)
  static func findSpecial(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
    var position = start
    while end - position >= 8 {
      let found = specials(bytes.word(at: position))
      if found != 0 { return position + found.trailingZeroBitCount >> 3 }
      position += 8
    }
    while position < end {
      let byte = bytes.byte(at: position)
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { return position }
      position += 1
    }
    return end
  }

  /// The high bit of each byte that is a quote, a backslash or below 0x20; bits above the lowest
  /// one set may be wrong.
  @inline(__always)
  static func specials(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let found =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((word &- ones &* 0x20) & ~word)
    return found & (ones &* 0x80)
  }

  /// Reads a string from after its opening quote to after its closing one.
  @inline(__always)
  static func skipString(_ bytes: RawSpan, _ start: Int) -> Int {
    let position = findSpecial(bytes, start, bytes.byteCount)
    guard position < bytes.byteCount else { return none }
    return bytes.byte(at: position) == 0x22
      ? position + 1 : skipEscapedString(bytes, position)
  }

  private static func skipEscapedString(_ bytes: RawSpan, _ start: Int) -> Int {
    var position = start
    while true {
      position = findSpecial(bytes, position, bytes.byteCount)
      guard position < bytes.byteCount else { return none }
      let byte = bytes.byte(at: position)
      if byte == 0x22 { return position + 1 }
      guard byte == 0x5C, bytes.byteCount - position >= 2 else { return none }
      switch bytes.byte(at: position + 1) {
      case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: position += 2
      case 0x75:
        guard bytes.byteCount - position >= 6,
          (2..<6).allSatisfy({ hexValue(bytes.byte(at: position + $0)) != nil })
        else { return none }
        position += 6
      default: return none
      }
    }
  }

  /// The value of a hexadecimal digit.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// Reads a number by JSON's grammar; something must follow it.
  static func skipNumber(_ bytes: RawSpan, _ start: Int) -> Int {
    var position = start
    if position < bytes.byteCount, bytes.byte(at: position) == 0x2D { position += 1 }
    let whole = skipDigits(bytes, position)
    guard whole > position, whole == position + 1 || bytes.byte(at: position) != 0x30 else {
      return none
    }
    position = whole
    if position < bytes.byteCount, bytes.byte(at: position) == 0x2E {
      let end = skipDigits(bytes, position + 1)
      guard end > position + 1 else { return none }
      position = end
    }
    if position < bytes.byteCount, bytes.byte(at: position) | 0x20 == 0x65 {
      position += 1
      if position < bytes.byteCount,
        bytes.byte(at: position) == 0x2B || bytes.byte(at: position) == 0x2D
      {
        position += 1
      }
      let end = skipDigits(bytes, position)
      guard end > position else { return none }
      position = end
    }
    return position
  }

  @inline(__always)
  private static func skipDigits(_ bytes: RawSpan, _ start: Int) -> Int {
    var position = start
    while position < bytes.byteCount, bytes.byte(at: position) &- 0x30 < 10 { position += 1 }
    return position
  }

  /// Reads `true`, `false` or `null`.
  static func skipLiteral(_ bytes: RawSpan, _ start: Int) -> Int {
    let word: StaticString
    switch bytes.byte(at: start) {
    case 0x74: word = "true"
    case 0x66: word = "false"
    case 0x6E: word = "null"
    default: return none
    }
    let count = word.utf8CodeUnitCount
    guard bytes.byteCount - start >= count else { return none }
    for index in 0..<count {
      guard unsafe bytes.byte(at: start + index) == word.utf8Start[index] else { return none }
    }
    return start + count
  }

  /// Reads any value, `depth` lists and objects being open around it.
  static func skipValue(_ bytes: RawSpan, _ start: Int, depth: Int) -> Int {
    guard start < bytes.byteCount else { return none }
    switch bytes.byte(at: start) {
    case 0x22: return skipString(bytes, start + 1)
    case 0x7B: return skipObject(bytes, start + 1, depth: depth + 1)
    case 0x5B: return skipArray(bytes, start + 1, depth: depth + 1)
    case 0x2D, 0x30...0x39: return skipNumber(bytes, start)
    default: return skipLiteral(bytes, start)
    }
  }

  private static func skipArray(_ bytes: RawSpan, _ start: Int, depth: Int) -> Int {
    guard depth <= JSONReader.maximalDepth else { return none }
    var position = skipSpace(bytes, start)
    guard position < bytes.byteCount else { return none }
    if bytes.byte(at: position) == 0x5D { return position + 1 }
    while true {
      position = skipValue(bytes, position, depth: depth)
      guard position >= 0 else { return none }
      position = skipSpace(bytes, position)
      guard position < bytes.byteCount else { return none }
      if bytes.byte(at: position) == 0x5D { return position + 1 }
      guard bytes.byte(at: position) == 0x2C else { return none }
      position = skipSpace(bytes, position + 1)
    }
  }

  private static func skipObject(_ bytes: RawSpan, _ start: Int, depth: Int) -> Int {
    guard depth <= JSONReader.maximalDepth else { return none }
    var position = skipSpace(bytes, start)
    guard position < bytes.byteCount else { return none }
    if bytes.byte(at: position) == 0x7D { return position + 1 }
    while true {
      guard position < bytes.byteCount, bytes.byte(at: position) == 0x22 else { return none }
      position = skipString(bytes, position + 1)
      guard position >= 0 else { return none }
      position = skipColon(bytes, position)
      guard position >= 0 else { return none }
      position = skipValue(bytes, position, depth: depth)
      guard position >= 0 else { return none }
      position = skipSpace(bytes, position)
      guard position < bytes.byteCount else { return none }
      if bytes.byte(at: position) == 0x7D { return position + 1 }
      guard bytes.byte(at: position) == 0x2C else { return none }
      position = skipSpace(bytes, position + 1)
    }
  }

  /// Reads the colon after a name, with the white space around it.
  static func skipColon(_ bytes: RawSpan, _ start: Int) -> Int {
    let position = skipSpace(bytes, start)
    guard position < bytes.byteCount, bytes.byte(at: position) == 0x3A else { return none }
    return skipSpace(bytes, position + 1)
  }

  /// The characters of a string without escapes, from after the opening quote; `limit` at most.
  ///
  /// Characters beyond the basic plane come out as two replacement characters: only names and ids
  /// are read with this.
  static func unescaped(_ bytes: RawSpan, _ range: Range<Int>, limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    var position = range.lowerBound
    while position < range.upperBound, result.count < limit {
      let byte = bytes.byte(at: position)
      position += 1
      guard byte == 0x5C, position < range.upperBound else {
        result.append(byte)
        continue
      }
      let escape = bytes.byte(at: position)
      position += 1
      guard escape == 0x75 else {
        result.append(JSONEscape.byte(escape))
        continue
      }
      var code: UInt32 = 0
      for _ in 0..<4 where position < range.upperBound {
        code = code << 4 | UInt32(hexValue(bytes.byte(at: position)) ?? 0)
        position += 1
      }
      JSONEscape.append(Unicode.Scalar(code) ?? "\u{FFFD}", to: &result)
    }
    return result
  }
}

/// What follows a backslash.
enum JSONEscape {
  /// The character of an escape of one letter; nil if there is no such escape.
  static func simple(_ escape: UInt8) -> UInt8? {
    switch escape {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: byte(escape)
    default: nil
    }
  }

  /// The character of an escape of one letter.
  static func byte(_ escape: UInt8) -> UInt8 {
    switch escape {
    case 0x62: 0x08
    case 0x66: 0x0C
    case 0x6E: 0x0A
    case 0x72: 0x0D
    case 0x74: 0x09
    default: escape
    }
  }

  /// Appends a character as UTF-8.
  static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
