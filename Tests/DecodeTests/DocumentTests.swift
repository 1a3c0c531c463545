import Decode
import PumpModel
import TestSupport
import Testing

@Suite("Documents")
struct DocumentTests {
  static let bolus = EventText.event(
    20, properties: "\"bolusId\":5,\"completionStatus\":3,\"insulinDelivered\":1")

  static func record(_ number: UInt32, id: UInt16 = 20) -> PumpRecord {
    PumpRecord(
      number: number, seconds: 578_000_000 + number, eventID: id,
      payload: .init(0x0005_0003, 0, Float(1).bitPattern, Float(1).bitPattern), form: .binary)
  }

  @Test("Keys of pump logs may come in any order, with others between them, in any case")
  func keyOrder() {
    let text = """
      \u{FEFF} {"x": {"events": [1, {"y": null}]}, "clockChanges": [], "n": -1.5e+3, \
      "EVENTS": [\(Self.bolus)], "t": [true, false, null, "\\ud83d\\ude00"]}\n
      """
    let recording = Recording.of(text)
    #expect(recording.verdict == .whole(.pumpLogs))
    #expect(recording.records.count == 1)
    #expect(recording.content == Array(text.utf8))
  }

  @Test("A list of events alone is recognised; other lists and objects are not")
  func bareList() {
    #expect(Recording.of("[\(Self.bolus)]").verdict == .whole(.pumpLogs))
    for text in [
      "[]", "{}", "[1]", "[{\"a\":1}]", "{\"events\":[{\"a\":1}]}", "{\"events\":5}",
      "{\"pumps\":[{\"name\":\"x\"}]}", "{\"log\":{}}", "\"hello\"", "", "   ", "true", "12",
      "{\"basal\":{},\"events\":[]}", "\u{FEFF}", "Dear diary,\nnothing happened today.\n",
    ] {
      #expect(Recording.of(text).verdict == .unrecognised, "\(text)")
    }
    #expect(Recording.of("{\"events\":[]}").verdict == .whole(.pumpLogs))
    #expect(Recording.of("{\"clockChanges\":[]}").verdict == .whole(.pumpLogs))
    #expect(Recording.of("{\"pumps\":[]}").verdict == .whole(.pumper))
  }

