import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

@Suite("Outputs that were damaged in any way")
struct OutputFuzzTests {
  @Test(
    "are read to an answer or a failure with a code, never to a crash",
    arguments: ["out.csv", "out.xml", "out.zip", "out.db", "out.ndjson"])
  func damaged(name: String) throws {
    let work = try Workspace()
    try work.writeOutputs()
    let whole = Array(try Data(contentsOf: URL(filePath: work.path(name))))
    var random = TestRandom(seed: UInt64.random(in: 0 ... .max))
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<random.integer(1...6) {
        let place = random.integer(0...bytes.count - 1)
        switch random.integer(0...4) {
        case 0: bytes[place] = UInt8(random.integer(0...255))
        case 1: bytes[place] ^= 1 << UInt8(random.integer(0...7))
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + random.integer(1...400)))
        case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 200)], at: place)
        default: bytes.removeSubrange(place...)
        }
        if bytes.isEmpty { bytes = [0x3C] }
      }
      try work.write("bad", bytes)
      do {
        let comparison = try work.diff("bad", "out.ndjson")
        #expect(
          comparison.summary.exitStatus == .rejects || comparison.words.isEmpty,
          "\(random.describe)")
      } catch let failure as RunFailure {
        let wanted: [Pipeline.ExitStatus] = [.unreadable, .io, .inputMissing, .refused]
        #expect(wanted.contains(failure.exitStatus), "\(failure), \(random.describe)")
        // Nothing that stands in the output is shown.
        #expect(!failure.what.contains("tandem:"), "\(random.describe)")
      }
    }
  }
}
