import PumpModel
import TestSupport
import Testing

/// N3: records dated far ahead whose clock came back by itself.
@Suite("Odd records")
struct OddRecordTests {
  private func history(
    odd: Int, before: [HistoryStep] = [], between: [HistoryStep] = [],
    back: HistoryStep = at("2026-05-04 12:10", .heartbeat(1000))
  ) -> History {
    History(zone: TestZones.utc) {
      before
      at("2026-05-04 12:00", .heartbeat(1000))
      at("2027-01-01 00:00", .heartbeat(3000))
      for _ in 1..<max(odd, 1) { at("2027-01-01 00:00", .other) }
      between
      back
    }.with(\.clock, .records)
  }

  @Test("They have no known time, and a hole lies around them")
  func entry() {
    let outcome = history(odd: 3).outcome()
    #expect(
      outcome.text == """
        hole 12:00–12:10 clock-unknown
        pending clock #2–#4 (3)
        pending basal #5 12:10
        """)
    #expect(outcome.findings == [.clockUnknown])
  }

  @Test("The clock must be back within 100 records, counted from the first risen one")
  func limit() {
    #expect(history(odd: 100).offsets == "1 +0:00, 2–101 unknown, 102 +0:00")
    // Not odd, so the way back is a fall.
    #expect(history(odd: 101).offsets == "1–102 +0:00, 103 unknown")
  }

  @Test("A rise of exactly a day is none; nor is a way back of a day or less")
  func limitsOfTime() {
    func small(_ rise: String, _ back: String) -> String {
      History(zone: TestZones.utc) {
        at("05-04 12:00", .other)
        at(rise, .other)
        at(back, .other)
      }.with(\.clock, .records).offsets
    }
    #expect(small("05-05 12:00", "05-04 12:00") == "1–3 +0:00")
    #expect(small("05-05 12:00:01", "05-04 12:00") == "1 +0:00, 2 unknown, 3 +0:00")
    #expect(small("05-05 12:00:01", "05-04 12:00:01") == "1–3 +0:00")
    // Back, but more than a day behind the record before the rise: a fall.
    #expect(small("05-06 12:00", "05-03 12:00") == "1 +0:00, 2 unknown, 3 +0:00")
    #expect(small("05-06 12:00", "05-03 11:59:59") == "1–2 +0:00, 3 unknown")
  }

  @Test("A change of the clock between means that somebody was there")
  func changeBetween() {
    let set = history(
      odd: 2, between: [at("2026-06-01 00:00", .date(by: -214))],
      back: at("2026-05-04 12:10", .other))
    #expect(set.outcome().pending.filter { $0.contains("#2") } == [])
  }

  @Test("The way back may itself be a change, if the time before it is back")
  func backInChange() {
    let history = history(odd: 2, back: at("2026-05-04 13:10", .clock(by: 3600)))
    #expect(history.offsets == "1 -1:00, 2–3 unknown, 4 +0:00")
  }

  @Test("They are neither the newest event nor the record before a fall")
  func doNotCount() {
    let history = History(zone: TestZones.newYork) {
      at("2026-05-04 12:00", .clock(by: 5))
      at("2027-01-01 00:00", .other)
      at("2026-05-04 12:05", .other)
      at("2027-01-01 00:00", .other)
      at("2026-05-04 12:06", .other)
    }
    #expect(history.offsets == "1 -4:00, 2 unknown, 3 -4:00, 4 unknown, 5 -4:00")
    #expect(history.outcome().clocks == ["change -4:00 (3)"])
  }

  @Test("Inside a reset nothing is odd")
  func insideReset() {
    let history = History(zone: TestZones.utc) {
      at("2026-05-04 12:00", .other)
      at("2008-01-01 00:00", .other)
      at("2008-02-01 00:00", .other)
      at("2008-01-01 00:10", .other)
    }.with(\.clock, .records)
    // The way back is a fall inside the reset.
    #expect(
      history.outcome().pending == ["pending clock #2–#3 (2)", "pending clock #4–#4 (1)"])
  }
}
