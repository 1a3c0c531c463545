import Decode
import PumpModel
import TestSupport
import Testing

@Suite("Documents of records")
struct RecordDocumentTests {
  private func bytes(_ numbers: ClosedRange<UInt32>) -> [UInt8] {
    numbers.flatMap { RecordEncoder.bytes(DocumentTests.record($0), source: 1) }
  }

  @Test("What is encoded comes back, from bytes and from base64")
  func roundTrip() {
    let records = (1...9000 as ClosedRange<UInt32>).map { DocumentTests.record($0) }
    let bytes = bytes(1...9000)
    for recording in [Recording.of(bytes), Recording.of(bytes, pieces: 1000)] {
      #expect(recording.records == records)
      #expect(recording.verdict == .whole(.records))
    }
    let text = RecordEncoder.base64(bytes)
    #expect(Recording.of(text).records == records)
    let escaped = text.replacing("/", with: "\\/").replacing("A", with: "A\\r\\n ")
    #expect(Recording.of(escaped, pieces: 77).records == records)
    #expect(Recording.of(escaped).verdict == .whole(.pumpEvents))
  }

  @Test("Erased flash is counted, alone or between records")
  func erasedFlash() {
    let erased = [UInt8](repeating: 0xFF, count: 26 * 100) + [UInt8](repeating: 0, count: 26)
    let alone = Recording.of(erased)
    #expect(alone.verdict == .whole(.records))
    #expect(alone.calls.count { $0 == .ignore(.erasedFlash, nil) } == 101)
    let between = Recording.of(erased + bytes(1...1) + erased)
    #expect(between.records.count == 1)
    #expect(between.verdict == .whole(.records))
    let noise = erased + (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
    #expect(Recording.of(noise).verdict == .unrecognised)
  }

  @Test("Stray bytes after whole records are one reject")
  func strayBytes() {
    let stray = bytes(1...2) + [0, 20, 0x22, 0x7F, 0x0F]
    #expect(Recording.of(stray).records.count == 2)
    #expect(Recording.of(stray).rejects.map(\.position) == [.offset(52)])
    let text = Recording.of(RecordEncoder.base64(stray))
    #expect(text.records.count == 2 && text.rejects.map(\.position) == [.offset(52)])
    #expect(text.verdict == .whole(.pumpEvents))
  }

  @Test("Damaged base64 is refused: cut groups, foreign characters, wrong padding")
  func damagedBase64() {
    let text = RecordEncoder.base64(bytes(1...2))
    let digits = text.dropFirst().dropLast()
    for bad in [
      "\"\(digits.prefix(digits.count - 2))\"", "\"\(digits.prefix(40))*\(digits.dropFirst(41))\"",
      "\"\(digits)A\"", "\"\(digits)=\"", "\"\(digits)", "\"\(digits.prefix(20))",
    ] {
      guard case .damaged(.pumpEvents, _) = Recording.of(bad).verdict else {
        Issue.record("\(bad)")
        continue
      }
    }
    #expect(Recording.of("\"\"").verdict == .whole(.pumpEvents))
    #expect(Recording.of("\"  \\n\"").verdict == .whole(.pumpEvents))
    #expect(Recording.of("\"QUJD\"").verdict == .unrecognised)
  }

  @Test("Other binary files are not recognised")
  func otherFiles() {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D]
    #expect(Recording.of(png + [UInt8](repeating: 3, count: 400)).verdict == .unrecognised)
    let spaced = "PA   P  7  text that looks a little like records does, until it is looked at"
    #expect(Recording.of(spaced).verdict == .unrecognised)
    #expect(Recording.of(Array(bytes(1...1).prefix(25))).verdict == .unrecognised)
    let wide = "{\"events\": []}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(Recording.of(wide).verdict == .unrecognised)
    #expect(Recording.of([0xFF, 0xFE] + wide).verdict == .whole(.pumpLogs))
    var random = TestRandom(seed: 5)
    for _ in 0..<500 {
      let count = Int.random(in: 26...2000, using: &random)
      let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Recording.of(noise).verdict == .unrecognised)
    }
  }

  @Test("A reader stops early at what is none of ours, and a source may say that bytes are missing")
  func earlyEnd() {
    let recording = Recording()
    let reader = DocumentReader(consumer: recording)
    let text = [UInt8](repeating: 0x41, count: 5000)
    unsafe reader.feed(text.span.bytes)
    #expect(!reader.wantsMore)
    reader.finish()
    #expect(recording.calls == [.begin(nil), .end(.unrecognised)])
    let cut = Recording()
    let second = DocumentReader(consumer: cut)
    let whole = bytes(1...3)
    unsafe second.feed(whole.span.bytes)
    let reason = Reject(.whole, "the archive is damaged")
    second.finish(wasCut: reason)
    #expect(cut.verdict == .damaged(.records, reason))
  }
}
