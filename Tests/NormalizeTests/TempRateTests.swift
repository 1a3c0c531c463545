import PumpModel
import TestSupport
import Testing

/// N4: temp rates without a record of the rate, and occlusions without a suspension.
@Suite("Inferred basal evidence")
struct TempRateTests {
  private func samples(@HistoryBuilder _ steps: () -> [HistoryStep]) -> [String] {
    History(steps).outcome().samples
  }

  @Test("Without a rate-change record a temp rate is a percentage of the scheduled rate")
  func inferred() {
    #expect(
      samples {
        at("10:00", .change(800))
        at("12:00", .temp(150))
        at("12:30", .tempEnd)
        at("13:00", .change(800))
      } == [
        "#1 basal 10:00–12:00 1.6 rate 0.8 profile",
        "#2 basal 12:00–13:00 1.2 rate 1.2 temp inferred",
      ])
  }

  @Test("The scheduled rate is the base of the last [3], else its commanded one, else that of [90]")
  func scheduled() {
    func rate(@HistoryBuilder _ before: () -> [HistoryStep]) -> [String] {
      let steps = before()
      return samples {
        steps
        at("12:00", .temp(50))
        at("12:36", .suspend)
      }.filter { $0.contains("inferred") }
    }
    #expect(
      rate { at("10:00", .change(800, base: 1000)) } == [
        "#2 basal 12:00–12:36 0.3 rate 0.5 temp inferred"
      ])
    #expect(
      rate { at("10:00", .change(800)) } == ["#2 basal 12:00–12:36 0.24 rate 0.4 temp inferred"])
    #expect(
      rate { at("00:00", .newDay(600)) } == ["#2 basal 12:00–12:36 0.18 rate 0.3 temp inferred"])
    // [3] stands before [90], however old it is.
    #expect(
      rate {
        at("00:00", .change(800))
        at("00:01", .newDay(600))
      } == ["#3 basal 12:00–12:36 0.24 rate 0.4 temp inferred"])
    // A power-up says nothing.
    #expect(
      rate {
        at("00:00", .newDay(600))
        at("01:00", .newDay(2000))
        at("01:00", .clock(by: 0))
      } == ["#4 basal 12:00–12:36 0.18 rate 0.3 temp inferred"])
    // A [279] is no scheduled rate.
    #expect(rate { at("10:00", .heartbeat(900)) } == [])
  }

  @Test("Without any rate before it a temp rate is no evidence, and that is told")
  func withoutBase() {
    let outcome = History {
      at("12:00", .temp(50))
      at("12:30", .suspend)
    }.outcome()
    #expect(outcome.samples == [])
    #expect(outcome.findings == [.clockByZone, .tempRateWithoutBase])
  }

  @Test(
    "A rate-change record within two seconds stands for the temp rate",
    arguments: [
      ("11:59:57", true), ("11:59:58", false), ("12:00:02", false), ("12:00:03", true),
    ])
  func changeNear(time: String, isInferred: Bool) {
    let before = time < "12:00"
    let found = samples {
      at("10:00", .change(800))
      if before { at(time, .change(800)) }
      at("12:00", .temp(150))
      if !before { at(time, .change(1200)) }
      at("12:30", .suspend)
    }.contains { $0.hasSuffix("inferred") }
    #expect(found == isInferred)
  }

  @Test(
    "A [279] within 15 minutes, before or after, stands for the temp rate",
    arguments: [
      ("11:44:59", true), ("11:45", false), ("12:15", false), ("12:15:01", true),
    ])
  func heartbeatNear(time: String, isInferred: Bool) {
    let before = time < "12:00"
    let outcome = History {
      at("11:30", .change(800))
      if before { at(time, .heartbeat(800)) }
      at("12:00", .temp(150))
      if !before { at(time, .heartbeat(1200)) }
      at("12:16", .suspend)
    }.outcome()
    let evidence = outcome.samples + outcome.holes
    #expect(evidence.contains { $0.contains("12:00–") } == isInferred)
  }

  @Test("An inferred rate above 15 U/h is no evidence, and that is told")
  func absurd() {
    func outcome(_ percent: Double) -> Outcome {
      History {
        at("10:00", .change(6000))
        at("12:00", .temp(percent))
        at("12:30", .suspend)
      }.outcome()
    }
    #expect(outcome(250).samples.last == "#2 basal 12:00–12:30 7.5 rate 15 temp inferred")
    let absurd = History {
      at("10:00", .change(6001))
      at("12:00", .temp(250))
      at("12:30", .suspend)
    }.outcome()
    #expect(absurd.samples == ["#1 basal 10:00–12:30 15.0025 rate 6.001 profile"])
    #expect(absurd.findings == [.clockByZone, .tempRateAbsurd])
  }

  @Test("An inferred rate is whole mU/h, ties to the even one, and may be zero")
  func rounding() {
    func last(_ base: UInt16, _ percent: Double) -> String? {
      samples {
        at("10:00", .change(base))
        at("12:00", .temp(percent))
        at("13:00", .suspend)
      }.last
    }
    #expect(last(25, 50) == "#2 basal 12:00–13:00 0.012 rate 0.012 temp inferred")
    #expect(last(27, 50) == "#2 basal 12:00–13:00 0.014 rate 0.014 temp inferred")
    #expect(last(800, 0) == "#2 basal 12:00–13:00 0 rate 0 temp inferred")
  }

  @Test(
    "An occlusion alarm without a suspension is a rate of 0, and what it cuts is inferred",
    arguments: [2, 26] as [UInt32])
  func occlusion(code: UInt32) {
    #expect(
      samples {
        at("12:00", .change(1000))
        at("12:30", .alarm(code))
        at("12:36", .change(1000))
        at("12:42", .suspend)
      } == [
        "#1 basal 12:00–12:30 0.5 rate 1 profile inferred",
        "#2 basal 12:30–12:36 0 rate 0", "#3 basal 12:36–12:42 0.1 rate 1 profile",
      ])
  }

  @Test(
    "A suspension within two seconds stands for the alarm; other alarms say nothing",
    arguments: [
      (2, "12:29:57", true), (2, "12:29:58", false), (2, "12:30:02", false), (2, "12:30:03", true),
      (18, "12:40", false), (3, "12:40", false),
    ] as [(UInt32, String, Bool)])
  func suspensionNear(code: UInt32, time: String, isEvidence: Bool) {
    let before = time < "12:30"
    let found = samples {
      at("12:00", .change(1000))
      if before { at(time, .suspend) }
      at("12:30", .alarm(code))
      if !before { at(time, .suspend) }
      at("12:50", .change(1000))
    }
    #expect(found.contains { $0.contains("basal 12:30–") } == isEvidence)
  }
}
