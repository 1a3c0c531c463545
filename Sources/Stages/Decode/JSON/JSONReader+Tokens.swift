import PumpModel

/// Strings, numbers and words, cut anywhere.
extension JSONReader {
  /// Names are kept up to this length; longer ones are none of ours.
  private static let longestName = 40
  private static let base64Name = Array("base64".utf8)
  /// So much of a string is handed on at once.
  private static let longestRun = 1 << 16

  mutating func walkString(
    _ bytes: RawSpan, _ start: Int, into intake: inout RecordIntake
  ) -> Int {
    var position = start
    while position < bytes.byteCount, verdict == nil {
      if escape != 0 {
        takeEscape(bytes.byte(at: position), offset &+ UInt64(position), into: &intake)
        position += 1
        continue
      }
      if role == .body, highSurrogate == 0, let response {
        let end = response.feedText(bytes, position)
        guard end == position else {
          position = end
          continue
        }
      }
      let limit =
        role == .skip
        ? bytes.byteCount : min(bytes.byteCount, position + Self.longestRun)
      // Half a character that waits for its other half comes first.
      if role == .base64, highSurrogate == 0 {
        position = takeBase64Digits(bytes, position..<limit, into: &intake)
        guard verdict == nil else { continue }
      }
      let end = JSONBytes.findSpecial(bytes, position, limit)
      if end > position, role != .skip { take(bytes, position..<end, into: &intake) }
      position = end
      guard position < limit, verdict == nil else { continue }
      switch bytes.byte(at: position) {
      case 0x22:
        endString(into: &intake)
        return position + 1
      case 0x5C: escape = 1
      case let byte where role == .base64 && JSONBytes.isSpace(byte): break
      default: fail(at: offset &+ UInt64(position), Self.malformed, into: &intake)
      }
      position += 1
    }
    return position
  }

  private mutating func endString(into intake: inout RecordIntake) {
    endSurrogate(into: &intake)
    guard !isName else { return endName() }
    endValue()
    switch role {
    case .skip, .name: break
    case .base64: endBase64(into: &intake)
    case .body:
      if response == nil { startResponse(into: &intake) }
      response?.finish()
      if response?.isLostBase64 == true { lostBody = bodyStart }
      response = nil
    case .dataSource: isMadeUp = isMadeUp || name.elementsEqual(DemoData.label.utf8)
    case .encoding:
      isBase64Body = name.lazy.map(ASCII.lowercased).elementsEqual(Self.base64Name)
    }
  }

  private mutating func takeEscape(
    _ byte: UInt8, _ here: UInt64, into intake: inout RecordIntake
  ) {
    if escape == 1 {
      switch byte {
      case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74:
        escape = 0
        endSurrogate(into: &intake)
        take(JSONEscape.byte(byte), into: &intake)
      case 0x75: (escape, code) = (2, 0)
      default: fail(at: here, Self.malformed, into: &intake)
      }
      return
    }
    guard let digit = JSONBytes.hexValue(byte) else {
      return fail(at: here, Self.malformed, into: &intake)
    }
    code = code << 4 | UInt32(digit)
    escape = escape == 5 ? 0 : escape + 1
    if escape == 0 { takeCodeUnit(code, into: &intake) }
  }

  /// Joins surrogates; one without its other half becomes a replacement character.
  private mutating func takeCodeUnit(_ unit: UInt32, into intake: inout RecordIntake) {
    if highSurrogate != 0, unit >= 0xDC00, unit < 0xE000 {
      let scalar = 0x10000 + ((highSurrogate - 0xD800) << 10) + (unit - 0xDC00)
      highSurrogate = 0
      return take(Unicode.Scalar(scalar) ?? "\u{FFFD}", into: &intake)
    }
    endSurrogate(into: &intake)
    if unit >= 0xD800, unit < 0xDC00 {
      highSurrogate = unit
    } else {
      take(Unicode.Scalar(unit) ?? "\u{FFFD}", into: &intake)
    }
  }

  @inline(__always)
  private mutating func endSurrogate(into intake: inout RecordIntake) {
    guard highSurrogate != 0 else { return }
    highSurrogate = 0
    take("\u{FFFD}" as Unicode.Scalar, into: &intake)
  }

  private mutating func take(_ scalar: Unicode.Scalar, into intake: inout RecordIntake) {
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
      take(byte, into: &intake)
    }
  }

  /// Hands on one byte that an escape stood for.
  private mutating func take(_ byte: UInt8, into intake: inout RecordIntake) {
    switch role {
    case .skip: break
    case .name, .encoding, .dataSource: if name.count < Self.longestName { name.append(byte) }
    case .base64: takeBase64(byte, into: &intake)
    case .body:
      if response == nil { startResponse(into: &intake) }
      response?.feed(byte)
    }
  }

  /// Hands on characters that stand for themselves.
  private mutating func take(
    _ bytes: RawSpan, _ range: Range<Int>, into intake: inout RecordIntake
  ) {
    endSurrogate(into: &intake)
    switch role {
    case .skip: break
    case .name, .encoding, .dataSource:
      name.append(bytes, range.prefix(max(0, Self.longestName - name.count)))
    case .base64: takeBase64(bytes, range, into: &intake)
    case .body:
      if response == nil { startResponse(into: &intake) }
      response?.feed(bytes, range)
    }
  }

  mutating func walkNumber(_ bytes: RawSpan, _ start: Int) -> Int {
    var position = start
    while position < bytes.byteCount {
      guard let next = number.after(bytes.byte(at: position)) else {
        if number.mayEnd { endValue() } else { state = .malformed }
        return position
      }
      number = next
      position += 1
    }
    return position
  }

  mutating func walkWord(_ bytes: RawSpan, _ start: Int) -> Int {
    var position = start
    while position < bytes.byteCount {
      guard unsafe bytes.byte(at: position) == word.utf8Start[wordIndex] else {
        state = .malformed
        return position
      }
      position += 1
      wordIndex += 1
      if wordIndex == word.utf8CodeUnitCount {
        endValue()
        break
      }
    }
    return position
  }
}

extension JSONReader.NumberState {
  /// Where the number is after one more character; nil if it does not belong to it.
  func after(_ byte: UInt8) -> Self? {
    let isDigit = byte &- 0x30 < 10
    switch self {
    case .minus: return byte == 0x30 ? .zero : isDigit ? .whole : nil
    case .zero, .whole:
      if self == .whole, isDigit { return .whole }
      return byte == 0x2E ? .point : byte | 0x20 == 0x65 ? .exponent : nil
    case .point: return isDigit ? .fraction : nil
    case .fraction: return isDigit ? .fraction : byte | 0x20 == 0x65 ? .exponent : nil
    case .exponent: return byte == 0x2B || byte == 0x2D ? .sign : isDigit ? .power : nil
    case .sign, .power: return isDigit ? .power : nil
    }
  }

  /// Whether a number may end here.
  var mayEnd: Bool { self == .zero || self == .whole || self == .fraction || self == .power }
}
