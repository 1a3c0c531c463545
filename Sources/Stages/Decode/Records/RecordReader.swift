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
  package static func record(in bytes: RawSpan, at offset: Int) -> PumpRecord? {
    var record = blank
    return unsafe withUnsafeMutablePointer(to: &record) { target in
      unsafe read(bytes, at: offset, into: target)
    } ? record : nil
  }

  /// A record to read into.
  static var blank: PumpRecord {
    PumpRecord(number: 0, seconds: 0, eventID: 0, payload: PumpRecord.Payload(), form: .binary)
  }

  /// Reads the record whose first byte is at `offset` over another one; false for erased flash.
  ///
  /// Field by field: a record that is put together elsewhere is copied in wider pieces than it was
  /// written in, for which a processor waits longer than for all of the reading.
  ///
  /// At least 26 bytes must follow `offset`.
  @unsafe
  @inline(__always)
  static func read(
    _ bytes: RawSpan, at offset: Int, into target: UnsafeMutablePointer<PumpRecord>
  ) -> Bool {
    // Checked once here, so that the loads need not be.
    precondition(offset >= 0 && offset <= bytes.byteCount - size)
    let head = unsafe bytes.loadBigEndian(at: offset, as: UInt64.self)
    if head == 0 || head == .max, isErased(bytes, at: offset, filledWith: head) { return false }
    unsafe target.pointee.number = bytes.loadBigEndian(at: offset + 6, as: UInt32.self)
    unsafe target.pointee.seconds = UInt32(truncatingIfNeeded: head >> 16)
    unsafe target.pointee.group = 0
    unsafe target.pointee.pump = 0
    unsafe target.pointee.payload.word0 = bytes.loadBigEndian(at: offset + 10, as: UInt32.self)
    unsafe target.pointee.payload.word1 = bytes.loadBigEndian(at: offset + 14, as: UInt32.self)
    unsafe target.pointee.payload.word2 = bytes.loadBigEndian(at: offset + 18, as: UInt32.self)
    unsafe target.pointee.payload.word3 = bytes.loadBigEndian(at: offset + 22, as: UInt32.self)
    unsafe target.pointee.present = .max
    unsafe target.pointee.eventID = UInt16(truncatingIfNeeded: head >> 48) & 0xFFF
    unsafe target.pointee.form = .binary
    unsafe target.pointee.hasGroup = false
    unsafe target.pointee.isFromClockChanges = false
    unsafe target.pointee.hasText = false
    return true
  }

  /// The little-endian record whose first byte is at `offset`, its payload turned round; nil for
  /// erased flash.
  ///
  /// At least 26 bytes must follow `offset`.
  package static func littleEndianRecord(in bytes: RawSpan, at offset: Int) -> PumpRecord? {
    var record = blank
    return unsafe withUnsafeMutablePointer(to: &record) { target in
      unsafe readLittleEndian(bytes, at: offset, into: target)
    } ? record : nil
  }

  /// Reads a little-endian record over another one, as `read` does.
  @unsafe
  @inline(__always)
  static func readLittleEndian(
    _ bytes: RawSpan, at offset: Int, into target: UnsafeMutablePointer<PumpRecord>
  ) -> Bool {
    guard unsafe read(bytes, at: offset, into: target) else { return false }
    unsafe target.pointee.turnRound()
    unsafe target.pointee.eventID =
      UInt16(bytes.byte(at: offset)) | UInt16(bytes.byte(at: offset + 1) & 0xF) << 8
    return true
  }

  static func isErased(_ bytes: RawSpan, at offset: Int, filledWith head: UInt64) -> Bool {
    bytes.bigEndian64(at: offset + 8) == head && bytes.bigEndian64(at: offset + 16) == head
      && bytes.bigEndian64(at: offset + 18) == head
  }
}

extension PumpRecord {
  /// Turns the bytes of each field round but the id's, whose upper bits are cut off.
  fileprivate mutating func turnRound() {
    seconds = seconds.byteSwapped
    number = number.byteSwapped
    payload.word0 = payload.word0.byteSwapped
    payload.word1 = payload.word1.byteSwapped
    payload.word2 = payload.word2.byteSwapped
    payload.word3 = payload.word3.byteSwapped
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
