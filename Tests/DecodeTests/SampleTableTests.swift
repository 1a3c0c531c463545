import PumpModel
import Testing

@testable import Decode

@Suite("Samples of a CSV output")
struct SampleTableTests {
  private static let header =
    "external_id,device,type,value,unit,start_utc,end_utc,start_local,end_local,zone,revision,part,"
    + "automatic,deliveredBy,requested,status,override,rate,rateSource,inferred,dataSource"
  private static let bolus =
    "tandem:1:1-5:bolus,1,insulin.bolus,2.5,IU,2026-05-04T12:00:00Z,2026-05-04T12:00:00Z,"
    + "2026-05-04T08:00:00-04:00,2026-05-04T08:00:00-04:00,America/New_York,1,normal,,ble,2.5,"
    + "completed,,,,,"

  private func read(_ text: String, pieces: Int = .max) throws -> [WrittenEntry] {
    var entries: [WrittenEntry] = []
    var reader = SampleTableReader { name, _ in name == "America/New_York" ? -14_400 : nil }
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = pieces < bytes.count - start ? start + pieces : bytes.count
      let piece = Array(bytes[start..<end])
      unsafe try reader.feed(piece.span.bytes) { entries.append($0) }
      start = end
    }
    try reader.finish { entries.append($0) }
    return entries
  }

  private func faults(_ text: String) throws -> [WrittenFault] {
    try read(text).compactMap { entry in
      if case .fault(let fault) = entry { fault } else { nil }
    }
  }

  @Test("have what their columns say, cut anywhere", arguments: [1, 5, Int.max])
  func row(pieces: Int) throws {
    let noon = Instant(unixSeconds: 1_777_896_000)
    let wanted = WrittenSample(
      externalID: "tandem:1:1-5:bolus", type: .bolus, device: "1", start: noon, end: noon,
      amount: WrittenAmount(2500, decimals: 3), zone: "America/New_York",
      metadata: WrittenMetadata([
        ("deliveredBy", "ble"), ("part", "normal"), ("requested", "2.5"), ("status", "completed"),
      ]), place: 2)
    #expect(
      try read("\u{FEFF}\(Self.header)\r\n\(Self.bolus)\r\n", pieces: pieces) == [.sample(wanted)])
  }

  @Test("may stand in other columns, and without those for people")
  func order() throws {
    let text = """
      note,unit,value,type,end_utc,start_utc
      "a,""b"" ",g,30,nutrition.carbohydrates,2026-05-04T12:00:00Z,2026-05-04T12:00:00Z
      """
    guard case .sample(let sample) = try read(text).first else {
      Issue.record("no sample")
      return
    }
    #expect(sample.type == .carbohydrates)
    #expect(sample.amount.text == "30")
    #expect(sample.externalID == nil)
  }

  @Test("are derived where the column of the source says so")
  func derived() throws {
    let row = Self.bolus.replacing("completed,,,,,", with: "completed,,,,,derived")
    guard case .sample(let sample) = try read("\(Self.header)\n\(row)\n").first else {
      Issue.record("no sample")
      return
    }
    #expect(sample.metadata.entries.contains { $0 == ("derived", "true") })
  }

  @Test("have the columns and cells of an output, or it is found")
  func shape() throws {
    func findings(_ text: String) throws -> [Finding] {
      var reader = SampleTableReader()
      let bytes = Array(text.utf8)
      unsafe try reader.feed(bytes.span.bytes) { _ in }
      try reader.finish { _ in }
      return reader.findings
    }
    #expect(try findings("\(Self.header)\n\(Self.bolus)\n\n").isEmpty)
    let wide = try findings("\(Self.header)\n\(Self.bolus)\n\(Self.bolus),\n")
    #expect(wide.map(\.code) == [.tableMalformed])
    #expect(wide.first?.text.hasSuffix("line 3") == true)
    let header = Self.header.replacing(",rateSource", with: "")
    let bolus = Self.bolus.dropLast()
    let narrow = try findings("\(header)\n\(bolus)\n")
    #expect(narrow.map(\.text) == ["columns are missing: rateSource"])
    let more = try findings("\(Self.header),mood\n\(Self.bolus),\n")
    #expect(more.map(\.text) == ["columns that pumpline does not write: 1"])
  }

  @Test(
    "are faults where they cannot be what they say",
    arguments: [
      ("insulin.bolus", "insulin", "type"), (",IU,", ",U,", "unit"),
      (",2.5,IU", ",-2.5,IU", "value"),
      (",2.5,IU", ",,IU", "value"), ("12:00:00Z,2026-05-04T12", "12:00:00Z,2026-05-04T11", "times"),
      ("08:00:00-04:00,2026", "09:00:00-04:00,2026", "start_local"),
      ("08:00:00-04:00,2026", ",2026", "start_local"),
      ("08:00:00-04:00,2026", "12:00:00+00:00,2026", "zone"),
      (",1,normal", ",0,normal", "revision"),
      (",1,normal", ",=1+1,normal", "revision"), ("tandem:1:1-5:bolus", "other", "external id"),
    ])
  func faults(text: String, other: String, word: String) throws {
    #expect(Self.bolus.contains(text))
    let row = Self.bolus.replacing(text, with: other, maxReplacements: 1)
    let faults = try faults("\(Self.header)\n\(Self.bolus)\n\(row)\n")
    #expect(faults.map(\.place) == [3])
    #expect(faults.first?.reason.contains(word) == true)
  }

  @Test(
    "are not looked for in other tables",
    arguments: ["", "a,b\n1,2\n", "\(header),change\n", "\(header),zone\n", "\(header)\n\"\n\n"])
  func otherTables(text: String) {
    #expect(throws: WrittenFault.self) { try read(text) }
  }
}

