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

  private func convert(_ runs: [[String]], into ledger: String) throws -> [String] {
    for inputs in runs {
      var request = work.request(inputs)
      request.ledger = work.path(ledger)
      try work.convert(request)
    }
    return work.samples.map(masked)
  }

  @Test(
    "Wherever an export is cut in two, in any order and any number of runs, it gives what it gave whole",
    arguments: RunSeeds.first(4))
  func cuts(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    var records = (0..<6).flatMap { index -> [String] in
      let at = noon + Int64(index * random.integer(200...90_000))
      let amount = UInt32([0, 1000, 2350][random.integer(0...2)])
      return TidepoolExport.records(
        bolus("b\(index)", amount, at: at) {
          guard random.happens(inThousand: 700) else { return }
          $0.carbohydrate = UInt32(random.integer(1...90)) * 1000
          $0.requestTime = at - Int64(random.integer(0...600))
        })
    }
    records.append(
      TidepoolExport.records(
        ExportRow(
          source: .tidepool, pump: 0, time: noon, place: 0, name: "nobody",
          content: .meal(carbohydrate: 7000)))[0])
    records.shuffle(using: &random)
    try work.write("all.json", Array(TidepoolExport.list(records).utf8))
    let whole = try convert([["all.json"]], into: "whole")
    #expect(whole.count { $0.contains(":carbs\"") } > 0)
    for cut in 1..<records.count {
      for (name, part) in [("a", records[..<cut]), ("b", records[cut...])] {
        try work.write(
          "\(cut)\(name).json", Array(TidepoolExport.list(Array(part)).utf8))
      }
      let (a, b) = ("\(cut)a.json", "\(cut)b.json")
      for runs in [[[a, b]], [[b, a]], [[a], [b]], [[b], [a]]] {
        let name = runs.map { $0.joined(separator: "+") }.joined(separator: "-")
        let cut = try convert(runs, into: name)
        #expect(cut == whole, "\(runs), \(random.describe)")
      }
    }
  }

  @Test("A bolus that comes again without its calculator's record keeps the meal")
  func mealStays() throws {
    let records = TidepoolExport.records(
      bolus("aa1", 2350, at: noon) { $0.carbohydrate = 30_000 })
    try work.write("both.json", Array(TidepoolExport.list(records).utf8))
    try work.write("later.json", Array(TidepoolExport.list([records[0]]).utf8))
    let whole = try convert([["both.json"]], into: "one")
    let report = try work.report(ledgerRequest(["later.json"], "one"))
    #expect(work.samples.map(masked) == whole && count(":carbs\"") == 1)
    #expect(report.changes.withdrawn == 0 && report.changes.fresh == 0)
  }

  @Test("A meal whose bolus no document tells is said, until one does")
  func mealAlone() throws {
    let records = TidepoolExport.records(
      bolus("aa1", 2350, at: noon) { $0.carbohydrate = 30_000 })
    try work.write("meal.json", Array(TidepoolExport.list([records[1]]).utf8))
    try work.write("bolus.json", Array(TidepoolExport.list([records[0]]).utf8))
    let alone = try work.report(ledgerRequest(["meal.json"], "one"))
    #expect(work.samples.isEmpty && alone.findings.map(\.code).contains("meal-without-bolus"))
    let both = try work.report(ledgerRequest(["bolus.json"], "one"))
    #expect(work.samples.count == 2)
    #expect(!both.findings.map(\.code).contains("meal-without-bolus"))
  }

  @Test(
    "With the document of a meal the meal is forgotten, and the bolus stays", arguments: [0, 1])
  func forgotten(first: Int) throws {
    let records = TidepoolExport.records(
      bolus("aa1", 2350, at: noon) { $0.carbohydrate = 30_000 })
    let names = ["bolus.json", "meal.json"]
    for (name, record) in zip(names, records) {
      try work.write(name, Array(TidepoolExport.list([record]).utf8))
    }
    var digests: [String: [UInt8]] = [:]
    for name in [names[first], names[1 - first]] {
      let report = try work.importing([name])
      digests[name] = try work.digest(of: name, in: report)
    }
    #expect(work.samples.count == 2)
    #expect(try work.problems() == [])
    let bolus = work.samples.first { $0.contains(":bolus\"") }
    try work.forget(.document(try #require(digests["meal.json"])))
    #expect(try work.export() == [try #require(bolus)])
    #expect(try work.problems() == [])
    // Nothing says any more that there was a meal, so it comes as new.
    let again = try work.importing(["meal.json"])
    #expect(again.changes.fresh == 1 && work.samples.count == 2)
    try work.forget(.document(try #require(digests["bolus.json"])))
    #expect(try work.export() == [])
    #expect(try work.problems() == [])
  }

  private func ledgerRequest(_ inputs: [String], _ ledger: String) -> ConvertRequest {
    var request = work.request(inputs)
    request.ledger = work.path(ledger)
    return request
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
