import PumpModel
import TestSupport
import Testing

/// N3 with clock-change records: stretches, their offsets, drift.
@Suite("A clock with records of its changes")
struct ClockRecordsTests {
  @Test("Each change opens a stretch, and older offsets follow from newer ones")
  func stretches() {
    let history = History(zone: TestZones.newYork) {
      at("11-01 00:30", .other)
      at("11-01 04:00", .other)
      at("11-01 03:00", .clock(by: -3600))
      at("11-01 12:00", .other)
    }
    #expect(history.offsets == "1–2 -4:00, 3–4 -5:00")
    #expect(
      history.outcome().clocks == ["beginning -4:00 (2)", "change -5:00 (2)"])
  }

  @Test("A full set is a date record with the old day and a time record: one stretch more")
  func fullSet() {
    let history = History(zone: TestZones.newYork) {
      at("11-01 12:00", .other)
      at("11-01 16:27:58", .date(by: 0))
      at("11-01 15:27:37", .clock(by: -3621))
      at("11-01 15:30", .other)
    }
    #expect(history.offsets == "1–2 -4:00, 3–4 -5:00")
    #expect(
      history.outcome().clocks == ["beginning -4:00 drift 21000 ms (2)", "change -5:00 (2)"])
  }

  @Test("A record of shift 0 opens no stretch, but it is a record")
  func shiftZero() {
    let history = History(zone: TestZones.newYork) {
      at("10-31 12:00", .date(by: 0))
      at("11-02 12:00", .other)
    }
    // One stretch with the newest event's offset: by the zone's rules there would be two.
    #expect(history.offsets == "1–2 -5:00")
    #expect(history.outcome().clocks == ["beginning -5:00 (2)"])
  }

  @Test(
    "Offsets are rounded to 15 minutes, ties to the even quarter",
    arguments: [
      // An hour back, then what is up to half a quarter off, then just beyond.
      (-3600, "-4:00"), (-3151, "-4:00"), (-4049, "-4:00"), (-3150, "-4:00"), (-4050, "-4:00"),
      (-4051, "-3:45"), (-3149, "-4:15"), (-2250, "-4:30"), (-449, "-5:00"), (20.5, "-5:00"),
    ] as [(Double, String)])
  func rounding(shift: Double, offset: String) {
    let history = History(zone: TestZones.newYork) {
      at("12-01 12:00", .other)
      at("12-01 13:00", .clock(by: shift))
    }
    #expect(history.offsets.hasPrefix(offset == "-5:00" ? "1–2 \(offset)" : "1 \(offset)"))
  }

  @Test("What rounding leaves is drift, which is told and never applied")
  func drift() {
    let history = History(zone: TestZones.newYork) {
      at("12-01 12:00", .other)
      at("12-01 13:00", .clock(by: 61))
    }
    let outcome = history.outcome()
    #expect(outcome.clocks == ["beginning -5:00 drift -61000 ms (1)", "change -5:00 (1)"])
    #expect(outcome.findings == [.clockDrift])
    #expect(
      History(zone: TestZones.newYork) {
        at("12-01 12:00", .other)
        at("12-01 13:00", .clock(by: 60))
      }.outcome().findings == [])
  }

  @Test("A rounded offset, not an exact one, carries to the stretch before")
  func roundedCarries() {
    let history = History(zone: TestZones.newYork) {
      at("12-01 12:00", .other)
      at("12-01 13:00", .clock(by: 400))
      at("12-01 14:00", .clock(by: 400))
    }
    #expect(history.offsets == "1–3 -5:00")
    #expect(
      history.outcome().clocks == [
        "beginning -5:00 drift -400000 ms (1)", "change -5:00 drift -400000 ms (1)",
        "change -5:00 (1)",
      ])
  }

  @Test(
    "Outside -12 h to +14 h an offset is kept to the second, ties to the even one",
    arguments: [
      (-68_400, "+14:00"), (-68_401, "+14:00:01"), (-68_400.5, "+14:00"),
      (-68_401.5, "+14:00:02"), (25_200, "-12:00"), (25_201, "-12:00:01"),
      (25_201.5, "-12:00:02"),
    ] as [(Double, String)])
  func farOffsets(shift: Double, offset: String) {
    let history = History(zone: TestZones.newYork) {
      at("12-10 12:00", .other)
      at("12-10 13:00", .clock(by: shift))
    }
    #expect(history.offsets == "1 \(offset), 2 -5:00")
  }

  @Test("An offset that was kept to the second is the one after for the stretch before it")
  func farOffsetCarries() {
    let history = History(zone: TestZones.newYork) {
      at("12-10 12:00", .other)
      at("12-20 12:00:07", .date(by: 10))
      at("12-10 13:00", .clock(by: -10 * 86_400 - 13))
    }
    // -5 h + (10 d 13 s), then less the 10 days: rounding takes the 13 seconds for drift.
    #expect(history.offsets == "1 -5:00, 2 +235:00:13, 3 -5:00")
    #expect(history.outcome().clocks[0] == "beginning -5:00 drift 13000 ms (1)")
  }

  @Test("A stretch that spans a daylight-saving change is worth a line")
  func unchanged() {
    let spans = History(zone: TestZones.newYork) {
      at("10-25 12:00", .clock(by: 30))
      at("11-02 12:00", .other)
    }
    #expect(spans.outcome().findings == [.clockNotChangedForDaylightSaving])
    let ends = History(zone: TestZones.newYork) {
      at("10-25 12:00", .clock(by: 30))
      at("10-31 12:00", .other)
    }
    #expect(ends.outcome().findings == [])
  }

  @Test("Events dated after now, and damage to the log, are worth a line")
  func futureAndDamage() {
    let history = History {
      at("12:00", .other)
      at("13:00", .damage)
    }
    #expect(history.outcome().findings == [.clockByZone, .logDamaged])
    let now = Instant(unixSeconds: WallText.wall("2026-05-04 12:30"))
    #expect(
      history.with(\.now, now).outcome().findings == [.clockByZone, .eventInFuture, .logDamaged])
  }
}
