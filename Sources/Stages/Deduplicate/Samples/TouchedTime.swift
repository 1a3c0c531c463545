/// The time in which samples were given, changed or taken back, in a few spans.
///
/// Spans closer than a day are one, so that their number grows with the days and not with the samples.
package struct TouchedTime: Sendable, Equatable {
  /// The spans, in Unix seconds, in any order; they may overlap.
  package private(set) var spans: [ClosedRange<Int64>] = []

  private static let near: Int64 = 86_400
  /// Above so many, they are sorted and joined; samples mostly come in the order of time.
  private static let many = 8192

  /// Creates a time of nothing.
  package init() {}

  /// Takes in the time of a sample.
  mutating func note(from start: Int64, until end: Int64) {
    let span = start...max(start, end)
    if let last = spans.last, Self.areNear(last, span) {
      spans[spans.count - 1] = Self.join(last, span)
    } else {
      if spans.count == Self.many { join() }
      spans.append(span)
    }
  }

  /// Takes in the spans of other samples.
  mutating func add(_ other: TouchedTime) {
    for span in other.spans { note(from: span.lowerBound, until: span.upperBound) }
  }

  private mutating func join() {
    var joined: [ClosedRange<Int64>] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, Self.areNear(last, span) {
        joined[joined.count - 1] = Self.join(last, span)
      } else {
        joined.append(span)
      }
    }
    spans = joined
  }

  private static func areNear(_ left: ClosedRange<Int64>, _ right: ClosedRange<Int64>) -> Bool {
    right.lowerBound - near <= left.upperBound && left.lowerBound - near <= right.upperBound
  }

  private static func join(
    _ left: ClosedRange<Int64>, _ right: ClosedRange<Int64>
  ) -> ClosedRange<Int64> {
    min(left.lowerBound, right.lowerBound)...max(left.upperBound, right.upperBound)
  }
}
