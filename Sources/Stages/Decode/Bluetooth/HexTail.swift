/// The bytes that a line of a log ends in, written as pairs of hexadecimal digits: all together, or
/// every pair apart in the same way, with or without `0x`.
struct HexTail {
  /// The bytes, first one first.
  private(set) var bytes: [UInt8] = []
  /// Whether nothing but brackets and quotation marks stands before them.
  private(set) var isBare = false

  /// How pairs are parted: the characters between them, and whether `0x` comes before each.
  private struct Joint: Equatable {
    var characters: UInt32 = 0
    var width = 0
    var isMarked = false
  }

  private static let longestSeparator = 3

  /// Finds the bytes at the end of a line; nil if it ends in none.
  init?(_ line: RawSpan) {
    var end = line.byteCount
    while end > 0, Self.closes(line.byte(at: end - 1)) { end -= 1 }
    guard let start = take(line, endingAt: end) else { return nil }
    bytes.reverse()
    isBare = (0..<start).allSatisfy { Self.opens(line.byte(at: $0)) }
  }

  /// Takes pairs from the last one back; gives where the first one begins, nil if there is none.
  private mutating func take(_ line: RawSpan, endingAt end: Int) -> Int? {
    guard let last = Self.pair(line, endingAt: end) else { return nil }
    bytes.append(last)
    var start = end - 2
    guard let joint = Self.joint(line, before: start) else {
      start = Self.unmarked(line, start)
      return Self.isBoundary(line, before: start) ? start : nil
    }
    while let found = Self.joint(line, before: start), found == joint {
      let next = Self.unmarked(line, start) - joint.width
      guard let byte = Self.pair(line, endingAt: next) else { break }
      // A pair of its own is no part of a longer word, nor of a time or number.
      if joint.width > 0, !Self.standsAlone(line, before: next - 2, joint) { break }
      bytes.append(byte)
      start = next - 2
    }
    start = joint.isMarked || joint.width == 0 ? Self.unmarked(line, start) : start
    // Together, an odd number of digits is no bytes.
    if joint.width == 0, !Self.isBoundary(line, before: start) { return nil }
    return start
  }

  /// What parts a pair from the one before it; nil if there can be none.
  private static func joint(_ line: RawSpan, before start: Int) -> Joint? {
    let end = unmarked(line, start)
    guard end > 0 else { return nil }
    if end == start, isDigit(line.byte(at: end - 1)) { return Joint() }
    var joint = Joint(isMarked: end < start)
    while joint.width < min(end, longestSeparator) {
      let byte = line.byte(at: end - joint.width - 1)
      guard parts(byte) else { break }
      joint.characters = joint.characters << 8 | UInt32(byte)
      joint.width += 1
    }
    return joint.width > 0 && joint.width < end ? joint : nil
  }

  /// Whether what stands before a pair leaves it a pair of its own.
  private static func standsAlone(_ line: RawSpan, before start: Int, _ joint: Joint) -> Bool {
    let end = unmarked(line, start)
    guard (end < start) == joint.isMarked else { return false }
    guard end > 0 else { return true }
    let before = line.byte(at: end - 1)
    guard !isWord(before) else { return false }
    guard Self.joint(line, before: start) != joint, joinsNumbers(before), end > 1 else {
      return true
    }
    return !(0x30...0x39).contains(line.byte(at: end - 2))
  }

  /// The place before the `0x` of a pair, or the pair's own if there is none.
  private static func unmarked(_ line: RawSpan, _ start: Int) -> Int {
    guard start >= 2, line.byte(at: start - 1) | 0x20 == 0x78, line.byte(at: start - 2) == 0x30
    else { return start }
    return start - 2
  }

  private static func pair(_ line: RawSpan, endingAt end: Int) -> UInt8? {
    guard end >= 2, let high = JSONBytes.hexValue(line.byte(at: end - 2)),
      let low = JSONBytes.hexValue(line.byte(at: end - 1))
    else { return nil }
    return high << 4 | low
  }

  private static func isBoundary(_ line: RawSpan, before start: Int) -> Bool {
    start == 0 || !isWord(line.byte(at: start - 1))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { JSONBytes.hexValue(byte) != nil }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
    default: false
    }
  }

  /// Blank, tabulator, colon, comma or hyphen.
  private static func parts(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x3A, 0x2C, 0x2D: true
    default: false
    }
  }

  /// What stands between the numbers of a time, a date or an address.
  private static func joinsNumbers(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x3A, 0x2C, 0x2D, 0x2E, 0x2F: true
    default: false
    }
  }

  /// White space, a quotation mark, or an opening bracket.
  private static func opens(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x22, 0x27, 0x28, 0x3C, 0x5B, 0x7B: true
    default: false
    }
  }

  /// White space, a quotation mark, a closing bracket, or the end of a sentence.
  private static func closes(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0D, 0x22, 0x27, 0x29, 0x2C, 0x2E, 0x3B, 0x3E, 0x5D, 0x7D: true
    default: false
    }
  }

  /// Whether a line, whatever it ends in, is digits for the most part: a damaged line of bytes.
  static func isMostlyDigits(_ line: RawSpan) -> Bool {
    var (digits, others) = (0, 0)
    for position in 0..<line.byteCount {
      let byte = line.byte(at: position)
      if isDigit(byte) {
        digits += 1
      } else if !parts(byte), byte != 0x0D {
        others += 1
      }
    }
    return digits >= 16 && digits >= 3 * others
  }
}
