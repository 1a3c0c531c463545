import Decode
import PumpModel
import TestSupport
import Testing

/// Logs whose lines end in hexadecimal digits.
@Suite("Lines of digits")
struct HexLineTests {
  private static let records = RadioFrameTests.records
  private static let newestFirst = RadioFrameTests.newestFirst

  private static func line(_ number: Int, bigEndian: Bool = false) -> String {
    RadioEncoder.hex(
      bigEndian
        ? RecordEncoder.bytes(records[number - 1])
        : RecordEncoder.littleEndianBytes(records[number - 1]))
  }

  private static func packets(_ range: ClosedRange<Int>) -> [String] {
    let message = RadioEncoder.history(records[range.lowerBound - 1..<range.upperBound])
    return RadioEncoder.packets(message, bytesEach: 18).map { RadioEncoder.hex($0) }
  }

  @Test("Records come back, a line each, in either order of bytes")
  func recordLines() {
    let little = Recording.of(RadioEncoder.recordLines(Self.records))
    #expect(little.records == Self.records)
    #expect(little.verdict == .whole(.hexLines))
    let big = (1...10).map { Self.line($0, bigEndian: true) }.joined(separator: "\r\n")
    #expect(Recording.of("\u{FEFF}\r\n" + big.uppercased(), pieces: 9).records == Self.records)
    #expect(Recording.of(Self.line(4)).records == [Self.records[3]])
  }

  @Test(
    "Digits are found at the end of a line, however they are parted and whatever comes before",
    arguments: [
      ("", "", "", ""), ("", " ", "", ""), ("", ":", "", ""), ("", ",", "", ""),
      ("", "-", "", ""), ("[", ", ", "0x", "]"), ("0x", "", "", ""), ("'", "", "", "',"),
      ("2026-05-04 12:00:00 ", " ", "", ""), ("2026-05-04T12:00:00.12 ", " ", "", " "),
      ("12:00:00 ", ":", "", ""), ("[12:00:00] ", "", "", ""), ("12:00:00: ", ":", "", ""),
      ("D/Link(1234): onChange fff8 ", " ", "", ""), ("fff8: ", " ", "0x", ""),
      ("0000fff8-0000-1000-8000-00805f9b34fb ", "", "", ""), ("value=", "", "", ";"),
      ("value=0x", "", "", ""), ("notify <", " ", "", ">"), ("seq 12 ", "", "", ""),
      ("20260504,12,", "", "", ""), ("\tdata:", " ", "", ""), ("(0x10) ", ",", "0X", ")"),
    ] as [(String, String, String, String)])
  func written(before: String, separator: String, mark: String, after: String) {
    let text = Self.records.map { record in
      let bytes = RecordEncoder.littleEndianBytes(record)
      return before + RadioEncoder.hex(bytes, separator: separator, mark: mark) + after
    }.joined(separator: "\n")
    let recording = Recording.of(text)
    #expect(recording.records == Self.records)
    #expect(recording.rejects.isEmpty)
  }

  @Test(
    "A line that cannot be read is one reject with its number, and the others stand",
    arguments: [
      { "\($0)00" }, { String($0.dropLast()) }, { String($0.dropLast(2)) },
      { "zz" + $0.dropFirst(2) },
      { $0.prefix(20) + "g" + $0.dropFirst(21) }, { String($0.prefix(6)) }, { "\($0)\($0)" },
      { "at 26 " + RadioEncoder.hex(Array($0.utf8), separator: " ") },
      // A number of 67 million and a time in 2060.
      { $0.prefix(12) + "ffffff7f" + $0.dropFirst(20) },
      { $0.prefix(4) + "000000ff" + $0.dropFirst(12) },
    ] as [@Sendable (String) -> String])
  func badLine(damage: @Sendable (String) -> String) {
    for place in [1, 5, 10] {
      let lines = (1...10).map { $0 == place ? damage(Self.line($0)) : Self.line($0) }
      let recording = Recording.of(lines.joined(separator: "\n"))
      #expect(recording.rejects.map(\.position) == [.line(UInt64(place))])
      #expect(recording.records == Self.records.filter { $0.number != UInt32(place) })
      #expect(recording.verdict == .whole(.hexLines))
    }
  }

  @Test("A record that a rule needs more of is rejected by its line")
  func faultyRecord() {
    var bad = DocumentTests.record(2, id: 3)
    bad.payload = .init(Float(99).bitPattern)
    let text = RadioEncoder.recordLines([Self.records[0], bad, Self.records[2]])
    #expect(Recording.of("\n\n" + text).rejects.map(\.position) == [.line(4)])
  }

  @Test("Frames split over lines are put together, among everything that a log says")
  func log() {
    let recording = Recording.of(RadioEncoder.log(Self.records))
    #expect(recording.records == Self.newestFirst)
    #expect(recording.verdict == .whole(.hexLines))
    #expect(recording.rejects.isEmpty)
    #expect(recording.calls.count { $0 == .ignore(.noHistory, nil) } == 3)
  }

