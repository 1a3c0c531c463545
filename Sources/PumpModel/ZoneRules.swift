/// One zone's UTC offsets over the range of pump time, as plain numbers.
///
/// Platform builds it once from the system's zone data; from then on nothing asks a calendar.
package struct ZoneRules: Sendable, Equatable {
  /// The tzdata name.
  package let name: String
  /// The offset before the first transition, seconds east of UTC.
  package let firstOffset: Int32
  /// When the offset changes, ascending.
  package let transitions: [Transition]

  /// Creates rules; transitions must ascend and each must change the offset.
  package init(name: String, firstOffset: Int32, transitions: [Transition]) {
    self.name = name
    self.firstOffset = firstOffset
    self.transitions = transitions
  }

  /// A moment from which another offset holds.
  package struct Transition: Sendable, Equatable {
    /// The first second of the new offset.
    package var at: Instant
    /// The new offset, seconds east of UTC.
    package var offset: Int32

    /// Creates a transition.
    package init(at: Instant, offset: Int32) {
      self.at = at
      self.offset = offset
    }
  }

  /// The offset at an instant, seconds east of UTC.
  package func offset(at instant: Instant) -> Int64 {
    Int64(span(at: instant).offset)
  }

  /// The offset at an instant with the half-open range of Unix seconds in which it holds, so that
  /// a caller can keep it for the next instant.
  package func span(at instant: Instant) -> (offset: Int32, range: Range<Int64>) {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].at <= instant { low = middle + 1 } else { high = middle }
    }
    let from = low == 0 ? Int64.min : transitions[low - 1].at.unixSeconds
    let until = low == transitions.count ? Int64.max : transitions[low].at.unixSeconds
    return (low == 0 ? firstOffset : transitions[low - 1].offset, from..<until)
  }

  /// The instants at which this zone's wall clock shows a time.
  ///
  /// `wall` is counted in seconds since 1970-01-01T00:00:00 of the wall clock.
  package func readings(ofWall wall: Int64) -> Readings {
    // Offsets are within a day and a bit, so the candidates lie that near.
    var found: [Instant] = []
    var before = span(at: Instant(unixSeconds: wall - 100_000))
    while true {
      let candidate = wall - Int64(before.offset)
      if before.range.contains(candidate) { found.append(Instant(unixSeconds: candidate)) }
      guard before.range.upperBound < wall + 100_000 else { break }
      let next = span(at: Instant(unixSeconds: before.range.upperBound))
      // A skipped wall time: past the old offset's end, before the new one's start.
      if found.isEmpty, candidate >= before.range.upperBound,
        wall - Int64(next.offset) < next.range.lowerBound
      {
        return .skipped(offsetBefore: Int64(before.offset))
      }
      before = next
    }
    switch found.count {
    case 0: return .skipped(offsetBefore: Int64(before.offset))
    case 1: return .once(found[0])
    default: return .twice(earlier: found[0], later: found[found.count - 1])
    }
  }

  /// When a wall clock shows a time.
  package enum Readings: Equatable, Sendable {
    /// At one instant.
    case once(Instant)
    /// At two instants, since the clock was set back between them.
    case twice(earlier: Instant, later: Instant)
    /// Never, since the clock was set forward over it; the offset before the jump is taken.
    case skipped(offsetBefore: Int64)

    /// The earlier instant; of a skipped time, the one with the offset before the jump.
    package func earlier(wall: Int64) -> Instant {
      switch self {
      case .once(let instant): instant
      case .twice(let earlier, _): earlier
      case .skipped(let offset): Instant(unixSeconds: wall - offset)
      }
    }

    /// The later instant; of a skipped time, the one with the offset before the jump.
    package func later(wall: Int64) -> Instant {
      switch self {
      case .once(let instant): instant
      case .twice(_, let later): later
      case .skipped(let offset): Instant(unixSeconds: wall - offset)
      }
    }
  }
}

/// The zones that a person's pump was in, one after the other (N3).
package struct ZoneSchedule: Sendable, Equatable {
  /// The entries; the first holds from the beginning.
  package let entries: [Entry]

  /// Creates a schedule; nil unless the first entry, and no other, holds from the beginning and
  /// the rest follow in time.
  package init?(_ entries: [Entry]) {
    guard let first = entries.first, first.from == nil else { return nil }
    for (entry, next) in zip(entries, entries.dropFirst()) {
      guard let from = next.from, from > entry.from ?? .min else { return nil }
    }
    self.entries = entries
    shownAt = entries.map { entry in
      guard let from = entry.from else { return Instant(unixSeconds: .min) }
      return entry.rules.readings(ofWall: from).earlier(wall: from)
    }
  }

  /// UTC from the beginning, for what no zone is needed for.
  package static let utc = ZoneSchedule(
    rules: ZoneRules(name: "UTC", firstOffset: 0, transitions: []))

  /// Creates a schedule of one zone.
  private init(rules: ZoneRules) {
    entries = [Entry(rules: rules, from: nil)]
    shownAt = [Instant(unixSeconds: .min)]
  }

  /// When each entry's own zone has shown its wall time for the first time.
  private let shownAt: [Instant]

  /// A zone and the wall time from which it holds.
  package struct Entry: Sendable, Equatable {
    /// The zone.
    package var rules: ZoneRules
    /// Seconds since 1970-01-01T00:00:00 on the pump's wall clock; nil: from the beginning.
    package var from: Int64?

    /// Creates an entry.
    package init(rules: ZoneRules, from: Int64?) {
      self.rules = rules
      self.from = from
    }
  }

  /// The zone in force at a wall time of the pump, for anchors and zone mode.
  package func rules(atWall wall: Int64) -> ZoneRules {
    entries[entries.lastIndex { $0.from ?? .min <= wall } ?? 0].rules
  }

  /// The index of the entry that holds at an instant, for days, local times and HKTimeZone: the
  /// latest one whose own zone has shown its wall time.
  package func index(at instant: Instant) -> Int {
    shownAt.lastIndex { $0 <= instant } ?? 0
  }

  /// The zone that holds at an instant, for days, local times and HKTimeZone.
  package func rules(at instant: Instant) -> ZoneRules { entries[index(at: instant)].rules }

  /// The UTC offset at an instant in the zone that holds there, with the half-open range of Unix
  /// seconds in which both stay, so that a caller can keep them for the next instant.
  package func span(at instant: Instant) -> (entry: Int, offset: Int64, range: Range<Int64>) {
    let entry = index(at: instant)
    let (offset, range) = entries[entry].rules.span(at: instant)
    let from = max(range.lowerBound, shownAt[entry].unixSeconds)
    let until =
      entry + 1 < shownAt.count
      ? min(range.upperBound, max(shownAt[(entry + 1)...].map(\.unixSeconds).min() ?? .max, from))
      : range.upperBound
    return (entry, Int64(offset), from..<until)
  }
}
