import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

/// Where rows of exports stand that samples rest on.
@Suite("Samples of rows, and where the rows stand")
struct RowLineageTests {
  private let work: Workspace
  /// Noon of the pump's clock, and of UTC for sources that tell instants.
  private let noon = CivilTime.days(year: 2026, month: 5, day: 4) * 86_400 + 43_200

  init() throws { work = try Workspace() }

  private func bolus(
    _ source: ExportSource, _ amount: UInt32, at time: Int64, name: String? = nil,
    carbs: UInt32? = nil, place: UInt64 = 0
  ) -> ExportRow {
    var bolus = RowBolus()
    bolus.normal = RowDose(
      amount: amount, decimals: 2, status: source == .csv ? "completed" : nil)
    bolus.carbohydrate = carbs
    return ExportRow(
      source: source, pump: 0, time: time, place: place, name: name, content: .bolus(bolus))
  }

  private func request(_ inputs: [String]) -> ConvertRequest {
    var request = work.request(inputs)
    request.serial = "90000001"
    request.outputs = []
    return request
  }

  private func explain(
    _ subject: ExplainRequest.Subject, _ request: ConvertRequest
  ) throws -> Explanation {
    try PumplinePipeline().explain(ExplainRequest(subject: subject, sources: request)) { _ in }
  }

  /// The differences of an output that lacks all that the sources give.
  private func missing(_ request: ConvertRequest) throws -> [ExplainedDifference] {
    try work.write(
      "none.csv", Array("external_id,type,value,unit,start_utc,end_utc\r\n".utf8))
    var found: [ExplainedDifference] = []
    _ = try PumplinePipeline().audit(
      AuditRequest(output: work.path("none.csv"), sources: request)
    ) { _ in
    } report: {
      found.append($0)
    }
    return found
  }

