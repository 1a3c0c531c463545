import PumpModel
import TestSupport
import Testing

/// N7: readings.
@Suite("Glucose")
struct GlucoseTests {
  @Test("A sensor's reading counts at its own time, a typed-in fingerstick at its record's")
  func readings() {
    let history = History {
      at("12:00", .reading(110, takenAt: "11:55:30"))
      at("12:05", .fingerstick(98))
      at("12:06", .fingerstick(105, isManual: false))
    }
    #expect(history.text == "#1 cgm 11:55:30 110\n#2 meter 12:05 98")
  }

  @Test("A reading takes the offset of the stretch that its record lies in")
  func offset() {
    let history = History(zone: TestZones.newYork) {
      at("11-01 12:00", .other)
      at("11-01 11:00", .clock(by: -3600))
      at("11:05", .reading(110, takenAt: "2026-11-01 10:50"))
    }
    #expect(history.outcome().samples == ["#3 cgm 11-01 15:50 110"])
  }

  @Test(
    "By the zone's rules, a reading of a time shown twice takes its record's offset, else the earlier"
  )
  func twice() {
    let history = History(zone: TestZones.newYork) {
      at("11-01 01:50", .reading(110, takenAt: "2026-11-01 01:49"))
      at("01:10", .reading(111, takenAt: "2026-11-01 01:09"))
      at("02:10", .reading(112, takenAt: "2026-11-01 01:59"))
      at("12:10", .reading(113, takenAt: "2026-10-31 23:00"))
    }
    #expect(
      history.outcome().samples == [
        "#4 cgm 11-01 03:00 113", "#1 cgm 11-01 05:49 110", "#2 cgm 11-01 06:09 111",
        "#3 cgm 11-01 06:59 112",
      ])
  }

  @Test("A reading of an unknown time gives no sample")
  func unknownTime() {
    let history = History {
      at("12:00", .other)
      at("2027-01-01 00:00", .reading(110, takenAt: "11:55"))
      at("2026-05-04 12:05", .other)
    }
    #expect(history.outcome().samples == [])
  }
}
