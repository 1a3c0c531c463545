package import PumpModel

/// A stretch of a pump's history in which its clock was not moved, as `ClockScanner` found it.
///
/// Its offset is not known yet: it follows from the stretch after it, or from the zone (N3).
package struct Stretch: Sendable, Equatable {
  /// What began the stretch.
  package var opening: Opening
  /// The pump's clock at the last record, whatever its id; nil while there is none.
  package var newest: PumpTime?
  /// The pump's clock at the first record.
  package var oldest: PumpTime?
  /// How many records lie in it.
  package var records: UInt64 = 0
  /// The stretch that a clock change opened out of this one, with the change's shift.
  package var next: Next?
  /// The power loss that this stretch belongs to, if it does.
  package var reset: Int?

  /// What began a stretch.
  package enum Opening: Sendable, Equatable {
    /// The history began.
    case beginning
    /// The clock was moved by so many milliseconds, to this time.
    case change(to: PumpTime, shiftMilliseconds: Int64)
    /// The pump lost power and its clock fell back.
    case powerLoss
  }

  /// A change out of a stretch.
  package struct Next: Sendable, Equatable {
    /// The index of the stretch that the change opened.
    package var stretch: Int
    /// What the clock was moved by.
    package var shiftMilliseconds: Int64
  }
}

/// A part of the pump's order whose records have no known time: one pending entry (N3).
package struct UnknownTime: Sendable, Equatable {
  /// Why.
  package var reason: Reason
  /// The first record's number.
  package var firstNumber: UInt32
  /// The last record's number.
  package var lastNumber: UInt32
  /// How many records lie in it.
  package var records: UInt64

  /// Why a time is not known.
  package enum Reason: Sendable, Equatable {
    /// The pump lost power and no change of its clock followed.
    case powerLoss
    /// Time rose by more than a day and came back.
    case oddRecords
  }
}

/// A run of records, in order, that lie in one stretch or have no known time.
package struct ClockSpan: Sendable, Equatable {
  /// The place of the first record.
  package var from: EventPosition
  /// What the records lie in.
  package var content: Content

  /// What the records of a span lie in.
  package enum Content: Sendable, Equatable {
    /// The stretch with this index.
    case stretch(Int)
    /// The odd records with this index in the scan's `odd`.
    case odd(Int)
  }
}

/// What `ClockScanner` found in one pump's history.
package struct ClockScan: Sendable, Equatable {
  /// The stretches, in the order in which they began.
  package var stretches: [Stretch]
  /// The runs of odd records.
  package var odd: [UnknownTime]
  /// The power losses; those that a change ended have `isEnded` set.
  package var resets: [Reset]
  /// Which records lie where, in order.
  package var spans: [ClockSpan]
  /// Whether the pump holds a clock-change record, of whatever shift.
  package var hasClockChanges: Bool

  /// A power loss, with the stretches that belong to it.
  package struct Reset: Sendable, Equatable {
    /// The records in it.
    package var records: UnknownTime
    /// Whether a change of the clock ended it, so that its time is known.
    package var isEnded: Bool
  }
}
