import PumpModel

/// Bytes that may be pump records: judged by their first ones, then read.
///
/// Other files are told apart by record headers: known ids, a time before 2060, a small number.
/// Erased flash proves nothing, so judging waits for something else or for the end.
struct RecordFlow {
  /// What the bytes are.
  enum Judgement {
    case undecided, records, littleEndian, foreign
    /// Records, that read as well in one order of bytes as in the other.
    case ambiguous
  }

  /// Bytes that judging looks at: 32 records.
  private static let window = 32 * RecordReader.size
  /// The shortest prefix with a whole header.
  private static let headerSize = 10

  private(set) var judgement = Judgement.undecided
  private var head: [UInt8] = []
  private var sawErased = false
  private var stream = RecordStream()

  /// Whether the bytes are being read as records.
  var isReading: Bool { judgement == .records || judgement == .littleEndian }

  /// The format of the records, if they are no part of another one.
  var format: DocumentFormat {
    judgement == .littleEndian ? .littleEndianRecords : .records
  }

  /// How records are refused that could be read in either order.
  static func ambiguousVerdict(_ format: DocumentFormat) -> DocumentVerdict {
    .damaged(
      format,
      Reject(
        .whole, "its records read as well little-endian as big-endian, which gives other numbers"))
  }

  /// Takes bytes; once they are judged foreign or ambiguous, nothing more is read.
  mutating func feed(_ bytes: RawSpan, into intake: inout RecordIntake) {
    var position = 0
    while judgement == .undecided, position < bytes.byteCount {
      let end = min(bytes.byteCount, position + Self.window - head.count)
      head.append(bytes, position..<end)
      position = end
      if head.count == Self.window { judge(into: &intake) }
    }
    guard isReading, position < bytes.byteCount else { return }
    stream.feed(bytes.extracting(position..<bytes.byteCount), into: &intake)
  }

  /// Ends the reading: what is still undecided is judged by what there is.
  ///
  /// With `fromHeader` a header alone may tell, because the rest was damaged.
  mutating func finish(fromHeader: Bool = false, into intake: inout RecordIntake) {
    if judgement == .undecided {
      if fromHeader, head.count >= Self.headerSize, head.count < RecordReader.size {
        head.append(contentsOf: repeatElement(1, count: RecordReader.size - head.count))
      }
      judge(into: &intake)
      if judgement == .undecided { judgement = sawErased ? .records : .foreign }
    }
    if isReading { stream.finish(into: &intake) }
  }

  private mutating func judge(into intake: inout RecordIntake) {
    let bytes = head
    let opinion = Self.opinion(of: unsafe bytes.span.bytes)
    switch opinion {
    case .records, .littleEndian:
      judgement = opinion
      stream.isLittleEndian = opinion == .littleEndian
    case .undecided: sawErased = sawErased || bytes.count >= RecordReader.size
    case .foreign, .ambiguous:
      judgement = opinion
      return
    }
    head.removeAll(keepingCapacity: true)
    stream.feed(unsafe bytes.span.bytes, into: &intake)
  }

  /// What whole records say; undecided if all are erased.
  ///
  /// Other binary files look like a record here and there; a log looks like records throughout.
  static func opinion(of bytes: RawSpan) -> Judgement {
    guard !isForeignKind(bytes) else { return .foreign }
    var (judged, isText) = (0, true)
    var (big, little) = (Votes(), Votes())
    var position = 0
    while bytes.byteCount - position >= RecordReader.size {
      defer { position += RecordReader.size }
      guard RecordReader.record(in: bytes, at: position) != nil else { continue }
      judged += 1
      isText = isText && isPrintable(bytes, position..<position + RecordReader.size)
      big.count(Header(bigEndian: bytes, at: position))
      little.count(Header(littleEndian: bytes, at: position))
    }
    if judged == 0 { return bytes.byteCount < RecordReader.size ? .foreign : .undecided }
    if isText || isWideText(bytes) { return .foreign }
    // Small numbers are what other files hold in this order, so most times must be real ones.
    let isRecent = little.recent * 2 >= judged
    switch (big.carry(judged), little.carry(judged)) {
    case (true, false): return .records
    case (false, true): return isRecent ? .littleEndian : .foreign
    case (true, true):
      if big.outweigh(little) { return .records }
      return little.outweigh(big) && isRecent ? .littleEndian : .ambiguous
    case (false, false):
      // Nothing but ids that are not known is a log too, if nothing else speaks against it.
      if big.plausible == judged, little.plausible < judged { return .records }
      return little.plausible == judged && little.recent == judged && big.plausible < judged
        ? .littleEndian : .foreign
    }
  }

