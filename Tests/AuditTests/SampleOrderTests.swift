import PumpModel
import TestSupport
import Testing

@testable import Audit

@Suite("Samples of an output, in order of time")
struct SampleOrderTests {
  /// Samples at few times, so that many are equal but for the order in which they come.
  private func samples(_ random: inout TestRandom) -> [WrittenSample] {
    (0..<random.integer(0...200)).map { number in
      let start = Instant(unixSeconds: 1_777_896_000 + Int64(random.integer(0...40)))
      let type = SampleType.allCases[random.integer(0...2)]
      return WrittenSample(
        externalID: "tandem:1:\(number)-5:bolus", type: type, device: "1", start: start,
        end: start + Int64(random.integer(0...1)),
        amount: WrittenAmount(Int64(random.integer(1...2)), decimals: 3), zone: "UTC",
        metadata: WrittenMetadata())
    }
  }

  private func isBefore(_ left: WrittenSample, _ right: WrittenSample) -> Bool {
    SampleRuns.Key(left).precedes(SampleRuns.Key(right))
  }

  @Test(
    "is theirs, whether they came in it, in a few runs of it, or in none",
    arguments: 1...60 as ClosedRange<UInt64>)
  func orders(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let mixed = samples(&random)
    let sorted = mixed.stableSorted(by: isBefore)
    let byType = sorted.stableSorted { $0.type.code < $1.type.code }
    let other = samples(&random)
    for given in [mixed, sorted, byType, sorted.reversed(), sorted + byType] {
      let store = try SampleStore()
      for sample in other { try store.add(sample, to: .first) }
      for sample in given { try store.add(sample, to: .second) }
      for isBrief in [true, false] {
        var ids: [String?] = []
        try store.forEachSample(of: .second, isBrief: isBrief) { ids.append($0.externalID) }
        let expected = given.stableSorted(by: isBefore).map(\.externalID)
        #expect(ids == expected, "seed \(seed)")
      }
    }
  }
}

extension Array {
  /// Equal elements stay in their order.
  fileprivate func stableSorted(by precedes: (Element, Element) -> Bool) -> [Element] {
    enumerated().sorted { left, right in
      precedes(left.element, right.element)
        || (!precedes(right.element, left.element) && left.offset < right.offset)
    }.map(\.element)
  }
}
