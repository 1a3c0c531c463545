/// Where an event stands in its pump's order (N2): by group, then number; several under one number
/// by pump seconds, then id.
public struct EventPosition: Hashable, Comparable, Sendable {
  /// Group and number, in this order.
  public var high: UInt64
  /// Pump seconds and id, in this order.
  public var low: UInt64

  /// The place of an event with these fields.
  @inlinable
  public init(group: UInt32, number: UInt32, time: PumpTime, id: UInt16) {
    high = UInt64(group) << 32 | UInt64(number)
    low = UInt64(time.seconds) << 16 | UInt64(id)
  }

  /// The sequence group.
  @inlinable
  public var group: UInt32 { UInt32(truncatingIfNeeded: high >> 32) }

  /// The sequence number.
  @inlinable
  public var number: UInt32 { UInt32(truncatingIfNeeded: high) }

  /// The pump's clock.
  @inlinable
  public var time: PumpTime { PumpTime(seconds: UInt32(truncatingIfNeeded: low >> 16)) }

  /// Orders events of one pump.
  @inlinable
  public static func < (left: EventPosition, right: EventPosition) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

extension PumpEvent {
  /// The event's place in its pump's order.
  @inlinable
  public var position: EventPosition {
    EventPosition(group: group, number: number, time: time, id: id)
  }
}
