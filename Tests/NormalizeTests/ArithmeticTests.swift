import PumpModel
import TestSupport
import Testing

/// N8: whole numbers, rounded once, half to even.
@Suite("Arithmetic")
struct ArithmeticTests {
  private func amount(
    _ rate: UInt16, seconds: Int64, _ concentration: Concentration = .u100
  ) -> Int64? {
    let end = PumpTime(seconds: UInt32(578_000_000 + seconds))
    var history = History { at("12:00", .change(rate)) }
    history.concentration = concentration
    let wall = CivilTime(secondsSince1970: end.wallSeconds)
    _ = wall
    let steps = [
      HistoryStep.record("12:00", .change(rate)),
      .record("12:\(seconds / 60):\(seconds % 60)", .suspend),
    ]
    return History { steps }.with(\.concentration, concentration).outcome().batch.samples.first?
      .amount
  }

  @Test(
    "Basal is rate times seconds times 10 / 36, ties to the even µIU",
    arguments: [
      (1, 9, 2), (3, 9, 8), (1, 18, 5), (7, 9, 18), (5, 9, 12), (1, 3, 1), (1000, 300, 83_333),
      (999, 299, 82_972),
    ] as [(UInt16, Int64, Int64)])
  func halfEven(rate: UInt16, seconds: Int64, expected: Int64) {
    #expect(amount(rate, seconds: seconds) == expected)
  }

  @Test("What rounds to zero gives no sample")
  func zero() {
    #expect(amount(1, seconds: 1) == nil)
    #expect(amount(1, seconds: 2) == 1)
  }

  @Test("Concentration comes before the one rounding of basal")
  func concentration() {
    // 1 mU/h for 9 s: 2.5 µIU of the pump, 5 and 12.5 of real insulin.
    #expect(amount(1, seconds: 9, .u200) == 5)
    #expect(amount(1, seconds: 9, .u500) == 12)
    #expect(amount(1, seconds: 1, .u200) == 1)
  }

  @Test("Boluses, requests and rates are multiplied alike; carbohydrate is not")
  func metadata() {
    let history = History {
      at("12:00", .request(7, grams: 30))
      at("12:00", .end(7, 1001, requested: 2000))
      at("12:00", .change(900))
      at("13:00", .suspend)
    }
    #expect(
      history.with(\.concentration, .u500).outcome().samples == [
        "#3 basal 12:00–13:00 4.5 rate 4.5 profile", "#2 bolus 12:00 5.005 of 10",
        "#1 carbs 12:00 30",
      ])
  }
}
