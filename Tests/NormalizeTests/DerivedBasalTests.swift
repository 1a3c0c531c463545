import Normalize
import PumpModel
import TestSupport
import Testing

/// N5: basal of rates that exports tell, on days of which events tell nothing.
@Suite("Derived basal")
struct DerivedBasalTests {
  /// 2026-05-04T00:00:00 in New York.
  private let midnight = TestZones.instant(2026, 5, 4, in: TestZones.newYork).unixSeconds
  private let day: Int64 = 86_400

  /// A rate of the older site's JSON, which tells times of the pump's clock; `seconds` after midnight.
  private func rate(
    _ rate: UInt32, at seconds: Int64, for duration: UInt32, ordinal: UInt32 = 0,
    _ source: ExportSource = .legacy
  ) -> NumberedRow {
    let time = midnight + seconds - (source.tellsInstants ? 0 : 14_400)
    return NumberedRow(
      ExportRow(
        source: source, pump: 1, time: time, place: 1,
        content: .rate(milliunitsPerHour: rate, seconds: duration)), ordinal: ordinal)
  }

  private func result(
    _ sources: [[NumberedRow]], evidence: [Int64] = [], basal: ClosedRange<Int64>? = nil,
    derives: Bool = true, concentration: Concentration = .u100
  ) throws -> (texts: [String], account: RowAccount, days: [DayPart]) {
    var normalizer = RowNormalizer(
      schedule: try #require(
        ZoneSchedule([ZoneSchedule.Entry(rules: TestZones.newYork, from: nil)])),
      concentration: concentration, makesGlucose: false, words: StatusWords(),
      derivesBasal: derives)
    var known = NormalizedBatch()
    known.basalEvidence = evidence.map { Instant(unixSeconds: midnight + $0) }
    if let basal {
      let identity = SampleIdentity(
        kind: .basal, group: 0, number: 1, time: PumpTime(seconds: 1), eventID: 3)
      known.append(
        Sample(
          identity: identity, start: Instant(unixSeconds: midnight + basal.lowerBound),
          end: Instant(unixSeconds: midnight + basal.upperBound), amount: 1),
        restingOn: EventReference(number: 1, seconds: 1))
    }
    normalizer.learn(daysWithBasal: normalizer.daysWithBasal(in: known))
    var batch = NormalizedBatch()
    for source in sources {
      for row in source { normalizer.process(rate: row, into: &batch) }
      normalizer.endRates(into: &batch)
    }
    let origins = Set(sources.joined().map(\.row.source.flag))
    let texts = batch.samples.map { sample in
      let flags = sample.metadata.flags
      #expect(flags.contains(.derived) && origins.contains(flags.subtracting(.derived)))
      let from = sample.start.unixSeconds - midnight
      let until = sample.end.unixSeconds - midnight
      return "\(sample.amount) \(from)–\(until) at \(sample.metadata.rate ?? 0)"
    }
    let (account, days) = sum(of: normalizer.takePieces())
    return (texts, account, days)
  }

  @Test("A rate is a sample of rate times duration, named after its row, and counts in its day")
  func sample() throws {
    let found = try result([[rate(797, at: 3600, for: 300)]])
    #expect(found.texts == ["66417 3600–3900 at 797"])
    #expect(found.account.rates == 1 && found.account.derived == 1)
    #expect(found.days.map(\.rateSeconds) == [797 * 300] && found.days.map(\.delivered) == [300])
  }

  @Test("Its id is that of a legacy row")
  func identity() throws {
    var normalizer = RowNormalizer(
      schedule: try #require(ZoneSchedule([ZoneSchedule.Entry(rules: TestZones.utc, from: nil)])),
      concentration: .u100, makesGlucose: false, words: StatusWords(), derivesBasal: true)
    var batch = NormalizedBatch()
    normalizer.process(rate: rate(800, at: 14_400, for: 300, ordinal: 2), into: &batch)
    normalizer.endRates(into: &batch)
    let pumpSeconds = midnight - PumpTime.epochInUnixSeconds
    #expect(
      batch.samples.map { $0.identity.text(pump: "P") } == [
        "tandem:P:legacy-\(pumpSeconds)-2:basal"
      ])
  }

  @Test("Unless somebody asks for it, rates are counted and give nothing")
  func notAsked() throws {
    let found = try result([[rate(797, at: 3600, for: 300)]], derives: false)
    #expect(found.texts.isEmpty && found.days.isEmpty)
    #expect(found.account.rates == 1 && found.account.derived == 0)
  }

  @Test("Rates of a CSV never become samples")
  func csv() throws {
    #expect(try result([[rate(797, at: 3600, for: 300, .csv)]]).texts.isEmpty)
  }

  @Test("A rate holds until its end or the next rate, and never beside another")
  func cut() throws {
    let rows = [
      rate(1000, at: 0, for: 3600), rate(2000, at: 1800, for: 3600),
      rate(3000, at: 1800, for: 600, ordinal: 1), rate(0, at: 2400, for: 600),
      rate(1000, at: 7200, for: 3600),
    ]
    #expect(
      try result([rows]).texts == [
        "500000 0–1800 at 1000", "500000 1800–2400 at 3000", "1000000 7200–10800 at 1000",
      ])
  }

  @Test("Days on which a record is evidence, or that a basal sample touches, get nothing")
  func evidence() throws {
    let rows = [
      rate(1000, at: 3600, for: 3600), rate(1000, at: day - 1800, for: 3600),
      rate(1000, at: day + 3600, for: 3600), rate(1000, at: 2 * day + 3600, for: 3600),
    ]
    // The second one reaches into the day of the evidence.
    #expect(
      try result([rows], evidence: [day + 80_000]).texts == [
        "1000000 3600–7200 at 1000", "1000000 176400–180000 at 1000",
      ])
    // A sample that ends at midnight does not touch the day that begins then.
    #expect(
      try result([rows], basal: day - 60...2 * day).texts == ["1000000 176400–180000 at 1000"])
  }

  @Test("A day that one source tells of is left alone by the next")
  func sources() throws {
    let legacy = [rate(1000, at: 3600, for: 3600)]
    let other = [
      rate(1000, at: 4000, for: 3600, .tidepool), rate(1000, at: day + 3600, for: 3600, .tidepool),
    ]
    #expect(
      try result([legacy, other]).texts == [
        "1000000 3600–7200 at 1000", "1000000 90000–93600 at 1000",
      ])
  }

  @Test("Stronger insulin multiplies amount and rate")
  func concentration() throws {
    let found = try result([[rate(800, at: 0, for: 900)]], concentration: .u200)
    #expect(found.texts == ["400000 0–900 at 1600"])
  }

  @Test(
    "No day gets more than its rates, whatever the rows", arguments: 1...40 as ClosedRange<UInt64>)
  func never24Hours(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let times = (0..<30).map { _ in Int64.random(in: 0...3 * day, using: &random) }.sorted()
    let rows = times.map {
      rate(
        .random(in: 0...15_000, using: &random), at: $0,
        for: .random(in: 1...40_000, using: &random))
    }
    let evidence = (0..<2).map { _ in Int64.random(in: 0...3 * day, using: &random) }
    let found = try result([rows], evidence: evidence)
    for part in found.days {
      #expect(part.delivered + part.zero <= day)
      #expect(!evidence.contains { ($0 + midnight - 14_400) / day == part.day })
    }
  }
}