  @Test("Properties may come before the code, escapes are read and letters match in any case")
  func oddEvents() {
    let event = """
      {"eventProperties": {"bolusId": 5, "other": {"v": 1}, "completionStatus": "3", \
      "insulin\\u0044elivered": "2.5"}, "EventCode": "20", "sequenceNumber": 8, \
      "pumpDateTime": "2026-05-04T12:00:00.123Z", "extra": [[]]}
      """
    let recording = Recording.of("{\"events\":[\(event)]}")
    #expect(recording.records.count == 1)
    guard let record = recording.records.first,
      case .event(let decoded, _) = EventDecoder.decode(record)
    else { return }
    #expect(
      decoded.payload
        == .bolusCompleted(.normal, bolus: 5, status: 3, delivered: 2500, requested: nil))
    #expect(record.pump == 0 && !record.hasGroup && record.seconds == 578_750_400)
  }

  @Test(
    "An event whose head is unusable is rejected alone, at its first byte",
    arguments: [
      ("\"eventCode\": 20", "\"eventCode\": 4096"), ("\"eventCode\": 20", "\"eventCode\": null"),
      ("\"sequenceNumber\": 1", "\"sequenceNumber\": 4294967296"),
      ("\"sequenceNumber\": 1", "\"sequenceNumber\": -1"),
      ("\"sequenceNumber\": 1", "\"sequenceNumber\": 1.5"),
      ("\"sequenceGroup\": 0", "\"sequenceGroup\": []"),
      ("\"pumpDateTime\": \"2026-05-04", "\"pumpDateTime\": \"2026-02-29"),
      ("\"pumpDateTime\": \"2026-05-04", "\"pumpDateTime\": \"2007-12-31"),
      ("\"pumpDateTime\": \"2026-05-04", "\"pumpDateTime\": \"2145-01-01"),
      ("\"pumpDateTime\": \"2026-05-04T12", "\"pumpDateTime\": \"2026-05-04T24"),
      ("\"deviceAssignmentId\": \"\(EventText.pump)\"", "\"deviceAssignmentId\": 7"),
    ])
  func unusableHeads(old: String, new: String) {
    let parts = Self.bolus.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
    let bad = parts.joined(separator: new)
    let recording = Recording.of("{\"events\":[\(bad),\(Self.bolus),7]}")
    #expect(recording.records.count == 1)
    #expect(recording.rejects.first?.position == .offset(11))
    #expect(recording.rejects.count == 2)
    #expect(recording.verdict == .whole(.pumpLogs))
  }

  @Test("Whole numbers and floats are read in every spelling")
  func numbers() {
    for (text, value) in [
      ("3.1399999", Float(3.1399999)), ("0.1", 0.1), ("\"2.083\"", 2.083), ("16777217", 16_777_216),
      ("1e1", 10), ("7.038531e-26", 7.038531e-26), ("0.000000000000000000001", 1e-21),
      ("1.00000005960464477539062500", 1), ("1.00000005960464477539062501", Float(1).nextUp),
      ("-0.5", -0.5), ("12.0", 12), ("9007199.2547", 9_007_199.2547),
    ] {
      let event = EventText.event(
        3, properties: "\"commandedBasalRate\":1,\"maxBasalRate\":\(text)")
      let record = Recording.of(EventText.document([event])).records.first
      #expect(record?.payload.f32(at: 8) == value, "\(text)")
    }
    for (text, isTaken) in [
      ("\"7\"", true), ("7.0", true), ("70e-1", true), ("7.5", false), ("\" 7\"", false),
      ("true", false), ("[7]", false), ("65536", false), ("18446744073709551623", false),
    ] {
      let event = EventText.event(55, properties: "\"bolusId\":\(text)")
      let record = Recording.of(EventText.document([event])).records.first
      #expect((record?.payload.u16(at: 2) == 7) == isTaken, "\(text)")
    }
  }

  @Test("Plain decimals round as the standard library rounds them")
  func decimals() {
    var random = TestRandom(seed: 11)
    for _ in 0..<3000 {
      let digits = Int.random(in: 1...7, using: &random)
      let fraction = (0..<digits).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }.joined()
      let text = "\(Int.random(in: 0...9999, using: &random)).\(fraction)"
      let event = EventText.event(
        3, properties: "\"maxBasalRate\":\(text),\"commandedBasalRate\":1")
      let record = Recording.of(EventText.document([event])).records.first
      #expect(record?.payload.f32(at: 8) == Float(text), "\(text)")
    }
  }

  @Test("An estimated time that differs is told, one that is the same is not")
  func estimatedTime() {
    #expect(!Recording.of(EventText.document([Self.bolus])).calls.contains(.estimated(0)))
    let odd = Self.bolus.replacing("12:00:00Z", with: "16:00:00Z")
    #expect(Recording.of(EventText.document([odd])).calls.contains(.estimated(14_400)))
  }

  @Test(
    "A time is read the same whatever stood before it",
    arguments: [
      ("2026-05-04T12:00:01", true), ("2026-05-04T12:00:01Z", true),
      ("2026-05-04T12:00:01.5", true), ("2026-05-04T24:00:01", false),
      ("2026-05-04T12:00:0", false), ("2026-05-04 12:00:01", false),
      ("2026-05-04T12:00:01ZZ", false), ("2026-05-04T12:00:01+02:00", false),
      ("2026-05-0\u{FF}T12:00:01", false),
    ])
  func times(text: String, isTime: Bool) {
    let event = EventText.event(11, number: 2, at: text, properties: "")
    for before in [[], [Self.bolus]] {
      let recording = Recording.of(EventText.document(before + [event]))
      #expect((recording.records.last?.number == 2) == isTime)
      #expect(recording.rejects.count == (isTime ? 0 : 1))
    }
  }

  @Test("Control characters in the place of a first date are malformed")
  func controlCharacters() {
    var bytes = Array(EventText.document([Self.bolus]).utf8)
    guard let at = bytes.firstRange(of: Array("2026-05-04T".utf8)) else {
      Issue.record("the document has no date")
      return
    }
    bytes.replaceSubrange(at.prefix(10), with: repeatElement(0, count: 10))
    #expect(Recording.of(bytes).records.isEmpty)
  }

  @Test("Cut or malformed documents are damaged, once they are recognised")
  func damage() {
    let text = EventText.document([Self.bolus, Self.bolus])
    for cut in [text.utf8.count - 1, text.utf8.count / 2, 60] {
      let recording = Recording.of(Array(text.utf8.prefix(cut)))
      #expect(
        recording.verdict
          == .damaged(.pumpLogs, Reject(.offset(UInt64(cut)), "the document is cut")))
    }
    for bad in [",", "]", "{\"a\":tru}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":\"\t\"}", "{\"a\" 1}"]
    {
      guard
        case .damaged(.pumpLogs, _) = Recording.of("{\"events\":[\(Self.bolus),\(bad)]}").verdict
      else {
        Issue.record("\(bad)")
        continue
      }
    }
    let trailing = Recording.of(text + " x y")
    #expect(trailing.verdict == .whole(.pumpLogs))
    #expect(trailing.rejects.map(\.position) == [.offset(UInt64(text.utf8.count + 1))])
  }

  @Test("An event of more than 1 MiB is one reject, and its neighbours stand")
  func longEvent() {
    let long = EventText.event(
      20, properties: "\"bolusId\":\"\(String(repeating: "7", count: 1 << 20))\"")
    for pieces in [nil, 1000, 1 << 20] {
      let recording = Recording.of(
        "{\"events\":[\(Self.bolus),\(long),\(Self.bolus)]}", pieces: pieces)
      #expect(recording.records.count == 2)
      #expect(recording.rejects.map(\.reason) == ["an event of more than 1 MiB"])
      #expect(recording.verdict == .whole(.pumpLogs))
    }
  }

  @Test("Lists in lists are bounded")
  func nesting() {
    let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
    let deeper = String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
    for (inner, isWhole) in [(deep, true), (deeper, false)] {
      let outside = Recording.of("{\"x\":\(inner),\"events\":[]}").verdict
      #expect((outside == .whole(.pumpLogs)) == isWhole)
      let inside = Recording.of("{\"events\":[\(Self.bolus),{\"x\":\(inner)}]}").verdict
      #expect((inside == .whole(.pumpLogs)) == isWhole)
    }
  }

  @Test("Pumps with a serial number are told, and no person is")
  func pumper() {
    let recording = Recording.of(
      """
      {"firstName":"A","pumps":[{"assignmentId":"a1","serialNumber":"901","modelName":"M\\u2122",
      "settings":{"x":[1]}},{"assignmentId":"a2","serialNumber":null},{"serialNumber":"9"}]}
      """)
    #expect(
      recording.facts == [PumpFacts(assignment: "a1", serial: "901", modelName: "M™")])
    #expect(recording.verdict == .whole(.pumper))
  }
}
