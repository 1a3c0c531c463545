import Pipeline
import PumpModel
import TestSupport
import Testing

/// What the pipeline tells of tables beside the samples that they give.
@Suite("Tables as documents")
struct TableImportTests {
  private let work: Workspace

  init() throws { work = try Workspace() }

  private static let noon: Int64 = 1_777_896_000

  private static func bolus(_ amount: UInt32, at time: Int64) -> ExportRow {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 2, status: "completed")
    return ExportRow(source: .csv, pump: 0, time: time, place: 0, content: .bolus(bolus))
  }

  private static let rows: [TableEncoder.Row] = [
    (PumpIdentity(1).serial, bolus(2350, at: noon)),
    (PumpIdentity(1).serial, bolus(0, at: noon + 60)),
    (
      PumpIdentity(2).serial,
      ExportRow(
        source: .csv, pump: 0, time: noon, place: 0,
        content: .reading(glucose: 142, isManual: false))
    ),
  ]

  private func inspect(_ name: String, forms: CellForms = CellForms()) throws -> InspectSummary {
    var request = InspectRequest(inputs: [work.path(name)])
    request.forms = forms
    return try PumplinePipeline().inspect(request) { _ in }
  }

  @Test("inspect names the pumps by their serial numbers, and says what rows there are")
  func inspected() throws {
    try work.write("a.csv", TableEncoder(.source).bytes(Self.rows))
    let summary = try inspect("a.csv")
    #expect(summary.documents.map(\.format) == [.sourceCSV])
    #expect(summary.documents.map(\.records) == [3])
    #expect(summary.pumps.map(\.name) == [PumpIdentity(1).serial, PumpIdentity(2).serial])
    #expect(summary.pumps.map(\.rows) == [[.bolus: 1, .meal: 1], [.sensor: 1]])
    #expect(summary.pumps.first?.coverage.spans.map(\.records) == [2])
  }

  @Test("inspect joins the rows and the records of a pump that an account answer names")
  func joined() throws {
    let pump = PumpIdentity(1)
    try work.write("folder/a.csv", TableEncoder(.source).bytes(Array(Self.rows.prefix(2))))
    try work.write("folder/pumper.json", PumperDocument.bytes([pump]))
    let summary = try inspect("folder")
    #expect(summary.pumps.map(\.name) == [pump.serial])
    #expect(summary.pumps.first?.assignment == pump.assignment)
    #expect(summary.pumps.first?.rows == [.bolus: 1, .meal: 1])
  }

  @Test("A table that could be read in two ways is refused, until somebody says how")
  func forms() throws {
    var encoder = TableEncoder(.source)
    encoder.dates = .monthFirst
    try work.write("a.csv", encoder.bytes(Self.rows))
    #expect(throws: RunFailure.self) { try inspect("a.csv") }
    let summary = try inspect("a.csv", forms: CellForms(dates: .mdy))
    #expect(
      summary.pumps.first?.coverage.spans.first?.first
        == PumpTime(seconds: UInt32(Self.noon - PumpTime.epochInUnixSeconds)))
  }

  @Test("A report says that exports hold no basal, and counts rows that no rule uses")
  func report() throws {
    var encoder = TableEncoder(.source)
    encoder.separator = ";"
    let text = encoder.text(Self.rows).replacing("CarbRatio", with: "Mood")
    try work.write("a.csv", Array(text.utf8))
    let report = try work.report(work.request(["a.csv"]))
    #expect(report.findings.contains { $0.code == "export-without-basal" })
    #expect(report.ignored["unknownColumn"] == 1)
    #expect(report.rejects.isEmpty)
  }

  @Test("decode writes a line for each row of a table")
  func decoded() throws {
    try work.write("a.csv", TableEncoder(.source).bytes(Self.rows))
    var request = DecodeRequest(inputs: [work.path("a.csv")])
    request.output = work.path("lines")
    let summary = try PumplinePipeline().decode(request) { _ in }
    #expect(summary.rejects.count == 0 && summary.written == 3 && summary.read == 3)
    #expect(work.text("lines")?.matches(of: /"record":"row"/).count == 3)
  }
}
