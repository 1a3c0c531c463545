import Foundation
import Pipeline
import Platform
import PumpModel
import TestSupport
import Testing

/// Made-up data is labelled in every output, however it is known, and never comes together with a
/// pump's own.
@Suite("Made-up data in runs")
struct DemoDataTests {
  private let work: Workspace
  private static let real = PumpIdentity(1)

  init() throws { work = try Workspace() }

  /// A pump with names of its own choice.
  private static func pump(serial: String? = nil, assignment: String? = nil) -> PumpIdentity {
    var pump = PumpIdentity(2)
    pump.serial = serial ?? pump.serial
    pump.assignment = assignment ?? pump.assignment
    return pump
  }

  private static let demo = pump(
    serial: "DEMO0000001", assignment: "de300000-0000-4000-8000-000000000001")

  private static func history(_ seed: UInt64 = 1, from minute: Int64 = 0) -> [PumpRecord] {
    var options = SyntheticPump.Options.quiet(
      minutes: 90, from: TestZones.instant(2026, 5, 4, 12, in: TestZones.newYork) + minute * 60,
      incidents: [.init(10, .meal(grams: 40)), .init(40, .suspension(minutes: 20))])
    options.seed = seed
    return Array(SyntheticPump(options))
  }

  private func writeLogs(_ name: String, of pump: PumpIdentity, labelled: Bool = false) throws {
    try work.write(
      name, Self.labelled(PumpLogsEncoder.document(Self.history(), of: pump), if: labelled))
  }

  private func writePumper(_ name: String, _ pump: PumpIdentity) throws {
    try work.write(name, PumperDocument.bytes([pump]))
  }

