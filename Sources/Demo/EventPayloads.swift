package import PumpModel

extension PumpRecord.Payload {
  /// Sets the byte at a big-endian payload offset.
  package mutating func set(u8 value: UInt8, at offset: Int) {
    let shift = UInt32((3 - (offset & 3)) * 8)
    self[word: offset >> 2] = self[word: offset >> 2] & ~(0xFF << shift) | UInt32(value) << shift
  }

  /// Sets the 16-bit field at an even big-endian payload offset.
  package mutating func set(u16 value: UInt16, at offset: Int) {
    set(u8: UInt8(value >> 8), at: offset)
    set(u8: UInt8(value & 0xFF), at: offset + 1)
  }

  /// Sets the 32-bit field at a big-endian payload offset that four divides.
  package mutating func set(u32 value: UInt32, at offset: Int) { self[word: offset >> 2] = value }

  /// Sets the 32-bit float at a big-endian payload offset that four divides.
  package mutating func set(f32 value: Float, at offset: Int) {
    self[word: offset >> 2] = value.bitPattern
  }

  /// [3] rates in mU/h.
  package static func basalRateChange(
    commanded: Int, base: Int, change: PumpEvent.BasalChange
  ) -> Self {
    var payload = Self(
      units(commanded).bitPattern, units(base).bitPattern, Float(5).bitPattern)
    payload.set(u8: change.rawValue, at: 13)
    payload.set(u16: 1, at: 14)
    return payload
  }

  /// [279] rates in mU/h; a rate that is not in play is nil.
  package static func basalDelivery(
    commanded: Int, profile: Int, temp: Int?, algorithm: Int?, source: UInt16
  ) -> Self {
    var payload = Self()
    payload.set(u16: source, at: 2)
    payload.set(u16: UInt16(profile), at: 4)
    payload.set(u16: UInt16(commanded), at: 6)
    payload.set(u16: temp.map(UInt16.init) ?? .max, at: 8)
    payload.set(u16: algorithm.map(UInt16.init) ?? .max, at: 10)
    return payload
  }

  /// [90] mU/h.
  package static func newDay(commanded: Int) -> Self {
    Self(units(commanded).bitPattern, 0x7665_9512, 0x5D)
  }

  /// [81] amounts in mIU.
  package static func dailyBasal(total: Int, rate: Int, iob: Int, isFinal: Bool) -> Self {
    var payload = Self(units(total).bitPattern, units(rate).bitPattern, units(iob).bitPattern)
    payload.set(u16: 3830, at: 12)
    payload.set(u8: 55, at: 14)
    payload.set(u8: isFinal ? 1 : 0, at: 15)
    return payload
  }

  /// [11] 0: by the user, 1: by an alarm; the level is the reservoir's, in U.
  package static func suspended(reason: UInt8, level: UInt16) -> Self {
    var payload = Self(106)
    payload.set(u8: 15, at: 4)
    payload.set(u8: reason, at: 5)
    payload.set(u16: level, at: 6)
    return payload
  }

  /// [12] the level is the reservoir's, in U.
  package static func resumed(level: UInt16) -> Self { Self(100, UInt32(level)) }

  /// [13] milliseconds since local midnight before and after.
  package static func timeChanged(prior: UInt32, after: UInt32, clock: UInt32) -> Self {
    Self(prior, after, clock)
  }

  /// [14] days since 2008-01-01 before and after.
  package static func dateChanged(prior: UInt32, after: UInt32, clock: UInt32) -> Self {
    Self(prior, after, clock)
  }

  /// [2] percent of the profile, and for how long.
  package static func tempRateStart(percent: Int, minutes: Int, id: UInt16) -> Self {
    Self(Float(percent).bitPattern, Float(minutes * 60_000).bitPattern, UInt32(id) << 16)
  }

  /// [15] the temp rate ran out.
  package static func tempRateEnd(id: UInt16) -> Self { Self(UInt32(id) << 16 | 3) }

  /// [64] carbohydrate in g; a type of 0 insulin, 1 carb, 2 automatic, 3 remote.
  package static func bolusRequest1(
    bolus: UInt16, type: UInt8, grams: UInt16, glucose: UInt16, iob: Int
  ) -> Self {
    var payload = Self()
    payload.set(u8: glucose > 0 ? 1 : 0, at: 0)
    payload.set(u8: type, at: 1)
    payload.set(u16: bolus, at: 2)
    payload.set(u16: glucose, at: 4)
    payload.set(u16: grams, at: 6)
    payload.set(f32: units(iob), at: 8)
    payload.set(u32: grams > 0 ? 6000 : 0, at: 12)
    return payload
  }

  /// [65] options as EVENTS lists them; percent is the part that is given now.
  package static func bolusRequest2(
    bolus: UInt16, options: UInt8, percent: UInt8, minutes: UInt16, override: Bool
  ) -> Self {
    var payload = Self()
    payload.set(u8: percent, at: 0)
    payload.set(u8: options, at: 1)
    payload.set(u16: bolus, at: 2)
    payload.set(u16: minutes, at: 6)
    payload.set(u16: 110, at: 8)
    payload.set(u16: 30, at: 10)
    payload.set(u8: 1, at: 13)
    payload.set(u8: override ? 1 : 0, at: 15)
    return payload
  }

  /// [66] amounts in mIU.
  package static func bolusRequest3(
    bolus: UInt16, food: Int, correction: Int, total: Int
  ) -> Self {
    Self(
      UInt32(bolus), units(food).bitPattern, units(correction).bitPattern,
      units(total).bitPattern)
  }

  /// [55, 59] the size in mIU.
  package static func bolusStarted(bolus: UInt16, iob: Int, size: Int) -> Self {
    Self(1 << 16 | UInt32(bolus), units(iob).bitPattern, units(size).bitPattern)
  }

  /// [20, 21] a status as EVENTS lists them, amounts in IU as the pump's floats.
  package static func bolusCompleted(
    bolus: UInt16, status: UInt16, iob: Int, delivered: Float, requested: Float
  ) -> Self {
    Self(
      UInt32(bolus) << 16 | UInt32(status), units(iob).bitPattern, delivered.bitPattern,
      requested.bitPattern)
  }

  /// [399] a reading of mg/dL with its status, taken at a pump time.
  package static func sensorReading(
    glucose: UInt16, status: UInt16, trend: Int8, takenAt seconds: UInt32
  ) -> Self {
    var payload = Self()
    payload.set(u8: UInt8(bitPattern: trend), at: 0)
    payload.set(u8: 1, at: 1)
    payload.set(u16: status, at: 2)
    payload.set(u16: glucose, at: 4)
    payload.set(u8: UInt8(bitPattern: -61), at: 6)
    payload.set(u8: 32, at: 7)
    payload.set(u32: seconds, at: 8)
    payload.set(u16: 0x19E1, at: 14)
    return payload
  }

  /// [16] mg/dL, typed in by the user.
  package static func meterReading(glucose: UInt16, iob: Int) -> Self {
    var payload = Self(UInt32(glucose), units(iob).bitPattern)
    payload.set(u16: 30, at: 8)
    payload.set(u16: 110, at: 10)
    payload.set(u8: 1, at: 15)
    return payload
  }

  /// IU of a whole number of thousandths, as the nearest float.
  static func units(_ thousandths: Int) -> Float { Float(thousandths) / 1000 }
}
