import Foundation
import PumpModel
import TestSupport
import Testing

@testable import Decode

/// Hostile lines end in a value or a fault, never in a trap.
@Suite("Damaged lines")
struct LineFuzzTests {
  private static let lines = [
    SampleLineTests.bolus, SampleLineTests.basal, DecodedLineTests.event,
    DecodedLineTests.document, DecodedLineTests.rowLine, DecodedLineTests.rateLine,
    #"{"externalId":"tandem:\ud83d\ude00:1-2:meter","revision":2,"deleted":true}"#,
  ].map { Array($0.utf8) }

  @Test("Every beginning of a line is refused, and every line whole is read")
  func beginnings() {
    for line in Self.lines {
      for end in 0...line.count {
        let (sample, decoded) = Self.read(Array(line[..<end]))
        #expect((sample || decoded) == (end == line.count))
      }
    }
  }

  @Test("Damage never traps, and lines are read the same in whatever pieces they come")
  func mutations() {
    let environment = ProcessInfo.processInfo.environment
    let rounds = environment["PUMPLINE_FUZZ_ROUNDS"].flatMap(Int.init) ?? 3000
    let seed = environment["PUMPLINE_FUZZ_SEED"].flatMap(UInt64.init) ?? 20_260_504
    var random = TestRandom(seed: seed)
    var read = 0
    for _ in 0..<rounds {
      let line = Self.mutated(&random)
      let (sample, decoded) = Self.read(line)
      if sample || decoded { read += 1 }
      let pieces = random.integer(1...64)
      let whole = LineReaderTests.lines(line, pieces: line.count + 1, longestLine: 600)
      let pieced = LineReaderTests.lines(line, pieces: pieces, longestLine: 600)
      #expect(whole == pieced, "\(random.describe): \(line)")
    }
    // Some damage is to keys that nobody reads; if all were refused, little would be tried.
    #expect(read > rounds / 20 && read < rounds, "\(random.describe): \(read) read")
  }

  /// Whether each parser reads a line.
  private static func read(_ line: [UInt8]) -> (sample: Bool, decoded: Bool) {
    // The reader has checked that lines are UTF-8 before a parser sees them.
    let text = Array(String(decoding: line, as: UTF8.self).utf8)
    let sample = (try? unsafe SampleLineParser.parse(text.span.bytes)) != nil
    let decoded = (try? unsafe DecodedLineParser.parse(text.span.bytes)) != nil
    return (sample, decoded)
  }

  private static let pieces = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "-", "1e5", "\\u00", "\\ud83d", " ", "\n",
    "true", "0", ".", "[[[[[[[[", "99999999999999999999", "~2", "-", "\u{1}", "\"revision\":1",
  ].map { Array($0.utf8) }

  private static func mutated(_ random: inout TestRandom) -> [UInt8] {
    var line = lines[random.integer(0...lines.count - 1)]
    for _ in 0..<random.integer(1...3) {
      let place = random.integer(0...line.count)
      let range = place..<min(line.count, place + random.integer(0...8))
      switch random.integer(0...4) {
      case 0: line.removeSubrange(range)
      case 1: line.insert(contentsOf: pieces[random.integer(0...pieces.count - 1)], at: place)
      case 2: for index in range { line[index] = UInt8(random.integer(0...255)) }
      case 3: line.replaceSubrange(range, with: pieces[random.integer(0...pieces.count - 1)])
      default: line.insert(contentsOf: line[range], at: random.integer(0...line.count))
      }
    }
    return line
  }
}
