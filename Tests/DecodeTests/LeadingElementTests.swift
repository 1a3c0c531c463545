import Decode
import PumpModel
import TestSupport
import Testing

/// Lists by themselves whose first elements are of another form, and what captures hold beside documents.
@Suite("What stands before the first record")
struct LeadingElementTests {
  private static let documents = [
    (TidepoolTests.document, DocumentFormat.tidepool), (NightscoutTests.document, .nightscout),
    ("[\(DocumentTests.bolus)]", .pumpLogs),
  ]

  @Test(
    "Elements of another form at the head of a list are rejects, and hide nothing",
    arguments: ["{}", "null", "7", "\"x\"", "[1, {}]", "{\"a\": {\"id\": 1}}"])
  func hidesNothing(element: String) {
    for (document, format) in Self.documents {
      let plain = Recording.of(document)
      let head = String(repeating: "\(element), ", count: 3)
      let text = "[" + head + document.dropFirst()
      let recording = Recording.of(text)
      #expect(recording.verdict == .whole(format), "\(element)")
      #expect(recording.rows.map(\.content) == plain.rows.map(\.content))
      #expect(recording.records.count == plain.records.count)
      let places = (0..<3).map { UInt64(1 + $0 * (element.utf8.count + 2)) }
      #expect(recording.rejects.map(\.position) == places.map { .offset($0) })
      #expect(Recording.of(text, pieces: 1).calls == recording.calls)
    }
  }

  @Test("Of other lists no more is looked at than the head", arguments: [64, 65])
  func bounded(count: Int) {
    let text = "[" + String(repeating: "{\"a\": 1}, ", count: count)
    for (document, format) in Self.documents {
      let verdict = Recording.of(text + document.dropFirst()).verdict
      #expect(verdict == (count == 64 ? .whole(format) : .unrecognised))
    }
    #expect(Recording.of(text + "7]").verdict == .unrecognised)
  }

  @Test(
    "An archive inside a capture is a reject that says so",
    arguments: [
      [0x50, 0x4B, 3, 4], [0x1F, 0x8B, 8], [0x28, 0xB5, 0x2F, 0xFD],
      [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C],
    ] as [[UInt8]])
  func archive(_ mark: [UInt8]) {
    var capture = HarCapture()
    let zip = mark + [UInt8](repeating: 0x41, count: 400)
    capture.add(Array("[\(DocumentTests.bolus)]".utf8))
    capture.add(zip, as: .base64)
    let recording = Recording.of(capture.bytes)
    #expect(recording.records.count == 1 && recording.verdict == .whole(.har))
    let reasons = recording.calls.compactMap { call -> String? in
      if case .end(.damaged(_, let reject)) = call { reject.reason } else { nil }
    }
    #expect(reasons.count == 1 && reasons[0].contains("archive"))
    // By itself it is no document of ours.
    #expect(Recording.of(zip).verdict == .unrecognised)
  }
}
