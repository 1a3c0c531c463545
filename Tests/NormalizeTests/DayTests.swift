import Normalize
import PumpModel
import TestSupport
import Testing

/// N11: what local days add up to.
@Suite("Local days")
struct DayTests {
  /// Day, basal, bolus and carbohydrate; minutes delivered, zero, suspended and unknown.
  private func rows(_ outcome: Outcome) -> [String] {
    outcome.days.map { day in
      let date = CivilTime(daysSince1970: day.day)
      let minutes = [
        day.deliveredSeconds, day.zeroSeconds, day.suspendedSeconds, day.unknownSeconds,
      ].map { String($0 / 60) }.joined(separator: "+")
      return "\(date.month)-\(date.day) \(day.basal) \(day.bolus) \(day.carbohydrate) \(minutes)"
    }
  }

  @Test("Basal is cut at local midnights; boluses and meals count on the day of their start")
  func cut() {
    let history = History(zone: TestZones.newYork) {
      at("05-04 23:00", .change(1000))
      at("23:50", .startExtended(7))
      at("05-05 00:20", .endExtended(7, 2000))
      at("00:30", .change(0))
      at("01:00", .suspend)
      at("02:00", .carbs(30))
      at("03:00", .resume)
    }
    #expect(
      rows(history.outcome()) == [
        "5-4 1000000 2000 0 60+0+0+1380", "5-5 500000 0 30000 30+30+120+1260",
      ])
  }

  @Test(
    "A local day is a day of the zone: 23 hours in spring, 25 in autumn",
    arguments: [
      ("03-07", "03-08", "03-09", "3-8 23000000 0 0 1380+0+0+0"),
      ("10-31", "11-01", "11-02", "11-1 25000000 0 0 1500+0+0+0"),
    ])
  func shortAndLong(before: String, day: String, after: String, row: String) {
    let history = History(zone: TestZones.newYork) {
      at("\(before) 12:00", .newDay(1000))
      at("\(day) 00:00", .newDay(1000))
      at("\(day) 12:00", .change(1000))
      at("\(after) 00:00", .newDay(1000))
      at("\(after) 12:00", .suspend)
    }
    #expect(rows(history.outcome())[1] == row)
  }

  @Test("A journey west brings hours of a date back, and they count to that day")
  func tripWest() {
    // Tokyo until 18:00 on 06-10, then Los Angeles, where it is 02:00 of that day again.
    let schedule = ZoneSchedule([
      .init(rules: TestZones.tokyo, from: nil),
      .init(rules: TestZones.losAngeles, from: WallText.wall("2026-06-10 02:00")),
    ])
    let history = History(schedule: schedule) {
      at("06-09 00:00", .newDay(1000))
      at("06-10 00:00", .newDay(1000))
      at("06-10 18:00", .change(1000))
      at("06-10 02:00", .clock(by: -16 * 3600))
      at("06-11 00:00", .newDay(1000))
      at("06-12 00:00", .suspend)
    }
    #expect(
      rows(history.outcome()) == [
        "6-9 24000000 0 0 1440+0+0+0", "6-10 40000000 0 0 2400+0+0+0",
        "6-11 24000000 0 0 1440+0+0+0",
      ])
  }

  @Test("Basal of a day is rounded once, not a segment at a time")
  func roundedOnce() {
    let history = History {
      for minute in 0..<10 { at("12:0\(minute)", .change(1)) }
      at("12:10", .suspend)
    }
    // Ten minutes at 1 mU/h: 166.67 µIU; each minute by itself would be 17.
    #expect(history.outcome().days.map(\.basal) == [167])
  }

  private func checked(
    _ total: UInt32, hole: Bool = false, at time: String = "23:59"
  ) -> Outcome {
    History {
      at("05-03 23:00", .change(1000))
      at("05-04 00:00", .newDay(1000))
      at("12:00", .change(1000))
      if hole {
        HistoryStep.number(1000)
        at("12:00", .heartbeat(1000))
        at("12:20", .heartbeat(1000))
        at("12:20", .suspend)
      }
      at("23:00", .change(1000))
      at(time, .dayTotal(total))
      at("05-05 01:00", .suspend)
    }.outcome()
  }

  @Test("The pump's own total is compared from its midnight up to the record's time")
  func totals() {
    // 23 h 59 min at 1 U/h are 23.983333 IU.
    let agrees = checked(24_033)
    #expect(agrees.days[1].pumpBasal == 24_033)
    #expect(agrees.days[1].difference == 23_983_333 - 24_033_000)
    #expect(agrees.findings == [.clockByZone])
    let differs = checked(24_034)
    #expect(differs.days[1].difference == 23_983_333 - 24_034_000)
    #expect(differs.findings == [.basalTotalDiffers, .clockByZone])
    let early = checked(10_000, at: "23:30")
    #expect(early.days[1].difference == 13_500_000)
  }

  @Test("A total of exactly midnight is of the day that ends there")
  func totalAtMidnight() {
    let outcome = checked(24_040, at: "05-05 00:00")
    #expect(outcome.days[1].pumpBasal == 24_040)
    #expect(outcome.days[1].difference == -40_000)
    #expect(outcome.days[2].pumpBasal == nil)
    #expect(outcome.findings == [.clockByZone])
    let last = History {
      at("05-04 00:00", .newDay(1000))
      at("05-05 00:00", .suspend)
      at("05-05 00:00", .dayTotal(24_000))
    }.outcome()
    #expect(last.days.map(\.pumpBasal) == [24_000])
    #expect(last.days.map(\.unknownSeconds) == [0])
  }

  @Test(
    "A total is compared from the midnight that the clock showed, however it was set since",
    arguments: [
      // Set on by an hour at noon: 22 h 59 min. Set back: 24 h 59 min.
      ("05-04 12:00", 3600, 22_983), ("05-04 12:00", -3600, 24_983),
      // Set from half an hour before midnight to half an hour behind it: the day begins there.
      ("05-04 00:30", 3600, 23_483),
    ] as [(String, Double, UInt32)])
  func totalOfChangedClock(time: String, shift: Double, total: UInt32) {
    let outcome = History(zone: TestZones.newYork) {
      at("05-03 20:00", .change(1000))
      at(time, .clock(by: shift))
      at("05-04 13:00", .change(1000))
      at("05-04 23:59", .dayTotal(total))
      at("05-05 01:00", .suspend)
    }.outcome()
    let difference = outcome.days.compactMap(\.difference)
    #expect(difference.count == 1 && abs(difference.first ?? .max) < 1000)
    #expect(!outcome.findings.contains(.basalTotalDiffers))
  }

  @Test("By the zone's rules alone, days that change for daylight saving are shorter or longer")
  func totalOfZoneDay() {
    for (day, next, total) in [("03-08", "03-09", 22_983), ("11-01", "11-02", 24_983)] {
      let outcome = History(zone: TestZones.newYork) {
        at("\(day) 00:00", .newDay(1000))
        at("\(day) 12:00", .change(1000))
        at("\(day) 23:59", .dayTotal(UInt32(total)))
        at("\(next) 01:00", .suspend)
      }.outcome()
      #expect(abs(outcome.days.compactMap(\.difference).first ?? .max) < 1000, "\(day)")
    }
  }

  @Test("On a day with a hole nothing is compared")
  func totalWithHole() {
    let outcome = checked(10_000, hole: true)
    #expect(outcome.holes.isEmpty == false)
    #expect(outcome.days[1].pumpBasal == 10_000)
    #expect(outcome.days[1].difference == nil)
    #expect(!outcome.findings.contains(.basalTotalDiffers))
  }

  @Test("A hole elsewhere on the local day counts too")
  func totalBeforeHole() {
    let outcome = History {
      at("05-04 00:00", .newDay(1000))
      at("12:00", .change(1000))
      at("22:00", .dayTotal(1))
      at("22:30", .heartbeat(1000))
      at("23:00", .heartbeat(1000))
    }.outcome()
    #expect(outcome.holes.contains("hole 22:30–23:00 heartbeats-missing"))
    #expect(outcome.days[0].pumpBasal == 1)
    #expect(outcome.days[0].difference == nil)
  }

  @Test("Where a part of the pump's day is not known, nothing is compared")
  func totalUnknown() {
    let outcome = History {
      at("05-04 06:00", .change(1000))
      at("23:00", .dayTotal(1))
      at("23:30", .suspend)
    }.outcome()
    #expect(outcome.days[0].pumpBasal == 1)
    #expect(outcome.days[0].difference == nil)
  }

  @Test("Totals that are not the day's last are not shown")
  func notFinal() {
    let outcome = History { at("12:00", .dayTotal(5000, isFinal: false)) }.outcome()
    #expect(outcome.days == [])
  }

  @Test("The difference is of real insulin")
  func totalConcentration() {
    let history = History {
      at("05-04 00:00", .newDay(1000))
      at("12:00", .dayTotal(11_000))
      at("13:00", .suspend)
    }.with(\.concentration, .u200)
    #expect(history.outcome().days[0].pumpBasal == 22_000)
    #expect(history.outcome().days[0].difference == 2_000_000)
  }

  @Test("When insulin was given on a day is told, boluses included")
  func active() {
    let day = History {
      at("12:00", .change(1000))
      at("13:00", .suspend)
      at("12:50", .start(7))
      at("13:20", .end(7, 1000))
    }.outcome().days.first
    #expect(day?.active.map { "\(clock($0.lowerBound))–\(clock($0.upperBound))" } == "12:00–13:20")
  }

  /// Damaged records can move the clock by millions of years; that must not become as many rows.
  @Test("A hole longer than a pump's clock can count has rows for its ends only")
  func absurdHole() {
    let history = History(zone: TestZones.utc) {
      at("12:00", .heartbeat(1000))
      at("12:30", .date(by: -4_294_967_295))
      at("12:35", .heartbeat(1000))
    }
    let outcome = history.outcome()
    #expect(outcome.holes.count == 1)
    #expect(outcome.days.count == 2)
  }
}
