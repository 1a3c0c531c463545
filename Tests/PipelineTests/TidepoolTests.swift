import Pipeline
import PumpModel
import TestSupport
import Testing

/// Tidepool's records, from their bytes to samples.
@Suite("Converting Tidepool records")
struct TidepoolTests {
  private let work: Workspace
  private let noon = Histories.noon.unixSeconds

  init() throws { work = try Workspace() }

  private func bolus(
    _ name: String, _ amount: UInt32, at time: Int64, _ edit: (inout RowBolus) -> Void = { _ in }
  ) -> ExportRow {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 3)
    edit(&bolus)
    return ExportRow(
      source: .tidepool, pump: 0, time: time, place: 0, name: name, content: .bolus(bolus))
  }

  private func write(_ name: String, _ rows: [ExportRow]) throws {
    try work.write(name, Array(TidepoolExport.document(rows).utf8))
  }

  private func count(_ text: String) -> Int { work.samples.count { $0.contains(text) } }

  @Test("Samples have the record's id and the pump of its device")
  func plain() throws {
    try write(
      "a.json",
      [
        bolus("aa1", 2350, at: noon) {
          $0.carbohydrate = 30_000
          $0.requestTime = noon - 30
        },
        bolus("aa2", 1000, at: noon + 900) {
          $0.extended = RowDose(amount: 3000, decimals: 3)
          $0.span = noon + 900...noon + 4500
        },
      ])
    let report = try work.report(work.request(["a.json"]))
    #expect(work.samples.count == 4)
    #expect(count("\"externalId\":\"tidepool:aa1:bolus\"") == 1)
    #expect(count("\"externalId\":\"tidepool:aa1:carbs\"") == 1)
    #expect(count("\"externalId\":\"tidepool:aa2:extended\"") == 1)
    #expect(count("\"dataSource\":\"tidepool\"") == 4 && count("\"deviceId\":\"900001\"") == 4)
    #expect(count("\"startAt\":\"2026-05-04T16:15:00Z\",\"endAt\":\"2026-05-04T17:15:00Z\"") == 1)
    #expect(report.rows.map(\.unmatched) == [3])
  }

  @Test("A bolus that took minutes is one dose with the pump's records, whichever came first")
  func longBolus() throws {
    let records = Histories.meal()
    try work.write("a.bin", RecordEncoder.document(records))
    var alone = work.request(["a.bin"])
    alone.serial = "900001"
    try work.convert(alone)
    let samples = work.samples
    let asked = try #require(records.first { $0.eventID == 64 })
    let done = try #require(records.first { $0.eventID == 20 })
    #expect(done.seconds - asked.seconds > 60)
    let line = try #require(samples.first { $0.contains(":bolus\"") })
    let value = try #require(line.firstMatch(of: /"value":"([0-9.]+)"/)?.output.1)
    let amount = UInt32((try #require(Double(value)) * 1000).rounded())
    let start = PumpTime(seconds: asked.seconds).wallSeconds + 4 * 3600
    try write(
      "same.json",
      [
        bolus("1", amount, at: start) {
          $0.carbohydrate = 30_000
          $0.requestTime = start
        }
      ])
    for inputs in [["a.bin", "same.json"], ["same.json", "a.bin"]] {
      for input in inputs {
        var request = work.request([input])
        request.serial = "900001"
        request.ledger = work.path("\(inputs[0]).ledger")
        try work.convert(request)
      }
      #expect(work.samples.map(masked) == samples.map(masked))
    }
  }

  private func masked(_ line: String) -> String {
    line.replacing(/"revision":\d+/, with: "")
  }

  @Test("A dose that another service tells too, at its end, is one dose, whichever came first")
  func otherService() throws {
    try write("same.json", [bolus("1", 4170, at: noon)])
    var row = bolus("2", 4170, at: noon + 170)
    row.source = .nightscout
    try work.write("site.json", Array(NightscoutExport.document([row]).utf8))
    for inputs in [["same.json", "site.json"], ["site.json", "same.json"]] {
      for input in inputs {
        var request = work.request([input])
        request.serial = "900001"
        request.ledger = work.path("\(inputs[0]).ledger")
        try work.convert(request)
      }
      #expect(work.samples.count == 1 && count("tidepool:1:bolus") == 1)
    }
  }
}
