import Platform
import PumpModel
import Testing

@testable import Decode
@testable import Emit

/// What is written as lines is read as it was.
@Suite("Lines, written and read")
struct LineRoundTripTests {
  private static func lines(of text: String) -> [[UInt8]] {
    text.split(separator: "\n").map { Array($0.utf8) }
  }

  @Test("Samples come back as they were, all metadata with them")
  func samples() throws {
    let text = try text(SamplesForm(try Fixture.context), [Fixture.batch])
    let rows = Fixture.rows.filter { $0.sample.amount > 0 }
    let lines = Self.lines(of: text)
    #expect(lines.count == rows.count)
    for (bytes, row) in zip(lines, rows) {
      let line = try unsafe SampleLineParser.parse(bytes.span.bytes)
      var sample = row.sample
      sample.identity.eventID = 0
      #expect(line.sample == sample)
      #expect(line.revision == row.revision)
      #expect(line.pump == Array(Fixture.pumps[row.pump].name.utf8))
      #expect(line.lineage == Array(Fixture.batch.lineage[row.lineage]))
    }
  }

  private static let digest = (0..<32).map { UInt8($0 * 8) }

  private static func decoded(
    _ append: (inout DecodedLineWriter, inout ByteBuffer) -> Void
  ) throws -> DecodedLine {
    var writer = DecodedLineWriter(version: DecodedLine.version)
    let text = appended { append(&writer, &$0) }
    #expect(text.hasSuffix("}\n"))
    let line = try #require(lines(of: text).first)
    #expect(line.count == text.utf8.count - 1)
    return try unsafe DecodedLineParser.parse(line.span.bytes)
  }

  private static func record(_ form: PumpRecord.Form) -> PumpRecord {
    PumpRecord(
      number: .max, seconds: .max, eventID: 4095, payload: .init(1, .max, 0, 0x8000_0000),
      form: form)
  }

  /// Rows that say everything, and as little as they may.
  private static let exportRows: [ExportRow] = {
    var full = RowBolus()
    full.normal = RowDose(amount: 80_000, decimals: 9, status: "completed")
    full.extended = RowDose(amount: 1, decimals: 0, status: "a \"b\" é")
    full.span =
      PumpTime.epochInUnixSeconds...PumpTime.epochInUnixSeconds + Int64(UInt32.max) + 32_400
    full.carbohydrate = 65_534_999
    full.requestTime = PumpTime.epochInUnixSeconds
    full.number = .max
    (full.isAutomatic, full.isOverride) = (true, true)
    var plain = RowBolus()
    plain.normal = RowDose(amount: 0, decimals: 0)
    var meal = RowBolus()
    meal.carbohydrate = 1
    let contents: [ExportRow.Content] = [
      .bolus(full), .bolus(plain), .bolus(meal), .reading(glucose: 1000, isManual: false),
      .reading(glucose: 1, isManual: true), .rate(milliunitsPerHour: 0, seconds: 1),
      .rate(milliunitsPerHour: 15_000, seconds: 93_600),
    ]
    let times = [0, Int64(UInt32.max)].map { PumpTime.epochInUnixSeconds + $0 }
    return ExportSource.allCases.flatMap { source in
      contents.flatMap { content in
        times.map { time in
          ExportRow(
            source: source, pump: 0, time: time, place: UInt64(Int64.max),
            name: source.namesRecords ? "a-b_c.1" : nil, content: content)
        }
      }
    }
  }()

  @Test("Rows come back as they were, whatever they say and wherever they come from")
  func rows() throws {
    for row in Self.exportRows {
      for serial in [nil, "9-A"] {
        let line = try Self.decoded { writer, buffer in
          var rest = ByteBuffer()
          writer.appendRest(of: row, serial: serial, to: &rest)
          rest.withText(0..<rest.count) { writer.append(row: $0, of: Self.digest, to: &buffer) }
        }
        guard case .row(let read) = line else {
          Issue.record("no row")
          return
        }
        #expect(read.row == row)
        #expect(read.serial == serial)
        #expect(read.document.bytes == Self.digest)
      }
    }
  }

