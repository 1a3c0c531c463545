import PumpModel
import TestSupport
import Testing

@testable import Audit

@Suite("What no output can rightly hold")
struct OutputChecksTests {
  private static let noon: Int64 = 1_777_896_000

  /// A sample of the first pump that begins so many seconds after noon; its id counts on.
  private func sample(
    _ type: SampleType, _ number: Int?, at seconds: Int64 = 0, for length: Int64 = 0,
    microUnits: Int64 = 2_500_000, device: String? = "1", kind: String? = nil
  ) -> WrittenSample {
    let start = Instant(unixSeconds: Self.noon + seconds)
    let suffix = kind ?? SampleKind.allCases.first { $0.type == type }?.idSuffix ?? ""
    return WrittenSample(
      externalID: number.map { "tandem:1:\($0)-5:\(suffix)" }, type: type, device: device,
      start: start, end: start + length, amount: WrittenAmount(microUnits, decimals: 6))
  }

  private func basal(
    _ number: Int?, at seconds: Int64, for length: Int64 = 300, microUnits: Int64 = 50_000,
    device: String? = "1"
  ) -> WrittenSample {
    var sample = sample(
      .basal, number, at: seconds, for: length, microUnits: microUnits, device: device)
    if device == "2", let id = sample.externalID {
      sample.externalID = id.replacing(":1:", with: ":2:")
    }
    return sample
  }

  private func codes(
    _ samples: [WrittenSample], form: OutputForm = .csv, _ concentration: Concentration = .u100,
    now: Int64 = 86_400
  ) throws -> [FindingCode] {
    let store = try SampleStore()
    for sample in samples { try store.add(sample, to: .second) }
    // What is on the other side is not looked at.
    try store.add(sample(.bolus, 1, microUnits: 999_000_000), to: .first)
    var codes: [FindingCode] = []
    try OutputChecks(
      store, side: .second, form: form, concentration: concentration,
      now: Instant(unixSeconds: Self.noon + now)
    ).run { finding, _ in codes.append(finding.code) }
    return codes
  }

