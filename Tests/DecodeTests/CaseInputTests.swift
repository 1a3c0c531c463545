import Decode
import PumpModel
import Testing

@Suite("Inputs of the conformance cases", .enabled(if: SharedFiles.areThere))
struct CaseInputTests {
  @Test(
    "As many records are rejected as a case says",
    arguments: [
      ("062-sentinels", 1), ("087-stray-bytes", 1), ("088-float-noise", 0),
      ("089-erased-flash", 0), ("090-unknown-id", 0), ("091-source-nibble", 0),
      ("093-types-drift", 0), ("098-empty", 0), ("268-fields-missing", 6),
      ("269-fields-optional", 0), ("284-temp-percent-range", 3), ("285-explaining-amounts", 0),
      ("310-impossible-amounts", 4), ("318-base64-lines", 0), ("321-float-noise-binary", 0),
      ("322-unknown-id-json", 0), ("324-wrong-kind", 1), ("325-mask-forms", 0),
      ("329-empty-base64", 0), ("333-not-applicable", 2),
    ])
  func rejects(name: String, count: Int) throws {
    let inputs = SharedFiles.caseInputs(name)
    try #require(!inputs.isEmpty)
    let recordings = inputs.map { Recording.of($0) }
    #expect(recordings.map(\.rejects.count).reduce(0, +) == count)
    for recording in recordings {
      guard case .whole = recording.verdict else {
        Issue.record("\(name) \(recording.calls)")
        continue
      }
    }
  }

  @Test("Damaged inputs are refused", arguments: ["319-base64-damaged", "320-base64-foreign"])
  func refused(name: String) {
    for input in SharedFiles.caseInputs(name) {
      guard case .damaged(.pumpEvents, _) = Recording.of(input).verdict else {
        Issue.record("\(name)")
        continue
      }
    }
  }

  @Test("Lines of little-endian records are read")
  func hexadecimal() {
    for input in SharedFiles.caseInputs("323-little-endian") {
      let recording = Recording.of(input)
      #expect(recording.verdict == .whole(.hexLines))
      #expect(recording.records.count == 7 && recording.rejects.isEmpty)
    }
  }
}
