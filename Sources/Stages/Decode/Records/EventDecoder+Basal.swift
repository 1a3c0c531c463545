import PumpModel

/// Basal rates, temp rates, the clock and carbohydrate.
extension EventDecoder {
  /// [279] commandedRateSource 0, commandedRate 2.
  @inline(__always)
  static func basalDelivery(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status
  {
    let rate = low(record.payload.word1)
    guard record.has(2), rate != .max else { return .rejected(.fieldMissing) }
    guard rate <= 15_000 else { return .rejected(.rateOutOfRange) }
    let source = low(record.payload.word0)
    payload = .basalDelivery(
      commanded: rate, source: record.has(0) && source != .max ? source : nil)
    return .sound(.none)
  }

  /// [3] commandedBasalRate 0, baseBasalRate 1, changeType 3.
  @inline(__always)
  static func basalRateChange(_ record: RecordFields, into payload: inout PumpEvent.Payload)
    -> Status
  {
    guard record.has(0) else { return .rejected(.fieldMissing) }
    guard let rate = WorkingUnits.rate(Float(bitPattern: record.payload.word0)) else {
      return .rejected(.rateOutOfRange)
    }
    payload = .basalRateChange(
      commanded: rate,
      base: record.has(1) ? WorkingUnits.baseRate(Float(bitPattern: record.payload.word1)) : nil,
      change: record.has(3)
        ? PumpEvent.BasalChange(rawValue: byte(1, of: record.payload.word3)) : nil)
    return .sound(.none)
  }

  /// [90] commandedBasalRate 0.
  static func newDay(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status {
    guard record.has(0) else { return .rejected(.fieldMissing) }
    guard let rate = WorkingUnits.rate(Float(bitPattern: record.payload.word0)) else {
      return .rejected(.rateOutOfRange)
    }
    payload = .newDay(commanded: rate)
    return .sound(.none)
  }

  /// [2] percent 0.
  static func tempRateStart(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status
  {
    guard record.has(0) else { return .rejected(.fieldMissing) }
    guard let percent = WorkingUnits.percent(Float(bitPattern: record.payload.word0)) else {
      return .rejected(.percentOutOfRange)
    }
    payload = .tempRateStart(percentHundredths: percent)
    return .sound(.none)
  }

  /// [81] dailyTotalBasal 0, finalEventForDay 5.
  static func dailyBasal(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status {
    guard record.has(0) else { return .rejected(.fieldMissing) }
    let total = WorkingUnits.whole(Float(bitPattern: record.payload.word0), times: 1000, upTo: .max)
    guard let total else { return .rejected(.totalOutOfRange) }
    payload = .dailyBasal(
      total: total, isFinal: record.has(5) && byte(3, of: record.payload.word3) == 1)
    return .sound(.none)
  }

  /// [13] timePrior 0, timeAfter 1, in milliseconds; [14] datePrior 0, dateAfter 1, in days.
  static func clockChange(
    _ record: RecordFields, unit: Int64, into payload: inout PumpEvent.Payload
  )
    -> Status
  {
    guard record.hasAll(0b11) else { return .rejected(.fieldMissing) }
    // No day has more milliseconds, and no pump's clock more days (it ends in 2144).
    let limit: UInt32 = unit == 1 ? 86_400_000 : 49_711
    guard record.payload.word0 <= limit, record.payload.word1 <= limit else {
      return .rejected(.clockOutOfRange)
    }
    let shift = Int64(record.payload.word1) - Int64(record.payload.word0)
    payload = .clockChange(shiftMilliseconds: shift * unit)
    return .sound(.none)
  }

  /// [48] carbs 0.
  static func carbsEntered(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status
  {
    guard record.has(0) else { return .rejected(.fieldMissing) }
    guard let carbs = WorkingUnits.carbs(Float(bitPattern: record.payload.word0)) else {
      return .rejected(.carbsOutOfRange)
    }
    payload = .carbsEntered(milligrams: carbs)
    return .sound(.none)
  }
}
