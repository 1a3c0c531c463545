import PumpModel
import TestSupport
import Testing

@testable import Decode

@Suite("Cutting bytes into lines")
struct LineReaderTests {
  /// The lines as `number:text` or `number:fault`, read in pieces of a size.
  static func lines(_ bytes: [UInt8], pieces: Int, longestLine: Int = 20) -> [String] {
    var reader = LineReader(longestLine: longestLine)
    var lines: [String] = []
    func take(_ number: UInt64, _ bytes: RawSpan, _ fault: LineFault?) {
      let text = (0..<bytes.byteCount).map { bytes.byte(at: $0) }
      lines.append("\(number):\(fault.map(\.reason) ?? String(decoding: text, as: UTF8.self))")
    }
    var position = 0
    while position < bytes.count {
      let end = min(bytes.count, position + pieces)
      unsafe reader.feed(bytes.span.bytes.extracting(position..<end), take)
      position = end
    }
    reader.finish(take)
    return lines
  }

  @Test("However the bytes are cut, the lines are the same", arguments: [1, 2, 3, 7, 8, 100])
  func cuts(pieces: Int) {
    let text =
      "\u{FEFF}{}\n\n  \r\n{\"a\":1}\r\nnot cut: 0123456789\n"
      + "longer than it may be: 012\nä\nlast"
    #expect(
      Self.lines(Array(text.utf8), pieces: pieces) == [
        "1:{}", "4:{\"a\":1}\r", "5:not cut: 0123456789", "6:a line of more than 4 MiB", "7:ä",
        "8:last",
      ])
  }

  @Test("What is no UTF-8 is a fault of its line alone", arguments: [1, 4, 100])
  func notUTF8(pieces: Int) {
    let bytes = Array("a\n".utf8) + [0xC3, 0x0A, 0xED, 0xA0, 0x80, 0x0A] + Array("b\n".utf8)
    #expect(
      Self.lines(bytes, pieces: pieces)
        == ["1:a", "2:the line is not UTF-8", "3:the line is not UTF-8", "4:b"])
  }

  @Test("A line as long as may be is read, one byte more is not, at the end too")
  func limit() {
    let longest = [UInt8](repeating: 0x61, count: 20)
    let fault = "a line of more than 4 MiB"
    #expect(Self.lines(longest, pieces: 6) == ["1:" + String(repeating: "a", count: 20)])
    #expect(Self.lines(longest + [0x61], pieces: 6) == ["1:" + fault])
    #expect(Self.lines(longest + [0x61, 0x0A], pieces: 6) == ["1:" + fault])
    #expect(Self.lines(longest + [0x61, 0x0A], pieces: 100) == ["1:" + fault])
    #expect(Self.lines([], pieces: 1) == [])
  }
}