@Suite("Lines of samples as they stand")
struct WrittenLineTests {
  private static let line = """
    {"externalId":"tandem:1:1-5:bolus","type":"insulin.bolus","value":"2.5","unit":"IU",\
    "startAt":"2026-05-04T12:00:00Z","endAt":"2026-05-04T12:00:00Z","revision":1,\
    "metadata":{"part":"normal","status":"completed"},"source":{"deviceId":"1","eventIds":["1-5"]}}
    """

  private func parse(_ text: String) throws -> WrittenSample {
    let bytes = Array(text.utf8)
    return unsafe try WrittenLineParser.parse(bytes.span.bytes, line: 7)
  }

  @Test("have what their keys say")
  func line() throws {
    let noon = Instant(unixSeconds: 1_777_896_000)
    var wanted = WrittenSample(
      externalID: "tandem:1:1-5:bolus", type: .bolus, device: "1", start: noon, end: noon,
      amount: WrittenAmount(2500, decimals: 3),
      metadata: WrittenMetadata([("part", "normal"), ("status", "completed")]), place: 7)
    wanted.lineage = [EventReference(number: 1, seconds: 5)]
    #expect(try parse(Self.line) == wanted)
    let row = Self.line.replacing("\"1-5\"", with: "\"csv-5-0\"")
    #expect(try parse(row).lineage == [])
  }

  @Test("are shown, not refused, where no pump could give them")
  func tampered() throws {
    let line = Self.line.replacing("\"2.5\"", with: "\"2500\"")
      .replacing("tandem:1:1-5:bolus", with: "other")
    let sample = try parse(line)
    #expect(sample.amount.text == "2500")
    #expect(sample.externalID == nil)
  }

  @Test(
    "are faults where they cannot be what they say",
    arguments: [
      ("\"2.5\"", "\"-2.5\""), ("\"IU\"", "\"g\""), ("insulin.bolus", "insulin"),
      ("\"normal\"", "1"), ("T12:00:00Z\",\"endAt", "T12:00:01Z\",\"endAt"),
      ("\"revision\":1", "\"deleted\":true"), ("\"revision\":1", "\"revision\":0"),
      ("\"unit\"", "\"val\\u0075e\":\"9\",\"unit\""), ("[\"1-5\"]", "[\"1\"]"), ("[\"1-5\"]", "7"),
      ("\"deviceId\"", "\"deviceId\":\"2\",\"deviceId\""),
    ])
  func faults(text: String, other: String) {
    #expect(Self.line.contains(text))
    #expect(throws: LineFault.self) {
      try parse(Self.line.replacing(text, with: other, maxReplacements: 1))
    }
  }
}
