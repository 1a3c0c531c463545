package import PumpModel

/// Basal rates, temp rates, the clock and carbohydrate.
extension EventDecoder {
  package typealias Payload = Result<PumpEvent.Payload, RecordFault>

  /// [279] commandedRateSource 0, commandedRate 2.
  @inlinable
  @inline(__always)
  package static func basalDelivery(_ record: PumpRecord) -> Payload {
    let rate = record.payload.u16(at: 6)
    guard record.has(2), rate != .max else { return .failure(.fieldMissing) }
    guard rate <= 15_000 else { return .failure(.rateOutOfRange) }
    let source = record.payload.u16(at: 2)
    return .success(
      .basalDelivery(commanded: rate, source: record.has(0) && source != .max ? source : nil))
  }

  /// [3] commandedBasalRate 0, baseBasalRate 1, changeType 3.
  @inlinable
  @inline(__always)
  package static func basalRateChange(_ record: PumpRecord) -> Payload {
    guard record.has(0) else { return .failure(.fieldMissing) }
    guard let rate = WorkingUnits.rate(record.payload.f32(at: 0)) else {
      return .failure(.rateOutOfRange)
    }
    return .success(
      .basalRateChange(
        commanded: rate,
        base: record.has(1) ? WorkingUnits.rate(record.payload.f32(at: 4)) : nil,
        change: record.has(3)
          ? PumpEvent.BasalChange(rawValue: record.payload.u8(at: 13)) : nil))
  }

  /// [90] commandedBasalRate 0.
  @inlinable
  package static func newDay(_ record: PumpRecord) -> Payload {
    guard record.has(0) else { return .failure(.fieldMissing) }
    guard let rate = WorkingUnits.rate(record.payload.f32(at: 0)) else {
      return .failure(.rateOutOfRange)
    }
    return .success(.newDay(commanded: rate))
  }

  /// [2] percent 0.
  @inlinable
  package static func tempRateStart(_ record: PumpRecord) -> Payload {
    guard record.has(0) else { return .failure(.fieldMissing) }
    guard let percent = WorkingUnits.percent(record.payload.f32(at: 0)) else {
      return .failure(.percentOutOfRange)
    }
    return .success(.tempRateStart(percentHundredths: percent))
  }

  /// [81] dailyTotalBasal 0, finalEventForDay 5.
  @inlinable
  package static func dailyBasal(_ record: PumpRecord) -> Payload {
    guard record.has(0) else { return .failure(.fieldMissing) }
    let total = WorkingUnits.whole(record.payload.f32(at: 0), times: 1000, upTo: .max)
    guard let total else { return .failure(.totalOutOfRange) }
    return .success(
      .dailyBasal(total: total, isFinal: record.has(5) && record.payload.u8(at: 15) == 1))
  }

  /// [13] timePrior 0, timeAfter 1, in milliseconds; [14] datePrior 0, dateAfter 1, in days.
  @inlinable
  package static func clockChange(_ record: PumpRecord, unit: Int64) -> Payload {
    guard record.hasAll(0b11) else { return .failure(.fieldMissing) }
    let shift = Int64(record.payload.word1) - Int64(record.payload.word0)
    return .success(.clockChange(shiftMilliseconds: shift * unit))
  }

  /// [48] carbs 0.
  @inlinable
  package static func carbsEntered(_ record: PumpRecord) -> Payload {
    guard record.has(0) else { return .failure(.fieldMissing) }
    guard let carbs = WorkingUnits.carbs(record.payload.f32(at: 0)) else {
      return .failure(.carbsOutOfRange)
    }
    return .success(.carbsEntered(milligrams: carbs))
  }
}
