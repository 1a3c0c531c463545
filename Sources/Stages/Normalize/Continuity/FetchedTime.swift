package import PumpModel

/// The time of a pump's clock that was fetched from a live source (N4), as far as it plays a part:
/// where it is in one piece, or was never asked for, it decides nothing.
package struct FetchedTime: Sendable, Equatable {
  private let ranges: [Range<Int64>]

  /// Nothing was fetched.
  package static let none = FetchedTime(WallRanges())

  /// Takes what was fetched.
  package init(_ fetched: WallRanges) {
    ranges = fetched.ranges.count > 1 ? fetched.ranges : []
  }

  /// The ranges as words, for a ledger to keep; none where they decide nothing.
  package var words: [Int64] { ranges.flatMap { [$0.lowerBound, $0.upperBound] } }

  /// Whether both times were fetched and some of the time between them was not.
  func isBroken(from start: PumpTime, until end: PumpTime) -> Bool {
    guard !ranges.isEmpty, let first = place(of: start), let last = place(of: end) else {
      return false
    }
    return first != last
  }

  /// The range that holds a time.
  private func place(of time: PumpTime) -> Int? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= time.wallSeconds { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(time.wallSeconds) ? low : nil
  }
}
