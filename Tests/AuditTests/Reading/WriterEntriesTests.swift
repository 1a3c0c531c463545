import Platform
import PumpModel
import Testing

@testable import Audit

@Suite("Metadata that pumpline writes with each record of Health")
struct WriterEntriesTests {
  private static let id = "tandem:1:1-5:bolus"

  /// The metadata of a bolus, as pumpline writes it.
  private static let written = [
    ("HKExternalUUID", id), ("HKMetadataKeySyncIdentifier", id),
    ("HKMetadataKeySyncVersion", "1"), ("HKWasUserEntered", "0"),
    ("HKInsulinDeliveryReason", "2"),
  ]

  private func record(
    _ type: String = "InsulinDelivery", unit: String = "IU", source: String = "pumpline",
    metadata: [(String, String)] = written
  ) -> String {
    let entries = metadata.map { "<MetadataEntry key=\"\($0)\" value=\"\($1)\"/>" }.joined()
    return """
      <Record type="HKQuantityTypeIdentifier\(type)" sourceName="\(source)" unit="\(unit)" \
      value="2" \
      startDate="2026-05-04 08:00:00 -0400" endDate="2026-05-04 08:00:00 -0400">\(entries)</Record>
      """
  }

  private func read(
    _ records: String, isBrief: Bool = false
  ) throws -> (findings: [Finding], samples: [WrittenSample]) {
    var samples: [WrittenSample] = []
    let reader = try HealthExportReader(isBrief: isBrief) {
      if case .sample(let sample) = $0 { samples.append(sample) }
    }
    let bytes = Array("<HealthData>\n\(records)\n</HealthData>".utf8)
    unsafe try reader.feed(bytes.span.bytes)
    try reader.finish()
    return (reader.findings, samples)
  }

  /// What is found of a record whose entry of a key has other values, one after the other.
  private func found(_ key: String, _ values: String...) throws -> [FindingCode] {
    let others = Self.written.filter { $0.0 != key }
    let record = record(metadata: others + values.map { (key, $0) })
    let codes = try read(record).findings.map(\.code)
    #expect(try read(record, isBrief: true).findings.map(\.code) == codes)
    return codes
  }

  @Test("is there once, with any revision")
  func right() throws {
    #expect(try found("HKMetadataKeySyncVersion", "1") == [])
    #expect(try found("HKMetadataKeySyncVersion", "20") == [])
    #expect(try found("HKMetadataKeySyncVersion", "4294967295") == [])
    let sample = try #require(read(record()).samples.first)
    #expect(sample.metadata == WrittenMetadata())
  }

  @Test(
    "is missed where it is not there, or its value is another",
    arguments: [
      ("HKWasUserEntered", ["1", "2", "", "true", "00"], FindingCode.metadataMalformed),
      (
        "HKMetadataKeySyncVersion", ["0", "-1", "01", "1.0", "x", "", "4294967296", "12345678901"],
        .metadataMalformed
      ),
      ("HKExternalUUID", ["9\(id)", "", "5511", "tandem"], .idContradicts),
      ("HKMetadataKeySyncIdentifier", ["\(id)".uppercased(), "x"], .idContradicts),
    ] as [(String, [String], FindingCode)])
  func odd(key: String, values: [String], code: FindingCode) throws {
    #expect(try found(key) == [code])
    for value in values { #expect(try found(key, value) == [code], "\(value)") }
    let right = try #require(Self.written.first { $0.0 == key }).1
    #expect(try found(key, right, right) == [code])
    #expect(try found(key, right) == [])
  }

  @Test("says of carbs that a person entered them, and of glucose either")
  func types() throws {
    func found(_ type: String, _ unit: String, _ kind: String, _ value: String?) throws
      -> [FindingCode]
    {
      let id = "tandem:1:1-5:\(kind)"
      var metadata = [
        ("HKExternalUUID", id), ("HKMetadataKeySyncIdentifier", id),
        ("HKMetadataKeySyncVersion", "1"),
      ]
      if let value { metadata.append(("HKWasUserEntered", value)) }
      return try read(record(type, unit: unit, metadata: metadata)).findings.map(\.code)
    }
    #expect(try found("DietaryCarbohydrates", "g", "carbs", "1") == [])
    #expect(try found("DietaryCarbohydrates", "g", "carbs", "0") == [.metadataMalformed])
    #expect(try found("DietaryCarbohydrates", "g", "carbs", nil) == [.metadataMalformed])
    #expect(try found("BloodGlucose", "mg/dL", "cgm", "0") == [])
    #expect(try found("BloodGlucose", "mg/dL", "meter", "1") == [])
    #expect(try found("BloodGlucose", "mg/dL", "cgm", nil) == [.metadataMalformed])
  }

  @Test("is not asked of records of other apps, of importers among them")
  func others() throws {
    for source in ["Importer", "pumpline 2", "Pumpline", ""] {
      let id = [("HKInsulinDeliveryReason", "2"), ("HKExternalUUID", Self.id)]
      #expect(try read(record(source: source, metadata: id)).findings == [], "\(source)")
    }
    let bare = [("HKInsulinDeliveryReason", "2")]
    let made = try read(record(source: "pumpline Demo", metadata: bare))
    #expect(made.findings.map(\.code) == [.idContradicts, .metadataMalformed, .metadataMalformed])
  }

  @Test("is counted, with the line of the first record that has it not")
  func counted() throws {
    let odd = record(metadata: Self.written.filter { $0.0 != "HKWasUserEntered" })
    let findings = try read([record(), odd, record(), odd].joined(separator: "\n")).findings
    #expect(findings.count == 1)
    #expect(findings.first?.text.hasSuffix(": 2, the first in line 3") == true)
    #expect(findings.first?.start == Instant(unixSeconds: 1_777_896_000))
  }

  @Test("stands beside the sample where it is another, for comparisons")
  func compared() throws {
    let metadata = [
      ("HKExternalUUID", "9\(Self.id)"), ("HKMetadataKeySyncIdentifier", Self.id),
      ("HKWasUserEntered", "1"), ("HKInsulinDeliveryReason", "2"),
    ]
    let sample = try #require(read(record(metadata: metadata)).samples.first)
    #expect(sample.externalID == Self.id)
    #expect(
      sample.metadata.lines
        == "HKExternalUUID=9\(Self.id)\nHKMetadataKeySyncVersion=missing\nHKWasUserEntered=1\n")
  }

  @Test("takes no memory, however often it stands there")
  func repeated() throws {
    let many = Self.written + Array(repeating: ("HKExternalUUID", "x"), count: 100)
    #expect(try read(record(metadata: many)).samples.isEmpty)
    #expect(try read(record(source: "other", metadata: many)).samples.count == 1)
  }
}
