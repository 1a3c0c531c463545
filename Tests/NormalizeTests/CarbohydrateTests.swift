import PumpModel
import TestSupport
import Testing

/// N6: meals, once each.
@Suite("Carbohydrate")
struct CarbohydrateTests {
  private func samples(@HistoryBuilder _ steps: () -> [HistoryStep]) -> [String] {
    History(steps).outcome().samples(.carbs)
  }

  @Test("A request's grams count at its time, once per bolus, when a part has finished")
  func finished() {
    #expect(
      samples {
        at("12:00", .request(7, grams: 45))
        at("12:00:30", .request(7, grams: 45))
        at("12:02", .end(7, 1000))
        at("13:00", .endExtended(7, 1000))
      } == ["#1 carbs 12:00 45"])
    let outcome = History {
      at("12:00", .request(7, grams: 45))
      at("12:02", .end(7, 1000))
    }.outcome()
    #expect(outcome.lineage(.carbs) == [[1, 2]])
  }

  @Test("Delivered insulin may be zero, and another part still pending")
  func withoutInsulin() {
    #expect(
      History {
        at("12:00", .request(7, grams: 45))
        at("12:02", .end(7, 0, status: 0))
        at("12:03", .startExtended(7))
      }.text == """
        #1 carbs 12:00 45
        pending extended #3 12:03
        """)
  }

  @Test("A part that was not rejected is enough")
  func oneRejected() {
    let steps = [at("12:00", .request(7, grams: 45)), at("12:02", .end(7, 0, status: 5))]
    #expect(samples { steps } == [])
    #expect(
      samples {
        steps
        at("13:02", .endExtended(7, 0, status: 1))
      } == ["#1 carbs 12:00 45"])
  }

  @Test("Requests that never finished are incomplete, one entry a bolus, and give nothing")
  func incomplete() {
    #expect(
      History {
        at("12:00", .request(7, grams: 45))
        at("12:00", .options(7, 0))
        at("12:10", .total(8))
        at("12:20", .request(9, grams: 20))
        at("12:21", .start(9))
      }.text == """
        pending bolus #5 12:21
        incomplete bolus 7 12:00
        incomplete bolus 8 12:10
        """)
  }

  @Test("No grams give no sample", arguments: [nil, 0] as [UInt16?])
  func noGrams(grams: UInt16?) {
    #expect(
      samples {
        at("12:00", .request(7, grams: grams))
        at("12:02", .end(7, 1000))
      } == [])
  }

  @Test(
    "A stand-alone entry is a sample unless a request of the same grams lies within 5 minutes",
    arguments: [
      ("12:05", 45, false), ("12:05:01", 45, true), ("11:55", 45, false), ("11:54:59", 45, true),
      ("12:02", 44, true),
    ] as [(String, UInt16, Bool)])
  func twins(request: String, grams: UInt16, isSample: Bool) {
    let before = request < "12:00"
    let found = samples {
      if before { at(request, .request(7, grams: grams)) }
      at("12:00", .carbs(45))
      if !before { at(request, .request(7, grams: grams)) }
    }
    #expect(found.count == (isSample ? 1 : 0))
  }

  @Test("Grams are compared in milligrams")
  func milligrams() {
    #expect(
      samples {
        at("12:00", .carbs(45.001))
        at("12:01", .request(7, grams: 45))
        at("12:30", .carbs(0))
      } == ["#1 carbs 12:00 45.001"])
  }

  @Test("A request is remembered for entries before and after it, whatever comes hours later")
  func laterRequests() {
    #expect(
      samples {
        at("12:00", .request(7, grams: 45))
        at("12:04", .carbs(45))
        at("12:05", .carbs(30))
        at("12:09", .request(8, grams: 30))
        for hour in 13...22 { at("\(hour):00", .request(UInt16(hour), grams: 45)) }
        at("23:00", .carbs(45))
      } == ["#15 carbs 23:00 45"])
  }

  @Test("An entry dated far ahead holds no other back, nor what it is compared with")
  func entryAhead() {
    // The clock was hours ahead until power was lost; then the zone places what lay before.
    let history = History(zone: TestZones.utc) {
      at("18:00", .carbs(20))
      at("2008-01-01 00:00", .other)
      at("2026-05-04 12:00", .date(by: 6698))
      at("12:10", .carbs(45))
      at("12:11", .request(7, grams: 45))
      for hour in 13...17 { at("\(hour):59", .other) }
      at("19:30", .other)
    }
    #expect(history.outcome().samples == ["#1 carbs 18:00 20"])
  }
}
