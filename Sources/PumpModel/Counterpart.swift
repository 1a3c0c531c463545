/// What an event tells that a row of an export may tell too (N7, N10): a delivered dose, or a
/// glucose reading.
package struct Counterpart: Sendable, Hashable {
  /// `bolus`, `extended`, `cgm` or `meter`.
  package var kind: SampleKind
  /// When it ended, or when the reading was taken, on the pump's clock.
  package var time: PumpTime
  /// The same, placed in time.
  package var instant: Instant
  /// When it began at the earliest: when it was asked for, if that is known; never after `instant`.
  package var begin: Instant
  /// How many seconds further the pump's clock was at the end than at the beginning; negative where it
  /// was set back by more in between.
  package var clockSeconds: Int32
  /// Delivered insulin in mIU of the pump, zero included; or mg/dL.
  package var amount: UInt32
  /// The event's sequence number.
  package var number: UInt32

  /// Creates a counterpart; of one that says no more it is known when it ended.
  package init(
    kind: SampleKind, time: PumpTime, instant: Instant, begin: Instant? = nil,
    clockSeconds: Int32 = 0, amount: UInt32, number: UInt32
  ) {
    self.kind = kind
    self.time = time
    self.instant = instant
    self.begin = min(begin ?? instant, instant)
    self.clockSeconds = clockSeconds
    self.amount = amount
    self.number = number
  }
}

extension Counterpart {
  /// The number of what rows tell: no log comes so far.
  package static let noNumber = UInt32.max

  /// Between which times the pump's clock may have shown any moment of it, in seconds since 1970: what it
  /// showed at the beginning and at the end, and in between as if it was set just before the end, or
  /// just after the beginning.
  package var clockSpan: ClosedRange<Int64> {
    let (end, passed, length) = (time.wallSeconds, Int64(clockSeconds), instant - begin)
    return end - max(passed, length)...end + max(0, length - passed)
  }

  /// Whether it is a dose, not a reading.
  package var isDose: Bool { kind == .bolus || kind == .extended }
}

extension Counterpart: Comparable {
  /// By when it ended; an order of all that differ, so that lists of them can be compared.
  package static func < (left: Counterpart, right: Counterpart) -> Bool {
    let (own, other) = (left.order, right.order)
    return own.lexicographicallyPrecedes(other)
  }

  private var order: [Int64] {
    [
      instant.unixSeconds, begin.unixSeconds, Int64(number), Int64(kind.rawValue), Int64(amount),
      Int64(time.seconds), Int64(clockSeconds),
    ]
  }
}

/// What a row tells that no event and no row of an earlier source does (Decisions 76).
package struct ToldCounterpart: Sendable, Equatable {
  /// The piece that the row is in.
  package var piece: RowPiece
  /// What later sources may tell too.
  package var counterpart: Counterpart

  /// Creates what a row of a piece tells.
  package init(piece: RowPiece, counterpart: Counterpart) {
    self.piece = piece
    self.counterpart = counterpart
  }
}

/// A row of an export that holds: of those that contradict it, none counts (N10).
package struct NumberedRow: Sendable, Equatable {
  /// What it says.
  package var row: ExportRow
  /// Its count among the rows of one document, section and time, from 0 (N9).
  package var ordinal: UInt32
  /// The digest that stands for the record's own id; nil for rows that have none.
  package var nameDigest: UInt64?
  /// How many seconds later its dose is compared with others than the row says: where the pump's log
  /// has the dose under the number that the row tells, at another time.
  package var delay: Int64

  /// Creates a row.
  package init(
    _ row: ExportRow, ordinal: UInt32, nameDigest: UInt64? = nil, delay: Int64 = 0
  ) {
    self.row = row
    self.ordinal = ordinal
    self.nameDigest = nameDigest
    self.delay = delay
  }
}

/// What became of the rows of one source: which of their doses events told as well (N10).
package struct RowAccount: Sendable, Equatable {
  /// Rows of boluses and meals.
  package var rows: UInt64 = 0
  /// Doses of rows that an event told too; the event's sample stands for both.
  package var matched: UInt64 = 0
  /// Doses of rows that no event told: samples of their own.
  package var unmatched: UInt64 = 0
  /// Meals of rows that were left to the event that told the dose.
  package var mealsOfEvents: UInt64 = 0
  /// Glucose readings.
  package var readings: UInt64 = 0
  /// Glucose readings that an event told too.
  package var matchedReadings: UInt64 = 0
  /// Basal rates.
  package var rates: UInt64 = 0
  /// Basal rates that basal was made of, since events tell nothing of their days.
  package var derived: UInt64 = 0
  /// Meals whose bolus no record tells.
  package var mealsAlone: UInt64 = 0

  /// An account of nothing.
  package init() {}

  /// All counts but that of meals alone, in the order in which a ledger keeps them.
  package var counts: [UInt64] {
    [
      rows, matched, unmatched, mealsOfEvents, readings, matchedReadings, rates, derived,
    ]
  }
}
