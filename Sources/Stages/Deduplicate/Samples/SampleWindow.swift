package import PumpModel

/// A range of a pump's history that was normalized again, with what tells the samples that came of
/// it from those that came of the history before and after.
///
/// A sample comes of the place where it became certain, which may lie days after the event that it
/// is named after.
package struct SampleWindow: Sendable {
  /// The first number << 32 | pump seconds.
  package var from: UInt64
  /// The number << 32 | pump seconds after the last one; the greatest: up to the history's end.
  package var until: UInt64
  /// The events before the range that samples were still to be named after when it began.
  package var inFlightBefore: Set<EventPosition>
  /// The events before its end that samples are still to be named after.
  package var inFlightAfter: Set<EventPosition>

  /// Creates a window.
  package init(
    from: UInt64, until: UInt64, inFlightBefore: Set<EventPosition>,
    inFlightAfter: Set<EventPosition>
  ) {
    self.from = from
    self.until = until
    self.inFlightBefore = inFlightBefore
    self.inFlightAfter = inFlightAfter
  }

  /// Whether a sample of this name came of the range, if the ledger held one before.
  func replaces(_ identity: SampleIdentity) -> Bool {
    guard identity.scheme == .event else { return false }
    let event = EventPosition(
      group: identity.group, number: identity.first, time: PumpTime(seconds: identity.second),
      id: identity.eventID)
    let key = UInt64(identity.first) << 32 | UInt64(identity.second)
    guard key >= from || inFlightBefore.contains(event) else { return false }
    return until == .max || (key < until && !inFlightAfter.contains(event))
  }
}
