import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

/// N10: a dose that an export and the pump's events tell is one dose, whichever came first.
@Suite("Exports beside events")
struct RowImportTests {
  private let work: Workspace

  init() throws { work = try Workspace() }

  /// The boluses of the samples in `out.ndjson`, as rows of a table: cut to `grain` seconds, with
  /// two decimals.
  private func rows(grain: Int64) throws -> [TableEncoder.Row] {
    try work.samples.compactMap { line -> TableEncoder.Row? in
      let sample = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
      guard sample.type == "insulin.bolus", let end = sample.end(grain),
        let amount = Double(sample.value)
      else { return nil }
      let dose = RowDose(
        amount: UInt32((amount * 100).rounded()) * 10, decimals: 2, status: "completed")
      var bolus = RowBolus()
      if sample.metadata["part"] == "extended" {
        bolus.extended = dose
        bolus.span = end - 600...end
      } else {
        bolus.normal = dose
      }
      return (
        PumpIdentity(1).serial,
        ExportRow(source: .csv, pump: 1, time: end, place: 1, content: .bolus(bolus))
      )
    }
  }

  private struct Line: Decodable {
    var type: String
    var value: String
    var endAt: String
    var metadata: [String: String]

    /// The end on a clock of New York in summer, cut to so many seconds.
    func end(_ grain: Int64) -> Int64? {
      guard let date = try? Date(endAt, strategy: .iso8601) else { return nil }
      let wall = Int64(date.timeIntervalSince1970) - 4 * 3600
      return wall - wall % grain
    }
  }

  private func bolus(_ time: Int64, _ amount: UInt32, status: String) -> TableEncoder.Row {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 2, status: status)
    bolus.carbohydrate = 20_000
    return (
      PumpIdentity(1).serial,
      ExportRow(source: .csv, pump: 1, time: time, place: 1, content: .bolus(bolus))
    )
  }

  private func masked(_ samples: [String]) -> [String] {
    samples.map { line in
      let parts = line.split(separator: #""revision":"#)
      return parts[0] + (parts.count > 1 ? String(parts[1].drop { $0.isNumber }) : "")
    }
  }

  @Test(
    "Rows of a pump's boluses add nothing to its events, in any order of imports",
    arguments: [(UInt64(3), Int64(1)), (8, 60)])
  func anyOrder(seed: UInt64, grain: Int64) throws {
    let records = Histories.records(SyntheticPump.Options(seed: seed))
    try work.write("events.json", Histories.pumpLogs(records))
    try work.write("pumper.json", Histories.pumper())
    try work.convert(work.request(["events.json", "pumper.json"]))
    let eventsOnly = masked(work.samples)
    let rows = try rows(grain: grain)
    #expect(rows.count > 3, "seed \(seed)")
    try work.write("rows.csv", TableEncoder(.source).bytes(rows))
    let report = try work.report(work.request(["rows.csv", "events.json", "pumper.json"]))
    #expect(masked(work.samples) == eventsOnly, "seed \(seed)")
    let told = try #require(report.rows.first)
    #expect(told.matched == rows.count && told.unmatched == 0, "seed \(seed)")
    // A dose that only the table knows, beside them.
    let extra = try #require(rows.last).row.time + 86_400
    try work.write(
      "rows.csv", TableEncoder(.source).bytes(rows + [bolus(extra, 1230, status: "A \"b\", <c>")]))
    try work.importing(["rows.csv"])
    try work.importing(["events.json", "pumper.json"])
    let rowsFirst = masked(work.samples)
    #expect(rowsFirst.count == eventsOnly.count + 2, "seed \(seed)")
    #expect(try work.problems() == [], "seed \(seed)")
    try work.convert(work.request(["rows.csv", "events.json", "pumper.json"]))
    #expect(masked(work.samples) == rowsFirst, "seed \(seed)")
    #expect(work.samples.contains { $0.contains(#""status":"A \"b\", <c>""#) })
  }

  @Test("A table that is forgotten leaves the events as they were, and no trace of itself")
  func forgotten() throws {
    try work.write("events.json", Histories.pumpLogs(Histories.meal()))
    try work.write("pumper.json", Histories.pumper())
    try work.importing(["events.json", "pumper.json"])
    let wanted = masked(try work.export())
    let noon = Histories.noon.unixSeconds - 4 * 3600
    try work.write(
      "rows.csv", TableEncoder(.source).bytes([bolus(noon + 40_000, 4560, status: "Peculiar")]))
    let report = try work.importing(["rows.csv"])
    #expect(work.samples.count == wanted.count + 2)
    #expect(report.rows.map(\.unmatched) == [1])
    try work.forget(.document(try work.digest(of: "rows.csv", in: report)))
    #expect(masked(try work.export()) == wanted)
    #expect(try work.problems() == [])
    #expect(try work.ledgerBytes().range(of: Data("Peculiar".utf8)) == nil)
  }

  @Test("A table that is forgotten leaves those that it contradicted as they were")
  func contradictionForgotten() throws {
    let noon = Histories.noon.unixSeconds - 4 * 3600
    func write(_ name: String, _ rows: [TableEncoder.Row]) throws {
      try work.write(name, TableEncoder(.source).bytes(rows))
    }
    try work.write("events.json", Histories.pumpLogs(Histories.meal()))
    try work.write("pumper.json", Histories.pumper())
    try write("first.csv", (0..<5).map { bolus(noon + $0 * 86_400, 4560, status: "Completed") })
    try work.importing(["events.json", "pumper.json", "first.csv"])
    let wanted = masked(try work.export())
    try write("second.csv", [bolus(noon + 2 * 86_400, 1230, status: "Completed")])
    let report = try work.importing(["second.csv"])
    #expect(report.changes.revised == 1 && report.changes.fresh == 0)
    #expect(report.rows.map(\.unmatched) == [5])
    #expect(try work.problems() == [])
    try work.forget(.document(try work.digest(of: "second.csv", in: report)))
    #expect(masked(try work.export()) == wanted)
    #expect(try work.problems() == [])
  }

  @Test("A pump of which only tables are known is named by its serial number")
  func tablesOnly() throws {
    let noon = Histories.noon.unixSeconds - 4 * 3600
    try work.write(
      "rows.csv", TableEncoder(.source).bytes([bolus(noon, 2000, status: "completed")]))
    let report = try work.report(work.request(["rows.csv"]))
    #expect(work.samples.count == 2)
    #expect(work.samples.allSatisfy { $0.contains("tandem:\(PumpIdentity(1).serial):csv-") })
    #expect(report.inputs.first?.pumps == [PumpIdentity(1).serial])
  }
}
