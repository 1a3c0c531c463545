import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

/// Treatments of Nightscout as what is audited.
@Suite("Treatments of Nightscout as an output")
struct TreatmentOutputTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.writeOutputs()
  }

  /// What a Nightscout would hold that another program filled from the same pumps: each dose under the
  /// time at which it ended, a meal with its bolus.
  private func treatments(by author: String = NightscoutExport.signature) throws -> [String] {
    var rows: [ExportRow] = []
    var meals: [(at: Int64, milligrams: UInt32)] = []
    let lines = (work.text("out.ndjson") ?? "").split(separator: "\n")
    let samples = try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    func time(_ sample: [String: Any], _ key: String) throws -> Int64 {
      try #require(Instant(rfc3339: sample[key] as? String ?? "")).unixSeconds
    }
    func thousandths(_ sample: [String: Any]) -> UInt32 {
      UInt32(((Double(sample["value"] as? String ?? "") ?? 0) * 1000).rounded())
    }
    for sample in samples where sample["type"] as? String == "nutrition.carbohydrates" {
      meals.append((try time(sample, "startAt"), thousandths(sample)))
    }
    for (index, sample) in samples.enumerated() {
      let end = try time(sample, "endAt")
      switch sample["type"] as? String {
      case "insulin.bolus":
        var bolus = RowBolus()
        bolus.normal = RowDose(amount: thousandths(sample), decimals: 2)
        if let meal = meals.firstIndex(where: { end - 900 <= $0.at && $0.at <= end }) {
          bolus.carbohydrate = meals.remove(at: meal).milligrams
        }
        rows.append(row(index, end, .bolus(bolus)))
      case "insulin.basal":
        let metadata = sample["metadata"] as? [String: String]
        let rate = UInt32(((Double(metadata?["rate"] ?? "") ?? 0) * 1000).rounded())
        let start = try time(sample, "startAt")
        rows.append(
          row(index, start, .rate(milliunitsPerHour: rate, seconds: UInt32(end - start))))
      default: break
      }
    }
    #expect(meals.isEmpty)
    return rows.reversed().compactMap { NightscoutExport.treatment($0, by: author) }
  }

  private func row(_ index: Int, _ time: Int64, _ content: ExportRow.Content) -> ExportRow {
    ExportRow(
      source: .nightscout, pump: 0, time: time, place: 0, name: "62d9\(index)", content: content)
  }

  @Test(
    "Of the same doses nothing differs, whatever the form and whoever wrote them",
    arguments: [NightscoutExport.signature, "another"])
  func same(author: String) throws {
    let treatments = try treatments(by: author)
    try work.write("list.json", Array(NightscoutExport.list(treatments).utf8))
    try work.write("answer.json", Array(NightscoutExport.answer(treatments).utf8))
    let lines = treatments.map { $0.replacing("\n", with: " ") }.joined(separator: "\n")
    try work.write("lines.ndjson", Array(lines.utf8))
    let labelled = NightscoutExport.answer(treatments)
      .replacing("{\"status\"", with: "{\"dataSource\":\"x\",\"status\"", maxReplacements: 1)
    try work.write("labelled.json", Array(labelled.utf8))
    for name in ["list.json", "answer.json", "labelled.json", "lines.ndjson"] {
      let comparison = try work.audit(name)
      #expect(comparison.words == [], "\(name)")
      #expect(comparison.summary.sets.last?.form == .nightscout)
      #expect(comparison.summary.matchedByTime == comparison.summary.sets[0].samples)
      #expect(comparison.summary.exitStatus == .ok)
      #expect(try work.diff("out.csv", name).words == [])
      #expect(try work.diff(name, "out.xml").words == [])
    }
  }

  @Test("A dose that is gone, doubled, shifted or changed is told")
  func tampered() throws {
    let treatments = try treatments()
    let bolus = try #require(treatments.firstIndex { $0.contains("Combo Bolus") })
    func words(_ change: (inout [String]) -> Void) throws -> [String] {
      var changed = treatments
      change(&changed)
      try work.write("bad.json", Array(NightscoutExport.list(changed).utf8))
      return try work.audit("bad.json").words.sorted()
    }
    let gone = try words { $0.remove(at: bolus) }
    #expect(gone.contains("missing") && Set(gone) == ["missing"])
    let doubled = try words { $0.insert($0[bolus], at: bolus) }
    #expect(Set(doubled) == ["duplicated"])
    let shifted = try words {
      $0[bolus] = $0[bolus].replacing(/"created_at": "(\d+)/) {
        "\"created_at\": \"\((Int($0.1) ?? 0) + 1)"
      }
    }
    #expect(Set(shifted) == ["extra", "missing"])
    let changed = try words {
      $0[bolus] = $0[bolus].replacing(/"insulin": [0-9.]+/, with: "\"insulin\": 9.9")
    }
    #expect(changed == ["changed value"])
    let basal = try #require(treatments.firstIndex { $0.contains("Temp Basal") })
    let twice = try words { $0.insert($0[basal], at: basal) }
    #expect(Set(twice) == ["duplicated"])
    let contradicting = treatments[basal].replacing(/"absolute": [0-9.]+/, with: "\"absolute\": 9")
    try work.write("contradicting.json", Array(NightscoutExport.list([contradicting]).utf8))
    let faults = try work.audit("contradicting.json").summary.sets.last?.faults
    #expect(faults?.first.map(\.reason) == ["absolute is another than the rate"])
    _ = try words {
      $0[bolus] = $0[bolus].replacing(/"insulin": [0-9.]+/, with: "\"insulin\": 9.9")
    }
    let differences = try work.audit("bad.json").differences
    // Its own side has the events with their places; the treatment has its offset.
    #expect(differences[0].events.contains { $0.places?.isEmpty == false })
    #expect(differences[0].difference.second?.place ?? 0 > 0)
  }

  @Test("What cannot be read is named, and what tells no dose is passed over")
  func rejected() throws {
    let common = #""created_at": "2026-05-04T16:00:00Z", "enteredBy": "x""#
    let list = [
      #"{\#(common), "eventType": "Note", "notes": "lunch"}"#,
      #"{\#(common), "eventType": "Meal Bolus", "insulin": 81}"#,
      #"{\#(common), "eventType": "Meal Bolus", "insulin": -1}"#,
      #"{\#(common), "eventType": "Meal Bolus", "insulin": "much"}"#,
      #"{\#(common), "eventType": "Meal Bolus", "insulin": 1, "insulin": 2}"#,
      #"{"created_at": "2026-05-04T16:00:00", "enteredBy": "x", "insulin": 1}"#,
      #"{\#(common), "eventType": "Carb Correction", "carbs": 70000}"#,
      #"{"other": 1}"#, "7",
    ]
    try work.write("bad.json", Array(NightscoutExport.list(list).utf8))
    let summary = try work.audit("bad.json") { $0.inputs = [] }.summary
    #expect(summary.sets[0].faults.count == 7)
    #expect(summary.sets[0].faults.first.contains { $0.reason.contains("insulin is above 80 U") })
    #expect(summary.exitStatus == .rejects)
    try work.write("bad.ndjson", Array(list.joined(separator: "\n").utf8))
    #expect(try work.audit("bad.ndjson") { $0.inputs = [] }.summary.sets[0].faults.count == 7)
  }

  @Test("A rate ends where the next one begins, and a cancelled one where it was cancelled")
  func rates() throws {
    func rate(_ time: String, _ rest: String) -> String {
      #"{"created_at": "2026-05-04T\#(time)Z", "enteredBy": "x", "eventType": "Temp Basal", \#(rest)}"#
    }
    try work.write(
      "rates.json",
      Array(
        NightscoutExport.list([
          rate("13:00:00", #""duration": 0"#),
          rate("12:30:00", #""duration": 60, "absolute": 2"#),
          rate("12:00:00", #""duration": 60, "rate": 1"#),
        ]).utf8))
    let head = "external_id,type,value,unit,start_utc,end_utc\r\n"
    func line(_ value: String, _ start: String, _ end: String) -> String {
      ",insulin.basal,\(value),IU,2026-05-04T\(start)Z,2026-05-04T\(end)Z\r\n"
    }
    let table = head + line("0.5", "12:00:00", "12:30:00") + line("1", "12:30:00", "13:00:00")
    try work.write("rates.csv", Array(table.utf8))
    let comparison = try work.diff("rates.csv", "rates.json")
    #expect(comparison.words == [])
    #expect(comparison.summary.matchedByTime == 2)
    #expect(comparison.summary.sets.map(\.samples) == [2, 2])
  }

  @Test("Damaged lists cannot be used, and an empty one has nothing")
  func damaged() throws {
    let list = Array(NightscoutExport.list(try treatments()).utf8)
    try work.write("cut.json", Array(list.dropLast(40)))
    let failure = #expect(throws: RunFailure.self) { try work.audit("cut.json") }
    #expect(failure?.exitStatus == .unreadable)
    try work.write("empty.json", Array(" [ ] ".utf8))
    let empty = try work.audit("empty.json")
    #expect(Set(empty.words) == ["missing"])
    try work.write("nothing.ndjson", [])
    #expect(Set(try work.audit("nothing.ndjson").words) == ["missing"])
    try work.write("other.json", Array("[1, 2]".utf8))
    #expect(throws: RunFailure.self) { try work.audit("other.json") }
  }
}
