import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

@Suite("Comparing outputs")
struct DiffTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.writeOutputs()
  }

  @Test("All forms of one history are the same, each with each")
  func forms() throws {
    let names = Workspace.outputNames + ["ledger"]
    for first in names {
      for second in names {
        let comparison = try work.diff(first, second)
        #expect(comparison.words == [], "\(first) and \(second)")
        #expect(comparison.summary.exitStatus == .ok)
        #expect(comparison.summary.matchedByID == comparison.summary.sets[0].samples)
        #expect(comparison.summary.matchedByID > 20)
        #expect(comparison.summary.sets.allSatisfy { $0.faults.count == 0 })
      }
    }
  }

  @Test("What an output is, its bytes tell, and an archive may hold it under any name")
  func recognised() throws {
    try work.write("odd.bin", Array(Data(contentsOf: URL(filePath: work.path("out.xml")))))
    let archive = ArchiveBuilder.archive(
      .zip,
      [
        .folder("apple_health_export/"),
        .file("apple_health_export/export_cda.xml", Array("<ClinicalDocument/>".utf8)),
        .file("apple_health_export/a.csv", Array((work.text("out.csv") ?? "").utf8)),
        .file("apple_health_export/dışa aktarılan.xml", Array((work.text("out.xml") ?? "").utf8)),
      ])
    try work.write("phone.zip", archive)
    let comparison = try work.diff("odd.bin", "phone.zip")
    #expect(comparison.summary.exitStatus == .ok)
    #expect(comparison.summary.sets.map(\.form) == [.appleHealth, .appleHealth])
  }

  @Test("A document type with entities, or what is damaged or no output, is refused with 65")
  func refused() throws {
    let xml = work.text("out.xml") ?? ""
    let texts = [
      xml.replacing("<!ELEMENT HealthData", with: "<!ENTITY a \"b\">\n<!ELEMENT HealthData"),
      String(xml.dropLast(200)), "{}", "hello", "<html></html>",
      "external_id,type,start_utc\n",
    ]
    for (index, text) in texts.enumerated() {
      try work.write("bad", Array(text.utf8))
      if text == "{}" {
        #expect(try work.diff("bad", "out.csv").summary.sets[0].faults.count == 1)
        continue
      }
      let failure = #expect(throws: RunFailure.self) { try work.diff("bad", "out.csv") }
      #expect(failure?.exitStatus == .unreadable, "text \(index)")
    }
    let missing = #expect(throws: RunFailure.self) { try work.diff("nothing.csv", "out.csv") }
    #expect(missing?.exitStatus == .inputMissing)
    let folder = #expect(throws: RunFailure.self) { try work.diff("", "out.csv") }
    #expect(folder?.exitStatus == .inputMissing)
  }

  @Test("What was removed, doubled, moved in time, rounded or given to another pump is named")
  func tampered() throws {
    try work.tamper("out.csv", to: "bad.csv") { lines in
      let bolus = lines.firstIndex { $0.contains(":bolus,") } ?? 0
      lines.append(lines.remove(at: lines.count - 1))
      lines.insert(lines[bolus], at: bolus)
      lines[bolus + 3] = lines[bolus + 3].replacing("90000001", with: "90000009")
      lines.remove(at: bolus + 5)
    }
    #expect(
      try work.diff("out.csv", "bad.csv").words.sorted() == [
        "changed externalId device", "duplicated", "missing",
      ])
    try work.tamper("out.ndjson", to: "bad.ndjson") { lines in
      lines[3] = lines[3].replacing(/T(\d\d):/) { "T" + ($0.output.1 == "16" ? "17" : "16") + ":" }
    }
    #expect(try work.diff("out.ndjson", "bad.ndjson").words == ["changed start end"])
    try work.tamper(
      "out.db", to: "bad.db",
      sql: """
        UPDATE samples SET amount = amount / 100 * 100, value = amount / 100 * 100 / 1e3
        WHERE external_id = (SELECT max(external_id) FROM samples WHERE type = 'insulin.bolus'
          AND amount % 100 > 0);
        UPDATE samples SET device = '90000002' WHERE external_id =
          (SELECT min(external_id) FROM samples WHERE device = '90000001');
        """)
    let words = try work.diff("out.db", "bad.db").words
    #expect(words.sorted() == ["changed device", "changed value"])
    try work.tamper("out.xml", to: "bad.xml") { lines in
      let line = lines.firstIndex { $0.contains("pumplineStatus") } ?? 0
      lines[line] = lines[line].replacing("completed", with: "alarm")
    }
    #expect(try work.diff("out.csv", "bad.xml").words == ["changed status"])
    #expect(try work.diff("bad.xml", "out.csv").words == ["changed status"])
  }

  @Test("Rows that are none are counted, named by line and lead to 1")
  func unreadable() throws {
    try work.tamper("out.csv", to: "bad.csv") { lines in
      lines[2] = lines[2].replacing("insulin.", with: "insulin!")
    }
    let summary = try work.diff("out.csv", "bad.csv").summary
    #expect(summary.sets[1].faults.first.map(\.place) == [3])
    #expect(summary.differences == [.missing: 1])
    #expect(summary.exitStatus == .rejects)
  }

  @Test("An export of another app is compared by time and amount, one to one")
  func foreign() throws {
    try work.tamper("out.xml", to: "app.xml") { lines in
      lines.removeAll {
        $0.contains("HKExternalUUID") || $0.contains("SyncIdentifier")
          || $0.contains("pumpline")
            && $0.contains("MetadataEntry")
      }
    }
    let comparison = try work.diff("out.csv", "app.xml")
    #expect(comparison.words == [])
    #expect(comparison.summary.matchedByID == 0)
    #expect(comparison.summary.matchedByTime == comparison.summary.sets[0].samples)
  }

  @Test("Rates of zero are in the forms that show them, and can be asked of a ledger")
  func zeroBasal() throws {
    let other = try Workspace()
    try other.writeOutputs(keepsZeroBasal: true)
    #expect(try other.diff("out.csv", "out.db").words == [])
    let words = try other.diff("ledger", "out.csv").words
    #expect(!words.isEmpty && Set(words) == ["extra"])
    var request = DiffRequest(first: other.path("ledger"), second: other.path("out.csv"))
    request.selection.keepsZeroBasal = true
    let summary = try PumplinePipeline().diff(request) { _ in
    } report: { _ in
    }
    #expect(summary.exitStatus == .ok)
  }

  @Test("Nothing is written where outputs are compared")
  func readsOnly() throws {
    let before = try work.names
    _ = try work.diff("out.db", "ledger")
    #expect(try work.names == before)
  }
}
