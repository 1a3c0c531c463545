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

  private func row(_ content: ExportRow.Content, at time: Int64) -> GlookoExport.Row {
    (
      "90000001", ExportRow(source: .glooko, pump: 0, time: time, place: 0, content: content)
    )
  }

  /// Rows of every table.
  private var everything: [GlookoExport.Row] {
    [
      row(2350, at: wall) { $0.carbohydrate = 30_000 },
      row(1250, at: wall + 86_400 * 20),
      row(.rate(milliunitsPerHour: 800, seconds: 1800), at: wall),
      row(.reading(glucose: 142, isManual: false), at: wall),
      row(.reading(glucose: 180, isManual: true), at: wall),
      // A day above 12 in each table, which tells the order of dates.
      row(.rate(milliunitsPerHour: 900, seconds: 1800), at: wall + 86_400 * 20),
      row(.reading(glucose: 150, isManual: false), at: wall + 86_400 * 20),
      row(.reading(glucose: 99, isManual: true), at: wall + 86_400 * 20),
    ]
  }

  @Test("A whole export is read from its zip: each table a document, all of them one pump's")
  func wholeExport() throws {
    var translated = GlookoExport()
    (translated.isTranslated, translated.isMillimoles) = (true, true)
    for encoder in [GlookoExport(), translated] {
      try work.write("glooko.zip", encoder.zip(everything))
      var request = work.request(["glooko.zip"])
      request.selection.includesGlucose = true
      request.selection.includesDerivedBasal = true
      let report = try work.report(request)
      #expect(report.rejects.isEmpty)
      #expect(report.inputs.map(\.format) == Array(repeating: "glooko", count: 6))
      #expect(Set(report.inputs.flatMap(\.pumps)) == ["90000001"])
      #expect(report.inputs.map(\.records).reduce(0, +) == everything.count + 1)
      #expect(report.ignored == ["otherRow": 1])
      let values = work.samples.compactMap { line in
        (try? Regex("\"type\":\"([a-z.]+)\".*?\"value\":\"([0-9.]+)\"").firstMatch(in: line))
          .flatMap { $0 }.map { "\($0[1].substring ?? "") \($0[2].substring ?? "")" }
      }
      #expect(
        Set(values) == [
          "insulin.bolus 2.35", "insulin.bolus 1.25", "nutrition.carbohydrates 30",
          "insulin.basal 0.4",
          "insulin.basal 0.45", "glucose.cgm 142", "glucose.cgm 150", "glucose.meter 180",
          "glucose.meter 99",
        ], "\(work.samples)")
      let summary = try PumplinePipeline().inspect(
        InspectRequest(inputs: [work.path("glooko.zip")])
      ) { _ in }
      #expect(summary.pumps.map(\.name) == ["90000001"])
      #expect(
        summary.pumps.first?.rows == [.bolus: 2, .rate: 2, .sensor: 2, .meter: 2])
    }
  }

  @Test("A table of a zip with mixed decimals is one reject that names the flag; the others count")
  func mixedDecimals() throws {
    let encoder = GlookoExport()
    let mixed = encoder.boluses(Array(everything.prefix(2))).replacing("1.25", with: "\"1,25\"")
    let archive = ArchiveBuilder.archive(
      .zip,
      [
        .file("bolus_data_1.csv", Array(mixed.utf8)),
        .file("cgm_data_1.csv", Array(encoder.readings(everything).utf8)),
      ])
    try work.write("glooko.zip", archive)
    var request = work.request(["glooko.zip"])
    request.selection.includesGlucose = true
    let report = try work.report(request)
    #expect(report.rejects.map(\.document) == [work.path("glooko.zip") + " › bolus_data_1.csv"])
    #expect(report.rejects.first?.reason.contains("--decimal") == true)
    #expect(work.samples.count == 2 && count("glucose.cgm") == 2)
    // What is said holds for the whole zip: of each row what cannot be so is a reject.
    request.forms.decimal = .point
    let said = try work.report(request)
    #expect(count("insulin.bolus") == 1 && count("\"value\":\"2.35\"") == 1)
    #expect(said.rejects.count == 1)
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
