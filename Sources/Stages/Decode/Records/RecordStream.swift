import PumpModel

/// Reads 26-byte records from chunks cut anywhere.
struct RecordStream {
  /// Whether the records are little-endian; set before any is read.
  var isLittleEndian = false
  private var carry: [UInt8] = []
  /// Where the first byte not yet read stands in the document.
  private var offset: UInt64 = 0

  /// Reads on; the bytes of a record cut by the chunk's end are kept.
  mutating func feed(_ bytes: RawSpan, into intake: inout RecordIntake) {
    var position = 0
    if !carry.isEmpty {
      position = min(RecordReader.size - carry.count, bytes.byteCount)
      carry.append(bytes, 0..<position)
      guard carry.count == RecordReader.size else { return }
      let whole = carry
      carry.removeAll(keepingCapacity: true)
      read(unsafe whole.span.bytes, at: 0, into: &intake)
    }
    while bytes.byteCount - position >= RecordReader.size {
      read(bytes, at: position, into: &intake)
      position += RecordReader.size
    }
    carry.append(bytes, position..<bytes.byteCount)
  }

  /// Ends the reading; bytes that make no whole record are one reject.
  mutating func finish(into intake: inout RecordIntake) {
    guard !carry.isEmpty else { return }
    intake.consumer.reject(Reject(.offset(offset), "bytes after the last whole record"))
    carry.removeAll()
  }

  @inline(__always)
  private mutating func read(_ bytes: RawSpan, at position: Int, into intake: inout RecordIntake) {
    let slot = unsafe intake.slot
    let isThere =
      isLittleEndian
      ? unsafe RecordReader.readLittleEndian(bytes, at: position, into: slot)
      : unsafe RecordReader.read(bytes, at: position, into: slot)
    if isThere {
      intake.takeSlot(at: offset)
    } else {
      intake.countErased()
    }
    offset &+= UInt64(RecordReader.size)
  }
}

extension [UInt8] {
  /// Appends bytes of a span.
  mutating func append(_ bytes: RawSpan, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    unsafe bytes.extracting(range).withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
