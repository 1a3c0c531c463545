/// What must be known of the whole history before a place, to normalize on from events shortly
/// before it: all else follows from these events.
package struct NormalizerSeed: Sendable, Equatable {
  /// A temp rate is on, as far as [3] says.
  package var isTemp = false
  /// The scheduled rate of the last [3], mU/h.
  package var changeRate: Int32?
  /// The commanded rate of the last [90] that is no power-up, mU/h.
  package var newDayRate: Int32?
  /// The newest instant that any event had, Unix seconds.
  package var newest: Int64?

  /// The seed of a history's beginning.
  package init() {}
}

/// What a normalizer knows at a place between two events.
package struct NormalizerState: Sendable, Equatable {
  /// A digest of all that the events so far can do to what is made of those to come.
  package var digest: UInt64
  /// What is needed to come to this state again.
  package var seed: NormalizerSeed

  /// Creates a state.
  package init(digest: UInt64, seed: NormalizerSeed) {
    self.digest = digest
    self.seed = seed
  }
}

/// What is noted of the events of one piece of a pump's history, beside what is made of them.
///
/// Pieces follow one another without a gap; what is to be said of the history as a whole is the sum
/// of its pieces.
package struct HistorySegment: Sendable, Equatable {
  /// How many events there are.
  package var records: UInt64 = 0
  /// How many gaps in the numbers end here, and how many numbers they lack.
  package var gaps = Gaps()
  /// Reports of a damaged or erased log.
  package var damage = Times()
  /// Events dated after `now`.
  package var future = Times()
  /// The now that `future` was counted by.
  package var now: Instant
  /// The newest instant of an event.
  package var newest: Instant?
  /// The parts that lie in different spans of the clock, in order.
  package var spans: [Span] = []
  /// What local days get from here.
  package var days: [DayPart] = []

  /// Creates notes of nothing.
  package init(now: Instant) { self.now = now }

  /// Gaps in sequence numbers.
  package struct Gaps: Sendable, Equatable {
    /// How many.
    package var count: UInt64 = 0
    /// How many numbers they lack.
    package var numbers: UInt64 = 0

    /// No gaps.
    package init() {}
  }

  /// A count of events, with the instants of the first and the last of them.
  package struct Times: Sendable, Equatable {
    /// How many.
    package var count: UInt64 = 0
    /// When it was first; nil if that is not known.
    package var first: Instant?
    /// When it was last; nil if that is not known.
    package var last: Instant?

    /// No events.
    package init() {}
  }

  /// Events in a row that lie in one span of the clock.
  package struct Span: Sendable, Equatable {
    /// The place of the first event.
    package var from: EventPosition
    /// How many events there are.
    package var records: UInt64
    /// The instant of the first event that has one.
    package var first: Instant?
    /// The instant of the last event that has one.
    package var last: Instant?

    /// Creates a span.
    package init(from: EventPosition, records: UInt64, first: Instant?, last: Instant?) {
      self.from = from
      self.records = records
      self.first = first
      self.last = last
    }
  }
}

/// What one local day gets from a piece of a pump's history (N11).
package struct DayPart: Sendable, Equatable {
  /// The local day, counted from 1970-01-01.
  package var day: Int64
  /// Rate times seconds: mU/h of the pump × s.
  package var rateSeconds: Int64 = 0
  /// mIU of real insulin.
  package var bolus: Int64 = 0
  /// mg.
  package var carbohydrate: Int64 = 0
  /// Seconds with a rate above zero.
  package var delivered: Int64 = 0
  /// Seconds at a rate of zero while running.
  package var zero: Int64 = 0
  /// Seconds while suspended or shut down.
  package var suspended: Int64 = 0
  /// Whether a hole lies in the day.
  package var hasHole = false
  /// An instant within the day, Unix seconds.
  package var within: Int64
  /// From when insulin was given, Unix seconds; above `activeUntil` if none was.
  package var activeFrom = Int64.max
  /// Until when insulin was given, Unix seconds.
  package var activeUntil = Int64.min
  /// What the pump's own total said.
  package var total: Total?

  /// Creates a part that holds nothing.
  package init(day: Int64, within: Int64) {
    self.day = day
    self.within = within
  }

  /// The pump's own basal total, compared with what is known of the same time.
  package struct Total: Sendable, Equatable {
    /// The pump's midnight, Unix seconds.
    package var from: Int64
    /// When the record was written, Unix seconds.
    package var until: Int64
    /// mIU of real insulin.
    package var basal: Int64
    /// Ours less the pump's, µIU; nil if not all of the time is known.
    package var difference: Int64?

    /// Creates a total.
    package init(from: Int64, until: Int64, basal: Int64, difference: Int64?) {
      self.from = from
      self.until = until
      self.basal = basal
      self.difference = difference
    }
  }

  /// Adds what a later piece of the history holds of the same day.
  package mutating func add(_ later: DayPart) {
    rateSeconds += later.rateSeconds
    bolus += later.bolus
    carbohydrate += later.carbohydrate
    delivered += later.delivered
    zero += later.zero
    suspended += later.suspended
    hasHole = hasHole || later.hasHole
    activeFrom = min(activeFrom, later.activeFrom)
    activeUntil = max(activeUntil, later.activeUntil)
    total = later.total ?? total
  }
}
