/// The records of one pump that a run found new or changed, or that are gone: as clusters in the
/// pump's order.
package struct TouchedRecords: Sendable, Equatable {
  /// All but the last range.
  private var earlier: [ClosedRange<UInt64>] = []
  /// The range that was noted in last; apart, since nearly every record falls into it.
  private var last: ClosedRange<UInt64>?
  /// Whether one of them is a clock change [13, 14].
  package private(set) var holdsClockChange = false
  /// Whether anything may have been touched: nothing is known of where.
  package private(set) var isEverything = false

  /// Records nearer than so many numbers lie in one cluster.
  private static let nearness: UInt64 = 512 << 32
  /// More clusters than these are one.
  private static let mostClusters = 256

  /// Nothing.
  package init() {}

  /// Notes a record that is new, has a new copy, lost a copy or is gone.
  package mutating func note(number: UInt32, seconds: UInt32, eventID: UInt16) {
    note(UInt64(number) << 32 | UInt64(seconds), eventID: eventID)
  }

  /// Notes a record by number and pump seconds in one.
  @inline(__always)
  mutating func note(_ key: UInt64, eventID: UInt16) {
    if eventID == 13 || eventID == 14 { holdsClockChange = true }
    if let last, key >= last.lowerBound,
      key <= last.upperBound || key - last.upperBound < Self.nearness
    {
      if key > last.upperBound { self.last = last.lowerBound...key }
      return
    }
    begin(at: key)
  }

  @inline(never)
  private mutating func begin(at key: UInt64) {
    if let last { earlier.append(last) }
    last = key...key
    guard earlier.count >= 4 * Self.mostClusters else { return }
    earlier = clusters
    last = earlier.popLast()
  }

  private var ranges: [ClosedRange<UInt64>] { last.map { earlier + [$0] } ?? earlier }

  /// Notes that anything may have been touched.
  package mutating func noteEverything() { isEverything = true }

  /// Adds what others touched.
  package mutating func add(_ other: TouchedRecords) {
    earlier = ranges + other.earlier
    last = other.last ?? earlier.popLast()
    holdsClockChange = holdsClockChange || other.holdsClockChange
    isEverything = isEverything || other.isEverything
  }

  /// The clusters in order, each from the first to the last record's number << 32 | pump seconds.
  package var clusters: [ClosedRange<UInt64>] {
    Self.joined(ranges)
  }

  /// Joins ranges that overlap or lie near one another.
  package static func joined(_ ranges: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
    var joined: [ClosedRange<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let last = joined.last,
        range.lowerBound <= last.upperBound || range.lowerBound - last.upperBound < nearness
      else {
        joined.append(range)
        continue
      }
      joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
    }
    guard joined.count > mostClusters, let first = joined.first, let last = joined.last else {
      return joined
    }
    return [first.lowerBound...last.upperBound]
  }
}