  @Test("basal that begins a second before the one before it ends, and not one at its end")
  func overlaps() throws {
    #expect(try codes([basal(1, at: 0), basal(2, at: 299)]) == [.basalOverlaps])
    #expect(try codes([basal(1, at: 0), basal(2, at: 300)]) == [])
    #expect(
      try codes([basal(1, at: 0, for: 900), basal(2, at: 300), basal(3, at: 600)])
        == [.basalOverlaps, .basalOverlaps])
  }

  @Test("two pumps at a time, once, and not one after the other")
  func pumps() throws {
    let together = (0..<4).map { basal($0, at: Int64($0) * 200, device: $0 % 2 == 0 ? "1" : "2") }
    #expect(try codes(together) == [.pumpsOverlap])
    #expect(try codes([basal(1, at: 0), basal(2, at: 300, device: "2")]) == [])
    #expect(try codes([basal(1, at: 0), basal(2, at: 0, microUnits: 0, device: "2")]) == [])
  }

  @Test("rates above 15 U/h, of the pump's units")
  func rates() throws {
    let highest = basal(1, at: 0, for: 3600, microUnits: 15_000_000)
    let higher = basal(1, at: 0, for: 3600, microUnits: 15_000_001)
    #expect(try codes([highest]) == [])
    #expect(try codes([higher]) == [.rateImpossible])
    #expect(try codes([higher], .u200) == [])
    #expect(try codes([basal(1, at: 0, for: 0)]) == [.rateImpossible])
    // What rounding makes of the highest rate.
    #expect(try codes([basal(1, at: 0, for: 301, microUnits: 1_254_167)]) == [])
  }

  @Test(
    "amounts that no pump gives, and the greatest that it does",
    arguments: [
      (SampleType.bolus, 80_000_000, 80_001_000), (.carbohydrates, 65_534_000_000, 65_535_000_000),
      (.sensorGlucose, 1_000_000_000, 1_001_000_000), (.meterGlucose, 1_000_000, 0),
      (.bolus, 1000, 0), (.carbohydrates, 1000, 0),
    ] as [(SampleType, Int64, Int64)])
  func amounts(type: SampleType, possible: Int64, impossible: Int64) throws {
    #expect(try codes([sample(type, 1, microUnits: possible)]) == [])
    #expect(try codes([sample(type, 1, microUnits: impossible)]) == [.amountImpossible])
  }

  @Test("basal of rate 0 is possible")
  func zeroBasal() throws {
    #expect(try codes([basal(1, at: 0, microUnits: 0)]) == [])
  }

  @Test("samples that end after now, and not those that end then")
  func future() throws {
    #expect(try codes([basal(1, at: 0)], now: 300) == [])
    #expect(try codes([basal(1, at: 0)], now: 299) == [.sampleInFuture])
  }

  @Test("ids that stand twice, and not two ids")
  func doubledIDs() throws {
    #expect(
      try codes([sample(.bolus, 1), sample(.bolus, 1), sample(.bolus, 1)]) == [.idDoubled])
    #expect(try codes([sample(.bolus, 1), sample(.bolus, 2, at: 1)]) == [])
  }

  @Test("ids that stand twice among many, wherever they stand, and no others")
  func doubledAmongMany() throws {
    var random = TestRandom(seed: 98)
    var samples = (0..<4000).map { sample(.bolus, $0, at: Int64($0)) }
    let doubled = Set((0..<20).map { _ in random.integer(0...3999) })
    for number in doubled {
      samples.insert(samples[number], at: random.integer(0...samples.count))
      samples[number] = sample(.bolus, number, at: Int64(number))
    }
    let found = try codes(samples).filter { $0 == .idDoubled }.count
    let ids = Dictionary(grouping: samples) { $0.externalID }
    #expect(found == ids.values.count { $0.count > 1 }, "\(random.describe)")
    #expect(found > 0)
  }

  @Test("what may have been seen is what was, and little else")
  func seenHashes() {
    var seen = SeenHashes()
    let ids = (0..<20_000).map {
      "tandem:9000000\($0 % 3):\($0 * 7)-\(126_000_000 + $0 * 300):bolus"
    }
    let mistaken = ids.count { !seen.insert($0) }
    // One in a hundred million of hashes that are as good as chance.
    #expect(mistaken == 0)
    #expect(ids.allSatisfy { !seen.insert($0) })
  }

  @Test("doses that stand twice under other ids or none, and not two doses")
  func doubledDoses() throws {
    #expect(try codes([sample(.bolus, 1), sample(.bolus, 2)]) == [.sampleDoubled])
    #expect(
      try codes([sample(.bolus, 1), sample(.bolus, nil)]) == [.sampleDoubled, .idContradicts])
    #expect(try codes([sample(.bolus, nil), sample(.carbohydrates, nil)]) == [])
    #expect(try codes([sample(.bolus, 1), sample(.bolus, 2, microUnits: 2_500_001)]) == [])
    #expect(try codes([sample(.bolus, 1), sample(.carbohydrates, 2)]) == [])
  }

  @Test("not the halves of one bolus, of which it is not told when the extended part was given")
  func halves() throws {
    var half = sample(.bolus, 1)
    half.externalID = "tandem:1:1-5:extended"
    #expect(try codes([sample(.bolus, 1), half]) == [])
    #expect(try codes([sample(.bolus, 1), half, sample(.bolus, 2)]) == [.sampleDoubled])
    half.externalID = "tandem:1:2-5:extended"
    #expect(try codes([sample(.bolus, 1), half]) == [.sampleDoubled])
  }

  @Test("doses that two pumps have, and not rates of zero")
  func twoPumps() throws {
    var other = sample(.bolus, 1, device: "2")
    other.externalID = "tandem:2:1-5:bolus"
    #expect(try codes([sample(.bolus, 1), other]) == [.sampleOnTwoPumps])
    other.start = other.start + -1
    #expect(try codes([sample(.bolus, 1), other]) == [])
    let zeros = [basal(1, at: 0, microUnits: 0), basal(2, at: 0, microUnits: 0, device: "2")]
    #expect(try codes(zeros) == [])
  }

  @Test("pumps whose basal lies together, whichever of them came last")
  func manyPumps() throws {
    // Three pumps in turn, each for longer than until its next turn.
    let turns = (0..<9).map {
      basal(nil, at: Int64($0) * 100, for: 150, device: String($0 % 3))
    }
    #expect(try codes(turns) == [.pumpsOverlap, .pumpsOverlap, .pumpsOverlap])
    let own = (0..<6).map { basal(nil, at: Int64($0) * 100, for: 250, device: String($0 % 2)) }
    #expect(
      try codes(own) == [.pumpsOverlap] + Array(repeating: .basalOverlaps, count: 4))
  }

  @Test("ids of another pump, after samples of one pump and of others")
  func contradictionsInTurn() throws {
    let told = ["1", "1", "2", "1", "2", "2", "1"].enumerated().map {
      sample(.bolus, $0, at: Int64($0), device: $1)
    }
    #expect(try codes(told) == [.idContradicts, .idContradicts, .idContradicts])
    var strange = sample(.bolus, 1)
    for id in ["tandem:1-5:bolus", "tandem::1-5:bolus", "tandem:", "tandem:1", ":", ""] {
      strange.externalID = id
      #expect(try codes([strange]) == (id == "tandem::1-5:bolus" ? [.idContradicts] : []), "\(id)")
    }
  }

  @Test("ids of another pump or kind, and not pumps whose names Health cannot write")
  func contradictingIDs() throws {
    #expect(try codes([sample(.bolus, 1, device: "2")]) == [.idContradicts])
    #expect(try codes([sample(.bolus, 1, kind: "carbs")]) == [.idContradicts])
    #expect(try codes([sample(.bolus, 1, kind: "extended")]) == [])
    #expect(try codes([sample(.bolus, 1, kind: "bolus~2")]) == [])
    #expect(try codes([sample(.bolus, 1, device: nil)]) == [])
    var odd = sample(.bolus, 1, device: "A-1")
    odd.externalID = "tandem:A:1:1-5:bolus"
    #expect(try codes([odd], form: .appleHealth) == [])
    #expect(try codes([odd]) == [.idContradicts])
  }
}
