import PumpModel
import Testing

@testable import Decode

@Suite("Lines of decode")
struct DecodedLineTests {
  static let digest = String(repeating: "0123456789abcdef", count: 4)
  static let event = """
    {"record":"event","document":"\(digest)","offset":11,"pump":"0ddba115","group":0,\
    "number":4096,"seconds":578707200,"time":"2026-05-04T00:00:00","id":90,"name":"NEW_DAY",\
    "form":"json","clockChanges":true,"present":1,"payload":"3f4ccccd000000000000000000000000",\
    "fields":{"commandedBasalRate":"0.8"}}
    """
  static let document = """
    {"record":"document","version":1,"document":"\(digest)","name":"a › b","format":"pump-logs",\
    "bytes":9,"records":7,"ignored":{"erasedFlash":2,"noHistory":5,"noRule":1},"missingBodies":3,"complete":true}
    """

  static func parse(_ text: String) -> Result<DecodedLine, LineFault> {
    let bytes = Array(text.utf8)
    return Result { () throws(LineFault) in
      try unsafe DecodedLineParser.parse(bytes.span.bytes)
    }
  }

  @Test("An event gives its record")
  func event() throws {
    guard case .event(let line) = try Self.parse(Self.event).get() else {
      Issue.record("no event")
      return
    }
    var record = PumpRecord(
      number: 4096, seconds: 578_707_200, eventID: 90, payload: .init(0x3F4C_CCCD), form: .json,
      present: 1)
    record.hasGroup = true
    record.isFromClockChanges = true
    #expect(line.record == record)
    #expect(line.assignment == Array("0ddba115".utf8))
    #expect(line.document.bytes.prefix(3) == [0x01, 0x23, 0x45])
  }

  @Test("Of an event without a layout the payload is a digest, and no field is there")
  func properties() throws {
    let text = SampleLineTests.changed(Self.event, "\"present\":1", "\"properties\":{\"a\":[1]}")
    guard case .event(let line) = try Self.parse(text).get() else {
      Issue.record("no event")
      return
    }
    #expect(line.record.hasText && line.record.present == 0)
  }

  @Test("A document gives what its lines are checked by")
  func document() throws {
    guard case .document(let line) = try Self.parse(Self.document).get() else {
      Issue.record("no document")
      return
    }
    #expect(line.name == "a › b" && line.format == .pumpLogs)
    #expect(
      line.bytes == 9 && line.records == 7 && line.ignored == [.erasedFlash: 2, .noHistory: 5])
    #expect(line.missingBodies == 3)
    #expect(line.isComplete)
  }

  @Test("The other kinds")
  func others() throws {
    #expect(try Self.parse(#"{"record":"begin","version":1}"#).get() == .begin)
    #expect(try Self.parse(#"{"record":"end"}"#).get() == .end)
    #expect(
      try Self.parse(#"{"record":"ignored","reason":"specialFile","count":2}"#).get()
        == .ignored(.specialFile, name: nil, count: 2))
    #expect(
      try Self.parse(
        #"{"record":"reject","name":"a","format":"har","line":4,"reason":"b"}"#
      ).get()
        == .reject(
          RejectLine(document: nil, name: "a", format: .har, reject: Reject(.line(4), "b"))))
    guard
      case .estimate(let line) = try Self.parse(
        """
        {"record":"estimate","document":"\(Self.digest)","differsBy":-14400,"records":2,\
        "first":5,"last":6}
        """
      ).get()
    else {
      Issue.record("no estimate")
      return
    }
    #expect(line.differsBy == -14_400 && line.records == 2 && line.assignment == nil)
  }

  @Test(
    "What cannot be an event is refused with a reason that holds no value",
    arguments: [
      ("\"event\"", "\"events\"", "this kind of record is not known to this version"),
      ("\"record\":\"event\",", "", "record is missing"),
      ("\"number\":4096", "\"number\":4294967296", "number cannot be used"),
      ("\"number\":4096", "\"number\":-1", "number cannot be used"),
      ("\"number\":4096", "\"number\":1.5", "number cannot be used"),
      ("\"number\":4096", "\"number\":\"4096\"", "number cannot be used"),
      ("\"id\":90", "\"id\":4096", "id cannot be used"),
      ("\"json\"", "\"yaml\"", "form cannot be used"),
      ("\"present\":1,", "", "present is missing"),
      ("3f4ccccd0", "3f4ccccg0", "payload cannot be used"),
      ("3f4ccccd0", "3f4ccccd", "payload cannot be used"),
      ("0123456789abcdef", "", "document cannot be used"),
      ("\"group\":0", "\"group\":0,\"group\":1", "group stands twice"),
      ("}}", "}", "the line is no JSON object"), ("}}", "}}}", "the line is no JSON object"),
    ])
  func faults(part: String, other: String, reason: String) {
    guard case .failure(let fault) = Self.parse(SampleLineTests.changed(Self.event, part, other))
    else {
      Issue.record("read with \(other)")
      return
    }
    #expect(fault.reason == reason)
  }

  @Test("Counts that could overflow a sum are refused", arguments: ["records", "missingBodies"])
  func counts(key: String) throws {
    func line(_ count: UInt64) -> String {
      let number = key == "records" ? 7 : 3
      return SampleLineTests.changed(
        Self.document, "\"\(key)\":\(number)", "\"\(key)\":\(count)")
    }
    #expect(throws: LineFault.unusable(key)) { try Self.parse(line(1 << 40 + 1)).get() }
    #expect(throws: Never.self) { try Self.parse(line(1 << 40)).get() }
  }

  @Test("Lines of another version are refused")
  func version() {
    let line = SampleLineTests.changed(Self.document, "\"version\":1", "\"version\":2")
    #expect(throws: LineFault.unknown("the version of the line")) { try Self.parse(line).get() }
  }
}
