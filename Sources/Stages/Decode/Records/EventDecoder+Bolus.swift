package import PumpModel

/// Boluses and glucose.
extension EventDecoder {
  /// [20, 21] bolusId 0, completionStatus 1, insulinDelivered 3, insulinRequested 4.
  @inlinable
  @inline(__always)
  package static func bolusCompleted(_ record: PumpRecord, _ part: PumpEvent.BolusPart) -> Payload {
    let status = record.payload.u16(at: 2)
    guard record.hasAll(0b01011), status != .max else { return .failure(.fieldMissing) }
    guard let delivered = WorkingUnits.amount(record.payload.f32(at: 8)) else {
      return .failure(.amountOutOfRange)
    }
    return .success(
      .bolusCompleted(
        part, bolus: record.payload.u16(at: 0), status: status, delivered: delivered,
        requested: record.has(4) ? WorkingUnits.amount(record.payload.f32(at: 12)) : nil))
  }

  /// [55, 59] bolusId 1.
  @inlinable
  @inline(__always)
  package static func bolusStarted(_ record: PumpRecord, _ part: PumpEvent.BolusPart) -> Payload {
    guard record.has(1) else { return .failure(.fieldMissing) }
    return .success(.bolusStarted(part, bolus: record.payload.u16(at: 2)))
  }

  /// [64] bolusType 1, bolusId 2, carbAmount 4.
  @inlinable
  @inline(__always)
  package static func bolusRequest1(_ record: PumpRecord, _ remark: inout Remark) -> Payload {
    guard record.has(2) else { return .failure(.fieldMissing) }
    var grams: UInt16? = record.has(4) ? record.payload.u16(at: 6) : nil
    if grams == .max {
      grams = nil
      remark = .carbsUnusable
    }
    return .success(
      .bolusRequest1(
        bolus: record.payload.u16(at: 2), grams: grams,
        type: record.has(1) ? record.payload.u8(at: 1) : nil))
  }

  /// [65] options 1, bolusId 2, userOverride 8.
  @inlinable
  @inline(__always)
  package static func bolusRequest2(_ record: PumpRecord) -> Payload {
    guard record.has(2) else { return .failure(.fieldMissing) }
    return .success(
      .bolusRequest2(
        bolus: record.payload.u16(at: 2),
        options: record.has(1) ? record.payload.u8(at: 1) : nil,
        override: record.has(8) ? record.payload.u8(at: 15) : nil))
  }

  /// [66] bolusId 0.
  @inlinable
  @inline(__always)
  package static func bolusRequest3(_ record: PumpRecord) -> Payload {
    guard record.has(0) else { return .failure(.fieldMissing) }
    return .success(.bolusRequest3(bolus: record.payload.u16(at: 2)))
  }

  /// [280] bolusDeliveryStatus 1, bolusId 2, bolusSource 5.
  @inlinable
  @inline(__always)
  package static func bolusProgress(_ record: PumpRecord) -> Payload {
    guard record.hasAll(0b110) else { return .failure(.fieldMissing) }
    return .success(
      .bolusProgress(
        bolus: record.payload.u16(at: 2), isStarted: record.payload.u8(at: 1) == 1,
        source: record.has(5) ? record.payload.u8(at: 7) : nil))
  }

  /// [16] bgEntryType 0, bg 2.
  @inlinable
  package static func meterReading(_ record: PumpRecord, _ remark: inout Remark) -> Payload {
    guard record.has(2) else { return .failure(.fieldMissing) }
    let glucose = record.payload.u16(at: 2)
    guard glucose != 0, glucose != .max else {
      remark = .glucoseNotShown
      return .success(.other)
    }
    return .success(
      .meterReading(
        glucose: glucose, isManual: record.has(0) && record.payload.u8(at: 0) == 0))
  }

  /// [256, 399] glucoseValueStatus as u16 at 2, [372, 480] as u8 at 3; in all four it is field 2,
  /// the value 3 and egvTimeStamp 6.
  @inlinable
  @inline(__always)
  package static func sensorReading(
    _ record: PumpRecord, isWide: Bool, _ remark: inout Remark
  ) -> Payload {
    let status = isWide ? record.payload.u16(at: 2) : UInt16(record.payload.u8(at: 3))
    guard record.hasAll(0b100_1100), status != .max else { return .failure(.fieldMissing) }
    let glucose = record.payload.u16(at: 4)
    guard status == 0, glucose != 0, glucose != .max else {
      remark = .glucoseNotShown
      return .success(.other)
    }
    return .success(
      .sensorReading(glucose: glucose, takenAt: PumpTime(seconds: record.payload.word2)))
  }
}
