import Pipeline
import PumpModel
import Testing

/// Reading dates and times as people and programs write them.
@Suite struct TimeTextTests {
  @Test(
    arguments: [
      ("2026-05-04", 1_777_852_800), ("2026-05-04T12:31", 1_777_897_860),
      ("2026-05-04T12:31:10", 1_777_897_870), ("2024-02-29T23:59:59", 1_709_251_199),
      ("1969-12-31T23:59:59", -1), ("0000-01-01", -62_167_219_200),
    ] as [(String, Int64)])
  func wallTimes(text: String, seconds: Int64) {
    #expect(WallTime(text: text)?.secondsSince1970 == seconds)
  }

  @Test(arguments: [
    "", "2026", "2026-5-4", "2026-05-04T", "2026-05-04T12", "2026-05-04 12:31",
    "2026-05-04T24:00", "2026-05-04T12:60", "2026-05-04T12:31:60", "2026-02-29", "2026-13-01",
    "2026-00-01", "2026-01-00", "2026-05-04T12:31:10Z", "2026-05-04T12:31:10.5", "+026-05-04",
    "２026-05-04", " 2026-05-04", "2026-05-04\n", "99999-01-01",
  ])
  func notWallTimes(text: String) {
    #expect(WallTime(text: text) == nil)
  }

  @Test(
    arguments: [
      ("2026-05-04T04:00:00Z", 1_777_867_200), ("2026-05-04t04:00:00z", 1_777_867_200),
      ("2026-05-05T06:00:00+02:00", 1_777_953_600), ("2026-05-03T23:00:00-05:00", 1_777_867_200),
      ("2026-05-04T04:00:00.999999999999999999999Z", 1_777_867_200),
      ("1970-01-01T00:00:00-00:00", 0), ("2026-05-04T09:45:00+05:45", 1_777_867_200),
    ] as [(String, Int64)])
  func instants(text: String, seconds: Int64) {
    #expect(Instant(rfc3339: text)?.unixSeconds == seconds)
  }

  @Test(arguments: [
    "", "2026-05-04", "2026-05-04T04:00:00", "2026-05-04T04:00Z", "2026-05-04 04:00:00Z",
    "2026-05-04T04:00:00.Z", "2026-05-04T04:00:00+0200", "2026-05-04T04:00:00+24:00",
    "2026-05-04T04:00:00+02:60", "2026-05-04T04:00:60Z", "2026-05-04T04:00:00ZZ",
    "2026-02-30T04:00:00Z",
  ])
  func notInstants(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test func aFractionBoundsTheSameSamplesAsTheNextSecond() {
    #expect(
      SelectionBound(text: "2026-05-04T04:00:00.5Z")
        == .instant(Instant(unixSeconds: 1_777_867_201)))
    #expect(
      SelectionBound(text: "2026-05-04T04:00:00.000Z")
        == .instant(Instant(unixSeconds: 1_777_867_200)))
    #expect(SelectionBound(text: "2026-05-04") == .day(LocalDay(daysSince1970: 20_577)))
    #expect(SelectionBound(text: "2026-05-04T04:00") == nil)
  }

  @Test(arguments: ["2008-01-01", "2026-05-04", "0099-12-31", "9999-12-31"])
  func daysAreWrittenAsTheyAreRead(text: String) {
    #expect(LocalDay(text: text)?.text == text)
    #expect(WallTime(text: text)?.text == text + "T00:00:00")
  }

  @Test(
    arguments: [
      ("+0000", 0), ("-0000", 0), ("-0430", -270), ("+1400", 840), ("-1200", -720),
      ("+1401", nil), ("-1201", nil), ("0200", nil), ("+02:00", nil), ("+0260", nil), ("+02", nil),
      ("Z", nil),
    ] as [(String, Int?)])
  func offsets(text: String, minutes: Int?) {
    #expect(utcOffsetMinutes(text: text) == minutes)
  }

  @Test(
    arguments: [
      ("Europe/Berlin", ZoneArgument(name: "Europe/Berlin")),
      ("UTC@2026-05-10", ZoneArgument(name: "UTC", from: 1_778_371_200)),
      ("UTC@2026-05-10T16:00:01", ZoneArgument(name: "UTC", from: 1_778_428_801)),
      ("", nil), ("UTC@", nil), ("@2026-05-10", nil), ("UTC@2026-05-10@2026-05-11", nil),
    ] as [(String, ZoneArgument?)])
  func zones(text: String, zone: ZoneArgument?) {
    #expect(ZoneArgument(text: text) == zone)
  }
}
