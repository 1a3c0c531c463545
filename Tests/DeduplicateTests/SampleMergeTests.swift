@testable import Deduplicate
import Platform
import PumpModel
import TestSupport
import Testing

/// N10: what a ledger says of samples from run to run.
@Suite("Samples from run to run")
struct SampleMergeTests {
  @Test("Fresh, unchanged, revised, withdrawn, and back again")
  func life() throws {
    let ledger = try Ledger.temporary()
    #expect(try ledger.replacing([sample(1), sample(2)]).counts == [2, 0, 0, 0])
    #expect(try ledger.kept() == ["1-77:bolus 500 r1 c1", "2-77:bolus 500 r1 c2"])

    let same = try ledger.replacing([sample(2), sample(1)])
    #expect(same.counts == [0, 2, 0, 0])
    #expect(try ledger.kept() == ["1-77:bolus 500 r1 c1", "2-77:bolus 500 r1 c2"])

    #expect(try ledger.replacing([sample(1, amount: 600)]).counts == [0, 0, 1, 1])
    #expect(try ledger.kept() == ["1-77:bolus 600 r2 c3", "2-77:bolus 500 r1 c4 withdrawn"])

    // Staying away is nothing new.
    #expect(try ledger.replacing([sample(1, amount: 600)]).counts == [0, 1, 0, 0])
    #expect(try ledger.kept().last == "2-77:bolus 500 r1 c4 withdrawn")

    // Coming back, with the same content, it goes on counting.
    #expect(try ledger.replacing([sample(1, amount: 600), sample(2)]).counts == [0, 1, 1, 0])
    #expect(try ledger.kept() == ["1-77:bolus 600 r2 c3", "2-77:bolus 500 r2 c5"])
  }