  @Test("Rows of a table are found by document and line, each by its count in its second")
  func table() throws {
    let serial = PumpIdentity(1).serial
    let rows: [TableEncoder.Row] = [
      (serial, bolus(.csv, 2350, at: noon)), (serial, bolus(.csv, 1150, at: noon)),
      (serial, bolus(.csv, 500, at: noon + 600, carbs: 30_000)),
    ]
    let text = TableEncoder(.source).text(rows)
    try work.write("a.csv", Array(text.utf8))
    try work.write("b/c.csv", Array(TableEncoder(.source).text([rows[2], rows[0], rows[1]]).utf8))
    let differences = try missing(request(["a.csv", "b"]))
    #expect(differences.count == 4)
    for explained in differences {
      #expect(explained.events.isEmpty)
      let sample = try #require(explained.difference.first)
      let row = try #require(explained.row)
      #expect(explained.rule?.hasSuffix("by a row of a table of the pump's maker") == true)
      #expect(
        Set((row.places ?? []).map(\.document)) == [work.path("a.csv"), work.path("b/c.csv")])
      let line = try #require(row.places?.first { $0.document == work.path("a.csv") })
      guard case .line(let number) = line.at, sample.type == .bolus else { continue }
      let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      let own = lines.dropFirst(Int(number) - 1).first.map { String(decoding: $0, as: UTF8.self) }
      #expect(own?.contains(sample.amount.text) == true)
    }
    let id = try #require(differences.first?.difference.first?.externalID)
    let explanation = try explain(.sample(id), request(["a.csv", "b"]))
    let row = try #require(explanation.samples.first?.row)
    #expect(explanation.samples.first?.events == [])
    #expect(row.row.places?.count == 2)
    #expect(row.wallTime == WallTime(secondsSince1970: noon))
    #expect(row.instant == Instant(unixSeconds: noon + 14_400))
    #expect(row.fields.contains { $0.name == "insulin" && $0.value.hasSuffix(" U") })
  }

  @Test(
    "Objects of JSON are found by document and offset",
    arguments: [
      ExportSource.legacy, .nightscout, .tidepool,
    ])
  func objects(_ source: ExportSource) throws {
    let name = source.namesRecords ? "62d9f1" : nil
    let row = bolus(source, 2350, at: noon, name: name)
    let text =
      switch source {
      case .legacy: LegacyExport.therapyEvents([row])
      case .tidepool: TidepoolExport.document([row])
      default: NightscoutExport.document([row])
      }
    try work.write("a.json", Array(text.utf8))
    let explained = try #require(try missing(request(["a.json"])).first)
    let place = try #require(explained.row?.places?.first)
    #expect(place.document == work.path("a.json"))
    guard case .offset(let offset) = place.at else {
      Issue.record("it is no offset")
      return
    }
    let object = String(
      decoding: Array(text.utf8).dropFirst(Int(offset)).prefix(400), as: UTF8.self)
    #expect(object.hasPrefix("{") && object.contains("2.35"))
    let id = try #require(explained.difference.first?.externalID)
    var request = request(["a.json"])
    let own = try #require(try explain(.sample(id), request).samples.first)
    #expect(own.row?.row.places == [place])
    request.ledger = work.path("ledger")
    try work.convert(request)
    request.inputs = []
    let held = try #require(try explain(.sample(id), request).samples.first)
    #expect(held.row?.row.places == nil)
    #expect(held.row?.fields == own.row?.fields && held.row?.fields.isEmpty == false)
    #expect(held.row?.instant == own.row?.instant)
  }

  @Test("A row in a damaged document stands nowhere, and what only the output tells is looked for")
  func extra() throws {
    try work.write(
      "a.csv",
      TableEncoder(.source).bytes([
        (PumpIdentity(1).serial, bolus(.csv, 2350, at: noon))
      ]))
    let seconds = noon - PumpTime.epochInUnixSeconds
    let head = "external_id,device,type,value,unit,start_utc,end_utc\r\n"
    func line(_ id: String, hour: Int) -> String {
      "\(id),90000001,insulin.bolus,1,IU,2026-05-04T\(hour):00:00Z,2026-05-04T\(hour):00:00Z\r\n"
    }
    try work.write(
      "bad.csv",
      Array(
        (head + line("tandem:90000001:csv-\(seconds)-7:bolus", hour: 10)
          + line("nightscout:abc:bolus", hour: 11)).utf8))
    var found: [ExplainedDifference] = []
    _ = try PumplinePipeline().audit(
      AuditRequest(output: work.path("bad.csv"), sources: request(["a.csv"]))
    ) { _ in
    } report: {
      found.append($0)
    }
    let extra = found.filter { $0.difference.kind == .extra }
    #expect(
      extra.compactMap(\.row?.reference.text).sorted() == ["csv-\(seconds)-7", "nightscout:abc"])
    #expect(extra.allSatisfy { $0.row?.places == [] && $0.events.isEmpty })
  }

  @Test("Rows that gave no sample say why")
  func silent() throws {
    var refused = bolus(.csv, 1000, at: noon)
    if case .bolus(var content) = refused.content {
      content.normal?.status = StatusWords.rejected
      refused.content = .bolus(content)
    }
    let serial = PumpIdentity(1).serial
    try work.write(
      "a.csv",
      TableEncoder(.source).bytes([(serial, refused), (serial, bolus(.csv, 0, at: noon + 60))]))
    func reason(_ seconds: Int64, _ inputs: [String] = ["a.csv"]) throws -> SilentRow? {
      let id = "tandem:90000001:csv-\(noon + seconds - PumpTime.epochInUnixSeconds)-0:bolus"
      return try explain(.sample(id), request(inputs)).silentRows.first
    }
    #expect(try reason(0)?.reason.hasPrefix("the pump refused") == true)
    #expect(try reason(60)?.reason.hasPrefix("nothing was delivered") == true)
    #expect(try reason(60)?.row.row.places?.first?.document == work.path("a.csv"))
    #expect(try reason(61) == nil)
    // The same dose by the pump's own log.
    let record = PumpRecord(
      number: 1, seconds: UInt32(noon + 600 - PumpTime.epochInUnixSeconds), eventID: 20,
      payload: .bolusCompleted(bolus: 1, status: 3, iob: 0, delivered: 2, requested: 2),
      form: .binary)
    try work.write("logs.json", Histories.pumpLogs([record]))
    try work.write("pumper.json", Histories.pumper())
    try work.write(
      "b.csv", TableEncoder(.source).bytes([(serial, bolus(.csv, 2000, at: noon + 600))]))
    let told = try reason(600, ["b.csv", "logs.json", "pumper.json"])
    #expect(told?.reason.hasSuffix("counts once") == true)
  }
}
