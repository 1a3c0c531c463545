package import PumpModel

/// Turns a record into an event, checked by N2 and the ranges of N4 to N6.
///
/// Pure: the same record gives the same event, at reading time and when it comes back from the
/// journal. `present` counts fields in layout order (`EventCatalogue`); the bits below follow it.
package enum EventDecoder {
  /// What a record turned out to be.
  package enum Outcome: Sendable, Equatable {
    /// A sound record, with what a reader of the report should know of it.
    case event(PumpEvent, Remark)
    /// A record that must not be used.
    case rejected(RecordFault)
  }

  /// What is to be said of a sound record.
  package enum Remark: UInt8, Sendable {
    /// Nothing.
    case none
    /// [64] its carbohydrate is not usable: one reject, while the record is used.
    case carbsUnusable
    /// A reading that the pump did not show, or high, low or zero.
    case glucoseNotShown
    /// An event id that EVENTS does not know.
    case unknownEvent
    /// An event that no rule uses.
    case noRule
  }

  /// What became of a record.
  package enum Status: Sendable, Equatable {
    /// It is sound.
    case sound(Remark)
    /// It must not be used.
    case rejected(RecordFault)
  }

  /// Decodes one record.
  ///
  /// The event's group is the record's own, 0 if it names none.
  package static func decode(_ record: PumpRecord) -> Outcome {
    var event = blank
    return switch decode(record, into: &event) {
    case .sound(let remark): .event(event, remark)
    case .rejected(let fault): .rejected(fault)
    }
  }

  /// An event to decode into.
  package static var blank: PumpEvent {
    PumpEvent(group: 0, number: 0, time: PumpTime(seconds: 0), id: 0, payload: .other)
  }

  /// Decodes one record into an event that is there already, which is faster in a loop.
  ///
  /// The event holds nothing of use if the record is rejected.
  package static func decode(_ record: PumpRecord, into event: inout PumpEvent) -> Status {
    event.group = record.hasGroup ? record.group : 0
    event.number = record.number
    event.time.seconds = record.seconds
    event.id = record.eventID
    return check(RecordFields(record), into: &event.payload)
  }

  @inline(__always)
  static func check(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status {
    switch record.eventID {
    case 279: basalDelivery(record, into: &payload)
    case 256, 399: sensorReading(record, isWide: true, into: &payload)
    case 372, 480: sensorReading(record, isWide: false, into: &payload)
    case 280: bolusProgress(record, into: &payload)
    case 3: basalRateChange(record, into: &payload)
    case 20: bolusCompleted(record, .normal, into: &payload)
    case 21: bolusCompleted(record, .extended, into: &payload)
    case 55: bolusStarted(record, .normal, into: &payload)
    case 59: bolusStarted(record, .extended, into: &payload)
    case 64: bolusRequest1(record, into: &payload)
    case 65: bolusRequest2(record, into: &payload)
    case 66: bolusRequest3(record, into: &payload)
    default: checkRare(record, into: &payload)
    }
  }

  /// Whether events of an id can be changes of the clock, by time [13] or by date [14].
  @inline(__always)
  package static func mayMoveClock(_ eventID: UInt16) -> Bool { eventID == 13 || eventID == 14 }

  @inline(never)
  private static func checkRare(
    _ record: RecordFields, into payload: inout PumpEvent.Payload
  ) -> Status {
    switch record.eventID {
    case 2: return tempRateStart(record, into: &payload)
    case 5: return alarm(record, into: &payload)
    case 11: payload = .suspended
    case 12: payload = .resumed
    case 13: return clockChange(record, unit: 1, into: &payload)
    case 14: return clockChange(record, unit: 86_400_000, into: &payload)
    case 16: return meterReading(record, into: &payload)
    case 48: return carbsEntered(record, into: &payload)
    case 81: return dailyBasal(record, into: &payload)
    case 90: return newDay(record, into: &payload)
    default:
      payload = .other
      return .sound(EventCatalogue.isKnown(record.eventID) ? .noRule : .unknownEvent)
    }
    return .sound(.none)
  }

  /// [5] alarmId 0.
  private static func alarm(
    _ record: RecordFields, into payload: inout PumpEvent.Payload
  ) -> Status {
    guard record.has(0) else { return .rejected(.fieldMissing) }
    payload = .alarm(record.payload.word0)
    return .sound(.none)
  }
}

// The accessors of `PumpRecord.Payload` are calls into another module; these are not.
extension EventDecoder {
  /// The first two bytes of a word of the payload.
  @inline(__always)
  static func high(_ word: UInt32) -> UInt16 { UInt16(truncatingIfNeeded: word >> 16) }

  /// The last two bytes of a word of the payload.
  @inline(__always)
  static func low(_ word: UInt32) -> UInt16 { UInt16(truncatingIfNeeded: word) }

  /// A byte of a word of the payload, counted from 0.
  @inline(__always)
  static func byte(_ index: UInt32, of word: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: word >> ((3 - index) * 8))
  }
}

/// What the checks of a record look at: small enough to stay in registers, where a whole record
/// would be copied.
struct RecordFields {
  let eventID: UInt16
  let present: UInt16
  let payload: PumpRecord.Payload

  @inline(__always)
  init(eventID: UInt16, present: UInt16, payload: PumpRecord.Payload) {
    self.eventID = eventID
    self.present = present
    self.payload = payload
  }

  @inline(__always)
  init(_ record: PumpRecord) {
    self.init(eventID: record.eventID, present: record.present, payload: record.payload)
  }

  /// Whether a field is present, by its place in the layout.
  @inline(__always)
  func has(_ field: UInt16) -> Bool { present & (1 << field) != 0 }

  /// Whether all fields of a set of bits are present.
  @inline(__always)
  func hasAll(_ fields: UInt16) -> Bool { present & fields == fields }
}
