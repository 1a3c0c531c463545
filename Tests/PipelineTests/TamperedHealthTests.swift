import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

/// What pumpline writes with each record of an export of Health, changed by hand, is found.
@Suite("Exports of Health that were tampered with")
struct TamperedHealthTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.writeOutputs()
  }

  /// Changes an export in each line that holds a text, and packs it as `bad.zip`, too.
  private func tamper(_ text: String, _ change: (String) -> String?) throws {
    try work.tamper("out.xml", to: "bad.xml") { lines in
      lines = lines.compactMap { $0.contains(text) ? change($0) : $0 }
    }
    let bytes = Array((work.text("bad.xml") ?? "").utf8)
    let entry = ArchiveBuilder.archive(.zip, [.file("apple_health_export/export.xml", bytes)])
    try work.write("bad.zip", entry)
  }

  /// Expects a code of an audit without sources, in both forms, and fields that differ from the
  /// sources and from the output as it was.
  private func expect(
    _ code: FindingCode, _ fields: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for name in ["bad.xml", "bad.zip"] {
      let alone = try work.audit(name) { $0.inputs = [] }.summary
      #expect(Set(alone.findings.keys) == [code], sourceLocation: sourceLocation)
      #expect(alone.exitStatus == .rejects, sourceLocation: sourceLocation)
    }
    let words = Set(fields.map { "changed \($0)" })
    let proven = try work.audit("bad.xml")
    #expect(Set(proven.words) == words, sourceLocation: sourceLocation)
    #expect(Set(proven.summary.findings.keys) == [code], sourceLocation: sourceLocation)
    #expect(try Set(work.diff("out.xml", "bad.xml").words) == words, sourceLocation: sourceLocation)
    #expect(try work.diff("bad.zip", "bad.xml").words == [], sourceLocation: sourceLocation)
  }

  @Test("Who entered a sample, missing or changed")
  func userEntered() throws {
    try tamper("HKWasUserEntered") { _ in nil }
    try expect(.metadataMalformed, "HKWasUserEntered")
    try tamper("HKWasUserEntered") { $0.replacing("value=\"0\"", with: "value=\"1\"") }
    try expect(.metadataMalformed, "HKWasUserEntered")
    try tamper("HKWasUserEntered") { $0.replacing("value=\"1\"", with: "value=\"0\"") }
    try expect(.metadataMalformed, "HKWasUserEntered")
  }

  @Test("The revision, missing or none")
  func version() throws {
    try tamper("HKMetadataKeySyncVersion") { _ in nil }
    try expect(.metadataMalformed, "HKMetadataKeySyncVersion")
    try tamper("HKMetadataKeySyncVersion") { $0.replacing("value=\"1\"", with: "value=\"0\"") }
    try expect(.metadataMalformed, "HKMetadataKeySyncVersion")
  }

  @Test("Another revision is history, and no difference")
  func otherVersion() throws {
    try tamper("HKMetadataKeySyncVersion") { $0.replacing("value=\"1\"", with: "value=\"7\"") }
    let proven = try work.audit("bad.xml")
    #expect(proven.words == [] && proven.summary.findings.isEmpty)
  }

  @Test("One of the two ids, missing or changed", arguments: ["HKExternalUUID", "SyncIdentifier"])
  func ids(key: String) throws {
    let whole = key == "SyncIdentifier" ? "HKMetadataKeySyncIdentifier" : key
    try tamper(whole) { _ in nil }
    try expect(.idContradicts, whole)
    try tamper(whole) { $0.replacing("\"tandem:", with: "\"9tandem:") }
    try expect(.idContradicts, whole)
  }

  @Test("Both ids, missing or none of pumpline's, after which times and amounts are compared")
  func bothIDs() throws {
    try tamper("\"tandem:") { $0.replacing("\"tandem:", with: "\"9tandem:") }
    try expect(.idContradicts)
    try tamper("\"tandem:") { _ in nil }
    try expect(.idContradicts)
  }

  @Test("Two reasons, of which nobody knows which a reader takes")
  func twoReasons() throws {
    try tamper("HKInsulinDeliveryReason") { $0 + $0 }
    #expect(try work.diff("out.xml", "bad.xml").words == [])
    try tamper("HKInsulinDeliveryReason") { line in
      line + line.replacing(/value="[12]"/, with: "value=\"3\"")
    }
    #expect(try work.audit("bad.xml") { $0.inputs = [] }.summary.sets[0].faults.count > 0)
  }

  @Test("A document type that declares an element twice")
  func declaredTwice() throws {
    try tamper("<!ELEMENT Record") { $0 + $0 }
    for name in ["bad.xml", "bad.zip"] {
      let summary = try work.audit(name) { $0.inputs = [] }.summary
      #expect(summary.findings.mapValues(\.count) == [.documentInvalid: 1])
    }
  }

  @Test("Outputs of changes, of other sources and with glucose have it all")
  func clean() throws {
    try work.write("records.bin", RecordEncoder.document(SyntheticPump(.init(days: 1)).prefix(600)))
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: 2350, decimals: 3)
    bolus.carbohydrate = 30_000
    for (source, name) in [(ExportSource.tidepool, "tidepool"), (.nightscout, "nightscout")] {
      let row = ExportRow(
        source: source, pump: 0, time: Histories.noon.unixSeconds - 7 * 86_400, place: 0,
        name: "aa1", content: .bolus(bolus))
      let text =
        source == .tidepool ? TidepoolExport.document([row]) : NightscoutExport.document([row])
      try work.write("\(name).json", Array(text.utf8))
    }
    for (name, changes) in [("whole.xml", nil), ("changes.xml", OutputChanges.all)] {
      var request = work.request(["records.bin", "tidepool.json", "nightscout.json"])
      request.serial = "90000001"
      request.selection.includesGlucose = true
      request.ledger = work.path("glucose.ledger")
      request.report = work.path("report.json")
      request.outputs = [OutputRequest(format: nil, target: work.path(name), changes: changes)]
      try work.convert(request)
      let text = work.text(name) ?? ""
      #expect(text.contains("BloodGlucose") && text.contains("\"tidepool:"))
      #expect(text.contains("\"nightscout:"))
      let findings = try work.audit(name) { $0.inputs = [] }.summary.findings
      #expect(findings[.idContradicts] == nil && findings[.metadataMalformed] == nil)
    }
  }
}
