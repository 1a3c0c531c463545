import Platform
import PumpModel
import Testing

@testable import Audit

@Suite("Samples of an export of Apple Health")
struct HealthExportTests {
  private func read(_ records: String, root: String = "HealthData") throws -> [WrittenEntry] {
    var entries: [WrittenEntry] = []
    let reader = try HealthExportReader { entries.append($0) }
    let bytes = Array("<\(root)>\n\(records)\n</\(root)>".utf8)
    unsafe try reader.feed(bytes.span.bytes)
    try reader.finish()
    return entries
  }

  private func record(
    _ type: String = "InsulinDelivery", unit: String = "IU", value: String = "2.5",
    start: String = "2026-05-04 08:00:00 -0400", end: String = "2026-05-04 12:00:00 +0000",
    device: String? = nil, metadata: [(String, String)] = [("HKInsulinDeliveryReason", "2")]
  ) -> String {
    let entries = metadata.map { "<MetadataEntry key=\"\($0)\" value=\"\($1)\"/>" }.joined()
    let device = device.map { " device=\"\($0)\"" } ?? ""
    return """
      <Record type="HKQuantityTypeIdentifier\(type)" unit="\(unit)" value="\(value)"\(device) \
      startDate="\(start)" endDate="\(end)">\(entries)</Record>
      """
  }

  private func sample(_ record: String) throws -> WrittenSample {
    let entries = try read(record)
    guard entries.count == 1, case .sample(let sample) = entries[0] else {
      throw WrittenFault("\(entries)")
    }
    return sample
  }

  private func fault(_ record: String) throws -> String {
    let entries = try read(record)
    guard entries.count == 1, case .fault(let fault) = entries[0] else {
      throw WrittenFault("\(entries)")
    }
    #expect(fault.place == 2)
    return fault.reason
  }

  private let noon = Instant(unixSeconds: 1_777_896_000)

  @Test("have what pumpline wrote")
  func own() throws {
    let sample = try sample(
      record(
        device:
          "&lt;&lt;HKDevice: 0x0&gt;, name:t-slim X2, localIdentifier:90000001, software:7.7&gt;",
        metadata: [
          ("HKExternalUUID", "tandem:90000001:1-5:bolus"),
          ("HKMetadataKeySyncIdentifier", "tandem:90000001:1-5:bolus"),
          ("HKMetadataKeySyncVersion", "3"), ("HKTimeZone", "America/New_York"),
          ("HKWasUserEntered", "0"), ("HKInsulinDeliveryReason", "2"),
          ("pumplineStatus", "completed"), ("pumplinePart", "normal"),
        ]))
    #expect(
      sample
        == WrittenSample(
          externalID: "tandem:90000001:1-5:bolus", type: .bolus, device: "90000001", start: noon,
          end: noon, amount: WrittenAmount(2500, decimals: 3), zone: "America/New_York",
          metadata: WrittenMetadata([("part", "normal"), ("status", "completed")]), place: 2))
  }

  @Test("have no id, device or zone where another app wrote none of ours")
  func foreign() throws {
    let sample = try sample(
      record(
        value: "5.91532e-05",
        metadata: [
          ("HKInsulinDeliveryReason", "1"), ("HKExternalUUID", "cGUtCSb2TIwL"), ("Meal", "x"),
        ]))
    #expect(sample.type == .basal)
    #expect(sample.amount.text == "0.0000591532")
    #expect(sample.externalID == nil)
    #expect(sample.zone == nil)
    #expect(sample.metadata == WrittenMetadata())
  }

  @Test("are told apart by type, reason and who entered them")
  func types() throws {
    let carbs = try sample(record("DietaryCarbohydrates", unit: "g", metadata: []))
    #expect(carbs.type == .carbohydrates)
    let meter = try sample(
      record("BloodGlucose", unit: "mg/dL", value: "101", metadata: [("HKWasUserEntered", "1")]))
    #expect(meter.type == .meterGlucose)
    let cgm = try sample(
      record("BloodGlucose", unit: "mmol&lt;180.1558800000541&gt;/L", value: "5.6", metadata: []))
    #expect(cgm.type == .sensorGlucose)
    #expect(cgm.amount == WrittenAmount(101, decimals: 0))
    #expect(try read(record("StepCount", unit: "count")).isEmpty)
  }

  @Test("do not count twice inside a correlation")
  func correlation() throws {
    let carbs = record("DietaryCarbohydrates", unit: "g", metadata: [])
    let entries = try read("<Correlation type=\"Food\">\(carbs)</Correlation>\(carbs)")
    #expect(entries.count == 1)
  }

  @Test("are faults where they cannot be what they say")
  func faults() throws {
    #expect(try fault(record(metadata: [])).contains("basal or a bolus"))
    #expect(try fault(record(unit: "mL")).contains("unit"))
    #expect(try fault(record(value: "-1")).contains("value"))
    #expect(try fault(record(value: "many")).contains("value"))
    #expect(try fault(record(end: "2026-05-04 11:59:59 +0000")).contains("dates"))
    #expect(try fault(record(start: "2026-05-04T08:00:00-04:00")).contains("dates"))
    let ids = [
      ("HKInsulinDeliveryReason", "2"), ("HKExternalUUID", "tandem:1:1-5:bolus"),
      ("HKMetadataKeySyncIdentifier", "tandem:1:2-5:bolus"),
    ]
    #expect(try fault(record(metadata: ids)).contains("contradict"))
  }

  @Test("keep no metadata of any length, and need none of other apps")
  func overlong() throws {
    let long = String(repeating: "a", count: 4097)
    let reason = ("HKInsulinDeliveryReason", "2")
    let foreign = try sample(record(metadata: [reason, ("Meal", long)]))
    #expect(foreign.metadata == WrittenMetadata())
    #expect(try fault(record(metadata: [reason, ("pumplineStatus", long)])).contains("longer"))
    let many = (0..<65).map { ("pumplineX\($0)", "1") }
    #expect(try fault(record(metadata: [reason] + many)).contains("longer"))
  }

  @Test("are looked for in exports of Health only")
  func otherDocuments() {
    #expect(throws: WrittenFault.self) { try read(record(), root: "ClinicalDocument") }
  }

  @Test("end where whoever takes them fails")
  func failing() throws {
    struct Full: Error {}
    let reader = try HealthExportReader { _ in throw Full() }
    let bytes = Array("<HealthData>\(record())\(record())</HealthData>".utf8)
    #expect(throws: Full.self) { unsafe try reader.feed(bytes.span.bytes) }
  }
}
