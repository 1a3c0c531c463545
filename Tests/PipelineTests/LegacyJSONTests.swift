import Pipeline
import PumpModel
import TestSupport
import Testing

/// JSON of the closed t:connect service, from its bytes to samples.
@Suite("Converting legacy JSON")
struct LegacyJSONTests {
  private let work: Workspace
  private let noon = CivilTime.days(year: 2022, month: 7, day: 21) * 86_400 + 12 * 3600

  init() throws {
    work = try Workspace()
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: 2350, decimals: 2, status: "completed")
    bolus.carbohydrate = 30_000
    bolus.requestTime = noon - 60
    bolus.isAutomatic = true
    let rows = [
      ExportRow(source: .legacy, pump: 0, time: noon, place: 0, content: .bolus(bolus)),
      ExportRow(
        source: .legacy, pump: 0, time: noon + 9, place: 0,
        content: .reading(glucose: 120, isManual: false)),
    ]
    try work.write("events.json", Array(LegacyExport.therapyEvents(rows).utf8))
    let rates = (0..<2).map {
      ExportRow(
        source: .legacy, pump: 0, time: noon + 3600 * $0, place: 0,
        content: .rate(milliunitsPerHour: 800, seconds: 1800))
    }
    try work.write("timeline.json", Array(LegacyExport.timeline(rates, suspensions: 1).utf8))
    try work.write("suspensions.js", Array(LegacyExport.suspensions(count: 2).utf8))
  }

  private func request(_ inputs: [String], derived: Bool = false) -> ConvertRequest {
    var request = work.request(inputs)
    request.serial = "90000001"
    request.selection.includesDerivedBasal = derived
    return request
  }

  private func count(_ text: String) -> Int { work.samples.count { $0.contains(text) } }

  @Test("Boluses and meals are samples with ids of legacy rows; basal is left out and counted")
  func plain() throws {
    let report = try work.report(request(["events.json", "timeline.json", "suspensions.js"]))
    #expect(work.samples.count == 2)
    #expect(count(":legacy-459259200-0:bolus\"") == 1)
    #expect(count(":legacy-459259200-0:carbs\"") == 1)
    #expect(count("\"automatic\":\"true\"") == 1)
    // Twelve o'clock on the pump in New York; the meal a minute before.
    #expect(count("2022-07-21T16:00:00Z") == 1 && count("2022-07-21T15:59:00Z") == 1)
    #expect(report.ignored["suspensionRow"] == 3)
    #expect(report.rows.map(\.rates) == [2] && report.rows.map(\.derivedRates) == [0])
    #expect(report.findings.contains { $0.code == "basal-left-out" && $0.pump == "90000001" })
    #expect(report.inputs.map(\.format) == ["therapy-events", "timeline-json", "basal-suspension"])
  }

  @Test("Basal is derived when it is asked for, and shown only then")
  func derived() throws {
    var asked = request(["timeline.json"], derived: true)
    asked.ledger = work.path("ledger")
    let report = try work.report(asked)
    #expect(work.samples.count == 2)
    #expect(count("\"derived\":\"true\"") == 2 && count("\"rate\":\"0.8\"") == 2)
    #expect(count("\"value\":\"0.4\"") == 2)
    #expect(count(":legacy-459259200-0:basal\"") == 1)
    #expect(report.rows.map(\.derivedRates) == [2])
    #expect(report.changes.fresh == 2)
    #expect(!report.findings.contains { $0.code == "basal-left-out" })
    var later = request([])
    later.ledger = asked.ledger
    try work.convert(later)
    #expect(work.samples.isEmpty)
    // The ledger keeps it.
    later.selection.includesDerivedBasal = true
    try work.convert(later)
    #expect(work.samples.count == 2)
  }

  @Test("A ledger that is asked later derives the same as one that was asked at once")
  func later() throws {
    var first = request(["timeline.json", "events.json"])
    first.ledger = work.path("ledger")
    try work.convert(first)
    #expect(count(":basal\"") == 0)
    first.selection.includesDerivedBasal = true
    try work.convert(first)
    let found = work.samples
    #expect(count(":basal\"") == 2)
    try work.convert(request(["timeline.json", "events.json"], derived: true))
    #expect(work.samples == found)
  }

  @Test("The pump's own records take the place of derived basal, whichever came first")
  func evidence() throws {
    let start = TestZones.instant(2022, 7, 21, 18, in: TestZones.newYork)
    let records = Histories.records(.quiet(minutes: 60, from: start))
    try work.write("a.bin", RecordEncoder.document(records))
    var runs: [[String]] = []
    for order in [["timeline.json", "a.bin"], ["a.bin", "timeline.json"]] {
      for name in order {
        var request = request([name], derived: true)
        request.ledger = work.path("ledger-\(runs.count)")
        try work.convert(request)
      }
      #expect(count("legacy-") == 0 && count(":basal\"") > 0)
      runs.append(work.samples)
    }
    #expect(runs[0].map(masked) == runs[1].map(masked))
  }

  private func masked(_ line: String) -> String {
    line.replacing(/"revision":\d+/, with: "")
  }

  @Test("Lines of samples bring derived basal along")
  func lines() throws {
    try work.convert(request(["timeline.json", "events.json"], derived: true))
    #expect(count(":basal\"") == 2)
    let lines = work.samples
    var deduplicate = DeduplicateRequest(inputs: [work.path("out.ndjson")])
    deduplicate.ledger = work.path("samples")
    deduplicate.output = work.path("again.ndjson")
    _ = try PumplinePipeline().deduplicate(deduplicate) { _ in }
    #expect(work.text("again.ndjson") == lines.joined(separator: "\n") + "\n")
  }

  @Test("A ledger with derived basal is sound, and forgets it with its document")
  func forgotten() throws {
    var asked = request(["events.json", "timeline.json"], derived: true)
    asked.ledger = work.path("ledger")
    let report = try work.report(asked)
    #expect(try work.problems() == [])
    try work.forget(.document(try work.digest(of: "timeline.json", in: report)))
    #expect(try work.problems() == [])
    asked.inputs = []
    try work.convert(asked)
    #expect(work.samples.count == 2 && count(":basal\"") == 0)
  }

  @Test("Without a serial number nothing says whose they are")
  func unnamed() throws {
    var request = request(["events.json"])
    request.serial = nil
    #expect(work.failure(request)?.exitStatus == .usage)
  }

  @Test("A dose that the pump's records tell too is one dose, whichever came first")
  func matched() throws {
    let start = TestZones.instant(2026, 5, 4, 12, in: TestZones.newYork)
    let records = Histories.meal(from: start)
    try work.write("a.bin", RecordEncoder.document(records))
    try work.convert(request(["a.bin"]))
    let alone = work.samples
    let done = try #require(records.first { $0.eventID == 20 })
    let line = try #require(alone.first { $0.contains(":bolus\"") })
    let value = try #require(line.firstMatch(of: /"value":"([0-9.]+)"/)?.output.1)
    let amount = (try #require(Double(value)) * 1000).rounded()
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: UInt32(amount), decimals: 3, status: "completed")
    bolus.carbohydrate = 30_000
    let row = ExportRow(
      source: .legacy, pump: 0, time: PumpTime(seconds: done.seconds).wallSeconds + 20, place: 0,
      content: .bolus(bolus))
    try work.write("same.json", Array(LegacyExport.therapyEvents([row]).utf8))
    let report = try work.report(request(["same.json", "a.bin"]))
    #expect(work.samples == alone)
    #expect(report.rows.map(\.matched) == [1] && report.rows.map(\.unmatched) == [0])
  }
}
