import Foundation
import Pipeline
import PumpModel
import Testing

@testable import pumpline

/// What is typed for `audit` and `diff`, and what is shown.
@Suite struct ComparisonTests {
  @Test func auditTakesAllWordsUpToTheNextOption() {
    let pipeline = FakePipeline()
    let result = run(
      "audit --source a.zip b --output export.zip --zone UTC --source c --serial 7",
      pipeline: pipeline)
    #expect(result.status == .ok)
    let request = pipeline.auditRequest
    #expect(request?.output == "export.zip")
    #expect(request?.sources.inputs == ["a.zip", "b", "c"])
    #expect(request?.sources.zones.map(\.name) == ["UTC"])
    #expect(request?.sources.serial == "7")
    #expect(request?.sources.outputs == [])
    #expect(request?.failsOn == .error)
    #expect(request?.accepted == nil)
    _ = run(
      "audit -o a.csv --fail-on warning --accept known.yaml --html x.html", pipeline: pipeline)
    #expect(pipeline.auditRequest?.page == "x.html")
    #expect(pipeline.auditRequest?.failsOn == .warning)
    #expect(pipeline.auditRequest?.accepted == "known.yaml")
    #expect(pipeline.auditRequest?.sources.inputs == [])
  }

  @Test(arguments: [
    "audit --source a.zip --zone UTC", "audit -o a --source", "audit -o a --fail-on note",
    "audit -o a --source=b c", "audit -o - --source - --zone UTC", "diff a", "diff a b c",
    "diff - -",
  ])
  func whatIsMissingOrDoubledIsRefused(line: String) {
    #expect(run(line).status == .usage)
  }

  @Test func diffCarriesWhatWasTyped() {
    let pipeline = FakePipeline()
    _ = run("diff a.csv - --include glucose --zero-basal keep --wait 3", pipeline: pipeline)
    #expect(pipeline.diffRequest?.first == "a.csv")
    #expect(pipeline.diffRequest?.second == "-")
    #expect(pipeline.diffRequest?.selection.includesGlucose == true)
    #expect(pipeline.diffRequest?.selection.keepsZeroBasal == true)
    #expect(pipeline.diffRequest?.waitSeconds == 3)
  }

  @Test func nothingDiffers() throws {
    let result = run("diff a.csv export.zip")
    #expect(result.status == .ok)
    try expectSnapshot(result.output, snapshotPath("diff-same.txt"))
  }

  @Test func forAPerson() throws {
    let result = run("audit -o b.csv --source a.zip", pipeline: Self.differing)
    #expect(result.status == .rejects)
    try expectSnapshot(result.output, snapshotPath("audit-differs.txt"))
  }

  @Test func forAProgram() throws {
    let result = run("audit -o b.csv --source a.zip --json", pipeline: Self.differing)
    try expectSnapshot(result.output, snapshotPath("audit-differs.json"))
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    #expect(((object as? [String: Any])?["differences"] as? [Any])?.count == 4)
    let same = try JSONSerialization.jsonObject(with: Data(run("diff a b --json").output.utf8))
    #expect((same as? [String: Any])?["same"] as? Bool == true)
  }

  @Test func longListsAreCutUnlessAskedFor() {
    let many = FakePipeline(
      comparison: (
        (0..<25).map { _ in Self.differences[0] }, Self.differing.comparison.summary
      ))
    let short = run("diff a b", pipeline: many).output
    #expect(short.split(separator: "\n").count { $0.hasPrefix("missing") } == 20)
    #expect(short.contains("and 5 more; -v shows all"))
    let whole = run("diff a b -v", pipeline: many).output
    #expect(whole.split(separator: "\n").count { $0.hasPrefix("missing") } == 25)
  }

  /// An audit of days in a row from 2026-05-04 on, a Monday.
  private static func plotted(days: Int64) -> FakePipeline {
    var summary = ComparisonSummary()
    summary.sets = [ComparedSet(name: "b.csv", form: .csv)]
    summary.days = (0..<days).map { day in
      PlottedDay(
        day: LocalDay(daysSince1970: 20_577 + day), basal: 15_000_000 + day * 10_000,
        bolus: day == 3 ? 0 : 20_000_000, hours: Int(day % 25))
    }
    return FakePipeline(comparison: ([], summary))
  }

  private static func terminal(_ width: Int, locale: String = "C.UTF-8") -> Surroundings {
    Surroundings(
      noColor: "1", locale: locale, output: .init(isInteractive: true, width: width))
  }

