import PumpModel
import TestSupport
import Testing

/// Sets of times as ranges.
@Suite struct WallRangesTests {
  @Test(arguments: 1...60)
  func rangesDoAsSetsOfSecondsDo(seed: Int) {
    var random = TestRandom(seed: UInt64(seed))
    func range() -> Range<Int64> {
      let start = Int64(random.integer(-20...40))
      return start..<start + Int64(random.integer(0...15))
    }
    var (ranges, seconds) = (WallRanges(), Set<Int64>())
    for _ in 0..<20 {
      let range = range()
      if random.happens(inThousand: 600) {
        ranges.insert(range)
        seconds.formUnion(range)
      } else {
        ranges.remove(range)
        seconds.subtract(range)
      }
      #expect(ranges.ranges.flatMap { Array($0) } == seconds.sorted(), "\(random.describe)")
      for (left, right) in zip(ranges.ranges, ranges.ranges.dropFirst()) {
        #expect(left.upperBound < right.lowerBound, "\(random.describe)")
      }
    }
    let (other, bounds) = (WallRanges([range(), range()]), range())
    let others = Set(other.ranges.flatMap { Array($0) })
    func all(_ ranges: WallRanges) -> Set<Int64> { Set(ranges.ranges.flatMap { Array($0) }) }
    #expect(all(ranges.union(other)) == seconds.union(others), "\(random.describe)")
    #expect(all(ranges.subtracting(other)) == seconds.subtracting(others), "\(random.describe)")
    #expect(all(ranges.clamped(to: bounds)) == seconds.intersection(bounds), "\(random.describe)")
    #expect(ranges.contains(3) == seconds.contains(3))
    #expect(ranges.first == seconds.min() && ranges.end == seconds.max().map { $0 + 1 })
  }
}
