import TestSupport
import Testing

/// The tests that rest on chance are worth something only if chance brings what is hard.
@Suite("Histories left to chance", .needsBuiltTool)
struct RandomHistoryTests {
  @Test("Some of the first ones hold holes, changed clocks, power losses and pending parts")
  func variety() throws {
    var seen: Set<String> = []
    let marks = [
      #""opened":"change""#, #""opened":"power-loss""#, #""mode":"zone""#, #""mode":"records""#,
      #""kind":"basal""#, #""bolusId""#, #""reason""#, #""code":"clock-drift""#,
      ":extended", #""rateSource":"temp""#, #""rateSource":"profile""#, #""status":"userAborted""#,
    ]
    for seed in 1...14 as ClosedRange<UInt64> where seen.count < marks.count {
      var random = TestRandom(seed: seed)
      let history = RandomHistory(&random)
      let content = try Importer(history.options).run([history.account, history.wholeAnswer])
      let lines = content.parts.flatMap(\.lines)
      for mark in marks where !seen.contains(mark) {
        if lines.contains(where: { $0.contains(mark) }) { seen.insert(mark) }
      }
    }
    #expect(marks.filter { !seen.contains($0) } == [])
  }

  @Test("Another revision is no difference, another value is one")
  func difference() {
    func content(revision: Int, value: String) -> LedgerContent {
      LedgerContent(
        samples: "{\"value\":\"\(value)\",\"revision\":\(revision),\"metadata\":{}}\n",
        csv: "value,unit,revision,part\r\n\(value),IU,\(revision),normal\r\n",
        xml: "<MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"\(revision)\"/>\n",
        report: "{\"changes\":{},\n\"pending\":[\(value)]}")
    }
    let first = content(revision: 1, value: "1")
    #expect(content(revision: 12, value: "1").difference(from: first) == nil)
    let other = content(revision: 1, value: "2")
    #expect(other.difference(from: first)?.hasPrefix("samples, line 1") == true)
    #expect(first.parts.map(\.lines.count) == [2, 3, 2, 1])
  }
}