  @Test("Packets that are missing, doubled or out of order cost their frame, which is one reject")
  func packetFaults() {
    let first = Self.packets(1...3)
    let second = Self.packets(4...6)
    let faults: [([String], String)] = [
      (Array(first.dropFirst(2)), "middle"), (Array(first.dropLast()), "last"),
      (Array(first[0...1] + first[1...]), "doubled"),
      ([first[0], first[2], first[1]] + first[3...], "order"),
      ([first[0]] + first[2...], "missing"), (Array(first[0...0] + first[0...]), "begun twice"),
    ]
    for (lines, name) in faults {
      let recording = Recording.of((second + lines + second).joined(separator: "\n"))
      let isWhole = name == "begun twice"
      #expect(recording.records.count == (isWhole ? 9 : 6), "\(name)")
      // Without its first packet, no frame is seen.
      let count = name == "middle" ? first.count - 2 : 1
      #expect(recording.rejects.count == count, "\(name): \(recording.rejects)")
    }
    let ending = Recording.of((first + second.dropLast()).joined(separator: "\n"))
    #expect(ending.records.count == 3)
    #expect(ending.rejects.map(\.position) == [.line(UInt64(first.count + 1))])
  }

  @Test("A wrong checksum is one reject at the line where its frame begins")
  func wrongChecksum() {
    var first = Self.packets(1...3)
    first[2] = RadioEncoder.hex([2, 0] + [UInt8](repeating: 9, count: 18))
    let recording = Recording.of((first + Self.packets(4...6)).joined(separator: "\n"))
    #expect(recording.records.count == 3)
    #expect(recording.rejects.map(\.position) == [.line(1)])
    let alone = Recording.of(first.joined(separator: "\n"))
    #expect(alone.verdict == .whole(.hexLines) && alone.rejects.count == 1)
  }

  @Test("Another message between the packets of a frame is passed over")
  func interleaved() {
    let frame = Self.packets(1...3)
    let other = RadioEncoder.packets(
      RadioEncoder.message(opcode: 0x21, transaction: 5, cargo: Array(0..<40)), bytesEach: 18)
    let mixed =
      [frame[0], RadioEncoder.hex(other[0]), frame[1], RadioEncoder.hex(other[1])]
      + [RadioEncoder.hex(other[2])] + frame[2...]
    let recording = Recording.of(mixed.joined(separator: "\n"))
    #expect(recording.records.count == 3)
    #expect(recording.rejects.isEmpty)
    #expect(recording.calls.count { $0 == .ignore(.noHistory, nil) } == 3)
  }

  @Test("Records may stand among whole frames; among packets they cannot be told from them")
  func mixture() {
    let erased = String(repeating: "ff", count: 26)
    let frame = RadioEncoder.hex(RadioEncoder.packets(RadioEncoder.history(Self.records[2...4]))[0])
    let lines = [Self.line(1), erased, Self.line(2), frame, Self.line(6)]
    let recording = Recording.of(lines.joined(separator: "\n"))
    #expect(Set(recording.records.map(\.number)) == [1, 2, 3, 4, 5, 6])
    #expect(recording.calls.contains(.ignore(.erasedFlash, nil)) && recording.rejects.isEmpty)
    #expect(Recording.of(erased).verdict == .whole(.hexLines))
    let packets = [Self.line(1)] + Self.packets(3...5) + [Self.line(6)]
    let doubtful = Recording.of(packets.joined(separator: "\n"))
    #expect(Set(doubtful.records.map(\.number)) == [3, 4, 5])
    #expect(doubtful.rejects.map(\.position) == [.line(1), .line(UInt64(packets.count))])
  }

  @Test("A log may begin with a time in brackets, as a list of JSON begins with one")
  func brackets() {
    for stamp in ["[12:00:00]", "[2026-05-04 12:00:00]", "[Link]"] {
      let text = Self.packets(1...3).map { "\(stamp) \($0)" }.joined(separator: "\n")
      #expect(Recording.of(text).records.count == 3, "\(stamp)")
    }
  }

  @Test("Texts without history are none of ours, whatever digits they hold")
  func foreignTexts() {
    let hash = String(repeating: "0123456789abcdef", count: 4)
    var random = TestRandom(seed: 9)
    let noise = (0..<300).map { _ in
      RadioEncoder.hex((0..<24).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
    for text in [
      "\(hash)  file.txt\n\(hash)  other.txt\n", hash, "deadbeef\nfeed\n", "12:34:56:78:9a:bc\n",
      String(repeating: "a line of text\n", count: 3000), noise.joined(separator: "\n"),
      "--------- beginning of main\n" + String(repeating: "x", count: 9000) + "\n" + Self.line(1),
    ] {
      #expect(Recording.of(text).verdict == .unrecognised, "\(text.prefix(60))")
    }
  }

  @Test("A line that is too long for history is passed over once something was seen")
  func longLine() {
    let long = String(repeating: "ab", count: 10_000)
    let text = [Self.line(1), long, Self.line(2)].joined(separator: "\n")
    for pieces in [1000, 100_000] {
      let recording = Recording.of(text, pieces: pieces)
      #expect(recording.records == Array(Self.records[0...1]))
      #expect(recording.calls.contains(.ignore(.noHistory, nil)))
    }
  }
}
