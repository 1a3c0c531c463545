import Foundation
import PumpModel
import TestSupport
import Testing

@Suite struct EncoderTests {
  @Test(
    arguments: zip(
      ["", "f", "fo", "foo", "foob", "fooba", "foobar"],
      ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]))
  func writesBase64(plain: String, encoded: String) {
    #expect(text(Base64Encoder.text(Array(plain.utf8))) == encoded)
  }

  @Test func writesRecordsInBothByteOrders() {
    let record = PumpRecord(
      number: 0x0A0B_0C0D, seconds: 0x0102_0304, eventID: 0x137,
      payload: PumpRecord.Payload(0x1112_1314, 0x2122_2324, 0x3132_3334, 0x4142_4344),
      form: .binary)
    #expect(
      hex(RecordEncoder.bytes(record, source: 1))
        == "1137010203040a0b0c0d11121314212223243132333441424344")
    #expect(
      hex(RecordEncoder.littleEndianBytes(record))
        == "3701040302010d0c0b0a14131211242322213433323144434241")
  }

  /// The bytes of a daily total whose values EVENTS states.
  @Test func writesFieldsAsTheServiceDoes() {
    var record = PumpRecord(
      number: 7, seconds: 578_750_470, eventID: 81,
      payload: PumpRecord.Payload(0x41B2_D3E2, 0x3F4C_CCCD, 0x407E_DE62, 0x0EF6_3700),
      form: .binary)
    record.group = 2
    let document = PumpLogsEncoder.document([record], of: PumpIdentity(1))
    #expect(
      text(document)
        == #"{"events":[{"deviceAssignmentId":"0ddba115-0000-4000-8000-000090000001","#
        + #""eventCode":81,"sequenceGroup":2,"sequenceNumber":7,"#
        + #""pumpDateTime":"2026-05-04T12:01:10","eventProperties":{"dailyTotalBasal":22.353458,"#
        + #""lastBasalRate":0.8,"iob":3.9823232,"lipoMv":3830,"actualBatteryCharge":55,"#
        + #""finalEventForDay":0},"estimatedDateTime":"2026-05-04T12:01:10Z"}],"clockChanges":[]}"#)
  }

  @Test func writesAnswersThatParse() throws {
    var options = SyntheticPump.Options(seed: 3, days: 4)
    options.incidents = [.init(700, .setClock)]
    let records = Array(SyntheticPump(options))
    let answer = try parse(PumpLogsEncoder.document(records, of: PumpIdentity(2)))
    let events = try #require(answer["events"] as? [[String: Any]])
    let changes = try #require(answer["clockChanges"] as? [[String: Any]])
    #expect(events.count + changes.count == records.count)
    #expect(changes.count == 2)
    let account = try parse(PumperDocument.bytes([PumpIdentity(1), PumpIdentity(2)]))
    #expect(
      (account["pumps"] as? [[String: Any]])?.map { $0["serialNumber"] as? String } == [
        "90000001", "90000002",
      ])
  }

  @Test func wrapsDocumentsInACapture() throws {
    var capture = HarCapture()
    let document = Array("{\"a\":\"b\\n\u{1}é\"}".utf8)
    capture.add(document)
    capture.add(document, as: .base64)
    capture.add(document, as: .missing)
    let log = try #require(try parse(capture.bytes)["log"] as? [String: Any])
    let entries = try #require(log["entries"] as? [[String: Any]])
    let contents = entries.compactMap {
      ($0["response"] as? [String: Any])?["content"] as? [String: Any]
    }
    #expect(contents.count == 3)
    #expect(contents[0]["text"] as? String == text(document))
    let base64 = try #require(contents[1]["text"] as? String)
    #expect(Data(base64Encoded: base64).map(Array.init) == document)
    #expect(contents[2]["text"] == nil)
  }

  /// Records and fields gathered elsewhere, where they are at hand.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: Self.vectors)))
  func agreesWithGatheredFields() throws {
    var compared = 0
    for line in try String(contentsOfFile: Self.vectors, encoding: .utf8).split(separator: "\n") {
      let vector = try parse(Array(line.utf8))
      let bytes = unhex(try #require(vector["be"] as? String))
      let fields = try #require(vector["fields"] as? [String: Any])
      let words = stride(from: 10, to: 26, by: 4).map { word(bytes, $0) }
      let record = PumpRecord(
        number: word(bytes, 6), seconds: word(bytes, 2),
        eventID: UInt16(bytes[0] & 15) << 8 | UInt16(bytes[1]),
        payload: PumpRecord.Payload(words[0], words[1], words[2], words[3]), form: .binary)
      #expect(RecordEncoder.bytes(record, source: UInt16(bytes[0] >> 4)) == bytes)
      let answer = try parse(PumpLogsEncoder.document([record], of: PumpIdentity(1)))
      let list = record.eventID == 13 || record.eventID == 14 ? "clockChanges" : "events"
      let event = try #require((answer[list] as? [[String: Any]])?.first)
      let own = try #require(event["eventProperties"] as? [String: Any])
      for (name, value) in fields {
        guard let mine = own[name] else { continue }
        #expect(isSame(mine, value), "\(record.eventID) \(name): \(mine), not \(value)")
        compared += 1
      }
    }
    #expect(compared > 300)
  }

  private static let vectors =
    #filePath.components(separatedBy: "/Tests/PumpModelTests/")[0]
    + "/../shared/data/history-log-vectors.jsonl"

  private func isSame(_ left: Any, _ right: Any) -> Bool {
    if let left = left as? [Int], let right = right as? [Int] { return left == right }
    if let left = left as? [Int], let right = right as? Int {
      return left.reduce(0) { $0 | 1 << $1 } == right
    }
    guard let left = left as? NSNumber, let right = right as? NSNumber else { return false }
    return abs(left.doubleValue - right.doubleValue) <= 1e-6 * abs(right.doubleValue)
  }

  private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func parse(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func unhex(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) ?? 0 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
