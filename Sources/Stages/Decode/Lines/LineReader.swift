import PumpModel

/// Cuts NDJSON into lines, from chunks cut anywhere.
///
/// Memory is bounded: of a line that a chunk cuts, `longestLine` bytes at most are held. Lines that
/// are empty or white space are passed over, and so is a byte-order mark at the beginning; all
/// lines are counted.
package struct LineReader {
  /// The longest line in bytes; room for any record with an event's properties, which are at most
  /// 1 MiB.
  package static let longestLine = 4 << 20

  private var held: [UInt8] = []
  private var isTooLong = false
  private var lines: UInt64 = 0
  private let limit: Int

  /// Creates a reader that stands at the beginning.
  package init() { limit = Self.longestLine }

  /// Creates a reader with another limit, for tests.
  init(longestLine: Int) { limit = longestLine }

  /// Takes the next bytes, and hands on the lines that end in them.
  ///
  /// `body` gets the line's number, counted from 1, and its bytes without the line's end, or a
  /// fault and no bytes.
  package mutating func feed(
    _ bytes: RawSpan, _ body: (UInt64, RawSpan, LineFault?) throws -> Void
  ) rethrows {
    var start = 0
    while let end = Self.newline(in: bytes, from: start) {
      if held.isEmpty, !isTooLong {
        try hand(bytes.extracting(start..<end), body)
      } else {
        keep(bytes, start..<end)
        try handHeld(body)
      }
      start = end + 1
    }
    keep(bytes, start..<bytes.byteCount)
  }

  /// Ends the bytes; a last line need not end in a newline.
  package mutating func finish(
    _ body: (UInt64, RawSpan, LineFault?) throws -> Void
  ) rethrows {
    if !held.isEmpty || isTooLong { try handHeld(body) }
  }

  /// The next line feed at or after a position; nil if there is none.
  static func newline(in bytes: RawSpan, from start: Int) -> Int? {
    var position = start
    while bytes.byteCount - position >= 8 {
      let word = bytes.word(at: position) ^ 0x0A0A_0A0A_0A0A_0A0A
      let found = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      if found != 0 { return position + found.trailingZeroBitCount >> 3 }
      position += 8
    }
    while position < bytes.byteCount {
      if bytes.byte(at: position) == 0x0A { return position }
      position += 1
    }
    return nil
  }

  private mutating func keep(_ bytes: RawSpan, _ range: Range<Int>) {
    guard !isTooLong else { return }
    guard held.count + range.count <= limit else {
      isTooLong = true
      held.removeAll()
      return
    }
    held.append(bytes, range)
  }

  private mutating func handHeld(
    _ body: (UInt64, RawSpan, LineFault?) throws -> Void
  ) rethrows {
    let line = held
    held.removeAll(keepingCapacity: true)
    if isTooLong {
      isTooLong = false
      lines += 1
      try body(lines, RawSpan(), .tooLong)
    } else {
      try unsafe hand(line.span.bytes, body)
    }
  }

  private mutating func hand(
    _ line: RawSpan, _ body: (UInt64, RawSpan, LineFault?) throws -> Void
  ) rethrows {
    lines += 1
    let start = lines == 1 && Self.hasMark(line) ? 3 : 0
    guard JSONBytes.skipSpace(line, start) < line.byteCount else { return }
    let text = line.extracting(start..<line.byteCount)
    guard text.byteCount <= limit else { return try body(lines, RawSpan(), .tooLong) }
    guard Self.isUTF8(text) else { return try body(lines, RawSpan(), .notUTF8) }
    try body(lines, text, nil)
  }

  private static func hasMark(_ line: RawSpan) -> Bool {
    line.byteCount >= 3 && line.byte(at: 0) == 0xEF && line.byte(at: 1) == 0xBB
      && line.byte(at: 2) == 0xBF
  }

  private static func isUTF8(_ line: RawSpan) -> Bool {
    unsafe line.withUnsafeBytes { bytes in
      do {
        _ = try unsafe UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span)
        return true
      } catch {
        return false
      }
    }
  }
}
