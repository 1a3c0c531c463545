import Normalize
import PumpModel
import TestSupport
import Testing

/// N4: which numbers are known to be missing.
@Suite("Known missing numbers")
struct MissingNumbersTests {
  /// The known missing numbers of a group that holds ranges of numbers.
  private func known(_ held: ClosedRange<UInt32>...) -> [UInt64] {
    var missing = MissingNumbers()
    for range in held { for number in range { missing.take(group: 0, number: number) } }
    missing.finish()
    return missing.known
  }

  @Test("At least 99 % of the window must be held: 150 of 151 are, 149 of 151 are not")
  func share() {
    // The window of 1050 is cut to the run's beginning at 1000: 151 numbers.
    #expect(known(1000...1049, 1051...1300) == [1050])
    #expect(known(1000...1049, 1051...1060, 1062...1300) == [])
  }

  @Test("In a whole window of 201 numbers two may be missing, not three")
  func wholeWindow() {
    #expect(known(1000...1199, 1202...1500) == [1200, 1201])
    #expect(known(1000...1199, 1203...1500) == [])
    #expect(known(1000...1199, 1201...1298, 1300...1600) == [1200, 1299])
    // The window of 1300 ends at 1400 and holds three gaps, that of 1200 only two.
    #expect(known(1000...1199, 1201...1299, 1301...1399, 1401...1700) == [1200, 1400])
  }

  @Test("A hundred missing in a row end a run, 99 do not")
  func runs() {
    // The window of 1099 is cut to the run 1000…1100: one of 101 numbers.
    #expect(known(1000...1098, 1100...1100) == [1099])
    #expect(known(1000...1098, 1100...1100, 1201...1201) == [1099])
    // With 99 missing the run goes on, and the window of 1099 holds them.
    #expect(known(1000...1098, 1100...1100, 1200...1200) == [])
  }

  @Test("A short run proves nothing: of a hundred numbers one missing is too much only below 99 %")
  func shortRuns() {
    #expect(known(1000...1097, 1099...1099) == [1098])
    #expect(known(1000...1097, 1099...1098 + 1) == [1098])
    #expect(known(1000...1096, 1098...1098) == [])
  }

  @Test("Groups are apart, numbers held twice count once")
  func groups() {
    var missing = MissingNumbers()
    for group in [1, 2] as [UInt32] {
      for number in 1000...1200 as ClosedRange<UInt32> where number != 1100 {
        missing.take(group: group, number: number)
        missing.take(group: group, number: number)
      }
    }
    missing.finish()
    #expect(missing.known == [1 << 32 | 1100, 2 << 32 | 1100])
  }

  @Test(
    "Random histories agree with the rule read word by word",
    arguments: 1...40 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var random = TestRandom(seed: seed)
    var held: [(group: UInt32, number: UInt32)] = []
    for group in 0...1 as ClosedRange<UInt32> {
      var number: UInt32 = 500
      for _ in 0..<random.integer(1...900) {
        held.append((group, number))
        number += 1
        if random.happens(inThousand: 12) {
          number += UInt32([1, 1, 1, 2, 3, 98, 99, 100, 150][random.integer(0...8)])
        }
      }
    }
    var missing = MissingNumbers()
    for (group, number) in held { missing.take(group: group, number: number) }
    missing.finish()
    #expect(missing.known == naive(held), "\(random.describe)")
  }

  /// The rule with sets, number by number.
  private func naive(_ held: [(group: UInt32, number: UInt32)]) -> [UInt64] {
    var known: [UInt64] = []
    for group in Set(held.map(\.group)).sorted() {
      let numbers = held.filter { $0.group == group }.map { Int($0.number) }.sorted()
      var runs: [[Int]] = []
      for number in numbers {
        if let last = runs.last?.last, number - last - 1 < 100 {
          runs[runs.count - 1].append(number)
        } else {
          runs.append([number])
        }
      }
      for run in runs {
        guard let first = run.first, let last = run.last else { continue }
        let set = Set(run)
        for number in first...last where !set.contains(number) {
          let window = max(first, number - 100)...min(last, number + 100)
          let share = window.count { set.contains($0) } * 100
          if share >= 99 * window.count { known.append(UInt64(group) << 32 | UInt64(number)) }
        }
      }
    }
    return known
  }
}
