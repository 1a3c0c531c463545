import Pipeline
import PumpModel
import TestSupport
import Testing

/// A Glooko export, from its bytes to samples.
@Suite("Converting Glooko tables")
struct GlookoTests {
  private let work: Workspace
  private let wall = Histories.noon.unixSeconds - 4 * 3600

  init() throws { work = try Workspace() }

  private func row(
    _ amount: UInt32, at time: Int64, _ edit: (inout RowBolus) -> Void = { _ in }
  ) -> GlookoExport.Row {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 2)
    edit(&bolus)
    return (
      "90000001",
      ExportRow(source: .glooko, pump: 0, time: time, place: 0, content: .bolus(bolus))
    )
  }

  private func count(_ text: String) -> Int { work.samples.count { $0.contains(text) } }

  private func masked(_ line: String) -> String {
    line.replacing(/"revision":\d+/, with: "")
  }

  @Test("Samples are named by pump, time and count, and say where they come from")
  func plain() throws {
    let rows = [
      row(2350, at: wall) { $0.carbohydrate = 30_000 }, row(1000, at: wall),
      row(1650, at: wall + 600) {
        $0.extended = RowDose(amount: 3350, decimals: 2)
        $0.span = wall + 600...wall + 600
      },
    ]
    let reading: GlookoExport.Row = (
      "90000001",
      ExportRow(
        source: .glooko, pump: 0, time: wall, place: 0,
        content: .reading(glucose: 142, isManual: false))
    )
    try work.write("bolus.csv", Array(GlookoExport().boluses(rows).utf8))
    try work.write("cgm.csv", Array(GlookoExport().readings([reading]).utf8))
    var request = work.request(["bolus.csv", "cgm.csv"])
    request.selection.includesGlucose = true
    request.ledger = work.path("ledger")
    let report = try work.report(request)
    #expect(work.samples.count == 6)
    let seconds = wall - PumpTime.epochInUnixSeconds
    for name in [
      "\(seconds)-0:bolus", "\(seconds)-0:carbs", "\(seconds)-1:bolus", "\(seconds)-0:cgm",
    ] {
      #expect(count("\"externalId\":\"glooko:90000001:\(name)\"") == 1, "\(name)")
    }
    #expect(count("\"dataSource\":\"glooko\"") == 6 && count("\"inferred\":\"true\"") == 1)
    #expect(count("\"startAt\":\"2026-05-04T16:00:00Z\"") == 4)
    #expect(report.inputs.map(\.format) == ["glooko", "glooko"])
    #expect(try work.problems() == [])
    // Out and in again, the ids are the same.
    let lines = work.samples
    var deduplicate = DeduplicateRequest(inputs: [work.path("out.ndjson")])
    deduplicate.output = work.path("again.ndjson")
    _ = try PumplinePipeline().deduplicate(deduplicate) { _ in }
    #expect(work.text("again.ndjson") == lines.joined(separator: "\n") + "\n")
    try work.forget(.document(try work.digest(of: "bolus.csv", in: report)))
    #expect(try work.problems() == [])
  }

  @Test("A row that another document tells otherwise is the same sample, revised")
  func revised() throws {
    try work.write("a.csv", Array(GlookoExport().boluses([row(2000, at: wall)]).utf8))
    try work.write("b.csv", Array(GlookoExport().boluses([row(2500, at: wall)]).utf8))
    try work.importing(["a.csv"])
    let report = try work.importing(["b.csv"])
    #expect(report.changes.revised == 1 && work.samples.count == 1)
    #expect(count("\"value\":\"2.5\"") == 1)
    #expect(try work.importing(["a.csv"]).changes.revised == 0)
  }

  @Test(
    "A bolus that took minutes is one dose with the pump's records, whichever of its times is told")
  func longBolus() throws {
    let records = Histories.meal()
    try work.write("a.bin", RecordEncoder.document(records))
    var alone = work.request(["a.bin"])
    alone.serial = "90000001"
    try work.convert(alone)
    let samples = work.samples
    let asked = try #require(records.first { $0.eventID == 64 })
    let done = try #require(records.first { $0.eventID == 20 })
    let line = try #require(samples.first { $0.contains(":bolus\"") })
    let value = try #require(line.firstMatch(of: /"value":"([0-9.]+)"/)?.output.1)
    let amount = UInt32((try #require(Double(value)) * 100).rounded()) * 10
    var minutes = GlookoExport()
    minutes.hasSeconds = false
    for seconds in [asked.seconds, done.seconds] {
      let rows = [
        row(amount, at: PumpTime(seconds: seconds).wallSeconds) { $0.carbohydrate = 30_000 }
      ]
      try work.write("same.csv", Array(minutes.boluses(rows).utf8))
      var both = work.request(["same.csv", "a.bin"])
      both.serial = "90000001"
      try work.convert(both)
      #expect(work.samples.map(masked) == samples.map(masked))
    }
  }

  @Test("Basal is derived of rates when it is asked for")
  func derived() throws {
    let rate: GlookoExport.Row = (
      "90000001",
      ExportRow(
        source: .glooko, pump: 0, time: wall, place: 0,
        content: .rate(milliunitsPerHour: 800, seconds: 1800))
    )
    try work.write("basal.csv", Array(GlookoExport().rates([rate]).utf8))
    var request = work.request(["basal.csv"])
    try work.convert(request)
    #expect(work.samples.isEmpty)
    request.selection.includesDerivedBasal = true
    try work.convert(request)
    #expect(count(":basal\"") == 1 && count("\"value\":\"0.4\"") == 1)
  }
}
