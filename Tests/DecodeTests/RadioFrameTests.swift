import Decode
import PumpModel
import TestSupport
import Testing

/// What pumps send over Bluetooth, in bytes: little-endian records, and frames.
@Suite("Little-endian records and frames")
struct RadioFrameTests {
  static let records = (1...10 as ClosedRange<UInt32>).map { DocumentTests.record($0) }
  static let newestFirst = [3, 2, 1, 6, 5, 4, 9, 8, 7, 10].map { records[$0 - 1] }

  @Test("Little-endian records come back, from bytes and from base64")
  func littleEndian() {
    let records = (1...5000 as ClosedRange<UInt32>).map { DocumentTests.record($0) }
    let bytes = records.flatMap { RecordEncoder.littleEndianBytes($0) }
    for recording in [Recording.of(bytes), Recording.of(bytes, pieces: 999)] {
      #expect(recording.records == records)
      #expect(recording.verdict == .whole(.littleEndianRecords))
      #expect(recording.rejects.isEmpty)
    }
    let text = Recording.of(RecordEncoder.base64(bytes))
    #expect(text.records == records && text.verdict == .whole(.pumpEvents))
  }

  @Test("Words of a payload are turned round each for itself")
  func words() throws {
    var record = DocumentTests.record(7, id: 55)
    record.payload = .init(0x0102_0304, 0x0506_0708, 0x090A_0B0C, 0x0D0E_0F10)
    var bytes = RecordEncoder.littleEndianBytes(record)
    #expect(bytes[10...] == [4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9, 16, 15, 14, 13])
    // The high nibble of the id is a generation.
    bytes[1] |= 0x10
    #expect(Recording.of(bytes).records == [record])
    #expect(try #require(Recording.of(bytes).records.first).payload.u8(at: 3) == 4)
  }

  @Test("Erased flash and stray bytes are what they are among big-endian records")
  func erasedAndStray() {
    let erased = [UInt8](repeating: 0xFF, count: 52)
    let bytes = Self.records.flatMap { RecordEncoder.littleEndianBytes($0) }
    let recording = Recording.of(erased + bytes + erased + [1, 2])
    #expect(recording.records == Self.records)
    #expect(recording.calls.count { $0 == .ignore(.erasedFlash, nil) } == 4)
    #expect(recording.rejects.map(\.position) == [.offset(364)])
  }

  @Test("Records that read as well either way are refused")
  func ambiguous() {
    // The id is 64 or 16; time and number are the same backwards.
    let bytes: [UInt8] =
      [0x10, 0x40, 0x22, 0x7F, 0x7F, 0x22, 1, 0, 0, 1] + [UInt8](repeating: 0, count: 16)
    for (document, format) in [
      (bytes, DocumentFormat.records), (Array(RadioEncoder.hex(bytes).utf8), .hexLines),
      (Array(RecordEncoder.base64(bytes).utf8), .pumpEvents),
    ] {
      let recording = Recording.of(document)
      guard case .damaged(format, let reject) = recording.verdict else {
        Issue.record("\(format): \(recording.calls)")
        continue
      }
      #expect(reject.position == .whole && reject.reason.contains("as well"))
      #expect(recording.records.isEmpty)
    }
  }

  @Test("Small numbers of other files are no little-endian record; an id that nobody knows is one")
  func plausible() {
    let small: [UInt8] = [3, 0, 1, 0, 0, 0, 5, 0, 0, 0] + [UInt8](repeating: 1, count: 16)
    #expect(Recording.of(small).verdict == .unrecognised)
    let unknown = DocumentTests.record(70_000, id: 777)
    for document in [
      RecordEncoder.littleEndianBytes(unknown), Array(RadioEncoder.recordLines([unknown]).utf8),
    ] {
      let recording = Recording.of(document)
      #expect(recording.records == [unknown])
      #expect(recording.calls.contains(.ignore(.unknownEvent, 777)))
    }
  }

  @Test("Frames come back, the newest record of each first", arguments: [1, 7, 100_000])
  func frames(pieces: Int) {
    let recording = Recording.of(RadioEncoder.frames(Self.records), pieces: pieces)
    #expect(recording.records == Self.newestFirst)
    #expect(recording.verdict == .whole(.frames))
    #expect(recording.rejects.isEmpty)
  }

  @Test("A frame whose checksum is wrong is one reject, and none of its records is used")
  func wrongChecksum() {
    let frame = RadioEncoder.packets(RadioEncoder.history(Self.records[0..<3]))[0]
    for damaged in [7, 30, 60, frame.count - 1] {
      var bytes = RadioEncoder.frames(Self.records)
      bytes[frame.count + damaged] ^= 4
      let recording = Recording.of(bytes)
      #expect(recording.records == [3, 2, 1, 9, 8, 7, 10].map { Self.records[$0 - 1] })
      #expect(recording.rejects.map(\.position) == [.offset(UInt64(frame.count))])
    }
  }

  @Test("After bytes that are no frame, the next sound frame is found; what they are is one reject")
  func resynchronizes() {
    let frames = RadioEncoder.messages(Self.records).flatMap { RadioEncoder.packets($0) }
    // The length of the second one is damaged, and there is noise before the third.
    var second = frames[1]
    second[4] = 28
    let bytes = frames[0] + second + [0, 0, 0x81, 0, 3, 9] + frames[2] + frames[3]
    let recording = Recording.of(bytes)
    #expect(recording.records == [3, 2, 1, 9, 8, 7, 10].map { Self.records[$0 - 1] })
    #expect(recording.rejects.map(\.position) == [.offset(UInt64(frames[0].count))])
    let cut = Recording.of(Array(RadioEncoder.frames(Self.records).dropLast(5)))
    #expect(cut.records == Array(Self.newestFirst.dropLast()))
    #expect(cut.rejects.map(\.position) == [.offset(UInt64(3 * frames[0].count))])
  }

  @Test("A split frame in bytes is refused: where its packets end is not known")
  func splitFrame() {
    let packets = RadioEncoder.packets(RadioEncoder.history(Self.records[0..<3]), bytesEach: 18)
    guard case .damaged(.frames, let reject) = Recording.of(packets.flatMap(\.self)).verdict else {
      Issue.record("not refused")
      return
    }
    #expect(reject.reason.contains("split"))
  }

  @Test("The checksum is the published one, and the same as bit by bit")
  func checksums() {
    #expect(RadioEncoder.checksum(Array("123456789".utf8)) == 0x29B1)
  }
}
