import PumpModel
import TestSupport
import Testing

@testable import Audit

@Suite("Two sets of samples")
struct ComparisonTests {
  /// A bolus of so many mIU, by its number; the first is at 2026-05-04T12:00:00Z.
  private func bolus(
    _ number: Int?, at seconds: Int64 = 0, milliUnits: Int64 = 2500, device: String? = "1",
    metadata: WrittenMetadata = WrittenMetadata()
  ) -> WrittenSample {
    let start = Instant(unixSeconds: 1_777_896_000 + seconds)
    return WrittenSample(
      externalID: number.map { "tandem:1:\($0)-5:bolus" }, type: .bolus, device: device,
      start: start, end: start, amount: WrittenAmount(milliUnits, decimals: 3), zone: "UTC",
      metadata: metadata)
  }

  private func compare(
    _ first: [WrittenSample], _ second: [WrittenSample],
    forms: (OutputForm, OutputForm) = (.csv, .csv)
  ) throws -> (result: ComparisonResult, differences: [SampleDifference]) {
    let store = try SampleStore()
    for sample in first { try store.add(sample, to: .first) }
    for sample in second { try store.add(sample, to: .second) }
    var comparison = try SampleComparison(store, content: SampleContent(forms.0, forms.1))
    let result = try comparison.run()
    var differences: [SampleDifference] = []
    try store.forEachDifference { differences.append($0) }
    #expect(result.differences.values.reduce(0, +) == UInt64(differences.count))
    return (result, differences)
  }

  @Test("that are equal differ in nothing, whatever their order")
  func equal() throws {
    let samples = (0..<20).map { bolus($0, at: Int64($0) * 300) }
    let (result, differences) = try compare(samples, samples.reversed())
    #expect(differences.isEmpty)
    #expect(result.matchedByID == 20)
  }

  @Test("tell a dose that was removed, and one that was added")
  func removed() throws {
    let (_, missing) = try compare([bolus(1), bolus(2, at: 60)], [bolus(1)])
    #expect(missing == [SampleDifference(.missing, first: bolus(2, at: 60))])
    let (_, extra) = try compare([bolus(1)], [bolus(1), bolus(2, at: 60)])
    #expect(extra == [SampleDifference(.extra, second: bolus(2, at: 60))])
  }

  @Test("tell a dose that stands twice, under its id or another")
  func doubled() throws {
    let (_, same) = try compare([bolus(1)], [bolus(1), bolus(1)])
    #expect(same == [SampleDifference(.duplicated, second: bolus(1))])
    let (_, other) = try compare([bolus(1)], [bolus(1), bolus(9)])
    #expect(other == [SampleDifference(.duplicated, second: bolus(9))])
    let (_, nameless) = try compare([bolus(1)], [bolus(1), bolus(nil)])
    #expect(nameless == [SampleDifference(.duplicated, second: bolus(nil))])
  }

  @Test("take one of two that nobody else has for new, and the other for its copy")
  func doubledAlone() throws {
    let (_, differences) = try compare([], [bolus(1), bolus(2)])
    #expect(differences.map(\.kind) == [.extra, .duplicated])
  }

  @Test("name what was changed")
  func changed() throws {
    let hour = try compare([bolus(1)], [bolus(1, at: 3600)]).differences
    #expect(hour.map(\.fields) == [["start", "end"]])
    let rounded = try compare([bolus(1, milliUnits: 2083)], [bolus(1, milliUnits: 2100)])
    #expect(rounded.differences.map(\.fields) == [["value"]])
    let words = WrittenMetadata([("status", "completed"), ("part", "normal")])
    let metadata = try compare([bolus(1, metadata: words)], [bolus(1)]).differences
    #expect(metadata.map(\.fields) == [["part", "status"]])
  }

  @Test("know a dose that was given to another pump, with its id or without")
  func moved() throws {
    let kept = try compare([bolus(1)], [bolus(1, device: "2")]).differences
    #expect(kept.map(\.fields) == [["device"]])
    var other = bolus(1, device: "2")
    other.externalID = "tandem:2:1-5:bolus"
    let renamed = try compare([bolus(1)], [other]).differences
    #expect(renamed.map(\.fields) == [["externalId", "device"]])
    #expect((kept + renamed).map(\.isMovedBetweenPumps) == [true, true])
  }

  @Test("pair what has no id one to one, within a minute and 0.005 IU")
  func foreign() throws {
    let own = [bolus(1), bolus(2, at: 40), bolus(3, at: 600)]
    let others = [bolus(nil, at: 60), bolus(nil, at: 5, milliUnits: 2505)]
    let (result, differences) = try compare(own, others)
    #expect(result.matchedByTime == 2)
    #expect(differences == [SampleDifference(.missing, first: bolus(3, at: 600))])
    let late = try compare([bolus(1)], [bolus(nil, at: 61)]).differences
    #expect(late.map(\.kind) == [.missing, .extra])
    let more = try compare([bolus(1)], [bolus(nil, milliUnits: 2506)]).differences
    #expect(more.map(\.fields) == [["value"]])
  }

  @Test("find a partner for as many as can have one")
  func maximal() throws {
    // The first could take either of the others, the second only one of them.
    let own = [bolus(1, at: 50), bolus(2, at: 0)]
    let others = [bolus(nil, at: 55), bolus(nil, at: 110)]
    #expect(try compare(own, others).result.matchedByTime == 2)
  }

  @Test("never pair two doses of different ids that are only close")
  func closeIDs() throws {
    let differences = try compare([bolus(1)], [bolus(2, at: 5)]).differences
    #expect(differences.map(\.kind) == [.missing, .extra])
  }

  @Test("compare zones and devices only where both forms tell them")
  func forms() throws {
    var lines = bolus(1)
    lines.zone = nil
    #expect(try compare([bolus(1)], [lines], forms: (.csv, .samples)).differences.isEmpty)
    #expect(try compare([bolus(1)], [lines]).differences.map(\.fields) == [["zone"]])
    let health = [bolus(1, device: "A-1")]
    let own = [bolus(1, device: "A:1")]
    #expect(try compare(own, health, forms: (.ledger, .appleHealth)).differences.isEmpty)
    #expect(try compare(own, health).differences.count == 1)
  }

  @Test("come to the same whichever is first, for random tampering")
  func property() throws {
    var random = TestRandom(seed: UInt64.random(in: 0 ... .max))
    for _ in 0..<20 {
      let whole = (0..<200).map { bolus($0, at: Int64($0) * 20 + Int64(random.integer(0...14))) }
      var tampered: [WrittenSample] = []
      var expected: [SampleDifference.Kind: UInt64] = [:]
      for sample in whole {
        switch random.integer(0...11) {
        case 0: expected[.missing, default: 0] += 1
        case 1:
          tampered += [sample, sample]
          expected[.duplicated, default: 0] += 1
        case 2:
          var changed = sample
          changed.amount.parts += 1
          tampered.append(changed)
          expected[.changed, default: 0] += 1
        default: tampered.append(sample)
        }
      }
      #expect(try compare(whole, tampered).result.differences == expected, "\(random.describe)")
      let swapped = try compare(tampered, whole).result.differences
      var mirrored = expected
      mirrored[.missing] = nil
      mirrored[.extra] = expected[.missing]
      #expect(swapped == mirrored, "\(random.describe)")
    }
  }
}
