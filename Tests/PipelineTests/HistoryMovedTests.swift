import Pipeline
import PumpModel
import TestSupport
import Testing

/// A run that moves samples already given says so, or keeps nothing if it is to hold them (N10).
@Suite("History that moves")
struct HistoryMovedTests {
  private let work: Workspace

  init() throws { work = try Workspace() }

  /// Hours from noon in New York on, with a meal, a journey after the second one and another eight
  /// hours later.
  private func journey(to zones: [ZoneRules]) -> [PumpRecord] {
    let journeys = zones.enumerated().map { index, zone in
      SyntheticPump.Timed(120 + index * 480, .travel(zone))
    }
    return Histories.records(
      .quiet(
        minutes: 180 + 480 * max(zones.count - 1, 0), from: Histories.noon,
        incidents: [.init(10, .meal(grams: 30))] + journeys))
  }

  /// Imports what comes before the first change of the clock.
  private func importFirstPart(of records: [PumpRecord]) throws {
    let cut = records.firstIndex { [13, 14].contains($0.eventID) } ?? records.endIndex
    try work.write("before.json", Histories.pumpLogs(records[..<cut]))
    try work.write("all.json", Histories.pumpLogs(records))
    var request = request("before.json")
    request.zones = [ZoneArgument(name: "America/New_York")]
    try work.convert(request)
  }

  private func request(_ input: String, zones: [String] = []) -> ConvertRequest {
    var request = work.request([input], zones: zones)
    request.ledger = work.path("ledger")
    return request
  }

  /// The value of `--zone` in a failure's advice.
  private func namedEntry(_ failure: RunFailure?) -> String? {
    failure?.next?.split(separator: "--zone ").dropFirst().first?
      .split { $0 == "," || $0 == " " }.first.map(String.init)
  }

  @Test("A change of the clock that no zone entry explains moves all before it, and is told")
  func moved() throws {
    try importFirstPart(of: journey(to: [TestZones.paris]))
    let given = work.samples.count
    let report = try work.report(request("all.json"))
    // Paris is six hours ahead, so what was lived at noon in New York lies six hours later now.
    #expect(report.moved.map(\.shiftSeconds) == [6 * 3600])
    #expect(report.moved.map(\.code) == ["history-moved"])
    #expect(report.moved.first?.count == given)
    #expect(report.moved.first?.startAt == "2026-05-04T22:00:02Z")
    #expect(try work.report(request("all.json")).moved.isEmpty)
  }

  @Test("The summary tells it as a finding")
  func summary() throws {
    try importFirstPart(of: journey(to: [TestZones.paris]))
    let summary = try work.convert(request("all.json"))
    let finding = summary.findings[.warning]?.first.first { $0.finding.code == .historyMoved }
    #expect(finding?.finding.text.contains("+6 h") == true)
  }

  @Test("--hold-moves keeps nothing, and names the zone entry that explains it")
  func held() throws {
    try importFirstPart(of: journey(to: [TestZones.paris]))
    let samples = work.samples
    var holding = request("all.json")
    holding.holdsMoves = true
    let failure = work.failure(holding)
    #expect(failure?.exitStatus == .refused)
    #expect(work.samples == samples)
    let entry = try #require(namedEntry(failure))
    // The clock was set at 14:00 in New York.
    #expect(entry.hasSuffix("@2026-05-04T20:00:00"))
    // Nothing of the held run is there: with the entry all is new, and nothing moves.
    holding.zones = [try #require(ZoneArgument(text: entry))]
    let report = try work.report(holding)
    #expect(report.moved.isEmpty)
    #expect(report.changes.revised == 0)
    #expect(report.changes.unchanged == samples.count)
    #expect(report.changes.fresh > 0)
  }

  @Test("Of a journey home the ledger's own zone is named")
  func home() throws {
    let records = journey(to: [TestZones.paris, TestZones.newYork])
    try importFirstPart(of: records)
    let changes = records.indices.filter { records[$0].eventID == 14 }
    try work.write("trip.json", Histories.pumpLogs(records[..<changes[1]]))
    try work.convert(request("trip.json", zones: ["Europe/Paris@2026-05-04T20:00"]))
    var holding = request("all.json")
    holding.holdsMoves = true
    let entry = try #require(namedEntry(work.failure(holding)))
    #expect(entry == "America/New_York@2026-05-04T22:00:00")
    holding.zones = [try #require(ZoneArgument(text: entry))]
    #expect(try work.report(holding).moved.isEmpty)
  }

  @Test("A clock that is set by what no two zones differ by is held without an entry")
  func unexplained() throws {
    // The wearer's clock was 20 minutes slow: no zone is 20 minutes apart from another.
    var odd = TestZones.newYork
    odd = ZoneRules(
      name: "odd", firstOffset: odd.firstOffset,
      transitions: odd.transitions.map {
        .init(at: $0.at, offset: $0.offset + 1200)
      })
    try importFirstPart(of: journey(to: [odd]))
    var holding = request("all.json")
    holding.holdsMoves = true
    let failure = work.failure(holding)
    #expect(failure?.exitStatus == .refused)
    #expect(failure?.next?.contains("No zone entry explains it") == true)
  }

  @Test("A bolus whose request is read later is revised, not moved")
  func request() throws {
    let records = Histories.meal()
    let requests: Set<UInt16> = [55, 64, 65, 66, 280]
    try work.write(
      "late.json", Histories.pumpLogs(records.filter { !requests.contains($0.eventID) }))
    try work.write("all.json", Histories.pumpLogs(records))
    try work.convert(request("late.json", zones: ["America/New_York"]))
    var holding = request("all.json")
    holding.holdsMoves = true
    let report = try work.report(holding)
    #expect(report.changes.revised == 1)
    #expect(report.moved.isEmpty)
  }

  @Test("Another zone moves history too, and may be held")
  func rezone() throws {
    try importFirstPart(of: journey(to: []))
    var rezoning = request("before.json", zones: ["Europe/Paris"])
    rezoning.rezones = true
    rezoning.holdsMoves = true
    #expect(work.failure(rezoning)?.exitStatus == .refused)
    rezoning.holdsMoves = false
    let report = try work.report(rezoning)
    #expect(report.moved.map(\.shiftSeconds) == [-6 * 3600])
  }
}
