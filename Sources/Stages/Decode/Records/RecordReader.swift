package import PumpModel

/// Reads 26-byte big-endian records where they lie (FORMATS B).
///
/// Bytes 0-1 hold the id in their low twelve bits, 2-5 the pump's seconds, 6-9 the number,
/// 10-25 the payload.
package enum RecordReader {
  /// The bytes of one record.
  package static var size: Int { 26 }

  /// The record whose first byte is at `offset`; nil for erased flash.
  ///
  /// At least 26 bytes must follow `offset`.
  @inline(__always)
  package static func record(in bytes: RawSpan, at offset: Int) -> PumpRecord? {
    let head = bytes.bigEndian64(at: offset)
    if head == 0 || head == .max, isErased(bytes, at: offset, filledWith: head) { return nil }
    return PumpRecord(
      number: bytes.bigEndian32(at: offset + 6),
      seconds: UInt32(truncatingIfNeeded: head >> 16),
      eventID: UInt16(truncatingIfNeeded: head >> 48) & 0xFFF,
      payload: PumpRecord.Payload(
        bytes.bigEndian32(at: offset + 10), bytes.bigEndian32(at: offset + 14),
        bytes.bigEndian32(at: offset + 18), bytes.bigEndian32(at: offset + 22)),
      form: .binary)
  }

  static func isErased(_ bytes: RawSpan, at offset: Int, filledWith head: UInt64) -> Bool {
    bytes.bigEndian64(at: offset + 8) == head && bytes.bigEndian64(at: offset + 16) == head
      && bytes.bigEndian64(at: offset + 18) == head
  }
}

extension RawSpan {
  /// Eight bytes, most significant first, from anywhere inside the span.
  @inline(__always)
  func bigEndian64(at offset: Int) -> UInt64 {
    unsafe UInt64(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Four bytes, most significant first, from anywhere inside the span.
  @inline(__always)
  func bigEndian32(at offset: Int) -> UInt32 {
    unsafe UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Eight bytes, first one lowest, from anywhere inside the span.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// One byte.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
