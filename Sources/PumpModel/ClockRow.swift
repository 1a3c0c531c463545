/// One stretch of a pump's clock as reports show it (N3).
package struct ClockRow: Sendable, Equatable {
  /// Whether clock-change records placed it, or the zone's rules.
  package var usesRecords: Bool
  /// What began it.
  package var opening: Opening
  /// The first event's instant; nil if its time is not known.
  package var start: Instant?
  /// The last event's instant, in order; nil if its time is not known.
  package var end: Instant?
  /// Seconds east of UTC; nil by the zone's rules or if not known.
  package var offset: Int64?
  /// What the clock was off by beside the offset, in milliseconds.
  package var driftMilliseconds: Int64
  /// How many records lie in it.
  package var records: UInt64

  /// Creates a row.
  package init(
    usesRecords: Bool, opening: Opening, start: Instant?, end: Instant?, offset: Int64?,
    driftMilliseconds: Int64, records: UInt64
  ) {
    self.usesRecords = usesRecords
    self.opening = opening
    self.start = start
    self.end = end
    self.offset = offset
    self.driftMilliseconds = driftMilliseconds
    self.records = records
  }

  /// What began a stretch; raw values are the report's words.
  package enum Opening: String, Sendable {
    /// The history's first record.
    case beginning
    /// A change of the clock.
    case change
    /// A loss of power.
    case powerLoss = "power-loss"
  }
}
