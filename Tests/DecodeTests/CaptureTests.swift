import Decode
import PumpModel
import TestSupport
import Testing

@Suite("Captures of a browser")
struct CaptureTests {
  private static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n")
    return "\"\(escaped)\""
  }

  static let logs = EventText.document([DocumentTests.bolus])

  static func capture(_ contents: [String]) -> String {
    let entries = contents.map {
      "{\"request\":{\"url\":\"u\",\"content\":{}},\"response\":{\"status\":200,\"content\":\($0)}}"
    }
    return "{\"log\":{\"version\":\"1.2\",\"entries\":[\(entries.joined(separator: ","))]}}"
  }

  static let sample: String = {
    let records = RecordEncoder.base64(RecordEncoder.bytes(DocumentTests.record(1)))
    let page = RecordEncoder.base64(Array(logs.utf8))
    return capture([
      "{\"mimeType\":\"application/json\",\"text\":\(quoted(logs))}",
      "{\"text\":\(page),\"encoding\":\"base64\"}",
      "{\"text\":\(quoted(records))}",
      "{\"size\":0}",
      "{\"text\":\"function (a) { return a }\"}",
      "{\"text\":\(quoted("\u{FEFF}{\"pumps\":[{\"assignmentId\":\"a\",\"serialNumber\":\"1\"}]}"))}",
      "{\"text\":\(quoted(String(logs.dropLast(9))))}",
      "{\"text\":\"\"}",
      "{\"text\":\(quoted("{\"log\":{\"entries\":[]}}"))}",
      "{\"text\":\"\(page.dropFirst().dropLast(5))*\"}",
    ])
  }()

  @Test("Each response is a document of its own, recognised by its content")
  func responses() {
    let recording = Recording.of(Self.sample)
    #expect(recording.verdicts[0] == .whole(.pumpLogs))
    #expect(recording.verdicts[1] == .whole(.pumpLogs))
    #expect(recording.verdicts[2] == .whole(.pumpEvents))
    #expect(recording.verdicts[3] == .unrecognised)
    #expect(recording.verdicts[4] == .whole(.pumper))
    guard case .damaged(.pumpLogs, _) = recording.verdicts[5] else {
      Issue.record("a cut response was not seen")
      return
    }
    #expect(recording.verdicts[6] == .unrecognised)
    #expect(recording.verdicts[7] == .unrecognised)
    guard case .damaged(.pumpLogs, _) = recording.verdicts[8] else {
      Issue.record("damaged base64 was not seen")
      return
    }
    #expect(recording.verdicts[9] == .whole(.har))
    #expect(recording.records.count == 3)
    #expect(recording.calls.count { $0 == .missingBody } == 1)
    let begun = recording.calls.compactMap { if case .begin(let n) = $0 { n } else { nil as Int? } }
    #expect(begun == [0, 1, 2, 4, 5, 6, 7, 8, 9])
  }

  @Test(
    "Base64 damaged before it could be recognised is one reject, wherever its coding is told",
    arguments: [0, 9], ["*!", "\u{E9}", "="])
  func lostBase64(at place: Int, damage: String) {
    let page = RecordEncoder.base64(Array(Self.logs.utf8)).dropFirst().dropLast()
    let text = String(page.prefix(place)) + damage + page.dropFirst(place)
    for content in [
      "{\"text\":\"\(text)\",\"encoding\":\"base64\"}",
      "{\"encoding\":\"Base64\",\"text\":\"\(text)\"}",
    ] {
      let capture = Self.capture([
        "{\"text\":\"\"}", content, "{\"text\":\(Self.quoted(Self.logs))}",
      ])
      let recording = Recording.of(capture)
      #expect(recording.rejects.map(\.reason) == ["damaged base64 of a response"])
      #expect(recording.records.count == 1)
      #expect(recording.verdict == .whole(.har))
      #expect(Recording.of(capture, pieces: 1).calls == recording.calls)
    }
  }

  @Test("Bodies that are not of a pump are no rejects, coded or plain")
  func otherBodies() {
    let picture = RecordEncoder.base64(
      [0x89, 0x50, 0x4E, 0x47] + Array(repeating: 7, count: 90_000)
    ).dropFirst().dropLast()
    let recording = Recording.of(
      Self.capture([
        "{\"text\":\"\(picture)\",\"encoding\":\"base64\"}",
        "{\"text\":\"\(picture)*\",\"encoding\":\"base64\"}",
        "{\"text\":\"var x = 1\"}", "{\"text\":\"*\",\"encoding\":\"utf-8\"}",
        "{\"text\":\"\",\"encoding\":\"base64\"}", "{\"text\":\"b2s=\",\"encoding\":\"base64\"}",
      ]))
    #expect(recording.rejects.isEmpty)
    #expect(recording.verdict == .whole(.har))
  }

  @Test("A capture that is cut is damaged, in a body or between bodies")
  func cutCapture() {
    for count in [Self.sample.utf8.count - 1, 500] {
      let recording = Recording.of(Array(Self.sample.utf8.prefix(count)))
      guard case .damaged(.har, _) = recording.verdict else {
        Issue.record("\(count)")
        continue
      }
      let begun = recording.calls.count { if case .begin = $0 { true } else { false } }
      #expect(begun == recording.verdicts.count)
    }
  }
}
