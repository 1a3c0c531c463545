import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

/// Records with ids of their own, from their bytes to samples and back out.
@Suite("Converting Nightscout treatments")
struct NightscoutTests {
  private let work: Workspace
  private let noon = CivilTime.days(year: 2022, month: 7, day: 21) * 86_400 + 16 * 3600

  init() throws { work = try Workspace() }

  private func bolus(_ name: String, _ amount: UInt32, at time: Int64, carbs: UInt32? = nil)
    -> ExportRow
  {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 3)
    bolus.carbohydrate = carbs
    return ExportRow(
      source: .nightscout, pump: 0, time: time, place: 0, name: name, content: .bolus(bolus))
  }

  private func write(_ name: String, _ rows: [ExportRow]) throws {
    try work.write(name, Array(NightscoutExport.document(rows).utf8))
  }

  private func request(_ inputs: [String], ledger: String? = nil) -> ConvertRequest {
    var request = work.request(inputs)
    request.serial = "90000001"
    request.ledger = ledger.map(work.path)
    return request
  }

  private func count(_ text: String) -> Int { work.samples.count { $0.contains(text) } }

  @Test("Samples carry the record's own id and say where they come from, in every format")
  func ids() throws {
    try write("a.json", [bolus("62d9f1", 2350, at: noon, carbs: 30_000)])
    var request = request(["a.json"])
    for (format, name) in [("csv", "out.csv"), ("apple-health", "out.xml"), ("sqlite", "out.db")] {
      request.outputs.append(OutputRequest(format: format, target: work.path(name)))
    }
    try work.convert(request)
    #expect(work.samples.count == 2)
    #expect(count("\"externalId\":\"nightscout:62d9f1:bolus\"") == 1)
    #expect(count("\"externalId\":\"nightscout:62d9f1:carbs\"") == 1)
    #expect(count("\"dataSource\":\"nightscout\"") == 2)
    #expect(count("\"startAt\":\"2022-07-21T16:00:00Z\"") == 2)
    #expect(count("\"deviceId\":\"90000001\"") == 2)
    let csv = work.text("out.csv") ?? ""
    #expect(csv.contains("\r\nnightscout:62d9f1:bolus,90000001,insulin.bolus,2.35,IU,"))
    let xml = work.text("out.xml") ?? ""
    #expect(xml.contains("\"HKExternalUUID\" value=\"nightscout:62d9f1:bolus\"/>"))
    #expect(xml.contains("\"HKMetadataKeySyncIdentifier\" value=\"nightscout:62d9f1:carbs\"/>"))
  }

  @Test("A record that another document tells otherwise is the same sample, revised")
  func revised() throws {
    try write("a.json", [bolus("1", 2000, at: noon), bolus("2", 1000, at: noon)])
    try write("b.json", [bolus("1", 2500, at: noon + 40), bolus("3", 500, at: noon)])
    try work.convert(request(["a.json"], ledger: "ledger"))
    let report = try work.report(request(["b.json"], ledger: "ledger"))
    #expect(report.changes.fresh == 1 && report.changes.revised == 1)
    #expect(count("nightscout:1:bolus") == 1 && count("\"value\":\"2.5\"") == 1)
    #expect(work.samples.count == 3)
    // An older document again changes nothing.
    let again = try work.report(request(["a.json"], ledger: "ledger"))
    #expect(again.changes.revised == 0 && again.changes.withdrawn == 0)
  }

  @Test("In one run the greater of two contradicting records holds, whatever the order")
  func oneRun() throws {
    try write("a.json", [bolus("1", 2000, at: noon)])
    try write("b.json", [bolus("1", 2500, at: noon)])
    for inputs in [["a.json", "b.json"], ["b.json", "a.json"]] {
      try work.convert(request(inputs))
      #expect(work.samples.count == 1)
      #expect(count("2.5") == 1)
    }
  }

  /// Half an hour of a pump with one bolus: its records, its amount, its end, and the end's number.
  private func meal() throws -> (records: [PumpRecord], amount: UInt32, end: Int64, number: UInt32)
  {
    let records = Histories.meal()
    try work.write("a.bin", RecordEncoder.document(records))
    try work.convert(request(["a.bin"]))
    let line = try #require(work.samples.first { $0.contains(":bolus\"") })
    let value = try #require(line.firstMatch(of: /"value":"([0-9.]+)"/)?.output.1)
    let amount = UInt32((try #require(Double(value)) * 1000).rounded())
    let done = try #require(records.first { $0.eventID == 20 })
    // New York is four hours behind in May.
    let end = PumpTime(seconds: done.seconds).wallSeconds + 4 * 3600
    return (records, amount, end, done.number)
  }

  @Test("A dose that the pump's records tell too is one dose, whichever came first")
  func matched() throws {
    let (_, amount, end, _) = try meal()
    let alone = work.samples
    try write("same.json", [bolus("1", amount, at: end + 20, carbs: 30_000)])
    try work.convert(request(["same.json"], ledger: "ledger"))
    #expect(work.samples.count == 2)
    let report = try work.report(request(["a.bin"], ledger: "ledger"))
    #expect(work.samples == alone)
    #expect(report.rows.map(\.matched) == [1] && report.changes.withdrawn == 2)
  }

  @Test("A row beyond a minute or 0.005 IU is a dose of its own")
  func unmatched() throws {
    let (_, amount, end, _) = try meal()
    let alone = work.samples.count
    for (change, more) in [(0, 61), (6, 0)] as [(UInt32, Int64)] {
      try write("other.json", [bolus("1", amount + change, at: end + more)])
      try work.convert(request(["other.json", "a.bin"]))
      #expect(work.samples.count == alone + 1)
    }
  }

  @Test(
    "A row that tells the dose's number in the log is that dose, though its clock was hours off")
  func numbered() throws {
    let (_, amount, end, number) = try meal()
    let alone = work.samples
    let hours: Int64 = 6 * 3600
    let farthest: Int64 = 26 * 3600
    // Another amount, another number, more than any two zones apart: another dose.
    for (amount, number, end, isOne) in [
      (amount, number, end - hours, true), (amount + 10, number, end + hours, true),
      (amount - 10, number, end, true), (amount + 11, number, end - hours, false),
      (amount - 11, number, end, false), (amount, number + 1, end - hours, false),
      (amount, number, end - farthest, true), (amount, number, end - farthest - 1, false),
      (amount, number, end + farthest, true), (amount, number, end + farthest + 1, false),
    ] as [(UInt32, UInt32, Int64, Bool)] {
      let text = NightscoutExport.document([bolus("1", amount, at: end)])
        .replacing("\"104,", with: "\"\(number),")
      try work.write("off.json", Array(text.utf8))
      try work.convert(request(["off.json", "a.bin"]))
      #expect((work.samples == alone) == isOne, "\(amount) \(number) \(end)")
      #expect(count("nightscout:1:bolus") == (isOne ? 0 : 1))
    }
  }

  @Test("Where the log has no such dose under a number, time and amount tell, and nothing else")
  func namesNothing() throws {
    let (records, amount, end, number) = try meal()
    let alone = work.samples
    let rate = try #require(records.first { $0.eventID == 279 })
    // No record; one that is no bolus; event ids in place of numbers; no number at all.
    for names in ["\(number + 1000),", "\(rate.number),", "20,64,65,66", "x,", "\(number - 1),"] {
      for (amount, end, isOne) in [
        (amount + 5, end + 60, true), (amount + 6, end, false), (amount, end - 61, false),
      ] as [(UInt32, Int64, Bool)] {
        let text = NightscoutExport.document([bolus("1", amount, at: end)])
          .replacing("\"104,98,99,100\"", with: "\"\(names.last == "," ? names + "98" : names)\"")
        try work.write("other.json", Array(text.utf8))
        try work.convert(request(["other.json", "a.bin"]))
        #expect((work.samples == alone) == isOne, "\(names) \(amount) \(end)")
        #expect(count("nightscout:1:bolus") == (isOne ? 0 : 1))
      }
    }
  }

  @Test("What the pump's maker exported too is one dose, whichever came first")
  func withTable() throws {
    let wall = noon - 4 * 3600
    var row = RowBolus()
    row.normal = RowDose(amount: 2350, decimals: 2, status: "completed")
    row.carbohydrate = 30_000
    let legacy = ExportRow(source: .legacy, pump: 0, time: wall, place: 0, content: .bolus(row))
    try work.write("site.json", Array(LegacyExport.therapyEvents([legacy]).utf8))
    try work.convert(request(["site.json"]))
    let alone = work.samples
    #expect(alone.count == 2)
    try write("same.json", [bolus("1", 2350, at: noon + 30, carbs: 30_000)])
    for inputs in [["site.json", "same.json"], ["same.json", "site.json"]] {
      for input in inputs {
        try work.convert(request([input], ledger: inputs[0] + ".ledger"))
      }
      #expect(work.samples.map(masked) == alone.map(masked))
    }
    // One more of the same minute is one more dose.
    try write("two.json", [bolus("1", 2350, at: noon), bolus("2", 2350, at: noon + 30)])
    try work.convert(request(["site.json", "two.json"]))
    #expect(work.samples.count == 3)
  }

  private func masked(_ line: String) -> String {
    line.replacing(/"revision":\d+/, with: "")
  }

  @Test("A record that was read for one pump and then for another is the other's")
  func otherPump() throws {
    try write("a.json", [bolus("1", 2000, at: noon), bolus("2", 1000, at: noon)])
    try write("b.json", [bolus("1", 2000, at: noon), bolus("3", 500, at: noon)])
    try work.importing(["a.json"], serial: "90000001")
    let report = try work.importing(["b.json"], serial: "90000002")
    #expect(work.samples.count == 3)
    #expect(report.changes.withdrawn == 1 && report.changes.fresh == 2)
    #expect(work.samples.count { $0.contains("nightscout:1:") && $0.contains("90000002") } == 1)
    #expect(try work.problems() == [])
    // Forgotten of the other, it is the first one's again.
    try work.forget(.document(try work.digest(of: "b.json", in: report)))
    #expect(try work.export().count == 2)
    #expect(try work.problems() == [])
  }

  @Test("Basal is derived of rates when it is asked for, and says where it comes from")
  func derived() throws {
    let rate = ExportRow(
      source: .nightscout, pump: 0, time: noon, place: 0, name: "9",
      content: .rate(milliunitsPerHour: 800, seconds: 1800))
    try write("a.json", [rate])
    try work.convert(request(["a.json"]))
    #expect(work.samples.isEmpty)
    var asked = request(["a.json"])
    asked.selection.includesDerivedBasal = true
    asked.outputs.append(OutputRequest(format: "csv", target: work.path("out.csv")))
    try work.convert(asked)
    #expect(count("nightscout:9:basal") == 1 && count("\"derived\":\"true\"") == 1)
    #expect(count("\"dataSource\":\"nightscout\"") == 1 && count("\"value\":\"0.4\"") == 1)
    #expect(work.text("out.csv")?.contains(",nightscout\r\n") == true)
  }

  @Test("What is forgotten leaves no id behind, and the rest stays sound")
  func forgotten() throws {
    try write("a.json", [bolus("62d9f1aaaa", 2000, at: noon)])
    try write("b.json", [bolus("62d9f1bbbb", 1000, at: noon + 600)])
    try work.importing(["a.json"], serial: "90000001")
    let report = try work.importing(["b.json"], serial: "90000001")
    #expect(work.samples.count == 2)
    #expect(try work.problems() == [])
    try work.forget(.document(try work.digest(of: "b.json", in: report)))
    #expect(try work.export().count == 1)
    #expect(count("nightscout:62d9f1aaaa:bolus") == 1)
    #expect(try work.problems() == [])
    #expect(try work.ledgerBytes().range(of: Data("62d9f1bbbb".utf8)) == nil)
  }

  @Test("Lines of samples bring the ids along")
  func lines() throws {
    try write("a.json", [bolus("62d9f1", 2350, at: noon, carbs: 30_000)])
    try work.convert(request(["a.json"]))
    let lines = work.samples
    var deduplicate = DeduplicateRequest(inputs: [work.path("out.ndjson")])
    deduplicate.ledger = work.path("samples.ledger")
    deduplicate.output = work.path("again.ndjson")
    _ = try PumplinePipeline().deduplicate(deduplicate) { _ in }
    #expect(work.text("again.ndjson") == lines.joined(separator: "\n") + "\n")
    let status = try PumplinePipeline().ledgerStatus(
      LedgerRequest(ledger: work.path("samples.ledger")))
    #expect(status.pumps.map(\.name) == ["90000001"])
  }
}
