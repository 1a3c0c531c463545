import Normalize
import PumpModel
import TestSupport
import Testing

/// N3 without clock-change records: the zone's rules, date by date.
@Suite("A clock placed by the zone's rules")
struct ZoneClockTests {
  @Test("Of a time shown twice it is the earlier reading, unless that lies before the last record")
  func fallBack() {
    let history = History(zone: TestZones.newYork) {
      at("11-01 00:50", .other)
      at("01:20", .other)
      at("01:50", .other)
      at("01:10", .other)
      at("01:40", .other)
      at("02:10", .other)
    }
    #expect(history.offsets == "1–3 -4:00, 4–6 -5:00")
    #expect(history.outcome().findings == [.clockByZone])
  }

  @Test(
    "With no record before, and where both readings lie before the last record, it is the earlier")
  func fallBackAlone() {
    #expect(History(zone: TestZones.newYork) { at("11-01 01:30", .other) }.offsets == "1 -4:00")
    let both = History(zone: TestZones.newYork) {
      at("11-01 03:00", .other)
      at("01:30", .other)
    }
    #expect(both.offsets == "1 -5:00, 2 -4:00")
  }

  @Test("The later reading may be the very instant of the last record")
  func sameInstant() {
    let history = History(zone: TestZones.newYork) {
      at("11-01 01:50", .other)
      at("01:30", .other)
      at("01:30", .other)
    }
    #expect(history.offsets == "1 -4:00, 2–3 -5:00")
  }

  @Test("A time that does not exist takes the offset before the jump")
  func springForward() {
    let history = History(zone: TestZones.newYork) {
      at("03-08 01:59:59", .other)
      at("02:30", .other)
      at("03:00", .other)
      at("12:00", .other)
    }
    #expect(history.offsets == "1–2 -5:00, 3–4 -4:00")
  }

  @Test("Each wall time takes the zone that the schedule has for it")
  func schedule() {
    let schedule = ZoneSchedule([
      .init(rules: TestZones.newYork, from: nil),
      .init(rules: TestZones.tokyo, from: WallText.wall("2026-06-10 08:00")),
      .init(rules: TestZones.losAngeles, from: WallText.wall("2026-06-20 00:00")),
    ])
    let history = History(schedule: schedule) {
      at("06-09 12:00", .other)
      at("06-10 07:59:59", .other)
      at("06-10 08:00", .other)
      at("06-19 23:59:59", .other)
      at("06-20 00:00", .other)
      at("09-20 00:00", .other)
    }
    #expect(history.offsets == "1–2 -4:00, 3–4 +9:00, 5–6 -7:00")
  }

  @Test("Asked for, the zone's rules stand before records of changes")
  func zoneMode() {
    let history = History(zone: TestZones.newYork) {
      at("10-31 12:00", .other)
      at("10-31 13:00", .clock(by: 3600))
      at("11-02 12:00", .other)
    }
    #expect(history.offsets == "1 -6:00, 2–3 -5:00")
    #expect(history.with(\.clock, .zone).offsets == "1–2 -4:00, 3 -5:00")
  }

  /// What was kept of the last look-up never answers differently from a fresh one.
  @Test("Kept spans answer like fresh ones", arguments: [11, 12, 13] as [UInt64])
  func keptSpans(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let schedule = ZoneSchedule([
      .init(rules: TestZones.newYork, from: nil),
      .init(rules: TestZones.paris, from: WallText.wall("2026-06-10 08:00")),
      .init(rules: TestZones.losAngeles, from: WallText.wall("2026-11-01 01:30")),
    ])
    var wall = WallText.wall("2026-03-01 00:00")
    var events: [HistoryStep] = []
    for _ in 0..<2000 {
      wall += Int64(random.integer(-300...24_000))
      events.append(at(text(wall), .other))
    }
    let history = History(schedule: schedule) { events }
    var cursor = history.placed().timeline.cursor()
    var previous: Instant?
    for event in history.events {
      let wall = event.time.wallSeconds
      let instant = cursor.instant(of: event)
      let readings = history.schedule.rules(atWall: wall).readings(ofWall: wall)
      var expected = readings.earlier(wall: wall)
      if let previous, case .twice(let earlier, let later) = readings {
        expected = earlier < previous && later >= previous ? later : earlier
      }
      #expect(instant == expected, "\(event.number), \(random.describe)")
      previous = instant
    }
  }

  private func text(_ wall: Int64) -> String {
    let time = CivilTime(secondsSince1970: wall)
    return "\(time.year)-\(time.month)-\(time.day) \(time.hour):\(time.minute):\(time.second)"
  }
}
