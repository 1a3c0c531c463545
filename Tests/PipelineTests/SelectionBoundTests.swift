import Platform
import PumpModel
import TestSupport
import Testing

@testable import Pipeline

/// A day of `--from` and `--until` begins with the first instant that is on it (N3).
@Suite("Days that select")
struct SelectionBoundTests {
  private static func schedule(_ entries: (String, String?)...) throws -> ZoneSchedule {
    let database = ZoneDatabase()
    return try #require(
      ZoneSchedule(
        try entries.map { name, from in
          ZoneSchedule.Entry(
            rules: try database.rules(named: name),
            from: from.flatMap { WallTime(text: $0)?.secondsSince1970 })
        }))
  }

  private static func start(_ day: String, in schedule: ZoneSchedule) -> Instant? {
    SelectionBound(text: day)?.instant(in: schedule)
  }

  @Test("A usual day begins at midnight")
  func midnight() throws {
    let schedule = try Self.schedule(("America/New_York", nil))
    #expect(Self.start("2026-05-04", in: schedule) == Instant(rfc3339: "2026-05-04T04:00:00Z"))
    #expect(Self.start("2026-11-02", in: schedule) == Instant(rfc3339: "2026-11-02T05:00:00Z"))
  }

  @Test("A day without a midnight begins at one")
  func withoutMidnight() throws {
    let havana = try Self.schedule(("America/Havana", nil))
    #expect(Self.start("2026-03-08", in: havana) == Instant(rfc3339: "2026-03-08T01:00:00-04:00"))
  }

  @Test("A midnight that comes twice counts the first time")
  func midnightTwice() throws {
    let havana = try Self.schedule(("America/Havana", nil))
    #expect(Self.start("2026-11-01", in: havana) == Instant(rfc3339: "2026-11-01T00:00:00-04:00"))
  }

  @Test("A day that a zone left out begins with the next one")
  func dayLeftOut() throws {
    let apia = try Self.schedule(("Pacific/Apia", nil))
    let next = Self.start("2011-12-31", in: apia)
    #expect(Self.start("2011-12-30", in: apia) == next)
    #expect(next == Instant(rfc3339: "2011-12-31T00:00:00+14:00"))
  }

  @Test(
    "Around changes of zone, a day begins where counting minutes finds it",
    arguments: [
      ("Europe/Paris", "2026-05-04T20:20:00"), ("Europe/Paris", "2026-05-05T03:00:00"),
      ("Asia/Tokyo", "2026-05-04T08:00:00"), ("Asia/Tokyo", "2026-05-05T00:00:00"),
      ("Pacific/Honolulu", "2026-05-04T18:00:00"), ("Pacific/Kiritimati", "2026-05-05T12:00:00"),
      ("Pacific/Pago_Pago", "2026-05-04T00:00:00"),
    ])
  func zoneChanges(zone: String, from: String) throws {
    let schedule = try Self.schedule(("America/New_York", nil), (zone, from))
    for day in 20_574...20_581 as ClosedRange<Int64> {
      let found = SelectionBound.day(LocalDay(daysSince1970: day)).instant(in: schedule)
      // The first minute from which on the wall shows this day or a later one.
      let first = (day * 1440 - 1800..<day * 1440 + 1800).first { minute in
        let at = Instant(unixSeconds: minute * 60)
        return minute * 60 + schedule.span(at: at).offset >= day * 86_400
      }
      #expect(found.unixSeconds == first.map { $0 * 60 }, "day \(day)")
    }
  }

  @Test("An instant is taken as it is")
  func instant() throws {
    let schedule = try Self.schedule(("Asia/Tokyo", nil))
    let bound = SelectionBound(text: "2026-05-04T12:00:00-04:00")
    #expect(bound?.instant(in: schedule) == Instant(rfc3339: "2026-05-04T16:00:00Z"))
  }

  @Test("A sample is in if it starts at --from or later and before --until, and is never cut")
  func selects() throws {
    let work = try Workspace()
    let evening = TestZones.instant(2026, 5, 4, 23, 30, in: TestZones.newYork)
    try work.write("a.json", Histories.pumpLogs(Histories.meal(from: evening)))
    var request = work.request(["a.json"])
    try work.convert(request)
    let all = Set(work.samples)
    request.selection.until = SelectionBound(text: "2026-05-05")
    try work.convert(request)
    let before = Set(work.samples)
    request.selection.until = nil
    request.selection.from = SelectionBound(text: "2026-05-05")
    try work.convert(request)
    let after = Set(work.samples)
    #expect(!before.isEmpty && !after.isEmpty)
    #expect(before.union(after) == all)
    #expect(before.isDisjoint(with: after))
  }
}
