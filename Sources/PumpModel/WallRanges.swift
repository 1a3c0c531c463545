/// A set of times of a pump's own clock, in seconds since 1970-01-01T00:00:00 of that clock, as
/// ranges that neither touch nor overlap.
public struct WallRanges: Hashable, Sendable {
  /// The ranges, ascending; none is empty.
  public private(set) var ranges: [Range<Int64>] = []

  /// The set of nothing.
  public init() {}

  /// The set of some ranges, in any order.
  public init(_ ranges: some Sequence<Range<Int64>>) {
    for range in ranges { insert(range) }
  }

  /// Whether nothing is in it.
  public var isEmpty: Bool { ranges.isEmpty }
  /// Its first second; nil if it is empty.
  public var first: Int64? { ranges.first?.lowerBound }
  /// The second behind its last; nil if it is empty.
  public var end: Int64? { ranges.last?.upperBound }

  /// Whether a second is in it.
  public func contains(_ second: Int64) -> Bool { ranges.contains { $0.contains(second) } }

  /// Adds a range.
  public mutating func insert(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    var joined = range
    let touching =
      ranges.partitioned {
        $0.upperBound >= range.lowerBound
      }..<ranges.partitioned { $0.lowerBound > range.upperBound }
    if let low = ranges[touching].first?.lowerBound, let high = ranges[touching].last?.upperBound {
      joined = min(low, range.lowerBound)..<max(high, range.upperBound)
    }
    ranges.replaceSubrange(touching, with: [joined])
  }

  /// Takes a range out.
  public mutating func remove(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    ranges = ranges.flatMap { held in
      [
        held.lowerBound..<max(held.lowerBound, min(held.upperBound, range.lowerBound)),
        min(held.upperBound, max(held.lowerBound, range.upperBound))..<held.upperBound,
      ].filter { !$0.isEmpty }
    }
  }

  /// What is in one of the two.
  public func union(_ other: WallRanges) -> WallRanges {
    var result = self
    for range in other.ranges { result.insert(range) }
    return result
  }

  /// What is in this one and not in the other.
  public func subtracting(_ other: WallRanges) -> WallRanges {
    var result = self
    for range in other.ranges { result.remove(range) }
    return result
  }

  /// What lies within a range.
  public func clamped(to range: Range<Int64>) -> WallRanges {
    WallRanges(ranges.map { $0.clamped(to: range) })
  }
}

extension Array {
  /// The first place of which a condition holds that, once it holds, holds to the end.
  fileprivate func partitioned(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
