import PumpModel
import Testing

@testable import Decode

@Suite("Lines of decode")
struct DecodedLineTests {
  static let digest = String(repeating: "0123456789abcdef", count: 4)
  static let event = """
    {"record":"event","document":"\(digest)","offset":11,"pump":"0ddba115","group":0,\
    "number":4096,"seconds":578707200,"time":"2026-05-04T00:00:00","id":90,"name":"NEW_DAY",\
    "form":"json","clockChanges":true,"present":1,"payload":"3f4ccccd000000000000000000000000",\
    "fields":{"commandedBasalRate":"0.8"}}
    """
  static let document = """
    {"record":"document","version":1,"document":"\(digest)","name":"a › b","format":"pump-logs",\
    "bytes":9,"records":7,"ignored":{"erasedFlash":2,"noHistory":5,"noRule":1},"missingBodies":3,"complete":true}
    """

  static let rowLine = """
    {"record":"row","document":"\(digest)","line":8,"source":"csv","serial":"90000001",\
    "seconds":578750400,"time":"2026-05-04T12:00:00","kind":"bolus",\
    "normal":{"milliunits":2350,"decimals":2,"status":"completed"},\
    "extended":{"milliunits":1000,"decimals":1,"from":578750400,"until":578754000},\
    "carbMilligrams":48000,"requested":578750340,"number":104,"automatic":true,"override":true}
    """
  static let rateLine = """
    {"record":"row","document":"\(digest)","offset":80,"source":"nightscout","recordId":"5f01",\
    "seconds":578750400,"time":"2026-05-04T12:00:00Z","kind":"rate","milliunitsPerHour":800,\
    "duration":1800}
    """

  static func parse(_ text: String) -> Result<DecodedLine, LineFault> {
    let bytes = Array(text.utf8)
    return Result { () throws(LineFault) in
      try unsafe DecodedLineParser.parse(bytes.span.bytes)
    }
  }

  @Test("An event gives its record")
  func event() throws {
    guard case .event(let line) = try Self.parse(Self.event).get() else {
      Issue.record("no event")
      return
    }
    var record = PumpRecord(
      number: 4096, seconds: 578_707_200, eventID: 90, payload: .init(0x3F4C_CCCD), form: .json,
      present: 1)
    record.hasGroup = true
    record.isFromClockChanges = true
    #expect(line.record == record)
    #expect(line.assignment == Array("0ddba115".utf8))
    #expect(line.document.bytes.prefix(3) == [0x01, 0x23, 0x45])
  }

  @Test("Of an event without a layout the payload is a digest, and no field is there")
  func properties() throws {
    let text = SampleLineTests.changed(Self.event, "\"present\":1", "\"properties\":{\"a\":[1]}")
    guard case .event(let line) = try Self.parse(text).get() else {
      Issue.record("no event")
      return
    }
    #expect(line.record.hasText && line.record.present == 0)
  }

  static let fetchedLine = """
    {"record":"fetched","document":"\(digest)","pump":"a\\u0031","from":578707200,\
    "until":578880000,"state":"emptyOnce","time":"2026-05-04T00:00:00"}
    """

