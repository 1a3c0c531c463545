import Normalize
import PumpModel
import TestSupport
import Testing

/// N4: a hole is not filled.
@Suite("Basal holes")
struct BasalHoleTests {
  @Test("Evidence more than 15 minutes apart where a [279] lies near is a hole, 15 minutes is none")
  func heartbeats() {
    func text(_ end: String) -> String {
      History {
        at("12:00", .heartbeat(1000))
        at(end, .heartbeat(1000))
      }.text
    }
    #expect(
      text("12:15") == """
        #1 basal 12:00–12:15 0.25 rate 1 profile
        pending basal #2 12:15
        """)
    #expect(
      text("12:15:01") == """
        hole 12:00–12:15:01 heartbeats-missing
        pending basal #2 12:15:01
        """)
  }

  @Test("A [279] is near up to 15 minutes before the opening or after the closing evidence")
  func nearness() {
    func holes(before: String? = nil, after: String? = nil) -> [String] {
      History {
        if let before { at(before, .heartbeat(1000)) }
        at("12:00", .change(1000))
        at("12:20", .change(1000))
        if let after { at(after, .heartbeat(1000)) }
      }.outcome().holes.filter { $0.contains("12:00–12:20") }
    }
    let hole = ["hole 12:00–12:20 heartbeats-missing"]
    #expect(holes() == [])
    #expect(holes(before: "11:45") == hole)
    #expect(holes(before: "11:44:59") == [])
    #expect(holes(after: "12:35") == hole)
    #expect(holes(after: "12:35:01") == [])
  }

  @Test("A [279] of the same instant counts as near, before and after")
  func sameInstant() {
    let opening = History {
      at("12:00", .heartbeat(1000))
      at("12:00", .change(1000))
      at("12:20", .change(1000))
    }
    let closing = History {
      at("12:00", .change(1000))
      at("12:20", .change(1000))
      at("12:20", .heartbeat(1000))
    }
    for history in [opening, closing] {
      #expect(history.outcome().holes == ["hole 12:00–12:20 heartbeats-missing"])
    }
  }

  @Test("Without [279], evidence more than 26 hours apart is a hole, 26 hours is none")
  func silence() {
    func text(_ end: String) -> String {
      History {
        at("05-04 00:00", .newDay(1000))
        at(end, .suspend)
      }.text
    }
    #expect(text("05-05 02:00") == "#1 basal 00:00–05-05 02:00 26 rate 1 profile")
    #expect(text("05-05 02:00:01") == "hole 00:00–05-05 02:00:01 silence")
  }

  @Test("A hole has its bounds whatever its rate, and after a resume too")
  func whateverTheRate() {
    for what in [What.heartbeat(0), .suspend, .resume] {
      let history = History {
        at("12:00", what)
        at("13:00", .heartbeat(0))
      }
      #expect(history.text == "hole 12:00–13:00 heartbeats-missing")
    }
    // In good order, what follows a resume is merely not known.
    #expect(
      History {
        at("12:00", .resume)
        at("12:04", .heartbeat(0))
      }.text == "")
  }

  /// Whether numbers missing between 12:00 and `end` make a hole, with so many records around.
  private func missing(
    lost: UInt32, end: String, before: Int, after: Int, claims: [CompletenessClaim] = []
  ) -> [String] {
    History {
      HistoryStep.number(1000)
      for _ in 0..<before { at("12:00", .other) }
      at("12:00", .change(1000))
      HistoryStep.skip(lost)
      at(end, .change(1000))
      for _ in 0..<after { at(end, .other) }
    }.with(\.claims, claims).outcome().holes
  }

  @Test("Known missing numbers make a hole between evidence more than ten minutes apart")
  func numbersMissing() {
    #expect(
      missing(lost: 1, end: "12:10:01", before: 99, after: 99) == [
        "hole 12:00–12:10:01 numbers-missing"
      ])
    #expect(missing(lost: 1, end: "12:10", before: 99, after: 99) == [])
    #expect(missing(lost: 2, end: "12:10:01", before: 199, after: 199).count == 1)
    #expect(missing(lost: 3, end: "12:10:01", before: 199, after: 199) == [])
  }

  @Test("Missing numbers tell nothing of other pieces of evidence")
  func missingElsewhere() {
    let history = History {
      for _ in 0..<100 { at("12:00", .other) }
      at("12:00", .change(1000))
      at("12:30", .change(1000))
      HistoryStep.skip(1)
      at("12:35", .other)
      at("12:40", .change(0))
      for _ in 0..<100 { at("12:50", .other) }
    }
    #expect(history.outcome().holes == [])
    #expect(
      history.outcome().samples == [
        "#101 basal 12:00–12:30 0.5 rate 1 profile",
        "#102 basal 12:30–12:40 0.166667 rate 1 profile",
      ])
  }

  @Test("Between the numbers of a claim of completeness every missing number is known")
  func claims() {
    func holes(_ numbers: ClosedRange<UInt32>, group: UInt32 = 0) -> [String] {
      missing(
        lost: 50, end: "12:30", before: 0, after: 0,
        claims: [CompletenessClaim(group: group, numbers: numbers)])
    }
    let hole = ["hole 12:00–12:30 numbers-missing"]
    // The evidence has the numbers 1000 and 1051.
    #expect(holes(1000...1051) == hole)
    #expect(holes(900...1001) == hole)
    #expect(holes(1050...2000) == hole)
    #expect(holes(900...1000) == [])
    #expect(holes(1051...2000) == [])
    #expect(holes(1000...1051, group: 1) == [])
  }

  @Test("That numbers are missing is told once, and proves nothing by itself")
  func continuityUnknown() {
    let history = History {
      at("12:00", .change(1000))
      HistoryStep.skip(7)
      at("13:00", .change(0))
      HistoryStep.skip(2000)
      at("13:00", .other)
    }
    let outcome = history.outcome()
    #expect(outcome.holes == [])
    #expect(outcome.findings == [.clockByZone, .continuityUnknown])
    #expect(
      outcome.batch.findings.contains { $0.text.hasPrefix("2007 sequence numbers in 2 gaps") })
  }
}
