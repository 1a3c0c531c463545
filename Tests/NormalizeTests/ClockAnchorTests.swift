import PumpModel
import TestSupport
import Testing

/// N3: where the newest stretch takes its offset from.
@Suite("The anchor of the newest stretch")
struct ClockAnchorTests {
  @Test("It is the zone's offset a day after the change, or at the newest event if that is earlier")
  func dayAfter() {
    // New York falls back on 11-01 at 02:00.
    func history(last: String) -> History {
      History(zone: TestZones.newYork) {
        at("10-31 01:30", .clock(by: 60))
        at(last, .other)
      }
    }
    #expect(history(last: "10-31 23:00").offsets == "1–2 -4:00")
    #expect(history(last: "11-20 12:00").offsets == "1–2 -4:00")
    let later = History(zone: TestZones.newYork) {
      at("10-31 02:00", .clock(by: 60))
      at("11-20 12:00", .other)
    }
    #expect(later.offsets == "1–2 -5:00")
  }

  @Test("Newest means last in order, whatever its time and its id")
  func lastInOrder() {
    let history = History(zone: TestZones.newYork) {
      at("10-31 12:00", .clock(by: 60))
      at("11-01 03:00", .other)
      at("10-31 23:59", .damage)
    }
    #expect(history.offsets == "1–3 -4:00")
  }

  @Test("Of a time shown twice it is the earlier reading, after a change back the later")
  func twice() {
    func history(by shift: Double) -> History {
      History(zone: TestZones.newYork) {
        at("11-01 01:10", .clock(by: shift))
        at("11-01 01:30", .other)
      }
    }
    #expect(history(by: 60).offsets == "1–2 -4:00")
    #expect(history(by: -3600).offsets == "1–2 -5:00")
  }

  @Test("Without a change of the clock it is the offset at the newest event")
  func records() {
    let history = History(zone: TestZones.newYork) {
      at("10-31 12:00", .other)
      at("11-02 12:00", .other)
    }
    #expect(history.offsets == "1 -4:00, 2 -5:00")
    #expect(history.with(\.clock, .records).offsets == "1–2 -5:00")
  }

  @Test("An anchor takes the zone in force at its own wall time")
  func schedule() {
    let schedule = ZoneSchedule([
      .init(rules: TestZones.newYork, from: nil),
      .init(rules: TestZones.paris, from: WallText.wall("2026-06-10 18:00")),
    ])
    func history(last: String) -> History {
      History(schedule: schedule) {
        at("06-10 12:00", .other)
        at("06-10 17:59", .clock(by: 6 * 3600))
        at(last, .other)
      }
    }
    #expect(history(last: "06-10 17:59:59").offsets == "1 -10:00, 2–3 -4:00")
    #expect(history(last: "06-10 18:00").offsets == "1 -4:00, 2–3 +2:00")
  }
}
