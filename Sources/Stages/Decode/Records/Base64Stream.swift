/// Decodes base64 from runs cut anywhere, white space and line breaks allowed.
struct Base64Stream {
  /// Decoded bytes not yet taken; the owner empties it.
  private(set) var output: [UInt8] = []
  /// How many bytes were decoded in all.
  private(set) var decodedCount: UInt64 = 0
  private var bits: UInt32 = 0
  private var digits = 0
  private var padding = 0
  private let values: [UInt8] = Base64Stream.makeValues()
  /// What a digit adds to the 24 bits of its group: four tables, one for each place in a group.
  private let places: [UInt32] = Base64Stream.makePlaces()

  private static let invalid: UInt8 = 0xFF
  private static let blank: UInt8 = 0xFE
  private static let pad: UInt8 = 0xFD
  /// Stands in the tables of places for a character that is no digit.
  private static let noDigit: UInt32 = 1 << 31

  init() { output.reserveCapacity(1 << 16) }

  /// Decodes a range; false at a character that may not stand there.
  mutating func feed(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      position = feedGroups(bytes, position, range.upperBound)
      guard position < range.upperBound else { break }
      guard feed(bytes.byte(at: position)) else { return false }
      position += 1
    }
    return true
  }

  /// Whether a character is a digit of a group that has begun.
  func continuesGroup(_ character: UInt8) -> Bool {
    digits > 0 && padding == 0 && values[Int(character)] < 64
  }

  /// Decodes one character; false if it may not stand there.
  mutating func feed(_ character: UInt8) -> Bool {
    let value = values[Int(character)]
    switch value {
    case Self.blank: return true
    case Self.invalid: return false
    case Self.pad:
      padding += 1
      return digits >= 2 && digits + padding <= 4
    default:
      guard padding == 0 else { return false }
      bits = bits << 6 | UInt32(value)
      digits += 1
      if digits == 4 { endGroup(bytes: 3) }
      return true
    }
  }

  /// Ends the text; false if its last group is cut, wrongly padded or holds stray bits.
  mutating func finish() -> Bool {
    guard digits > 0 else { return true }
    guard digits + padding == 4, bits & (digits == 2 ? 0xF : 0x3) == 0 else { return false }
    bits <<= UInt32(6 * padding)
    endGroup(bytes: digits - 1)
    return true
  }

  /// Forgets the output that was taken.
  mutating func clearOutput() { output.removeAll(keepingCapacity: true) }

  /// Decodes whole groups of eight digits, as many as stand in a row; gives the position after
  /// them.
  mutating func feedGroups(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
    guard digits == 0, padding == 0 else { return start }
    var position = start
    // Room is made as the row turns out to be long: where escapes stand between the digits, making
    // it for all that follows would cost more each time than the few digits before the next one.
    var most = 8
    while true {
      let groups = min(most, (end - position) / 8)
      guard groups > 0 else { return position }
      let taken = feedGroups(bytes, position, atMost: groups)
      position += 8 * taken
      guard taken == groups else { return position }
      most = min(most * 4, 1 << 13)
    }
  }

  /// Decodes groups of eight digits up to a number of them; gives how many stood in a row.
  private mutating func feedGroups(_ bytes: RawSpan, _ start: Int, atMost groups: Int) -> Int {
    var position = start
    let first = output.count
    output.append(contentsOf: repeatElement(0, count: groups * 6 + 2))
    var written = first
    let places = places
    let table = places.span
    var target = output.mutableSpan
    for _ in 0..<groups {
      guard let group = Self.decode(bytes.word(at: position), table) else { break }
      // Two bytes more than the group has are written; the next group, or the cut, covers them.
      unsafe target.withUnsafeMutableBytes {
        unsafe $0.storeBytes(of: group.bigEndian, toByteOffset: written, as: UInt64.self)
      }
      written += 6
      position += 8
    }
    output.removeLast(output.count - written)
    decodedCount &+= UInt64(written - first)
    return (position - start) / 8
  }

  /// Six bytes in the upper part of the result, from eight digits; nil if one is none.
  @inline(__always)
  private static func decode(_ characters: UInt64, _ table: Span<UInt32>) -> UInt64? {
    let first = group(UInt32(truncatingIfNeeded: characters), table)
    let second = group(UInt32(truncatingIfNeeded: characters >> 32), table)
    guard (first | second) & noDigit == 0 else { return nil }
    return UInt64(first) << 40 | UInt64(second) << 16
  }

  /// The 24 bits of four digits.
  @inline(__always)
  private static func group(_ characters: UInt32, _ table: Span<UInt32>) -> UInt32 {
    // An index below 1024 cannot lie outside.
    unsafe table[unchecked: Int(characters & 0xFF)]
      | table[unchecked: 256 + Int(characters >> 8 & 0xFF)]
      | table[unchecked: 512 + Int(characters >> 16 & 0xFF)]
      | table[unchecked: 768 + Int(characters >> 24)]
  }

  private mutating func endGroup(bytes count: Int) {
    for index in 0..<count {
      output.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index)))
    }
    decodedCount &+= UInt64(count)
    (bits, digits) = (0, 0)
  }

  private static func makePlaces() -> [UInt32] {
    let values = makeValues()
    return (0..<4).flatMap { place in
      values.map { $0 < 64 ? UInt32($0) << UInt32(18 - 6 * place) : noDigit }
    }
  }

  private static func makeValues() -> [UInt8] {
    var values = [UInt8](repeating: invalid, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
    for character in " \t\r\n".utf8 { values[Int(character)] = blank }
    values[Int(UInt8(ascii: "="))] = pad
    return values
  }
}
