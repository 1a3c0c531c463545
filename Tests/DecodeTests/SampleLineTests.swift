import PumpModel
import TestSupport
import Testing

@testable import Decode

@Suite("Lines of samples")
struct SampleLineTests {
  static let bolus = """
    {"externalId":"tandem:9:15-77:bolus","type":"insulin.bolus","value":"2.083","unit":"IU",\
    "startAt":"2026-05-04T16:31:10Z","endAt":"2026-05-04T16:33:02Z","revision":3,"metadata":{\
    "automatic":"true","deliveredBy":"eatingSoon","inferred":"true","override":"true",\
    "part":"normal","requested":"4","status":"userAborted"},"source":{"deviceId":"9",\
    "eventIds":["15-77","16-377"]}}
    """
  static let basal = """
    {"externalId":"tandem:9:14-77:basal","type":"insulin.basal","value":"0.070833","unit":"IU",\
    "startAt":"2026-05-04T16:30:00Z","endAt":"2026-05-04T16:35:00Z","revision":1,"metadata":{\
    "rate":"0.85","rateSource":"temp"},"source":{"deviceId":"9","eventIds":["14-77"]}}
    """

  static func parse(_ text: String) -> Result<SampleLine, LineFault> {
    let bytes = Array(text.utf8)
    return Result { () throws(LineFault) in
      try unsafe SampleLineParser.parse(bytes.span.bytes)
    }
  }

  /// A line with a part replaced.
  static func changed(_ line: String, _ part: String, _ other: String) -> String {
    var text = line
    if let range = text.firstRange(of: part) { text.replaceSubrange(range, with: other) }
    return text
  }

  @Test("A line gives all that it says")
  func whole() throws {
    let line = try Self.parse(Self.bolus).get()
    #expect(line.pump == Array("9".utf8))
    #expect(line.revision == 3)
    #expect(line.lineage.map(\.number) == [15, 16] && line.lineage.map(\.seconds) == [77, 377])
    let sample = try #require(line.sample)
    #expect(sample.identity == line.identity)
    #expect(sample.identity.text(pump: "9") == "tandem:9:15-77:bolus")
    #expect(sample.amount == 2083)
    #expect(sample.end - sample.start == 112)
    #expect(sample.start.unixSeconds == 1_777_912_270)
    #expect(sample.metadata.requested == 4000 && sample.metadata.status == 0)
    #expect(sample.metadata.deliveredBy == .eatingSoon)
    #expect(sample.metadata.flags == [.automatic, .inferred, .override])
    let basal = try #require(try Self.parse(Self.basal).get().sample)
    #expect(basal.amount == 70_833)
    #expect(basal.metadata.rate == 850 && basal.metadata.rateSource == .temp)
  }

  @Test("Keys may stand in any order, with others and white space between them")
  func order() throws {
    let line = """
       { "mine" : [ {"a":1} ] , "revision" : 1, "endAt":"2026-05-04T12:30:00-04:00", "unit":"g",
      "startAt":"2026-05-04T16:30:00+00:00" , "value": 62.50, "type":"nutrition.carbohydrates",
      "externalId":"tandem:a\\u003ab:csv-578734713-0:carbs~2" }
      """
    let sample = try #require(try Self.parse(line).get().sample)
    #expect(sample.identity.text(pump: "a:b") == "tandem:a:b:csv-578734713-0:carbs~2")
    #expect(sample.amount == 62_500)
    #expect(sample.start == sample.end)
    #expect(try Self.parse(line).get().pump == Array("a:b".utf8))
  }

  @Test("A withdrawn sample is its id and revision")
  func withdrawn() throws {
    let line = try Self.parse(
      #"{"externalId":"tandem:😀:1-2:meter","revision":2,"deleted":true}"#
    ).get()
    #expect(line.sample == nil && line.revision == 2)
    #expect(line.pump == Array("😀".utf8))
    let escaped = try Self.parse(
      #"{"externalId":"tandem:\ud83d\ude00:1-2:meter","revision":2,"deleted":true}"#
    ).get()
    #expect(escaped == line)
  }

