import Decode
import PumpModel
import TestSupport
import Testing

/// Telling records from other files, and other files from records.
@Suite("Recognising records")
struct RecognitionTests {
  private func bytes(_ records: [PumpRecord], source: UInt16 = 0) -> [UInt8] {
    records.flatMap { RecordEncoder.bytes($0, source: source) }
  }

  @Test("Records of any source are records", arguments: 0..<16 as Range<UInt16>)
  func sources(source: UInt16) {
    let recording = Recording.of(bytes([DocumentTests.record(7)], source: source))
    #expect(recording.verdict == .whole(.records))
    #expect(recording.records.count == 1)
  }

  @Test("A record whose first bytes look like white space and a quotation mark is one")
  func looksLikeText() {
    // Source 2, id 13, and a time whose first byte is a quotation mark: 20 0D 22.
    var record = DocumentTests.record(7, id: 13)
    record.seconds = 0x2250_1234
    record.payload = .init(1000, 2000)
    for source in [0, 2] as [UInt16] {
      let recording = Recording.of(bytes([record, DocumentTests.record(8)], source: source))
      #expect(recording.verdict == .whole(.records))
      #expect(recording.records.count == 2)
    }
  }

  @Test("Records of ids that nobody knows are counted, alone or among others")
  func unknownIDs() {
    let alone = Recording.of(bytes([DocumentTests.record(7, id: 777)]))
    #expect(alone.verdict == .whole(.records))
    #expect(alone.calls.contains(.ignore(.unknownEvent, 777)))
    let records = [
      DocumentTests.record(7), DocumentTests.record(8, id: 4000), DocumentTests.record(9),
    ]
    #expect(Recording.of(bytes(records)).records.count == 3)
  }

  @Test("Databases, forks of macOS, zones and wide text are no records")
  func foreignFiles() {
    let database = Array("SQLite format 3\0".utf8) + [0x10, 0, 2, 2, 0, 0x40, 0x20, 0x20]
    let fork: [UInt8] =
      [0, 5, 0x16, 7, 0, 2, 0, 0] + Array("Mac OS X        ".utf8)
      + [0, 2, 0, 0, 0, 9, 0, 0, 0, 0x32]
    let zone = Array("TZif2".utf8)
    for head in [database, fork, zone] {
      #expect(Recording.of(head + [UInt8](repeating: 0, count: 4096)).verdict == .unrecognised)
    }
    let text = Array("{\"events\": [], \"clockChanges\": []} and more".utf8)
    #expect(Recording.of(text.flatMap { [0, $0] }).verdict == .unrecognised)
    #expect(Recording.of(text.flatMap { [$0, 0] }).verdict == .unrecognised)
  }

  @Test(
    "White space before a document does not hide it, however much, and its places count",
    arguments: [0, 1000, 1023, 1024, 1025, 200_000])
  func whiteSpaceFirst(count: Int) {
    let space = [UInt8](repeating: 0x20, count: count)
    let document = Array(#"{"events":[7],"clockChanges":[]}"#.utf8)
    for pieces in [7, 1024, count + document.count] {
      let recording = Recording.of(space + document, pieces: pieces)
      #expect(recording.verdict == .whole(.pumpLogs))
      #expect(recording.rejects.map(\.position) == [.offset(UInt64(count + 11))])
    }
    let marked = Recording.of([0xEF, 0xBB, 0xBF] + space + document)
    #expect(marked.verdict == .whole(.pumpLogs))
    #expect(Recording.of(space + Array("what".utf8)).verdict == .unrecognised)
    #expect(Recording.of(space).verdict == .unrecognised)
  }

  @Test("A short document may begin with a byte-order mark")
  func shortWithMark() {
    let document = [0xEF, 0xBB, 0xBF] + Array(#"{"events":[]}"#.utf8)
    #expect(Recording.of(document).verdict == .whole(.pumpLogs))
  }

  @Test(
    "What is no list where a list of ours should be is a reject of a document that is ours",
    arguments: ["null", "5", "\"x\"", "{\"a\":[1]}", "true"])
  func noList(value: String) {
    let events = Recording.of(#"{"events":\#(value),"clockChanges":[]}"#)
    #expect(events.verdict == .whole(.pumpLogs))
    #expect(events.rejects == [Reject(.offset(10), "not a list of events")])
    let changes = Recording.of(#"{"events":[],"clockChanges":\#(value)}"#)
    #expect(changes.rejects == [Reject(.offset(28), "not a list of clockChanges")])
    #expect(Recording.of(#"{"events":\#(value)}"#).verdict == .unrecognised)
    #expect(Recording.of(#"{"pumps":\#(value),"events":[]}"#).rejects == [])
  }

  @Test("A record here and there does not make a file a log")
  func mixture() {
    let record = RecordEncoder.bytes(DocumentTests.record(7))
    let noise = (0..<26).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 119) }
    let file = (0..<20).flatMap { $0 % 3 == 0 ? record : noise }
    #expect(Recording.of(file).verdict == .unrecognised)
  }

  @Test(
    "A bad element at the head of the events is one reject, and hides nothing",
    arguments: ["null", "1", "\"a\"", "{}", "[]"])
  func badHead(element: String) {
    let text = "{\"events\":[\(element),\(DocumentTests.bolus)],\"clockChanges\":[]}"
    let recording = Recording.of(text)
    #expect(recording.verdict == .whole(.pumpLogs))
    #expect(recording.records.count == 1)
    #expect(recording.rejects.count == 1)
  }

  @Test("A clock change of a time or date that no pump shows is rejected")
  func impossibleClock() {
    for (id, before, after, isSound) in [
      (13, 0, 86_399_999, true), (13, 86_400_001, 0, false), (14, 6700, 49_710, true),
      (14, 1_000_000, 0, false), (14, 0, 4_000_000_000, false),
    ] as [(UInt16, UInt32, UInt32, Bool)] {
      var record = DocumentTests.record(7, id: id)
      record.payload = .init(before, after)
      if case .rejected = EventDecoder.decode(record) {
        #expect(!isSound)
      } else {
        #expect(isSound)
      }
    }
  }
}