  /// What headers of one byte order look like.
  private struct Votes {
    /// Those with a number and a time that a log could hold.
    var timed = 0
    /// Those of them with an id as pumps have them.
    var plausible = 0
    /// Those of them with an id that is known.
    var known = 0

    mutating func count(_ header: Header) {
      guard header.isTimed else { return }
      timed += 1
      if header.isRecent { recent += 1 }
      if header.eventID < 1024 { plausible += 1 }
      if header.eventID != 0, EventCatalogue.isKnown(header.eventID) { known += 1 }
    }

    /// Those with a time at which pumps with such logs were worn.
    var recent = 0

    /// Whether nine of ten headers could stand in a log, and one of four has a known id.
    func carry(_ judged: Int) -> Bool { timed * 10 >= judged * 9 && known * 4 >= judged }

    /// Whether more speaks for this order than for the other, and nothing less.
    func outweigh(_ other: Votes) -> Bool {
      timed >= other.timed && known >= other.known && recent >= other.recent
        && (timed, known, recent) != (other.timed, other.known, other.recent)
    }
  }

  /// Files of other kinds whose first bytes could pass for a record: databases, the forks that
  /// macOS puts into archives, time zones.
  private static func isForeignKind(_ bytes: RawSpan) -> Bool {
    let heads: [[UInt8]] = [
      Array("SQLite format 3".utf8), Array("TZif".utf8), [0, 5, 0x16, 7, 0, 2, 0, 0],
      [0, 5, 0x16, 0, 0, 2, 0, 0],
    ]
    return heads.contains { head in
      bytes.byteCount >= head.count && head.indices.allSatisfy { bytes.byte(at: $0) == head[$0] }
    }
  }

  private static func isPrintable(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    range.allSatisfy {
      let byte = bytes.byte(at: $0)
      return byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
  }

  /// Whether the first bytes are text of two bytes a character: every other one is zero.
  private static func isWideText(_ bytes: RawSpan) -> Bool {
    let end = RecordReader.size
    return [0, 1].contains { zero in
      (0..<end).allSatisfy { ($0 & 1 == zero) == (bytes.byte(at: $0) == 0) }
    }
  }

  /// The first ten bytes of a record.
  struct Header {
    let first: UInt16
    let seconds: UInt32
    let number: UInt32
    var eventID: UInt16 { first & 0xFFF }

    init(bigEndian bytes: RawSpan, at offset: Int) {
      let head = bytes.bigEndian64(at: offset)
      first = UInt16(truncatingIfNeeded: head >> 48)
      seconds = UInt32(truncatingIfNeeded: head >> 16)
      number = bytes.bigEndian32(at: offset + 6)
    }

    init(littleEndian bytes: RawSpan, at offset: Int) {
      let big = Header(bigEndian: bytes, at: offset)
      first = big.first.byteSwapped
      seconds = big.seconds.byteSwapped
      number = big.number.byteSwapped
    }

    /// A log has some million numbers at most, and a clock a year after the pump was made; zeros
    /// are what other files are full of.
    var isTimed: Bool {
      seconds < 1_641_000_000 && number < 1 << 26 && !(seconds == 0 && number == 0)
    }

    /// From 2012, when the first of these pumps was sold, to 2040.
    var isRecent: Bool { seconds >= 126_000_000 && seconds < 1_010_000_000 }
  }
}