  @Test("Records come back as they were, whatever their form")
  func records() throws {
    var json = Self.record(.json)
    json.present = 0b1010_0000_0000_0101
    json.isFromClockChanges = true
    json.hasGroup = true
    json.group = .max
    let details = [PumpEventRow.Detail(name: "a\"b", value: "1\n2")]
    for record in [Self.record(.binary), json] {
      let line = try Self.decoded { writer, buffer in
        writer.append(
          record, at: 7, of: Self.digest, pump: DecodedLineWriter.quoted("A\u{1}\"ü"),
          content: DecodedContent(name: "X", detail: .fields(details)), to: &buffer)
      }
      guard case .event(let event) = line else {
        Issue.record("no event")
        return
      }
      #expect(event.record == record)
      #expect(event.assignment == Array("A\u{1}\"ü".utf8))
      #expect(event.document.bytes == Self.digest)
    }
  }

  @Test("Properties become a part of their line, whatever white space and bytes they hold")
  func properties() throws {
    var record = Self.record(.json)
    record.hasText = true
    record.present = 0
    let json = Array("{ \"a \\\" b\" : [1,\r\n\t2] ,\"c\":\" ".utf8) + [0xFF] + Array("\"}".utf8)
    let text = appended { buffer in
      var writer = DecodedLineWriter(version: 1)
      writer.append(
        record, at: 0, of: Self.digest, pump: nil,
        content: DecodedContent(name: nil, detail: .properties(json)), to: &buffer)
    }
    #expect(text.contains(#""properties":{"a \" b":[1,2],"c":" \#u{FFFD}"}"#))
    #expect(text.filter(\.isNewline).count == 1)
    let line = try #require(Self.lines(of: text).first)
    guard case .event(let event) = try unsafe DecodedLineParser.parse(line.span.bytes) else {
      Issue.record("no event")
      return
    }
    #expect(event.record == record && event.assignment == nil)
  }

  @Test("What stands around records comes back too")
  func around() throws {
    let document = DecodedDocument(
      digest: Self.digest, name: "a\n› b", format: .har, bytes: 1, records: 2,
      ignored: [.erasedFlash: 3, .noHistory: 2, .noRule: 4], missingBodies: 5, isComplete: true)
    let line = DocumentLine(
      digest: try #require(Self.digestOf(Self.decoded { $0.append(document, to: &$1) })),
      name: "a\n› b", format: .har, bytes: 1, records: 2,
      ignored: [.erasedFlash: 3, .noHistory: 2], missingBodies: 5,
      isComplete: true)
    #expect(try Self.decoded { $0.append(document, to: &$1) } == .document(line))
    let facts = PumpFacts(
      assignment: "a", serial: "s\"", modelName: "t:slim X2™", softwareVersion: "7")
    #expect(
      try Self.decoded { $0.append(facts, of: Self.digest, to: &$1) }
        == .pump(document: line.digest, facts))
    #expect(
      try Self.decoded {
        $0.append(
          DecodedEstimate(
            digest: Self.digest, pump: "a", differsBy: -7, records: 8, first: 9, last: 10),
          to: &$1)
      }
        == .estimate(
          EstimateLine(
            document: line.digest, assignment: Array("a".utf8), differsBy: -7, records: 8,
            first: 9, last: 10)))
    for position in [Reject.Position.offset(1), .line(2), .index(3), .whole] {
      let reject = Reject(position, "why")
      #expect(
        try Self.decoded {
          $0.append(reject, in: "n", of: Self.digest, format: .records, to: &$1)
        }
          == .reject(
            RejectLine(document: line.digest, name: "n", format: nil, reject: reject)))
    }
    #expect(
      try Self.decoded { $0.append(.specialFile, name: "n", count: 1, to: &$1) }
        == .ignored(.specialFile, name: "n", count: 1))
    #expect(try Self.decoded { $0.appendBegin(to: &$1) } == .begin)
    #expect(try Self.decoded { $0.appendEnd(to: &$1) } == .end)
  }

  private static func digestOf(_ line: DecodedLine) -> LineDigest? {
    if case .document(let document) = line { document.digest } else { nil }
  }
}
