import PumpModel
import TestSupport
import Testing

@Suite struct PumpRecordTests {
  /// Words as bytes 00 01 … 0F stand in a record.
  private let payload = PumpRecord.Payload(
    0x0001_0203, 0x0405_0607, 0x0809_0A0B, 0x0C0D_0E0F)

  @Test func readsBytesAtTheirOffsets() {
    for offset in 0..<16 { #expect(payload.u8(at: offset) == UInt8(offset)) }
  }

  @Test func readsWiderFieldsBigEndian() {
    #expect(payload.u16(at: 0) == 0x0001)
    #expect(payload.u16(at: 2) == 0x0203)
    #expect(payload.u16(at: 14) == 0x0E0F)
    #expect(payload.u32(at: 8) == 0x0809_0A0B)
    #expect(PumpRecord.Payload(0, 0x4049_0FDB).f32(at: 4) == 3.1415927)
  }

  @Test func setsWhatItReads() {
    var changed = PumpRecord.Payload()
    for offset in 0..<16 { changed.set(u8: UInt8(offset), at: offset) }
    #expect(changed == payload)
    changed.set(u16: 0xBEEF, at: 6)
    #expect(changed.u16(at: 6) == 0xBEEF)
    #expect(changed.u16(at: 4) == 0x0405)
  }
}
