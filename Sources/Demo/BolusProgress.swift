package import PumpModel

/// What the fields of a bolus progress record [280] say, in mIU and minutes.
package struct BolusProgress: Sendable {
  /// The bolus's number.
  package var bolus: UInt16
  /// Whether the bolus goes on.
  package var isStarted: Bool
  /// What gave the order, as EVENTS lists it.
  package var source: UInt8
  /// The kinds, as bits: 0 now, 1 later, 2 override, 3 correction, 4 carb.
  package var kinds: UInt8
  /// What was asked for now.
  package var requestedNow: Int
  /// What was asked for later.
  package var requestedLater: Int
  /// The part that corrects glucose.
  package var correction: Int
  /// What was delivered until here.
  package var delivered: Int
  /// For how long the later part was to run.
  package var minutes: Int

  /// Says that a bolus of a number started or ended, with nothing asked for.
  package init(bolus: UInt16, isStarted: Bool, source: UInt8) {
    self.bolus = bolus
    self.isStarted = isStarted
    self.source = source
    kinds = 1
    requestedNow = 0
    requestedLater = 0
    correction = 0
    delivered = 0
    minutes = 0
  }

  /// The record's payload.
  package var payload: PumpRecord.Payload {
    var payload = PumpRecord.Payload()
    payload.set(u8: kinds, at: 0)
    payload.set(u8: isStarted ? 1 : 0, at: 1)
    payload.set(u16: bolus, at: 2)
    payload.set(u16: UInt16(requestedNow), at: 4)
    payload.set(u8: UInt8(bolus & 0xFF), at: 6)
    payload.set(u8: source, at: 7)
    payload.set(u16: UInt16(correction), at: 8)
    payload.set(u16: UInt16(requestedLater), at: 10)
    payload.set(u16: UInt16(delivered), at: 12)
    payload.set(u16: UInt16(minutes), at: 14)
    return payload
  }
}
