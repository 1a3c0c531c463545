import PumpModel

/// The zone and UTC offset at one instant after the other.
///
/// Rows come in order of time, so the span of the last one mostly holds for the next.
struct ZoneCursor {
  /// The entry of the schedule that holds.
  private(set) var entry = 0
  /// The offset that holds, seconds east of UTC.
  private(set) var offset: Int64 = 0
  /// The Unix seconds for which both hold.
  private(set) var range: Range<Int64> = 0..<0

  private let schedule: ZoneSchedule

  /// Creates a cursor that stands nowhere yet.
  init(_ schedule: ZoneSchedule) { self.schedule = schedule }

  /// Moves to an instant.
  @inline(__always)
  mutating func seek(_ instant: Instant) {
    if !range.contains(instant.unixSeconds) { search(instant) }
  }

  @inline(never)
  private mutating func search(_ instant: Instant) {
    (entry, offset, range) = schedule.span(at: instant)
  }
}
