package import PumpModel

/// Reads 26-byte records where they lie (FORMATS B, D1).
///
/// Bytes 0-1 hold the id in their low twelve bits, 2-5 the pump's seconds, 6-9 the number,
/// 10-25 the payload. Over the radio each field, and each of the payload's four words, has its
/// lowest byte first.
package enum RecordReader {
  /// The bytes of one record.
  package static var size: Int { 26 }

  /// The big-endian record whose first byte is at `offset`; nil for erased flash.
  ///
  /// At least 26 bytes must follow `offset`.
  @inline(__always)
  package static func record(in bytes: RawSpan, at offset: Int) -> PumpRecord? {
    // Checked once here, so that the loads need not be.
    precondition(offset >= 0 && offset <= bytes.byteCount - size)
    let head = unsafe bytes.loadBigEndian(at: offset, as: UInt64.self)
    if head == 0 || head == .max, isErased(bytes, at: offset, filledWith: head) { return nil }
    return unsafe PumpRecord(
      number: bytes.loadBigEndian(at: offset + 6, as: UInt32.self),
      seconds: UInt32(truncatingIfNeeded: head >> 16),
      eventID: UInt16(truncatingIfNeeded: head >> 48) & 0xFFF,
      payload: PumpRecord.Payload(
        bytes.loadBigEndian(at: offset + 10, as: UInt32.self),
        bytes.loadBigEndian(at: offset + 14, as: UInt32.self),
        bytes.loadBigEndian(at: offset + 18, as: UInt32.self),
        bytes.loadBigEndian(at: offset + 22, as: UInt32.self)),
      form: .binary)
  }

  /// The little-endian record whose first byte is at `offset`, its payload turned round; nil for
  /// erased flash.
  ///
  /// At least 26 bytes must follow `offset`.
  package static func littleEndianRecord(in bytes: RawSpan, at offset: Int) -> PumpRecord? {
    guard var record = record(in: bytes, at: offset) else { return nil }
    record.eventID = UInt16(bytes.byte(at: offset)) | UInt16(bytes.byte(at: offset + 1) & 0xF) << 8
    record.seconds = record.seconds.byteSwapped
    record.number = record.number.byteSwapped
    let payload = record.payload
    record.payload = PumpRecord.Payload(
      payload.word0.byteSwapped, payload.word1.byteSwapped, payload.word2.byteSwapped,
      payload.word3.byteSwapped)
    return record
  }

  static func isErased(_ bytes: RawSpan, at offset: Int, filledWith head: UInt64) -> Bool {
    bytes.bigEndian64(at: offset + 8) == head && bytes.bigEndian64(at: offset + 16) == head
      && bytes.bigEndian64(at: offset + 18) == head
  }
}

extension RawSpan {
  /// A number, most significant byte first, without a check of bounds.
  @unsafe
  @inline(__always)
  func loadBigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, as type: Number.Type
  ) -> Number {
    unsafe Number(bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type))
  }

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

  /// Eight bytes, first one lowest, without a check of bounds.
  @unsafe
  @inline(__always)
  func uncheckedWord(at offset: Int) -> UInt64 {
    unsafe UInt64(
      littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// 32 bytes as little-endian words, without a check of bounds.
  @unsafe
  @inline(__always)
  func uncheckedWords(at offset: Int) -> SIMD4<UInt64> {
    unsafe SIMD4(
      uncheckedWord(at: offset), uncheckedWord(at: offset &+ 8), uncheckedWord(at: offset &+ 16),
      uncheckedWord(at: offset &+ 24))
  }

  /// One byte, without a check of bounds.
  @unsafe
  @inline(__always)
  func uncheckedByte(at offset: Int) -> UInt8 {
    unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// One byte.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
