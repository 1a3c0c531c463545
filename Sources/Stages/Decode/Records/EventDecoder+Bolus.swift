import PumpModel

/// Boluses and glucose.
extension EventDecoder {
  /// [20, 21] bolusId 0, completionStatus 1, insulinDelivered 3, insulinRequested 4.
  @inline(__always)
  static func bolusCompleted(
    _ record: RecordFields, _ part: PumpEvent.BolusPart, into payload: inout PumpEvent.Payload
  ) -> Status {
    let status = low(record.payload.word0)
    guard record.hasAll(0b01011), status != .max else { return .rejected(.fieldMissing) }
    guard let delivered = WorkingUnits.amount(Float(bitPattern: record.payload.word2)) else {
      return .rejected(.amountOutOfRange)
    }
    payload = .bolusCompleted(
      part, bolus: high(record.payload.word0), status: status, delivered: delivered,
      requested: record.has(4) ? WorkingUnits.amount(Float(bitPattern: record.payload.word3)) : nil)
    return .sound(.none)
  }

  /// [55, 59] bolusId 1.
  @inline(__always)
  static func bolusStarted(
    _ record: RecordFields, _ part: PumpEvent.BolusPart, into payload: inout PumpEvent.Payload
  ) -> Status {
    guard record.has(1) else { return .rejected(.fieldMissing) }
    payload = .bolusStarted(part, bolus: low(record.payload.word0))
    return .sound(.none)
  }

  /// [64] bolusType 1, bolusId 2, carbAmount 4.
  @inline(__always)
  static func bolusRequest1(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status
  {
    guard record.has(2) else { return .rejected(.fieldMissing) }
    var grams: UInt16? = record.has(4) ? low(record.payload.word1) : nil
    let isUnusable = grams == .max
    if isUnusable { grams = nil }
    payload = .bolusRequest1(
      bolus: low(record.payload.word0), grams: grams,
      type: record.has(1) ? byte(1, of: record.payload.word0) : nil)
    return .sound(isUnusable ? .carbsUnusable : .none)
  }

  /// [65] options 1, bolusId 2, userOverride 8.
  @inline(__always)
  static func bolusRequest2(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status
  {
    guard record.has(2) else { return .rejected(.fieldMissing) }
    payload = .bolusRequest2(
      bolus: low(record.payload.word0),
      options: record.has(1) ? byte(1, of: record.payload.word0) : nil,
      override: record.has(8) ? byte(3, of: record.payload.word3) : nil)
    return .sound(.none)
  }

  /// [66] bolusId 0.
  @inline(__always)
  static func bolusRequest3(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status
  {
    guard record.has(0) else { return .rejected(.fieldMissing) }
    payload = .bolusRequest3(bolus: low(record.payload.word0))
    return .sound(.none)
  }

  /// [280] bolusDeliveryStatus 1, bolusId 2, bolusSource 5.
  @inline(__always)
  static func bolusProgress(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status
  {
    guard record.hasAll(0b110) else { return .rejected(.fieldMissing) }
    payload = .bolusProgress(
      bolus: low(record.payload.word0), isStarted: byte(1, of: record.payload.word0) == 1,
      source: record.has(5) ? byte(3, of: record.payload.word1) : nil)
    return .sound(.none)
  }

  /// [16] bgEntryType 0, bg 2.
  static func meterReading(_ record: RecordFields, into payload: inout PumpEvent.Payload) -> Status
  {
    guard record.has(2) else { return .rejected(.fieldMissing) }
    let glucose = low(record.payload.word0)
    guard glucose != 0, glucose != .max else {
      payload = .other
      return .sound(.glucoseNotShown)
    }
    payload = .meterReading(
      glucose: glucose, isManual: record.has(0) && byte(0, of: record.payload.word0) == 0)
    return .sound(.none)
  }

  /// [256, 399] glucoseValueStatus as u16 at 2, [372, 480] as u8 at 3; in all four it is field 2,
  /// the value 3 and egvTimeStamp 6.
  @inline(__always)
  static func sensorReading(
    _ record: RecordFields, isWide: Bool, into payload: inout PumpEvent.Payload
  ) -> Status {
    let status = isWide ? low(record.payload.word0) : UInt16(byte(3, of: record.payload.word0))
    guard record.hasAll(0b100_1100), status != .max else { return .rejected(.fieldMissing) }
    let glucose = high(record.payload.word1)
    guard status == 0, glucose != 0, glucose != .max else {
      payload = .other
      return .sound(.glucoseNotShown)
    }
    payload = .sensorReading(glucose: glucose, takenAt: PumpTime(seconds: record.payload.word2))
    return .sound(.none)
  }
}
