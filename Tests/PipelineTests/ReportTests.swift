import Pipeline
import PumpModel
import TestSupport
import Testing

/// What a report says of the whole ledger.
@Suite("Sections of the report")
struct ReportTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.write("pumper.json", Histories.pumper(1...2))
  }

  private func report(
    _ records: [PumpRecord], _ change: (inout ConvertRequest) -> Void = { _ in }
  ) throws -> ReportDocument {
    try work.write("a.json", Histories.pumpLogs(records))
    var request = work.request(["a.json", "pumper.json"])
    change(&request)
    return try work.report(request)
  }

  private func quiet(_ minutes: Int, _ incidents: [SyntheticPump.Timed]) -> [PumpRecord] {
    Histories.records(.quiet(minutes: minutes, from: Histories.noon, incidents: incidents))
  }

  @Test("A last rate above zero is pending, and so is a bolus that runs")
  func pending() throws {
    let records = quiet(100, [.init(10, .combo(grams: 60, percentNow: 40, minutes: 120))])
    let report = try report(records)
    #expect(report.pending.map(\.kind).sorted() == ["basal", "extended"])
    #expect(report.pending.allSatisfy { $0.pump == "90000001" && $0.startAt != nil })
  }

  @Test("A piece of the log that is lost is a hole with its bounds")
  func holes() throws {
    let report = try report(quiet(120, [.init(30, .gap(minutes: 31))]))
    #expect(report.holes.count == 1)
    let hole = try #require(report.holes.first)
    #expect(hole.startAt < hole.endAt ?? "")
    #expect(hole.startAt.hasPrefix("2026-05-04T16:2"))
  }

  @Test("A request that never finished is incomplete, and changes no exit code")
  func incomplete() throws {
    let records = quiet(60, [.init(10, .requestOnly(grams: 20))])
    #expect(try report(records).incomplete.map(\.startAt) == ["2026-05-04T16:10:00Z"])
    #expect(try work.convert(work.request(["a.json"])).exitStatus == .ok)
  }

  @Test("Clocks are listed stretch by stretch")
  func clocks() throws {
    let records = quiet(120, [.init(60, .travel(TestZones.paris))])
    let report = try report(records) {
      $0.zones += ["Europe/Paris@2026-05-04T19:00"].compactMap(ZoneArgument.init(text:))
    }
    #expect(report.clocks.map(\.offsetSeconds) == [-14_400, 7200])
    #expect(report.clocks.map(\.opened) == ["beginning", "change"])
    #expect(report.clocks.map(\.records).reduce(0, +) == records.count)
  }

  @Test("Minutes of a day add up to the day, and amounts are text")
  func days() throws {
    let report = try report(quiet(200, [.init(31, .suspension(minutes: 33))]))
    let day = try #require(report.days.first)
    #expect(report.days.count == 1)
    let sum =
      day.deliveredMinutes + day.zeroMinutes + day.suspendedMinutes + day.unknownMinutes
    #expect(abs(sum - 1440) < 0.05)
    #expect(abs(day.suspendedMinutes - 33) < 0.5)
    #expect(day.bolus == "0")
  }

  @Test("Selectors narrow samples only")
  func selectors() throws {
    let records = quiet(
      120, [.init(20, .requestOnly(grams: 20)), .init(30, .gap(minutes: 31))])
    let whole = try report(records)
    let narrowed = try report(records) {
      $0.selection.only = [.carbs]
      $0.selection.until = .day(LocalDay(daysSince1970: 0))
    }
    #expect(work.samples.isEmpty)
    #expect(narrowed.pending.count == whole.pending.count)
    #expect(narrowed.holes.count == whole.holes.count)
    #expect(narrowed.incomplete.count == whole.incomplete.count)
    #expect(narrowed.findings.map(\.code) == whole.findings.map(\.code))
    #expect(narrowed.changes == whole.changes)
  }

  @Test("Two pumps stay apart, and their overlap is reported")
  func twoPumps() throws {
    try work.write("a.json", Histories.pumpLogs(Histories.meal()))
    try work.write("b.json", Histories.pumpLogs(Histories.meal(), pump: 2))
    let report = try work.report(work.request(["a.json", "b.json", "pumper.json"]))
    #expect(report.pending.map(\.pump) == ["90000001", "90000002"])
    #expect(report.days.map(\.pump) == ["90000001", "90000002"])
    #expect(report.findings.contains { $0.code == "pumps-overlap" })
    #expect(Set(work.samples).count == work.samples.count)
  }

  @Test("Lists are empty, not missing, where there is nothing")
  func empty() throws {
    let report = try work.report(work.request(["pumper.json"]))
    #expect(report.inputs.map(\.format) == ["pumper"])
    #expect(report.pending.isEmpty && report.holes.isEmpty && report.days.isEmpty)
    #expect(report.changes == .init())
    #expect(work.text("out.ndjson") == "")
  }
}