  @Test(
    "Amounts are exact or refused",
    arguments: [
      ("\"2.083\"", 2083), ("2.083", 2083), ("\"2.0830000\"", 2083), ("2083e-3", 2083),
      ("0.2083E+1", 2083), ("\"400\"", 400_000), ("0.001", 1), ("1e2", 100_000),
      ("2.0830000000000001", nil), ("\"2.0835\"", nil), ("\"0\"", nil), ("0.0", nil), ("-2", nil),
      ("\"400.001\"", nil), ("1e30", nil), ("1e99999999999999999999", nil), ("\"2,083\"", nil),
      ("\"\"", nil), ("\" 2\"", nil), ("\"+2\"", nil), ("\"02\"", nil), ("\"NaN\"", nil),
      ("99999999999999999999999", nil), ("true", nil), ("[2]", nil), ("{\"a\":2}", nil),
      ("1e-2000", nil), ("2e", nil), ("1e5e5", nil),
    ] as [(String, Int64?)])
  func amounts(value: String, amount: Int64?) {
    let line = Self.changed(Self.bolus, "\"2.083\"", value)
    #expect((try? Self.parse(line).get())?.sample?.amount == amount)
    if amount == nil { #expect(throws: LineFault.self) { try Self.parse(line).get() } }
  }

  @Test(
    "What contradicts itself, or is nothing of ours, is refused with a reason that holds no value",
    arguments: [
      ("\"revision\":3", "\"revision\":0", "revision cannot be used"),
      ("\"revision\":3", "\"revision\":4294967296", "revision cannot be used"),
      ("\"revision\":3", "\"revision\":3,\"revision\":3", "revision stands twice"),
      ("\"revision\":3,", "", "revision is missing"),
      ("\"revision\":3", "\"revision\":null", "revision is missing"),
      ("insulin.bolus", "insulin.basal", "type and externalId contradict each other"),
      ("\"IU\"", "\"U\"", "unit and externalId contradict each other"),
      ("16:31:10Z", "16:33:03Z", "startAt and endAt contradict each other"),
      ("16:31:10Z", "16:31:60Z", "startAt cannot be used"),
      ("2026-05-04T16:31", "2026-02-30T16:31", "startAt cannot be used"),
      ("16:31:10Z", "16:31:10", "startAt cannot be used"),
      ("16:31:10Z", "16:31:10+0000", "startAt cannot be used"),
      ("\"normal\"", "\"extended\"", "part cannot be used"),
      ("\"eatingSoon\"", "\"me\"", "deliveredBy cannot be used"),
      ("\"userAborted\"", "\"3\"", "status cannot be used"),
      ("\"userAborted\"", "\"04\"", "status cannot be used"),
      ("\"automatic\":\"true\"", "\"automatic\":true", "automatic cannot be used"),
      (
        "\"automatic\":\"true\"", "\"mood\":\"good\"",
        "a key of metadata is not known to this version"
      ),
      ("\"deviceId\":\"9\"", "\"deviceId\":\"8\"", "deviceId and externalId contradict each other"),
      ("\"16-377\"", "16", "eventIds cannot be used"),
      ("\"16-377\"", "\"16-3770000000000\"", "eventIds cannot be used"),
      ("tandem:9:15-77:bolus", "tandem:9:15-77:dose", "externalId cannot be used"),
      ("tandem:9:15-77:bolus", "tandem:15-77:bolus", "externalId cannot be used"),
      ("tandem:9:15-77:bolus", "tandem:9:015-77:bolus", "externalId cannot be used"),
      ("tandem:9:15-77:bolus", "tandem:9:15-77:bolus~1", "externalId cannot be used"),
      ("tandem:9:15-77:bolus", "tandem:9:15-77:bolus~99999", "externalId cannot be used"),
      ("tandem:9:15-77:bolus", "glucose:9:bolus", "externalId cannot be used"),
      ("tandem:9:15-77:bolus", "nightscout:a b:bolus", "externalId cannot be used"),
      ("tandem:9:15-77:bolus", "nightscout::bolus", "externalId cannot be used"),
      ("]}}", "]}}}", "the line is no JSON object"),
      ("\"source\":{", "\"source\":[{", "the line is no JSON object"),
    ])
  func faults(part: String, other: String, reason: String) {
    let line = Self.changed(Self.bolus, part, other)
    guard case .failure(let fault) = Self.parse(line) else {
      Issue.record("read: \(line)")
      return
    }
    #expect(fault.reason == reason)
  }

  @Test("Basal above what a pump can give in its time is refused")
  func absurdBasal() throws {
    // 75 IU/h, U-500 at the highest rate, for five minutes.
    let most = Self.changed(Self.basal, "0.070833", "6.25")
    #expect(try Self.parse(most).get().sample?.amount == 6_250_000)
    let more = Self.changed(Self.basal, "0.070833", "6.250002")
    #expect(throws: LineFault.unusable("value")) { try Self.parse(more).get() }
    for (year, isRead) in [("2027", true), ("2028", false), ("9999", false)] {
      let endless = Self.changed(Self.basal, "2026-05-04T16:35", "\(year)-05-04T16:35")
      #expect(((try? Self.parse(endless).get()) != nil) == isRead, "\(year)")
    }
  }

  @Test("Lists and objects too deep in each other are refused, whatever key they stand under")
  func depth() {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let line = Self.changed(Self.bolus, "\"revision\":3", "\"mine\":\(deep),\"revision\":3")
    #expect(throws: LineFault.notAnObject) { try Self.parse(line).get() }
  }
}
