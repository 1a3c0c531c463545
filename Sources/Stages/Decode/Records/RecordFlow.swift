import PumpModel

/// Bytes that may be pump records: judged by their first ones, then read.
///
/// Other files are told apart by record headers: known ids, a time before 2060, a small number.
/// Erased flash proves nothing, so judging waits for something else or for the end.
struct RecordFlow {
  /// What the bytes are.
  enum Judgement { case undecided, records, littleEndian, foreign }

  /// Bytes that judging looks at: 32 records.
  private static let window = 32 * RecordReader.size
  /// The shortest prefix with a whole header.
  private static let headerSize = 10

  private(set) var judgement = Judgement.undecided
  private var head: [UInt8] = []
  private var sawErased = false
  private var stream = RecordStream()

  /// Takes bytes; once they are judged foreign or little-endian, nothing more is read.
  mutating func feed(_ bytes: RawSpan, into intake: inout RecordIntake) {
    var position = 0
    while judgement == .undecided, position < bytes.byteCount {
      let end = min(bytes.byteCount, position + Self.window - head.count)
      head.append(bytes, position..<end)
      position = end
      if head.count == Self.window { judge(into: &intake) }
    }
    guard judgement == .records, position < bytes.byteCount else { return }
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
    if judgement == .records { stream.finish(into: &intake) }
  }

  private mutating func judge(into intake: inout RecordIntake) {
    let bytes = head
    let opinion = Self.opinion(of: unsafe bytes.span.bytes)
    switch opinion {
    case .records: judgement = .records
    case .undecided: sawErased = sawErased || bytes.count >= RecordReader.size
    case .littleEndian, .foreign:
      judgement = opinion
      return
    }
    head.removeAll(keepingCapacity: true)
    stream.feed(unsafe bytes.span.bytes, into: &intake)
  }

  /// What whole records say; undecided if all are erased.
  static func opinion(of bytes: RawSpan) -> Judgement {
    var (judged, big, bigKnown, little, littleKnown) = (0, 0, 0, 0, 0)
    var (position, isText) = (0, true)
    while bytes.byteCount - position >= RecordReader.size {
      defer { position += RecordReader.size }
      guard let record = RecordReader.record(in: bytes, at: position) else { continue }
      judged += 1
      let turned = Header(littleEndian: bytes, at: position)
      let header = Header(bigEndian: bytes, at: position)
      isText = isText && isPrintable(bytes, position..<position + RecordReader.size)
      if header.isPlausible { big += 1 }
      if turned.isPlausible { little += 1 }
      if header.isPlausible, EventCatalogue.isKnown(record.eventID) { bigKnown += 1 }
      if turned.isPlausible, EventCatalogue.isKnown(turned.eventID) { littleKnown += 1 }
    }
    if judged == 0 { return bytes.byteCount < RecordReader.size ? .foreign : .undecided }
    if isText { return .foreign }
    if big * 2 >= judged, bigKnown > 0, big >= little { return .records }
    // Nothing but ids that are not known is a log too, if nothing else speaks against it.
    if big == judged, little < judged { return .records }
    return little * 2 >= judged && littleKnown > 0 ? .littleEndian : .foreign
  }

  private static func isPrintable(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    range.allSatisfy {
      let byte = bytes.byte(at: $0)
      return byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x0D || byte == 0x09
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

    /// Ids below 512 are all that was ever seen, under whatever source; twice that leaves room. A
    /// log has some million numbers at most, and a clock a year after the pump was made.
    var isPlausible: Bool {
      eventID < 1024 && seconds < 1_641_000_000 && number < 1 << 26
    }
  }
}