  @Test("Start, end, amount and metadata are content", arguments: 0...3)
  func content(field: Int) throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing([sample(1)])
    var other = sample(1)
    switch field {
    case 0: other.start = other.start + -60
    case 1: other.end = other.end + 60
    case 2: other.amount += 1
    default: other.metadata.flags.insert(.automatic)
    }
    #expect(try ledger.replacing([other]).counts == [0, 0, 1, 0])
  }

  @Test("A change of lineage alone is kept and is no revision")
  func lineage() throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing([sample(1)])
    let events = [EventReference(number: 7, seconds: 70), EventReference(number: 8, seconds: 80)]
    let outcome = try ledger.replacing([sample(1)], restingOn: events)
    #expect(outcome.counts == [0, 1, 0, 0])
    #expect(try ledger.kept() == ["1-77:bolus 500 r1 c1"])
    let samples = try OrderedSamples(
      ledger, pumps: [ledger.pump(1, named: "P")], selection: SampleSelection(kinds: [.bolus]),
      order: .device)
    var batch = OutputBatch()
    #expect(try samples.next(into: &batch))
    #expect(batch.lineage == events)
  }

  @Test("A second sample of an id gets ~2, in the order of groups, with a finding")
  func ordinals() throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing([
      sample(1, amount: 30, group: 9), sample(1, amount: 10), sample(1, amount: 20, group: 3),
    ])
    #expect(
      try ledger.kept() == [
        "1-77:bolus 10 r1 c1", "1-77:bolus~2 20 r1 c2", "1-77:bolus~3 30 r1 c3",
      ])
    var findings: [Finding] = []
    try ledger.database.execute("INSERT INTO pumps (pump, name) VALUES (1, 'P')")
    try ledger.forEachFinding { findings.append($1) }
    #expect(findings.map(\.code) == [.identityTaken])
    #expect(findings.first?.text.hasPrefix("2 samples") == true)
  }

  @Test("A ~2 that appears and vanishes moves the others, and each keeps its own count")
  func ordinalsComeAndGo() throws {
    let ledger = try Ledger.temporary()
    let (first, second) = (sample(1, amount: 10), sample(1, amount: 20, group: 3))
    try ledger.replacing([second])
    #expect(try ledger.kept() == ["1-77:bolus 20 r1 c1"])
    // The one of the lower group is first now.
    #expect(try ledger.replacing([first, second]).counts == [1, 0, 1, 0])
    #expect(try ledger.kept() == ["1-77:bolus 10 r2 c2", "1-77:bolus~2 20 r1 c3"])
    #expect(try ledger.replacing([second]).counts == [0, 0, 1, 1])
    #expect(try ledger.kept() == ["1-77:bolus 20 r3 c4", "1-77:bolus~2 20 r1 c5 withdrawn"])
    #expect(try ledger.replacing([first, second]).counts == [0, 0, 2, 0])
    #expect(try ledger.kept() == ["1-77:bolus 10 r4 c6", "1-77:bolus~2 20 r2 c7"])
    #expect(try ledger.replacing([]).counts == [0, 0, 0, 2])
    #expect(try ledger.replacing([]).counts == [0, 0, 0, 0])
  }

  @Test("Rates of zero are kept apart and count for nothing")
  func zeroRates() throws {
    let ledger = try Ledger.temporary()
    let rate = sample(1, .basal, lasting: 300, amount: 4000, id: 279)
    let zero = sample(1, .basal, lasting: 300, amount: 0, id: 279)
    #expect(try ledger.replacing([zero]).counts == [0, 0, 0, 0])
    #expect(try ledger.replacing([rate]).counts == [1, 0, 0, 0])
    #expect(
      try ledger.kept() == ["1-77:basal 4000 r1 c2", "1-77:basal 0 r1 c3 withdrawn"])
    #expect(try ledger.replacing([zero]).counts == [0, 0, 0, 1])
    #expect(
      try ledger.kept() == ["1-77:basal 4000 r1 c4 withdrawn", "1-77:basal 0 r2 c5"])
  }

  @Test("Kinds of one event are samples of their own, and pumps know nothing of each other")
  func kinds() throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing(pump: 1, [sample(1), sample(1, .carbs), sample(1, .extended)])
    #expect(try ledger.replacing(pump: 2, [sample(1)]).counts == [1, 0, 0, 0])
    #expect(try ledger.replacing(pump: 1, []).counts == [0, 0, 0, 3])
    #expect(try ledger.kept(of: 2) == ["1-77:bolus 500 r1 c4"])
  }

  @Test("All that is known of a sample comes back from the ledger")
  func coding() throws {
    var full = sample(
      .max, .extended, at: -5, lasting: 10, amount: .max, seconds: .max, group: .max)
    full.metadata.rate = 15_000
    full.metadata.requested = .max
    full.metadata.status = 6
    full.metadata.rateSource = .tempAlgorithm
    full.metadata.deliveredBy = .eatingSoon
    full.metadata.flags = [.inferred, .automatic, .override, .demo]
    full.identity.ordinal = 3
    var arena = ByteArena(capacity: 0)
    for sample in [full, sample(0, .basal)] {
      SampleCoding.append(
        sample, revision: 9, change: .max, isWithdrawn: true,
        lineage: [EventReference(number: 1, seconds: 2)], to: &arena)
    }
    arena.withBytes { bytes in
      let stored = SampleCoding.stored(bytes, at: 0)
      #expect(stored.sample == full)
      #expect(stored.revision == 9 && stored.change == .max && stored.isWithdrawn)
      #expect(stored.lineage == [EventReference(number: 1, seconds: 2)])
      let next = SampleCoding.size(bytes, at: 0)
      #expect(SampleCoding.stored(bytes, at: next).sample == sample(0, .basal))
    }
  }

  @Test(
    "Random runs agree with a dictionary of what was said", arguments: 1...12 as ClosedRange<UInt64>
  )
  func random(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let ledger = try Ledger.temporary()
    var said: [UInt32: (amount: Int64, revision: Int, isLive: Bool)] = [:]
    for _ in 0..<6 {
      var samples: [Sample] = []
      for number in 0..<700 as Range<UInt32> where random.happens(inThousand: 600) {
        samples.append(sample(number, amount: Int64(random.integer(1...2))))
      }
      let outcome = try ledger.replacing(samples.shuffled(using: &random))
      var counts: [UInt64] = [0, 0, 0, 0]
      for sample in samples {
        let number = sample.identity.first
        if let held = said[number] {
          let isSame = held.isLive && held.amount == sample.amount
          counts[isSame ? 1 : 2] += 1
          said[number] = (sample.amount, held.revision + (isSame ? 0 : 1), true)
        } else {
          counts[0] += 1
          said[number] = (sample.amount, 1, true)
        }
      }
      let present = Set(samples.map(\.identity.first))
      for (number, held) in said where held.isLive && !present.contains(number) {
        counts[3] += 1
        said[number] = (held.amount, held.revision, false)
      }
      #expect(outcome.counts == counts, "\(random.describe)")
    }
    let expected = said.keys.sorted().map { number -> String in
      let held = said[number] ?? (0, 0, false)
      return "\(number)-77:bolus \(held.amount) r\(held.revision)"
        + (held.isLive ? "" : " withdrawn")
    }
    let kept = try ledger.kept().map { line in
      line.split(separator: " ").filter { !$0.hasPrefix("c") }.joined(separator: " ")
    }
    #expect(kept == expected, "\(random.describe)")
  }
}
