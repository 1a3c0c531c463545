package import PumpModel

/// On which days, and in which of their hours, a pump has records.
///
/// Its size is that of a calendar, not that of the history.
package struct Coverage: Sendable, Equatable {
  private var byDay: [LocalDay: Day] = [:]

  /// Creates a coverage of nothing.
  package init() {}

  /// Takes in the time of a record, in any order.
  package mutating func add(_ time: PumpTime) {
    byDay[LocalDay(time), default: Day(first: time, last: time)].add(time)
  }

  /// Takes in all times of another coverage.
  package mutating func add(_ other: Coverage) {
    byDay.merge(other.byDay) { $0.joined(with: $1) }
  }

  /// A day's records; nil if there are none.
  package subscript(_ day: LocalDay) -> Day? { byDay[day] }

  /// The days with records, in order.
  package var days: [(day: LocalDay, records: Day)] {
    byDay.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// The stretches of days that have records, without an empty day inside.
  package var spans: [Span] {
    var spans: [Span] = []
    var previous: LocalDay?
    for (day, records) in days {
      if let last = previous, day.daysSince1970 == last.daysSince1970 + 1 {
        spans[spans.count - 1].last = records.last
        spans[spans.count - 1].records += records.count
      } else {
        spans.append(Span(first: records.first, last: records.last, records: records.count))
      }
      previous = day
    }
    return spans
  }

  /// What a day holds.
  package struct Day: Sendable, Equatable {
    /// The earliest time.
    package private(set) var first: PumpTime
    /// The latest time.
    package private(set) var last: PumpTime
    /// How many records.
    package private(set) var count = 0
    private var hourBits: UInt32 = 0

    fileprivate init(first: PumpTime, last: PumpTime) {
      self.first = first
      self.last = last
    }

    fileprivate mutating func add(_ time: PumpTime) {
      first = min(first, time)
      last = max(last, time)
      count += 1
      hourBits |= 1 << (time.seconds % 86_400 / 3600)
    }

    fileprivate func joined(with other: Day) -> Day {
      var day = self
      day.first = min(first, other.first)
      day.last = max(last, other.last)
      day.count += other.count
      day.hourBits |= other.hourBits
      return day
    }

    /// In how many of the day's 24 hours there are records.
    package var hours: Int { hourBits.nonzeroBitCount }
  }

  /// A stretch of days.
  package struct Span: Sendable, Equatable {
    /// The earliest time.
    package var first: PumpTime
    /// The latest time.
    package var last: PumpTime
    /// How many records.
    package var records: Int
  }
}