  /// A JSON document that says of itself that its data is made up.
  private static func labelled(_ document: [UInt8], if isLabelled: Bool = true) -> [UInt8] {
    isLabelled ? Array(#"{"dataSource": "syntheticDemo","#.utf8) + document.dropFirst() : document
  }

  /// How many samples came out, and how many of them carry the label.
  private var counts: (all: Int, labelled: Int) {
    (work.samples.count, work.samples.count { $0.contains(#""dataSource":"syntheticDemo""#) })
  }

  private func expectLabels(_ comment: Comment? = nil) {
    #expect(counts.all > 5, comment)
    #expect(counts.labelled == counts.all, comment)
  }

  // MARK: How it is known

  @Test("An assignment id tells it, without any serial number")
  func byAssignment() throws {
    try writeLogs("a.json", of: Self.demo)
    let report = try work.report(work.request(["a.json"]))
    expectLabels()
    #expect(report.findings.contains { $0.code == "made-up" && $0.pump == nil })
  }

  @Test("A serial number of an account answer tells it")
  func bySerial() throws {
    let pump = Self.pump(serial: "DEMO7")
    try writeLogs("a.json", of: pump)
    try writePumper("pumper.json", pump)
    try work.convert(work.request(["a.json", "pumper.json"]))
    expectLabels()
  }

  @Test("The document's own word tells it, wherever it stands, and whatever its names are")
  func byOwnWord() throws {
    for document in [
      Self.labelled(PumpLogsEncoder.document(Self.history(), of: Self.real)),
      PumpLogsEncoder.document(Self.history(), of: Self.real).dropLast()
        + Array(#","dataSource":"synthetic\u0044emo"}"#.utf8),
    ] {
      try work.write("a.json", document)
      try work.convert(work.request(["a.json"]))
      expectLabels()
    }
  }

  @Test("Another word, or the word elsewhere in a document, tells nothing")
  func notThatWord() throws {
    let plain = PumpLogsEncoder.document(Self.history(), of: Self.real)
    for addition in [
      #"{"dataSource":"pump","#, #"{"dataSource":["syntheticDemo"],"#,
      #"{"x":{"dataSource":"syntheticDemo"},"#, #"{"dataSource":null,"y":"syntheticDemo","#,
    ] {
      try work.write("a.json", Array(addition.utf8) + plain.dropFirst())
      try work.convert(work.request(["a.json"]))
      #expect(counts.all > 5 && counts.labelled == 0, "\(addition)")
    }
  }

  @Test("A serial number that is given tells it of records without any pump")
  func byGivenSerial() throws {
    try work.write("records.bin", RecordEncoder.document(Self.history()))
    var request = work.request(["records.bin"])
    request.serial = "DEMO0000001"
    try work.convert(request)
    expectLabels()
  }

  @Test("A serial number in rows of an export tells it")
  func byRows() throws {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: 2350, decimals: 2, status: "completed")
    let noon = TestZones.instant(2026, 5, 4, 12, in: TestZones.utc).unixSeconds
    let rows: [TableEncoder.Row] = (0..<9).map {
      (
        "DEMO0000001",
        ExportRow(source: .csv, pump: 0, time: noon + $0 * 600, place: 0, content: .bolus(bolus))
      )
    }
    try work.write("a.csv", TableEncoder(.source).bytes(rows))
    try work.convert(work.request(["a.csv"]))
    expectLabels()
  }

  @Test("Answers in a browser's capture tell it")
  func inCapture() throws {
    var capture = HarCapture()
    capture.add(Self.labelled(PumpLogsEncoder.document(Self.history(), of: Self.real)))
    try work.write("a.har", capture.bytes)
    try work.convert(work.request(["a.har"]))
    expectLabels()
  }

  // MARK: Where it is shown

  @Test("CSV, Health and the database with its pump events carry the label, later exports too")
  func everyOutput() throws {
    try writeLogs("a.json", of: Self.demo)
    var request = work.request(["a.json"])
    request.ledger = work.path("ledger")
    request.outputs += [
      OutputRequest(format: "csv", target: work.path("a.csv")),
      OutputRequest(format: "apple-health", target: work.path("a.xml")),
      OutputRequest(format: "sqlite", target: work.path("a.db")),
    ]
    try work.convert(request)
    expectLabels()
    let rows = try #require(work.text("a.csv")).split(separator: "\r\n").dropFirst()
    #expect(rows.count > 5 && rows.allSatisfy { $0.hasSuffix("syntheticDemo") })
    let records = try #require(work.text("a.xml")).components(separatedBy: "<Record ").dropFirst()
    #expect(records.count > 5)
    #expect(records.allSatisfy { $0.contains("sourceName=\"pumpline Demo\"") })
    #expect(records.allSatisfy { $0.contains("value=\"syntheticDemo\"") })
    let database = try SQLiteConnection(.readOnlyFile(work.path("a.db")))
    for (table, column) in [("samples", "metadata"), ("pump_events", "details")] {
      let all = try #require(try database.integer("SELECT count(*) FROM \(table)"))
      let labelled = try database.integer(
        """
        SELECT count(*) FROM \(table)
        WHERE json_extract(\(column), '$.dataSource') = 'syntheticDemo'
        """)
      #expect(all > 0 && labelled == all, "\(table)")
    }
    #expect(try work.export() == work.samples)
    expectLabels("of the ledger")
    #expect(try work.problems().isEmpty)
  }

  // MARK: Apart

  @Test("A run reads made-up data or a pump's, not both")
  func oneRun() throws {
    try writeLogs("demo.json", of: Self.demo)
    try writeLogs("real.json", of: Self.real)
    for inputs in [["demo.json", "real.json"], ["real.json", "demo.json"]] {
      let failure = work.failure(work.request(inputs))
      #expect(failure?.exitStatus == .refused)
      #expect(failure?.what == "made-up data and a pump's own were read together")
      #expect(work.samples.isEmpty)
    }
  }

  @Test("A name cannot make a pump's data of made-up records that lie beside their account answer")
  func renamed() throws {
    try work.write("zip/records.bin", RecordEncoder.document(Self.history()))
    try writePumper("zip/pumper.json", Self.demo)
    var request = work.request(["zip"])
    request.serial = "12345678"
    #expect(work.failure(request)?.exitStatus == .refused)
    request.serial = Self.demo.serial
    try work.convert(request)
    expectLabels()
  }

  @Test(
    "A ledger stays with what it holds, and is as it was after it refused the other",
    arguments: [true, false])
  func oneLedger(demoFirst: Bool) throws {
    try writeLogs("demo.json", of: Self.demo)
    try writeLogs("real.json", of: Self.real)
    let (first, second) = demoFirst ? ("demo.json", "real.json") : ("real.json", "demo.json")
    try work.importing([first])
    let held = try work.export()
    var request = work.request([second])
    request.ledger = work.path("ledger")
    let failure = work.failure(request)
    #expect(failure?.exitStatus == .refused)
    #expect(
      failure?.what
        == (demoFirst
          ? "the data is a pump's own, and the ledger holds made-up data"
          : "the data is made up, and the ledger holds a pump's own"))
    #expect(try work.export() == held)
    #expect(try work.status().pumps.count == 1)
    try work.importing([first])
    #expect(try work.export() == held)
    #expect(try work.status().isDemo == demoFirst)
  }

  @Test("An archive that a ledger knows is no pump's data the second time")
  func knownArchive() throws {
    let document = Self.labelled(PumpLogsEncoder.document(Self.history(), of: Self.real))
    try work.write("a.zip", ArchiveBuilder.archive(.zip, [.file("a.json", document)]))
    try work.importing(["a.zip"])
    let first = try work.export()
    try work.importing(["a.zip"])
    #expect(try work.export() == first)
    expectLabels()
  }

  @Test("A ledger from which everything made up was forgotten takes no pump's data either")
  func forgotten() throws {
    try writeLogs("demo.json", of: Self.demo)
    try writeLogs("real.json", of: Self.real)
    let report = try work.importing(["demo.json"])
    try work.forget(.document(work.digest(of: "demo.json", in: report)))
    var request = work.request(["real.json"])
    request.ledger = work.path("ledger")
    #expect(work.failure(request)?.exitStatus == .refused)
  }
}
