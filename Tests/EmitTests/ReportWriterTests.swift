import Foundation
import PumpModel
import Testing

@testable import Emit

@Suite struct ReportWriterTests {
  private let sections = [
    "inputs", "rejects", "ignored", "unknownIds", "changes", "moved", "superseded", "pending",
    "holes",
    "findings", "incomplete", "clocks", "rows", "days",
  ]

  private func report(_ write: (ReportWriter) throws -> Void) throws -> String {
    let output = CollectedOutput()
    let writer = ReportWriter(into: output)
    try write(writer)
    try writer.seal()
    return output.text
  }

  @Test func `a report looks as the golden shows`() throws {
    try expectGolden("report.json", report(writeEverything))
  }

  @Test func `an empty report has every section`() throws {
    let text = try report { _ in }
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(Set(object?.keys.map { $0 } ?? []) == Set(sections))
  }

  @Test func `a full report is JSON with sections in order`() throws {
    let text = try report(writeEverything)
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let places = try sections.map { name in
      try #require(text.range(of: "\n\"\(name)\":")).lowerBound
    }
    #expect(places == places.sorted())
  }

  @Test func `file names may hold anything`() throws {
    let name = "a\"b\\c\n\u{1}é😀"
    let text = try report {
      try $0.write(ReportReject(document: name, reject: Reject(.whole, "damaged")))
    }
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let rejects = object?["rejects"] as? [[String: Any]]
    #expect(rejects?.first?["document"] as? String == name)
    #expect(rejects?.first?.count == 2)
  }

  private func writeEverything(_ report: ReportWriter) throws {
    let start = Fixture.instant("2026-05-04T16:30:00")
    try report.write(
      ReportInput(
        document: "year.zip/logs.json", format: .pumpLogs, pumps: ["90556643"], records: 10,
        used: 7, duplicates: 2, rejected: 1))
    try report.write(
      ReportInput(
        document: "notes.txt", format: nil, pumps: [], records: 0, used: 0, duplicates: 0,
        rejected: 0))
    try report.write(ReportReject(document: "a.bin", reject: Reject(.offset(26), "bad percent")))
    try report.write(ReportReject(document: "b.json", reject: Reject(.index(3), "no carbs")))
    try report.write(ignored: .erasedFlash, count: 4)
    try report.write(unknownID: 999, count: 2)
    try report.write(ReportChanges(fresh: 5, unchanged: 1))
    try report.write(
      ReportMove(
        pump: "90556643", shiftSeconds: -3600, samples: 3, start: start, end: start + 60))
    var (old, new) = (Fixture.rows[4], Fixture.rows[4])
    (old.change, new.change) = (.revised, .revised)
    new.sample.amount += 1
    new.revision = 2
    try report.write(
      ReportSuperseded(output: "new.xml", pump: "90556643", old: old, new: new))
    old.change = .withdrawn
    try report.write(
      ReportSuperseded(output: "new.xml", pump: "90556643", old: old, new: nil))
    try report.write(ReportPending(pump: "90556643", kind: "basal", start: start, sequence: 17))
    try report.write(
      ReportPending(
        pump: "90556643", kind: "clock", start: nil, sequence: 20,
        clock: (lastSequence: 25, count: 6)))
    try report.write(
      ReportHole(pump: "90556643", start: start, end: nil, reason: "unknownClock"))
    try report.write(
      ReportFinding(pump: nil, finding: Finding(.bodyMissing, text: "2 bodies are missing.")))
    try report.write(ReportIncomplete(pump: "90556643", bolusID: 5511, start: start))
    try report.write(
      ReportClock(
        pump: "90556643", mode: .records, opened: "clockChange", start: start, end: nil,
        offset: -14_400, drift: 12, records: 8))
    var account = RowAccount()
    (account.rows, account.matched, account.unmatched) = (12, 10, 3)
    (account.mealsOfEvents, account.readings, account.matchedReadings) = (4, 288, 280)
    try report.write(ReportRows(pump: "90556643", source: .csv, account: account))
    var day = ReportDay(pump: "90556643", day: 20_577)
    (day.basal, day.bolus, day.carbs) = (18_250_417, 12_083, 62_500)
    (day.deliveredSeconds, day.zeroSeconds) = (80_000, 6400)
    (day.pumpBasal, day.difference) = (18_250_000, -417)
    try report.write(day)
    try report.write(ReportDay(pump: "90556643", day: 20_578))
  }
}
