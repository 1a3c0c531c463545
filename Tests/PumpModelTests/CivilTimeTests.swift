import PumpModel
import TestSupport
import Testing

@Suite struct CivilTimeTests {
  /// Every day of four centuries, counted one by one with the rules of the calendar alone.
  @Test func agreesWithACounterOfDays() {
    var day: Int64 = CivilTime.days(year: 1900, month: 1, day: 1)
    #expect(day == -25_567)
    for year in 1900...2299 {
      let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1..., lengths) {
        #expect(CivilTime.days(inMonth: month, of: year) == length)
        for date in 1...length {
          let civil = CivilTime(daysSince1970: day)
          guard (civil.year, civil.month, civil.day) == (year, month, date),
            CivilTime.days(year: year, month: month, day: date) == day
          else {
            Issue.record("\(year)-\(month)-\(date) is \(civil)")
            return
          }
          day += 1
        }
      }
    }
  }

  @Test func splitsSecondsOnBothSidesOf1970() {
    let last = CivilTime(secondsSince1970: -1)
    #expect((last.year, last.month, last.day) == (1969, 12, 31))
    #expect((last.hour, last.minute, last.second) == (23, 59, 59))
    let first = CivilTime(secondsSince1970: 0)
    #expect((first.year, first.month, first.day, first.hour) == (1970, 1, 1, 0))
    let pump = CivilTime(secondsSince1970: PumpTime(seconds: 578_750_470).wallSeconds)
    #expect((pump.year, pump.month, pump.day) == (2026, 5, 4))
    #expect((pump.hour, pump.minute, pump.second) == (12, 1, 10))
  }

  @Test func splitsAnySecondAndBack() {
    var random = TestRandom(seed: 5)
    for _ in 0..<20_000 {
      let seconds = Int64(random.integer(-62_000_000_000...250_000_000_000))
      let civil = CivilTime(secondsSince1970: seconds)
      let days = CivilTime.days(year: civil.year, month: civil.month, day: civil.day)
      let back = days * 86_400 + Int64(civil.hour * 3600 + civil.minute * 60 + civil.second)
      #expect(back == seconds, "\(random.describe)")
    }
  }

  @Test(arguments: [(7, 3, 2), (-7, 3, -3), (-6, 3, -2), (0, 5, 0), (-1, 86_400, -1)])
  func dividesTowardsMinusInfinity(value: Int, divisor: Int, quotient: Int) {
    #expect(Int64(value).flooredDivision(by: Int64(divisor)) == Int64(quotient))
  }
}
