@testable import Deduplicate
import Platform
import PumpModel
import TestSupport
import Testing

/// The rows that outputs get.
@Suite("Samples in order")
struct OrderedSamplesTests {
  private static let all = Set(SampleKind.allCases)

  /// The rows as `pump start id`, with their count and newest end.
  private func rows(
    _ ledger: Ledger, _ names: [String] = ["P"], _ selection: SampleSelection? = nil,
    _ order: OutputOrder = .device, memory: Int = 1 << 20
  ) throws -> (lines: [String], samples: OrderedSamples) {
    let pumps = names.enumerated().map { ledger.pump(Int64($0 + 1), named: $1) }
    let samples = try OrderedSamples(
      ledger, pumps: pumps, selection: selection ?? SampleSelection(kinds: Self.all), order: order,
      memory: memory)
    var lines: [String] = []
    var batch = OutputBatch()
    while try samples.next(into: &batch) {
      for row in batch.rows {
        let id = row.sample.identity.text(pump: names[row.pump]).dropFirst(7)
        lines.append("\(row.sample.start.unixSeconds) \(id)")
        #expect(batch.lineage[row.lineage].map(\.number) == [row.sample.identity.first])
      }
    }
    #expect(try !samples.next(into: &batch))
    return (lines, samples)
  }

  @Test("By device: start, then type, then external id")
  func device() throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing([
      sample(1, .carbs, at: 10), sample(2, .bolus, at: 10), sample(3, .basal, at: 10, id: 279),
      sample(4, .cgm, at: 10), sample(5, .meter, at: 10), sample(6, .extended, at: 10),
      sample(10, .bolus, at: 10), sample(9, .carbs, at: 5),
    ])
    let (lines, samples) = try rows(ledger)
    #expect(
      lines == [
        "5 P:9-77:carbs", "10 P:4-77:cgm", "10 P:5-77:meter", "10 P:3-77:basal",
        // By the text of the id: 10 comes before 2.
        "10 P:10-77:bolus", "10 P:2-77:bolus", "10 P:6-77:extended", "10 P:1-77:carbs",
      ])
    #expect(samples.count == 8)
  }

  @Test("By device the pumps follow each other, by HealthKit's type they mix")
  func pumps() throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing(pump: 1, [sample(1, at: 20), sample(2, .carbs, at: 30)])
    try ledger.replacing(pump: 2, [sample(1, at: 10), sample(3, at: 20), sample(9, .cgm, at: 40)])
    #expect(
      try rows(ledger, ["P", "Q"]).lines == [
        "20 P:1-77:bolus", "30 P:2-77:carbs", "10 Q:1-77:bolus", "20 Q:3-77:bolus",
        "40 Q:9-77:cgm",
      ])
    #expect(
      try rows(ledger, ["P", "Q"], nil, .healthType).lines == [
        "40 Q:9-77:cgm", "30 P:2-77:carbs", "10 Q:1-77:bolus", "20 P:1-77:bolus",
        "20 Q:3-77:bolus",
      ])
  }

  @Test("By HealthKit's type: glucose, carbohydrate, insulin, each by start, then external id")
  func healthType() throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing([
      sample(1, .carbs, at: 10), sample(2, .bolus, at: 5), sample(3, .basal, at: 10, id: 279),
      sample(4, .cgm, at: 10), sample(5, .meter, at: 10), sample(6, .extended, at: 10),
      sample(12, .bolus, at: 10),
    ])
    #expect(
      try rows(ledger, ["P"], nil, .healthType).lines == [
        "10 P:4-77:cgm", "10 P:5-77:meter", "10 P:1-77:carbs", "5 P:2-77:bolus",
        "10 P:12-77:bolus", "10 P:3-77:basal", "10 P:6-77:extended",
      ])
  }

  @Test(
    "Starts that do not ascend with numbers are sorted all the same, in little memory too",
    arguments: [(40, 1 << 20), (40, 1000), (3000, 1 << 20), (3000, 50_000)])
  func outOfOrder(count: Int, memory: Int) throws {
    let ledger = try Ledger.temporary()
    var random = TestRandom(seed: UInt64(count))
    let samples = (0..<UInt32(count)).map { number in
      sample(number, .cgm, at: Int64(random.integer(0...count * 2)), id: 399)
    }
    try ledger.replacing(samples)
    for order in [OutputOrder.device, .healthType] {
      let (lines, ordered) = try rows(ledger, ["P"], nil, order, memory: memory)
      let expected = samples.map { ($0.start.unixSeconds, "P:\($0.identity.first)-77:cgm") }
        .sorted { $0 < $1 }.map { "\($0.0) \($0.1)" }
      #expect(lines == expected, "\(random.describe)")
      #expect(ordered.count == count)
      #expect(ordered.newestEnd == samples.map(\.end).max())
    }
  }

  @Test("Withdrawn samples are not shown")
  func withdrawn() throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing([sample(1), sample(2)])
    try ledger.replacing([sample(2)])
    let (lines, samples) = try rows(ledger)
    #expect(lines == ["1000 P:2-77:bolus"])
    #expect(samples.count == 1)
    try ledger.replacing([])
    let nothing = try rows(ledger)
    #expect(nothing.lines == [])
    #expect(nothing.samples.newestEnd == nil)
  }

  @Test("A selection narrows by kind and by start: from is in, until is not, nothing is cut")
  func selection() throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing([
      sample(1, at: 9, lasting: 500), sample(2, at: 10), sample(3, at: 19, lasting: 500),
      sample(4, at: 20), sample(5, .carbs, at: 15), sample(6, .cgm, at: 15),
    ])
    let (lines, samples) = try rows(
      ledger, ["P"],
      SampleSelection(
        kinds: [.bolus, .carbs], from: Instant(unixSeconds: 10), until: Instant(unixSeconds: 20)))
    #expect(lines == ["10 P:2-77:bolus", "15 P:5-77:carbs", "19 P:3-77:bolus"])
    #expect(samples.newestEnd == Instant(unixSeconds: 519))
    #expect(try rows(ledger, ["P"], SampleSelection(kinds: [])).lines == [])
  }

  @Test("Rates of zero are shown only if asked for, in their place")
  func zeroRates() throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing([
      sample(1, .basal, at: 10, amount: 5, id: 279), sample(2, .basal, at: 20, amount: 0, id: 279),
      sample(3, .basal, at: 30, amount: 5, id: 279),
    ])
    #expect(try rows(ledger).lines == ["10 P:1-77:basal", "30 P:3-77:basal"])
    let (lines, _) = try rows(
      ledger, ["P"], SampleSelection(kinds: [.basal], keepsZeroBasal: true))
    #expect(lines == ["10 P:1-77:basal", "20 P:2-77:basal", "30 P:3-77:basal"])
  }

  @Test("Rows carry the revision, and ids their ~2")
  func revisions() throws {
    let ledger = try Ledger.temporary()
    try ledger.replacing([sample(1), sample(1, group: 5)])
    try ledger.replacing([sample(1, amount: 7), sample(1, group: 5)])
    let samples = try OrderedSamples(
      ledger, pumps: [ledger.pump(1, named: "P")], selection: SampleSelection(kinds: Self.all),
      order: .device)
    var batch = OutputBatch()
    #expect(try samples.next(into: &batch))
    #expect(batch.rows.map(\.revision) == [2, 1])
    #expect(batch.rows.map(\.sample.identity.ordinal) == [1, 2])
  }
}