  @Test func aTerminalIsShownPlots() throws {
    let days = Self.plotted(days: 9)
    let text = run("audit -o b.csv", pipeline: days, surroundings: Self.terminal(80)).output
    #expect(days.auditRequest?.tellsDays == true)
    try expectSnapshot(text, snapshotPath("audit-plots.txt"))
    let weeks = Self.plotted(days: 400)
    for (width, locale) in [(40, "C"), (80, "C"), (120, "C.UTF-8")] {
      let text = run(
        "audit -o b.csv", pipeline: weeks, surroundings: Self.terminal(width, locale: locale)
      ).output
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= max(width, 80) })
      #expect(text.contains("weeks before, -v shows all") && text.contains("2 months before"))
      #expect(locale != "C" || text.allSatisfy(\.isASCII))
    }
    let whole = run("audit -o b.csv -v", pipeline: weeks, surroundings: Self.terminal(80)).output
    #expect(whole.contains("2026-W19") && whole.contains("2027-W23"))
  }

  @Test func onlyATerminalIsShownPlots() {
    let pipeline = FakePipeline()
    _ = run("audit -o b.csv", pipeline: pipeline)
    #expect(pipeline.auditRequest?.tellsDays == false)
    _ = run("audit -o b.csv --json", pipeline: pipeline, surroundings: Self.terminal(80))
    #expect(pipeline.auditRequest?.tellsDays == false)
  }

  private static let noon = Instant(unixSeconds: 1_777_896_000)

  private static func bolus(_ number: Int, milliUnits: Int64, device: String = "90000001")
    -> WrittenSample
  {
    WrittenSample(
      externalID: "tandem:90000001:\(number)-578707804:bolus", type: .bolus, device: device,
      start: noon, end: noon, amount: WrittenAmount(milliUnits, decimals: 3), zone: "UTC",
      metadata: WrittenMetadata([("status", "completed")]), place: 3)
  }

  private static let differences: [ExplainedDifference] = {
    var missing = ExplainedDifference(
      SampleDifference(.missing, first: bolus(5, milliUnits: 2500)))
    missing.rule = "what was delivered, by event 20 BOLUS_COMPLETED"
    var event = LocatedEvent(EventReference(number: 5, seconds: 578_707_804))
    (event.id, event.name) = (20, "BOLUS_COMPLETED")
    event.places = [.init(document: "a.zip/logs.json", .offset(1683))]
    missing.events = [event]
    var other = bolus(7, milliUnits: 1000)
    other.externalID = nil
    var extra = ExplainedDifference(SampleDifference(.extra, second: other))
    var unknown = LocatedEvent(EventReference(number: 9, seconds: 1))
    unknown.places = []
    extra.events = [unknown]
    extra.row = LocatedRow(
      RowReference(source: .csv, kind: .bolus, name: .time(seconds: 578_707_804, ordinal: 1)))
    extra.row?.places = [.init(document: "a.zip/doses.csv", .line(12))]
    let changed = ExplainedDifference(
      SampleDifference(
        .changed, first: bolus(6, milliUnits: 2083),
        second: bolus(6, milliUnits: 2100, device: "90000002"), fields: ["device", "value"]))
    let doubled = ExplainedDifference(
      SampleDifference(.duplicated, second: bolus(8, milliUnits: 500)))
    return [missing, extra, changed, doubled]
  }()

  private static let differing: FakePipeline = {
    var summary = ComparisonSummary()
    summary.sets = [ComparedSet(name: "a.zip", form: nil), ComparedSet(name: "b.csv", form: .csv)]
    summary.sets[0].samples = 1200
    summary.sets[1].samples = 1201
    summary.sets[0].rejects = 2
    summary.sets[1].faults.add(WrittenFault(at: 12, "its value is none that a sample may have"))
    summary.matchedByID = 1198
    for seconds in 0..<7 {
      summary.add(
        Finding(
          .sampleDoubled, start: noon + Int64(seconds), text: "one says the same as another"))
    }
    summary.add(Finding(.tableMalformed, text: "columns are missing: zone"))
    summary.sourceFindings[.warning] = Shortlist()
    summary.sourceFindings[.warning]?.add(
      PumpFinding(finding: Finding(.clockDrift, text: "the clock was off"), pump: "90000001"))
    var known = AcceptedFindings(
      Acceptance(.basalTotalDiffers, reason: "the cartridge was changed at midnight", line: 2))
    known.acceptance.pump = "90000001"
    known.acceptance.day = LocalDay(daysSince1970: 20_577)
    known.findings.add(
      PumpFinding(
        finding: Finding(.basalTotalDiffers, start: noon, text: "the totals differ"),
        pump: "90000001"))
    summary.accepted = [
      known, AcceptedFindings(Acceptance(.logDamaged, reason: "long ago", line: 6)),
    ]
    (summary.holes, summary.pending) = (1, 2)
    summary.matchedByTime = 1
    summary.differences = [.missing: 1, .extra: 1, .changed: 1, .duplicated: 1]
    return FakePipeline(comparison: (differences, summary))
  }()
}
