import Testing

@testable import Decode

/// Lines with their places.
@Suite("Lines of a log")
struct LogLinesTests {
  private struct Line: Equatable {
    var number: UInt64
    var offset: UInt64
    var text: String?
  }

  private static func lines(_ bytes: [UInt8], pieces: Int) -> [Line] {
    var (lines, found) = (LogLines(), [Line]())
    func take(_ place: LogLines.Place, _ text: RawSpan?) {
      var characters: String?
      if let text {
        characters = String(
          decoding: (0..<text.byteCount).map { text.byte(at: $0) }, as: UTF8.self)
      }
      found.append(Line(number: place.number, offset: place.offset, text: characters))
    }
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      let end = min(bytes.count, start + pieces)
      unsafe lines.feed(bytes.span.bytes.extracting(start..<end), take)
    }
    lines.finish(take)
    return found
  }

  @Test(
    "Each line has its number and the offset of its first byte", arguments: [1, 3, 1000, 100_000])
  func places(pieces: Int) {
    let long = [UInt8](repeating: 0x61, count: LogLines.longest + 1)
    let longest = [UInt8](repeating: 0x62, count: LogLines.longest)
    let bytes = Array("one\r\n\nthree\n".utf8) + long + [0x0A] + longest + Array("\nlast".utf8)
    let offset = UInt64(LogLines.longest)
    #expect(
      Self.lines(bytes, pieces: pieces) == [
        Line(number: 1, offset: 0, text: "one\r"), Line(number: 2, offset: 5, text: ""),
        Line(number: 3, offset: 6, text: "three"), Line(number: 4, offset: 12, text: nil),
        Line(number: 5, offset: 14 + offset, text: String(repeating: "b", count: longest.count)),
        Line(number: 6, offset: 15 + 2 * offset, text: "last"),
      ])
  }
}
