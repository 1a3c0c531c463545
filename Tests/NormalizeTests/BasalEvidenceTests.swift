import Normalize
import PumpModel
import TestSupport
import Testing

/// N4: what is evidence of the commanded rate, and the samples between.
@Suite("Basal evidence")
struct BasalEvidenceTests {
  @Test("One sample per opening piece of evidence; equal neighbours are not joined")
  func neighbours() {
    let history = History {
      at("12:00", .heartbeat(900))
      at("12:05", .heartbeat(900))
      at("12:10", .heartbeat(1200, source: 3))
      at("12:15:02", .heartbeat(850, source: 4))
    }
    #expect(
      history.text == """
        #1 basal 12:00–12:05 0.075 rate 0.9 profile
        #2 basal 12:05–12:10 0.075 rate 0.9 profile
        #3 basal 12:10–12:15:02 0.100667 rate 1.2 algorithm
        pending basal #4 12:15:02
        """)
    #expect(history.outcome().lineage(.basal) == [[1, 2], [2, 3], [3, 4]])
  }

  @Test("All kinds of evidence are merged in order, never added")
  func kinds() {
    let history = History {
      at("05-03 23:55", .heartbeat(1000, source: 2))
      at("05-04 00:00", .newDay(1100))
      at("00:05", .change(1200, [.timedSegment]))
      at("00:10", .suspend)
      at("00:15", .resume)
      at("00:20", .heartbeat(700, source: nil))
      at("00:25", .heartbeat(0, source: 0))
    }
    #expect(
      history.text == """
        #1 basal 05-03 23:55–00:00 0.083333 rate 1 temp
        #2 basal 00:00–00:05 0.091667 rate 1.1 profile
        #3 basal 00:05–00:10 0.1 rate 1.2 profile
        #4 basal 00:10–00:15 0 rate 0
        #6 basal 00:20–00:25 0.058333 rate 0.7
        """)
  }

  @Test("Of several at one instant the last in order holds")
  func oneInstant() {
    let history = History {
      at("12:00", .heartbeat(1000))
      at("12:05", .heartbeat(2000))
      at("12:05", .suspend)
      at("12:05", .change(3000))
      at("12:10", .heartbeat(1000))
    }
    let outcome = history.outcome()
    #expect(
      outcome.samples == [
        "#1 basal 12:00–12:05 0.083333 rate 1 profile",
        "#4 basal 12:05–12:10 0.25 rate 3 profile",
      ])
    #expect(outcome.findings == [.clockByZone])
  }

  @Test("An algorithm's zero is not a suspension; source 0, [11] and two bits of [3] are")
  func zeros() throws {
    func day(_ what: What) throws -> DayTotals {
      try #require(
        History {
          at("12:00", what)
          at("12:10", .heartbeat(1000))
        }.outcome().days.first)
    }
    for what in [
      What.heartbeat(0, source: 0), .suspend, .change(0, .suspended), .change(0, .shutDown),
    ] {
      let totals = try day(what)
      #expect(totals.suspendedSeconds == 600 && totals.zeroSeconds == 0)
    }
    for what in [
      What.heartbeat(0, source: 3), .heartbeat(0, source: nil), .change(0, []), .change(0, nil),
      .newDay(0), .alarm(26),
    ] {
      let totals = try day(what)
      #expect(totals.suspendedSeconds == 0 && totals.zeroSeconds == 600)
    }
  }

  @Test(
    "Only a rate above zero leaves something pending",
    arguments: [
      (What.heartbeat(1), ["pending basal #1 12:00"]), (.heartbeat(0), []), (.suspend, []),
      (.resume, []), (.newDay(5), ["pending basal #1 12:00"]),
    ] as [(What, [String])])
  func pending(what: What, expected: [String]) {
    #expect(History { at("12:00", what) }.outcome().pending == expected)
  }

  @Test("The last rate is not stretched to some other event's time")
  func notStretched() {
    let history = History {
      at("12:00", .heartbeat(1000))
      at("20:00", .other)
      at("20:00", .carbs(10))
    }
    #expect(history.outcome().samples(.basal) == [])
    #expect(history.outcome().pending == ["pending basal #1 12:00"])
  }

  @Test("The source of [3] and [90] is a temp rate from bit 2 until bit 1 or 3")
  func tempSources() {
    let history = History {
      at("12:00", .change(1000, [.timedSegment]))
      at("12:01", .change(1500, [.tempRateStart]))
      at("12:02", .change(1600, [.timedSegment]))
      at("12:03", .newDay(1600))
      at("12:04", .change(1000, [.tempRateEnd]))
      at("12:05", .change(1500, [.tempRateStart, .tempRateEnd]))
      at("12:06", .change(1200, [.newProfile]))
      at("12:07", .change(1200, nil))
      at("12:08", .suspend)
    }
    let sources = history.outcome().samples.map { $0.split(separator: " ").last ?? "" }
    #expect(
      sources == [
        "profile", "temp", "temp", "temp", "profile", "temp", "profile", "profile",
      ])
  }

  @Test("Cartridge, cannula and tubing are never doses")
  func primes() {
    let history = History {
      for id in [33, 61, 63] as [UInt16] { at("12:00", What(id: id, payload: .other)) }
    }
    #expect(history.text == "")
  }

  @Test("A [90] whose next record within five numbers is a clock change is a power-up")
  func powerUp() {
    func history(skip: UInt32, next: What = .clock(by: 1)) -> History {
      History {
        at("12:00", .change(1000))
        at("12:10", .newDay(2000))
        HistoryStep.skip(skip)
        at("12:10", next)
        at("12:20", .suspend)
      }
    }
    let merged = "#1 basal 12:00–12:20 0.333333 rate 1 profile"
    #expect(history(skip: 0).outcome().samples == [merged])
    #expect(history(skip: 4).outcome().samples == [merged])
    #expect(
      history(skip: 5).outcome().samples == [
        "#1 basal 12:00–12:10 0.166667 rate 1 profile",
        "#2 basal 12:10–12:20 0.333333 rate 2 profile",
      ])
    // Next means next: a record between shows that the pump was running.
    #expect(history(skip: 0, next: .other).outcome().samples.count == 2)
  }

  @Test("Evidence of two stretches at one instant gives no sample and is told")
  func stretchesMeet() {
    let history = History(zone: TestZones.utc) {
      at("12:00", .change(1000))
      at("12:10", .change(2000))
      at("12:06", .clock(by: -300))
      at("12:10", .change(3000))
      at("12:20", .suspend)
    }
    let outcome = history.outcome()
    #expect(
      outcome.samples == [
        "#1 basal 12:00–12:10 0.166667 rate 1 profile",
        "#4 basal 12:10–12:20 0.5 rate 3 profile",
      ])
    #expect(outcome.findings == [.clockDrift, .evidenceStepsBack])
  }

  @Test("Where stretches meet, evidence can step back: no sample, a finding, nothing shortened")
  func stepsBack() {
    let history = History(zone: TestZones.utc) {
      at("12:00", .change(1000))
      at("12:10", .change(2000))
      at("12:04", .clock(by: -400))
      at("12:05", .change(3000))
      at("12:15", .change(1000))
    }
    // The 400 s are drift: 12:05 lies before 12:10.
    let outcome = history.outcome()
    #expect(
      outcome.samples == [
        "#1 basal 12:00–12:10 0.166667 rate 1 profile",
        "#4 basal 12:05–12:15 0.5 rate 3 profile",
      ])
    #expect(outcome.findings == [.clockDrift, .evidenceStepsBack])
  }
}
