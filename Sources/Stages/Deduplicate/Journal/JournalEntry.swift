import PumpModel

/// One copy of a record as the journal keeps it, with the documents that hold it.
struct JournalEntry {
  /// The place in the journal's order.
  var key: SortKey { SortKey(partition: 0, high: high, low: low) }

  /// Number and pump seconds.
  var high: UInt64
  /// Id, form and group (see `low(of:)`).
  var low: UInt64
  var payload: PumpRecord.Payload
  var present: UInt16
  /// In a spool the run's document, in the journal the set of documents.
  var holder: UInt32

  static let size = 40

  /// The key of a record: copies of one event are neighbours, in the order of events.
  ///
  /// Its last bits are a digest of the content, so that equal copies meet, however many different
  /// ones a broken or hostile source brings.
  @inline(__always)
  static func key(of record: PumpRecord) -> (high: UInt64, low: UInt64) {
    let high = UInt64(record.number) << 32 | UInt64(record.seconds)
    var low = UInt64(record.eventID & 0xFFF) << 52 | UInt64(record.form.rawValue & 7) << 48
    if record.hasGroup { low |= 1 << 51 | UInt64(record.group) << 15 }
    if record.hasText { low |= 1 << 47 }
    return (high, low | digest(record.payload, record.present))
  }

  private static func digest(_ payload: PumpRecord.Payload, _ present: UInt16) -> UInt64 {
    let first = UInt64(payload.word0) << 32 | UInt64(payload.word1)
    let second = UInt64(payload.word2) << 32 | UInt64(payload.word3)
    let mixed =
      (first &* 0x9E37_79B9_7F4A_7C15) ^ (second &* 0xC2B2_AE3D_27D4_EB4F)
      ^ UInt64(present) &* 0x1656_67B1_9E37_79F9
    return ((mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9) >> 49
  }

  /// The event id.
  @inline(__always)
  var eventID: UInt16 { UInt16(truncatingIfNeeded: low >> 52) }

  /// Whether two entries are copies of one record (N2), groups aside.
  @inline(__always)
  func isCopy(of other: JournalEntry) -> Bool { high == other.high && low >> 52 == other.low >> 52 }

  /// Whether the entries at two offsets are copies of one record, groups aside.
  @inline(__always)
  static func areCopies(_ bytes: RawSpan, _ first: Int, _ second: Int) -> Bool {
    let low = bytes.load(first + 8, as: UInt64.self) ^ bytes.load(second + 8, as: UInt64.self)
    return bytes.load(first, as: UInt64.self) == bytes.load(second, as: UInt64.self)
      && low >> 52 == 0
  }

  /// Whether two entries are one copy, in all that is kept of it.
  @inline(__always)
  func isSame(as other: JournalEntry) -> Bool {
    high == other.high && low == other.low && payload == other.payload && present == other.present
  }

  /// An order among copies of equal keys, by content.
  func precedes(_ other: JournalEntry) -> Bool {
    let left = [payload.word0, payload.word1, payload.word2, payload.word3, UInt32(present)]
    let right = [
      other.payload.word0, other.payload.word1, other.payload.word2, other.payload.word3,
      UInt32(other.present),
    ]
    return left.lexicographicallyPrecedes(right)
  }

  /// The group that the copy names; nil if it names none.
  @inline(__always)
  var group: UInt32? {
    low >> 51 & 1 == 1 ? UInt32(truncatingIfNeeded: low >> 15) : nil
  }

  /// The record that the entry was made of.
  @inline(__always)
  var record: PumpRecord {
    var record = Self.blankRecord
    fill(&record)
    return record
  }

  /// A record to fill.
  @inline(__always)
  static var blankRecord: PumpRecord {
    PumpRecord(number: 0, seconds: 0, eventID: 0, payload: PumpRecord.Payload(), form: .binary)
  }

  /// Writes the record that the entry was made of over a blank one.
  ///
  /// Field by field: a record that is put together elsewhere is copied in wider pieces than it was
  /// written in, for which a processor waits longer than for all of the rest.
  @inline(__always)
  func fill(_ record: inout PumpRecord) {
    record.number = UInt32(truncatingIfNeeded: high >> 32)
    record.seconds = UInt32(truncatingIfNeeded: high)
    record.eventID = eventID
    record.payload.word0 = payload.word0
    record.payload.word1 = payload.word1
    record.payload.word2 = payload.word2
    record.payload.word3 = payload.word3
    record.form = PumpRecord.Form(rawValue: UInt8(truncatingIfNeeded: low >> 48 & 7)) ?? .binary
    record.present = present
    record.hasText = low >> 47 & 1 == 1
    record.group = group ?? 0
    record.hasGroup = group != nil
  }

  /// Reads an entry; the caller has checked that `size` bytes are there.
  @inline(__always)
  init(_ bytes: RawSpan, at offset: Int) {
    high = bytes.load(offset, as: UInt64.self)
    low = bytes.load(offset + 8, as: UInt64.self)
    payload = PumpRecord.Payload(
      bytes.load(offset + 16, as: UInt32.self), bytes.load(offset + 20, as: UInt32.self),
      bytes.load(offset + 24, as: UInt32.self), bytes.load(offset + 28, as: UInt32.self))
    present = bytes.load(offset + 32, as: UInt16.self)
    holder = bytes.load(offset + 36, as: UInt32.self)
  }

  /// Reads an entry of a spool, whose key stands apart.
  @inline(__always)
  init(key: SortKey, body bytes: RawSpan) {
    high = key.high
    low = key.low
    payload = PumpRecord.Payload(
      bytes.load(0, as: UInt32.self), bytes.load(4, as: UInt32.self),
      bytes.load(8, as: UInt32.self), bytes.load(12, as: UInt32.self))
    present = bytes.load(16, as: UInt16.self)
    holder = bytes.load(20, as: UInt32.self)
  }

  /// How many bytes follow the key.
  static let bodySize = 24

  /// Writes what follows the key.
  @inline(__always)
  static func append(
    payload: PumpRecord.Payload, present: UInt16, holder: UInt32, to arena: inout ByteArena
  ) {
    unsafe arena.append(count: bodySize) { bytes in
      unsafe storeBody(payload: payload, present: present, holder: holder, in: bytes, at: 0)
    }
  }

  /// Writes the whole entry, `size` bytes.
  @inline(__always)
  func append(to arena: inout ByteArena) {
    unsafe arena.append(count: Self.size) { bytes in
      unsafe bytes.storeBytes(of: high, toByteOffset: 0, as: UInt64.self)
      unsafe bytes.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
      unsafe Self.storeBody(payload: payload, present: present, holder: holder, in: bytes, at: 16)
    }
  }

  /// Stores what follows the key.
  @inline(__always)
  static func storeBody(
    payload: PumpRecord.Payload, present: UInt16, holder: UInt32,
    in bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) {
    unsafe bytes.storeBytes(of: payload.word0, toByteOffset: offset, as: UInt32.self)
    unsafe bytes.storeBytes(of: payload.word1, toByteOffset: offset + 4, as: UInt32.self)
    unsafe bytes.storeBytes(of: payload.word2, toByteOffset: offset + 8, as: UInt32.self)
    unsafe bytes.storeBytes(of: payload.word3, toByteOffset: offset + 12, as: UInt32.self)
    unsafe bytes.storeBytes(of: UInt32(present), toByteOffset: offset + 16, as: UInt32.self)
    unsafe bytes.storeBytes(of: holder, toByteOffset: offset + 20, as: UInt32.self)
  }
}
