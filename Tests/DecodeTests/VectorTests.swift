import Decode
import PumpModel
import TestSupport
import Testing

@Suite("Real records", .enabled(if: SharedFiles.areThere))
struct VectorTests {
  private static var vectors: [[String: Any]] {
    let lines = (SharedFiles.bytes("data/history-log-vectors.jsonl") ?? []).split(separator: 0x0A)
    return lines.compactMap { SharedFiles.json(Array($0)) as? [String: Any] }
  }

  private static func bytes(hex: String) -> [UInt8] {
    let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  @Test("Every vector decodes to its fields")
  func vectorsDecode() throws {
    try #require(Self.vectors.count == 128)
    for vector in Self.vectors {
      let bytes = Self.bytes(hex: vector["be"] as? String ?? "")
      let record = try #require(unsafe RecordReader.record(in: bytes.span.bytes, at: 0))
      #expect(Int(record.eventID) == vector["id"] as? Int)
      #expect(Int(record.number) == vector["seq"] as? Int)
      #expect(Int(record.seconds) == vector["pumpSeconds"] as? Int)
      let layout = EventCatalogue.layout(of: record.eventID)
      for (name, value) in vector["fields"] as? [String: Any] ?? [:] {
        guard let field = layout?.fields.first(where: { $0.name == name }) else { continue }
        #expect(Self.agrees(field, record.payload, value), "\(record.eventID) \(name)")
      }
    }
  }

  private static func agrees(
    _ field: EventLayout.Field, _ payload: PumpRecord.Payload, _ value: Any
  ) -> Bool {
    let bits = field.bits(in: payload)
    if let list = value as? [Int] { return list.reduce(0) { $0 | 1 << $1 } == Int(bits) }
    guard let number = value as? Double else { return false }
    switch field.kind {
    case .f32: return abs(Double(Float(bitPattern: bits)) - number) <= abs(number) * 1e-6
    case .i8: return Double(Int8(truncatingIfNeeded: bits)) == number
    case .i16: return Double(Int16(truncatingIfNeeded: bits)) == number
    case .i32: return Double(Int32(bitPattern: bits)) == number
    case .u8, .u16, .u32: return Double(bits) == number
    }
  }

  @Test("No vector is rejected, and little-endian twins are the same records, in every form")
  func vectorsAreSound() {
    let all = Self.vectors.flatMap { Self.bytes(hex: $0["be"] as? String ?? "") }
    let recording = Recording.of(all)
    #expect(recording.verdict == .whole(.records))
    #expect(recording.records.count == 128)
    #expect(recording.rejects.isEmpty)
    let turned = Self.vectors.flatMap { Self.bytes(hex: $0["le"] as? String ?? "") }
    #expect(Recording.of(turned).verdict == .whole(.littleEndianRecords))
    let lines = Self.vectors.map { $0["le"] as? String ?? "" }.joined(separator: "\n")
    for twin in [Recording.of(turned), Recording.of(lines)] {
      #expect(twin.records == recording.records)
      #expect(twin.rejects.isEmpty)
    }
  }

  @Test("Every real frame is read, its checksum right")
  func frames() throws {
    let text = try #require(SharedFiles.bytes("data/ble_history_log_stream_frames.hex"))
    let lines = Recording.of(text)
    #expect(lines.verdict == .whole(.hexLines))
    #expect(lines.records.count == 21 && lines.rejects.isEmpty)
    let frames = String(decoding: text, as: UTF8.self).split(separator: "\n").map {
      Self.bytes(hex: String($0))
    }
    #expect(frames.count == 13)
    let bytes = Recording.of(frames.flatMap(\.self))
    #expect(bytes.verdict == .whole(.frames))
    #expect(bytes.records == lines.records && bytes.rejects.isEmpty)
    var capture = RadioCapture()
    for frame in frames { capture.notify(frame, bytesEach: 27) }
    #expect(Recording.of(capture.bytes).records == lines.records)
  }

  @Test("One record alone is recognised, in both orders of bytes")
  func singleVectors() {
    for vector in Self.vectors where (vector["id"] as? Int ?? 0) != 264 {
      let big = Recording.of(Self.bytes(hex: vector["be"] as? String ?? ""))
      let id = vector["id"] as? Int ?? -1
      guard EventCatalogue.layout(of: UInt16(id)) != nil else { continue }
      #expect(big.verdict == .whole(.records), "\(id)")
      let little = Recording.of(Self.bytes(hex: vector["le"] as? String ?? ""))
      #expect(little.verdict == .whole(.littleEndianRecords), "\(id)")
      #expect(little.records == big.records, "\(id)")
      #expect(Recording.of(vector["le"] as? String ?? "").records == big.records, "\(id)")
    }
  }

  @Test("An event and its record in bytes agree in the fields that the rules use")
  func formsAgree() throws {
    for vector in Self.vectors {
      let bytes = Self.bytes(hex: vector["be"] as? String ?? "")
      guard var binary = unsafe RecordReader.record(in: bytes.span.bytes, at: 0),
        let fields = vector["fields"] as? [String: Any], !fields.isEmpty
      else { continue }
      let text = fields.map { "\"\($0)\":\(Self.json($1))" }.joined(separator: ",")
      let recording = Recording.of(
        EventText.document([
          EventText.event(
            Int(binary.eventID), number: Int(binary.number), properties: text)
        ]))
      guard var record = recording.records.first else {
        Issue.record("\(binary.eventID) \(recording.calls)")
        continue
      }
      // Some vectors name only the fields that somebody asserted.
      record.form = .binary
      binary.present = record.present
      #expect(!RuleFields.differ(record, binary), "\(binary.eventID) \(text)")
    }
  }

  private static func json(_ value: Any) -> String {
    if let list = value as? [Int] { return "[\(list.map(String.init).joined(separator: ","))]" }
    if let number = value as? Int { return String(number) }
    return "\(value)"
  }

  @Test("Captured answers are read without a reject")
  func capturesAreRead() throws {
    let logs = Recording.of(try #require(SharedFiles.bytes("data/pump_logs_captured.json")))
    #expect(logs.verdict == .whole(.pumpLogs))
    #expect(logs.records.count == 45)
    #expect(logs.records.count(where: \.isFromClockChanges) == 3)
    #expect(logs.rejects.isEmpty)
    let pumper = Recording.of(try #require(SharedFiles.bytes("data/pumper.json")))
    #expect(pumper.verdict == .whole(.pumper))
    #expect(pumper.facts.map(\.serial) == ["90000011", "90000012"])
    #expect(pumper.facts.first?.modelName == "t:slim X2™ Insulin Pump")
    let old = try #require(
      SharedFiles.bytes("data/reportsfacade_pumpevents_real_be_records.json"))
    #expect(Recording.of(old).verdict == .whole(.pumpEvents))
    #expect(Recording.of(old).records.count == 32)
  }

  @Test(
    "Other files are none of ours",
    arguments: [
      "data/README.md", "data/apple/golden-minimal-dtd.xml",
      "cases/251-unknown-file/input/note.txt",
    ])
  func othersAreNot(path: String) throws {
    #expect(Recording.of(try #require(SharedFiles.bytes(path))).verdict == .unrecognised)
  }
}
