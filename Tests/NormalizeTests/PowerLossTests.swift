import PumpModel
import TestSupport
import Testing

/// N3: a pump that lost power restarts in 2008.
@Suite("A loss of power")
struct PowerLossTests {
  @Test("A reset that no change ends has no known time: one pending entry, and a hole without end")
  func neverSet() {
    let history = History(zone: TestZones.newYork) {
      at("12:00", .heartbeat(1000))
      at("12:01", .clock(by: 5))
      at("2008-01-01 00:00", .heartbeat(1000))
      at("00:05", .heartbeat(1000))
    }
    #expect(history.offsets == "1–2 -4:00, 3–4 unknown")
    let outcome = history.outcome()
    #expect(
      outcome.text == """
        hole 16:00–? clock-unknown
        pending clock #3–#4 (2)
        """)
    #expect(outcome.findings == [.clockUnknown])
  }

  @Test("A change ends it, and its records are placed through that change")
  func setAgain() {
    let history = History(zone: TestZones.newYork) {
      at("12:00", .other)
      at("2008-01-01 00:00", .other)
      at("2026-05-04 00:10", .date(by: 6698))
      at("14:00", .clock(by: 13 * 3600))
      at("14:10", .other)
    }
    // 00:10 is 2026-05-04 00:10 after the date was set, which is not more than a day behind.
    #expect(history.offsets.hasPrefix("1 -4:00, 2 "))
    #expect(history.outcome().pending == [])
  }

  @Test("The stretch before it takes the zone's offset at its own newest event")
  func stretchBefore() {
    let history = History(zone: TestZones.newYork) {
      at("03-07 12:00", .other)
      at("2008-01-01 00:00:30", .other)
      at("2026-07-01 12:00", .date(by: 6756))
    }
    #expect(history.offsets.hasPrefix("1 -5:00, 2 "))
    #expect(history.offsets.hasSuffix(", 3 -4:00"))
  }

  @Test("A change that leaves it more than a day behind belongs to it; a later one ends it")
  func setLater() {
    func history(_ last: [HistoryStep]) -> History {
      History(zone: TestZones.utc) {
        at("12:00", .other)
        at("2008-01-01 00:00", .other)
        at("2026-05-03 11:59:59", .date(by: 6697))
        at("2026-05-03 12:10", .other)
        last
      }
    }
    #expect(history([]).offsets == "1 +0:00, 2–4 unknown")
    #expect(history([]).outcome().pending == ["pending clock #2–#4 (3)"])
    let ended = history([at("05-04 13:10", .date(by: 1))])
    #expect(ended.outcome().pending == [])
    #expect(ended.offsets.contains("5 +0:00"))
  }

  @Test("A change to exactly a day behind the record before the fall ends it")
  func dayBehind() {
    let history = History(zone: TestZones.utc) {
      at("12:00", .other)
      at("2008-01-01 00:00", .other)
      at("2026-05-03 12:00", .date(by: 6697))
    }
    #expect(history.outcome().pending == [])
  }

  @Test("A fall of exactly a day is none")
  func fallOfADay() {
    let history = History(zone: TestZones.utc) {
      at("12:00", .date(by: 0))
      at("05-03 12:00", .other)
    }
    #expect(history.offsets == "1–2 +0:00")
    let fall = History(zone: TestZones.utc) {
      at("12:00", .date(by: 0))
      at("05-03 11:59:59", .other)
    }
    #expect(fall.offsets == "1 +0:00, 2 unknown")
  }

  @Test("The clock comes back by itself: from there on the stretch before goes on")
  func comesBack() {
    let history = History(zone: TestZones.newYork) {
      at("12:00", .clock(by: 5))
      at("2008-01-01 00:00", .other)
      at("00:05", .other)
      at("2026-05-04 12:30", .other)
      at("13:00", .clock(by: -3600))
    }
    // The stretch is placed by the change after it: -5 h at 13:00 would be wrong in May, but it
    // shows that one stretch goes on.
    #expect(history.offsets == "1 -3:00, 2–3 unknown, 4 -3:00, 5 -4:00")
    let outcome = history.outcome()
    #expect(
      outcome.clocks == ["change -3:00 (2)", "power-loss unknown (2)", "change -4:00 (1)"])
    #expect(outcome.pending == ["pending clock #2–#3 (2)"])
  }

  @Test("With records it must come back in one step of more than a day; by the zone any step does")
  func comesBackSlowly() {
    func history(_ mode: ClockMode) -> History {
      History(zone: TestZones.utc) {
        at("05-04 12:00", .date(by: 0))
        at("05-02 12:00", .other)
        at("05-03 11:59", .other)
        at("05-03 12:00", .other)
        at("05-05 12:00", .other)
      }.with(\.clock, mode)
    }
    #expect(history(.auto).offsets == "1 +0:00, 2–4 unknown, 5 +0:00")
    #expect(history(.records).offsets == "1 +0:00, 2–4 unknown, 5 +0:00")
    #expect(history(.zone).offsets == "1 +0:00, 2–3 unknown, 4–5 +0:00")
  }

  @Test("A fall inside a fall is an entry of its own, measured against the first")
  func fallInsideFall() {
    let steps = [
      at("2026-05-04 12:00", .other), at("2008-02-01 00:00", .other),
      at("2008-02-01 01:00", .other),
      at("2008-01-01 00:00", .other),
    ]
    let never = History(zone: TestZones.utc) {
      steps
      at("2008-03-01 00:00", .date(by: 60))
    }
    #expect(
      never.outcome().pending == ["pending clock #2–#3 (2)", "pending clock #4–#5 (2)"])
    let ended = History(zone: TestZones.utc) {
      steps
      at("2026-05-04 13:00", .date(by: 6698))
    }
    // Only what lies after the last fall is placed through the change.
    #expect(ended.outcome().pending == ["pending clock #2–#3 (2)"])
  }

  @Test("A fall that is seen only in the change that ends it makes no entry")
  func seenInTheChange() {
    let history = History(zone: TestZones.newYork) {
      at("12:00", .other)
      at("2026-05-04 12:30", .date(by: 6698))
      at("13:00", .other)
    }
    #expect(history.offsets == "1–3 -4:00")
    let outcome = history.outcome()
    #expect(outcome.pending == [])
    #expect(outcome.findings == [])
  }

  @Test(
    "A change whose time before is already back continues the stretch before, then opens its own")
  func backInTheChange() {
    let history = History(zone: TestZones.newYork) {
      at("12:00", .other)
      at("2008-01-01 00:00", .other)
      at("2026-05-04 11:40", .clock(by: -3600))
    }
    #expect(history.offsets == "1 -3:00, 2 unknown, 3 -4:00")
    #expect(
      history.outcome().clocks == [
        "beginning -3:00 (1)", "power-loss unknown (1)", "change -4:00 (1)",
      ])
  }

  @Test("By the zone's rules even a reset that a change ended stays unknown")
  func zoneMode() {
    let history = History(zone: TestZones.utc) {
      at("12:00", .other)
      at("2008-01-01 00:00", .other)
      at("2026-05-04 12:30", .date(by: 6698))
    }
    #expect(history.with(\.clock, .zone).offsets == "1 +0:00, 2 unknown, 3 +0:00")
    #expect(history.with(\.clock, .zone).outcome().pending == ["pending clock #2–#2 (1)"])
  }

  @Test("The hole around it ends at the next evidence with a known time, whatever the rate before")
  func hole() {
    let history = History(zone: TestZones.utc) {
      at("11:55", .change(1000))
      at("12:00", .change(0))
      at("2008-01-01 00:00", .change(900))
      at("2008-01-01 00:01", .other)
      at("2026-05-04 12:05", .change(1000))
      at("12:10", .change(0))
    }
    #expect(
      history.text == """
        #1 basal 11:55–12:00 0.083333 rate 1 profile
        #5 basal 12:05–12:10 0.083333 rate 1 profile
        hole 12:00–12:05 clock-unknown
        pending clock #3–#4 (2)
        """)
  }

  @Test("A power-up's rate in a reset is never the base of a temp rate")
  func powerUpInReset() {
    let history = History(zone: TestZones.utc) {
      at("12:00", .newDay(1000))
      at("2008-01-01 00:00", .newDay(9000))
      at("2008-03-01 00:00", .date(by: 60))
      at("2026-05-04 12:10", .other)
      at("12:20", .temp(50))
      at("12:30", .suspend)
    }
    #expect(history.outcome().samples == ["#5 basal 12:20–12:30 0.083333 rate 0.5 temp inferred"])
  }
}