  @Test("Fetched time has a pump, its beginning and end, and what is proven of it")
  func fetched() throws {
    guard case .fetched(let document, let statement) = try Self.parse(Self.fetchedLine).get() else {
      Issue.record("no fetched time")
      return
    }
    let may = CivilTime.days(year: 2026, month: 5, day: 4) * 86_400
    #expect(document.bytes.prefix(2) == [0x01, 0x23])
    #expect(
      statement
        == FetchedStatement(
          assignment: "a1", range: FetchedRange(may..<may + 2 * 86_400, .emptyOnce)))
  }

  @Test(
    "Fetched time that cannot be is refused",
    arguments: [
      ("578880000", "578707200", LineFault.contradiction("from", "until")),
      ("578880000", "4294967296", .unusable("until")), ("578707200", "-1", .unusable("from")),
      ("emptyOnce", "empty", .unusable("state")), (#"a\u0031"#, "", .unusable("pump")),
      (#""pump""#, #""pumps""#, .missing("pump")), (#""state""#, #""states""#, .missing("state")),
    ])
  func unusableFetched(text: String, other: String, fault: LineFault) {
    #expect(Self.parse(Self.fetchedLine.replacing(text, with: other)) == .failure(fault))
  }

  @Test("A row gives all that it says")
  func row() throws {
    guard case .row(let line) = try Self.parse(Self.rowLine).get() else {
      Issue.record("no row")
      return
    }
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: 2350, decimals: 2, status: "completed")
    bolus.extended = RowDose(amount: 1000, decimals: 1)
    bolus.span = 1_777_896_000...1_777_899_600
    bolus.carbohydrate = 48_000
    bolus.requestTime = 1_777_895_940
    bolus.number = 104
    (bolus.isAutomatic, bolus.isOverride) = (true, true)
    #expect(
      line.row
        == ExportRow(
          source: .csv, pump: 0, time: 1_777_896_000, place: 8, content: .bolus(bolus)))
    #expect(line.serial == "90000001" && line.document.bytes.first == 0x01)
  }

  private static let badRows: [(String, String, String, String)] = [
    (rowLine, "\"line\":8", "\"offset\":8", "line is missing"),
    (rowLine, "\"csv\"", "\"pen\"", "source cannot be used"),
    (rowLine, "\"csv\"", "\"tidepool\"", "offset is missing"),
    (rowLine, "\"serial\"", "\"recordId\":\"a\",\"serial\"", "source and recordId contradict"),
    (rowLine, "90000001", "", "serial cannot be used"),
    (rowLine, "578750400,\"time", "4294967296,\"time", "seconds cannot be used"),
    (rowLine, "578750400,\"time", "-1,\"time", "seconds cannot be used"),
    (rowLine, "\"bolus\"", "\"dose\"", "kind cannot be used"),
    (rowLine, "2350", "80001", "milliunits cannot be used"),
    (rowLine, "2350", "2.35", "milliunits"),
    (rowLine, "2350", "1e3", "milliunits"), (rowLine, "2350", "\"2350\"", "milliunits"),
    (rowLine, "\"milliunits\":2350,", "", "milliunits is missing"),
    (rowLine, "\"decimals\":2,", "\"decimals\":10,", "decimals cannot be used"),
    (rowLine, "\"status\":\"completed\"", "\"status\":\"a\\u0001\"", "status cannot be used"),
    (rowLine, "\"status\":\"completed\"", "\"decimals\":2", "decimals stands twice"),
    (
      rowLine, "{\"milliunits\":2350,\"decimals\":2,\"status\":\"completed\"}", "2", "normal cannot"
    ),
    (rowLine, "578754000", "578750399", "from and until contradict"),
    (rowLine, ",\"until\":578754000", "", "until is missing"),
    (rowLine, "48000", "0", "carbMilligrams"),
    (rowLine, "48000", "65535000", "carbMilligrams"), (rowLine, "104", "4294967296", "number"),
    (rowLine, "\"automatic\":true", "\"automatic\":1", "automatic"),
    (rateLine, "5f01", "a b", "recordId cannot be used"),
    (rateLine, "\"recordId\":\"5f01\",", "", "recordId is missing"),
    (rateLine, "800", "15001", "milliunitsPerHour"), (rateLine, "1800", "0", "duration"),
    (rateLine, "1800", "93601", "duration"),
    (rateLine, "\"rate\"", "\"sensor\"", "glucose is missing"),
  ]

  @Test("A row that says what no row can say is refused, by its key", arguments: badRows)
  func impossibleRow(line: String, old: String, new: String, reason: String) {
    guard case .failure(let fault) = Self.parse(SampleLineTests.changed(line, old, new)) else {
      Issue.record("read")
      return
    }
    #expect(fault.reason.contains(reason), "\(fault.reason)")
  }

  @Test("Of a document of rows everything that is ignored is known from its line alone")
  func ignoredRows() throws {
    let counts = IgnoredReason.allCases.map { "\"\($0.rawValue)\":1" }.joined(separator: ",")
    for (format, kept) in [
      ("source-csv", 11), ("pump-logs", 10),
    ] {
      let text = SampleLineTests.changed(Self.document, "pump-logs", format)
        .replacing(/"ignored":{[^}]*}/, with: "\"ignored\":{\(counts)}")
      guard case .document(let line) = try Self.parse(text).get() else {
        Issue.record("no document")
        return
      }
      #expect(line.ignored.count == kept)
    }
  }

  @Test("A document gives what its lines are checked by")
  func document() throws {
    guard case .document(let line) = try Self.parse(Self.document).get() else {
      Issue.record("no document")
      return
    }
    #expect(line.name == "a › b" && line.format == .pumpLogs)
    #expect(
      line.bytes == 9 && line.records == 7 && line.ignored == [.erasedFlash: 2, .noHistory: 5])
    #expect(line.missingBodies == 3)
    #expect(line.isComplete)
  }

  @Test("The other kinds")
  func others() throws {
    #expect(try Self.parse(#"{"record":"begin","version":1}"#).get() == .begin)
    #expect(try Self.parse(#"{"record":"end"}"#).get() == .end)
    #expect(
      try Self.parse(#"{"record":"ignored","reason":"specialFile","count":2}"#).get()
        == .ignored(.specialFile, name: nil, count: 2))
    #expect(
      try Self.parse(
        #"{"record":"reject","name":"a","format":"har","line":4,"reason":"b"}"#
      ).get()
        == .reject(
          RejectLine(document: nil, name: "a", format: .har, reject: Reject(.line(4), "b"))))
    guard
      case .estimate(let line) = try Self.parse(
        """
        {"record":"estimate","document":"\(Self.digest)","differsBy":-14400,"records":2,\
        "first":5,"last":6}
        """
      ).get()
    else {
      Issue.record("no estimate")
      return
    }
    #expect(line.differsBy == -14_400 && line.records == 2 && line.assignment == nil)
  }

  @Test(
    "What cannot be an event is refused with a reason that holds no value",
    arguments: [
      ("\"event\"", "\"events\"", "this kind of record is not known to this version"),
      ("\"record\":\"event\",", "", "record is missing"),
      ("\"number\":4096", "\"number\":4294967296", "number cannot be used"),
      ("\"number\":4096", "\"number\":-1", "number cannot be used"),
      ("\"number\":4096", "\"number\":1.5", "number cannot be used"),
      ("\"number\":4096", "\"number\":\"4096\"", "number cannot be used"),
      ("\"id\":90", "\"id\":4096", "id cannot be used"),
      ("\"json\"", "\"yaml\"", "form cannot be used"),
      ("\"present\":1,", "", "present is missing"),
      ("3f4ccccd0", "3f4ccccg0", "payload cannot be used"),
      ("3f4ccccd0", "3f4ccccd", "payload cannot be used"),
      ("0123456789abcdef", "", "document cannot be used"),
      ("\"group\":0", "\"group\":0,\"group\":1", "group stands twice"),
      ("}}", "}", "the line is no JSON object"), ("}}", "}}}", "the line is no JSON object"),
    ])
  func faults(part: String, other: String, reason: String) {
    guard case .failure(let fault) = Self.parse(SampleLineTests.changed(Self.event, part, other))
    else {
      Issue.record("read with \(other)")
      return
    }
    #expect(fault.reason == reason)
  }

  @Test("Counts that could overflow a sum are refused", arguments: ["records", "missingBodies"])
  func counts(key: String) throws {
    func line(_ count: UInt64) -> String {
      let number = key == "records" ? 7 : 3
      return SampleLineTests.changed(
        Self.document, "\"\(key)\":\(number)", "\"\(key)\":\(count)")
    }
    #expect(throws: LineFault.unusable(key)) { try Self.parse(line(1 << 40 + 1)).get() }
    #expect(throws: Never.self) { try Self.parse(line(1 << 40)).get() }
  }

  @Test("Lines of another version are refused")
  func version() {
    let line = SampleLineTests.changed(Self.document, "\"version\":1", "\"version\":2")
    #expect(throws: LineFault.unknown("the version of the line")) { try Self.parse(line).get() }
  }
}
