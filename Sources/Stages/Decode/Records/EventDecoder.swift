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

  /// Decodes one record.
  ///
  /// The event's group is the record's own, 0 if it names none.
  @inlinable
  @inline(__always)
  package static func decode(_ record: PumpRecord) -> Outcome {
    var remark = Remark.none
    switch payload(of: record, &remark) {
    case .success(let payload):
      return .event(
        PumpEvent(
          group: record.hasGroup ? record.group : 0, number: record.number,
          time: PumpTime(seconds: record.seconds), id: record.eventID, payload: payload),
        remark)
    case .failure(let fault):
      return .rejected(fault)
    }
  }

  @inlinable
  @inline(__always)
  package static func payload(
    of record: PumpRecord, _ remark: inout Remark
  ) -> Result<PumpEvent.Payload, RecordFault> {
    switch record.eventID {
    case 279: basalDelivery(record)
    case 256, 399: sensorReading(record, isWide: true, &remark)
    case 372, 480: sensorReading(record, isWide: false, &remark)
    case 280: bolusProgress(record)
    case 3: basalRateChange(record)
    case 20: bolusCompleted(record, .normal)
    case 21: bolusCompleted(record, .extended)
    case 55: bolusStarted(record, .normal)
    case 59: bolusStarted(record, .extended)
    case 64: bolusRequest1(record, &remark)
    case 65: bolusRequest2(record)
    case 66: bolusRequest3(record)
    default: rarePayload(of: record, &remark)
    }
  }

  @inlinable
  @inline(__always)
  package static func rarePayload(
    of record: PumpRecord, _ remark: inout Remark
  ) -> Result<PumpEvent.Payload, RecordFault> {
    switch record.eventID {
    case 2: return tempRateStart(record)
    case 5: return record.has(0) ? .success(.alarm(record.payload.word0)) : .failure(.fieldMissing)
    case 11: return .success(.suspended)
    case 12: return .success(.resumed)
    case 13: return clockChange(record, unit: 1)
    case 14: return clockChange(record, unit: 86_400_000)
    case 16: return meterReading(record, &remark)
    case 48: return carbsEntered(record)
    case 81: return dailyBasal(record)
    case 90: return newDay(record)
    default:
      remark = EventCatalogue.isKnown(record.eventID) ? .noRule : .unknownEvent
      return .success(.other)
    }
  }
}
