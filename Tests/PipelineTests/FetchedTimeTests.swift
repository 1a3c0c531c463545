import Emit
import PumpModel
import TestSupport
import Testing

@testable import Pipeline

/// What a pull wrote of fetched time is read back with the answers (N4).
@Suite("Fetched time that is read")
struct FetchedTimeTests {
  private let work: Workspace
  private let identity = PumpIdentity(1)

  init() throws {
    work = try Workspace()
    try work.write("pumper.json", Histories.pumper())
    let midnight = CivilTime.days(year: 2026, month: 5, day: 4) * 86_400
    let records = BasalChanges.records(after: midnight, [(20, 1000), (30, 500), (32, 0)])
    try work.write("logs.json", Histories.pumpLogs(records))
    try write("first.json", 0..<24, .held)
    try write("second.json", 29..<48, .held)
    try write("between.json", 24..<29, .held)
    try write("asked-once.json", 24..<29, .emptyOnce)
    try write("asked-twice.json", 24..<29, .emptyTwice)
  }

  private func write(_ name: String, _ hours: Range<Int64>, _ state: FetchedRange.State) throws {
    let midnight = CivilTime.days(year: 2026, month: 5, day: 4) * 86_400
    let range = midnight + hours.lowerBound * 3600..<midnight + hours.upperBound * 3600
    try work.write(
      name, FetchedDocument.bytes([FetchedRange(range, state)], of: identity.assignment))
  }

  private func amounts(_ inputs: [String]) throws -> [String] {
    try work.convert(work.request(["pumper.json", "logs.json"] + inputs))
    return try work.samples.map { line in
      String(try #require(line.firstMatch(of: /"value":"?([0-9.]+)/)).1)
    }
  }

  @Test("A rate is not closed across time that no pull fetched, until it was")
  func oneRun() throws {
    #expect(try amounts([]) == ["10", "1"])
    #expect(try amounts(["first.json"]) == ["10", "1"])
    #expect(try amounts(["first.json", "second.json"]) == ["1"])
    #expect(try amounts(["first.json", "second.json", "asked-once.json"]) == ["1"])
    #expect(try amounts(["first.json", "second.json", "asked-twice.json"]) == ["10", "1"])
    #expect(try amounts(["first.json", "second.json", "between.json"]) == ["10", "1"])
  }

  @Test(
    "In any order of runs the samples are those of one run",
    arguments: 1...12 as ClosedRange<UInt64>)
  func anyOrder(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let all = ["logs.json", "first.json", "second.json", "between.json"]
    let names = Array(all.shuffled(using: &random).prefix(random.integer(2...4)))
    for name in names {
      var request = work.request(["pumper.json", name])
      request.ledger = work.path("ledger")
      try work.convert(request)
    }
    let samples = work.samples.map { $0.replacing(/"revision":[0-9]+/, with: "") }
    try work.convert(work.request(["pumper.json"] + names))
    #expect(
      samples == work.samples.map { $0.replacing(/"revision":[0-9]+/, with: "") },
      "seed \(seed): \(names)")
    #expect(try work.problems() == [], "seed \(seed): \(names)")
  }

  @Test("What is forgotten was not fetched")
  func forgotten() throws {
    let report = try work.importing([
      "pumper.json", "logs.json", "first.json", "second.json", "between.json",
    ])
    #expect(work.samples.count == 2)
    try work.forget(.document(try work.digest(of: "between.json", in: report)))
    var request = work.request([])
    request.ledger = work.path("ledger")
    try work.convert(request)
    #expect(work.samples.count == 1)
    #expect(try work.problems() == [])
  }
}
