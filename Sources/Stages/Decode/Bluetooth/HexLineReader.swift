import PumpModel

/// Reads a log whose lines end in bytes as hexadecimal digits.
///
/// A line holds a record, a frame of the history stream, or a packet of a frame. What stands before the
/// digits, a time or words, is not read.
///
/// Records may be little-endian or big-endian, the same throughout; the first ones tell. Memory is a
/// few lines.
struct HexLineReader {
  /// How the document ended, if nothing more of it is to be read.
  private(set) var verdict: DocumentVerdict?
  private var lines = LogLines()
  private var history = PacketAssembler(.history)
  private var other = PacketAssembler(.other)
  /// The order of the records' bytes, once it is known.
  private var order: RecordFlow.Judgement?
  /// The first records, which tell the order together.
  private var waiting: [UInt8] = []
  private var waitingPlaces: [RecordPlace] = []
  private var isRecognised = false
  /// Whether frames were split, so that what looks like a record may be a piece of one.
  private var sawSplitFrame = false
  private var refused = 0

  /// So many records tell the order of their bytes.
  private static let judged = 32
  /// So many lines that cannot be read before the first one that can show that a text is none of ours.
  private static let patience = 1000
  /// Digits of so many bytes, with words before them, are meant to be a pump's.
  private static let leastBytes = 8

  /// Whether a document may be a log: its first bytes, of which there are 26 if it is not shorter, are
  /// text.
  static func mayBegin(_ bytes: RawSpan) -> Bool {
    let head = 0..<min(bytes.byteCount, RecordReader.size)
    return !JSONBytes.hasControls(bytes, head) && !head.contains { bytes.byte(at: $0) == 0xFF }
  }

  /// Whether a text that begins like a list of JSON begins with a time or a word in brackets, as
  /// lines of logs do; the first 26 bytes tell.
  static func beginsWithLabel(_ bytes: RawSpan, _ first: Int) -> Bool {
    guard bytes.byte(at: first) == 0x5B else { return false }
    let end = min(bytes.byteCount, first + RecordReader.size)
    var position = first + 1
    while position < end, (0x30...0x39).contains(bytes.byte(at: position)) {
      position += 1
    }
    guard position < end else { return false }
    let byte = bytes.byte(at: position)
    if position > first + 1 { return !Self.mayFollowDigits(byte) }
    return (0x41...0x5A).contains(byte)
  }

  /// Whether a character may follow the digits of a number in a list of JSON.
  private static func mayFollowDigits(_ byte: UInt8) -> Bool {
    JSONBytes.isSpace(byte) || ".,eE]".utf8.contains(byte)
  }

  /// Takes bytes.
  mutating func feed(_ bytes: RawSpan, into intake: inout RecordIntake) {
    guard verdict == nil else { return }
    var reader = lines
    lines = LogLines()
    reader.feed(bytes) { take($1, at: $0, into: &intake) }
    lines = reader
    if lines.isInLongLine, !isPromising { verdict = verdict ?? .unrecognised }
  }

  /// Ends the document.
  mutating func finish(into intake: inout RecordIntake) {
    guard verdict == nil else { return }
    var reader = lines
    lines = LogLines()
    reader.finish { take($1, at: $0, into: &intake) }
    judge(into: &intake)
    if let reject = history.giveUp() { intake.consumer.reject(reject) }
    if let reject = other.giveUp() { intake.consumer.reject(reject) }
    guard verdict == nil else { return }
    verdict = isRecognised ? .whole(.hexLines) : .unrecognised
  }

  /// Whether something of a pump was seen, or may have been.
  private var isPromising: Bool { isRecognised || !waitingPlaces.isEmpty }

  private mutating func take(
    _ line: RawSpan?, at place: LogLines.Place, into intake: inout RecordIntake
  ) {
    guard verdict == nil else { return }
    guard let line else {
      guard isPromising else {
        verdict = .unrecognised
        return
      }
      return intake.countNoHistory()
    }
    let mark = place.offset == 0 && line.byteCount >= 3 && line.byte(at: 0) == 0xEF ? 3 : 0
    let text = line.extracting(droppingFirst: mark)
    guard JSONBytes.skipSpace(text, 0) < text.byteCount else { return }
    let position = RecordPlace(offset: place.offset, line: place.number)
    guard let tail = HexTail(text) else {
      return HexTail.isMostlyDigits(text)
        ? refuse(position, into: &intake) : intake.countNoHistory()
    }
    let bytes = tail.bytes.span
    if take(unsafe bytes.bytes, at: position, into: &intake) { return }
    if tail.isBare || tail.bytes.count >= Self.leastBytes || HexTail.isMostlyDigits(text) {
      refuse(position, into: &intake)
    } else {
      intake.countNoHistory()
    }
  }

  /// Takes the bytes of a line; false if nothing can be made of them.
  private mutating func take(
    _ bytes: RawSpan, at place: RecordPlace, into intake: inout RecordIntake
  ) -> Bool {
    let isRecord = mayBeRecord(bytes)
    if history.awaits(bytes) { return takePacket(bytes, at: place, into: &intake) }
    if PumpMessage.beginsHistory(bytes) {
      // The same bytes cannot be both.
      return !isRecord && takePacket(bytes, at: place, into: &intake)
    }
    if PumpMessage.isWholeOther(bytes) {
      intake.countNoHistory()
      return true
    }
    if history.concerns(bytes) {
      return !isRecord && takePacket(bytes, at: place, into: &intake)
    }
    if isRecord, !sawSplitFrame { return takeRecord(bytes, at: place, into: &intake) }
    let consumer = intake.consumer
    switch other.take(bytes, at: place.position, broken: { consumer.reject($0) }) {
    case .foreign: return false
    case .taken, .message: intake.countNoHistory()
    case .damaged(let reject): consumer.reject(reject)
    }
    return true
  }

  private mutating func takePacket(
    _ bytes: RawSpan, at place: RecordPlace, into intake: inout RecordIntake
  ) -> Bool {
    let consumer = intake.consumer
    isRecognised = true
    if bytes.byte(at: 0) != 0, !sawSplitFrame {
      sawSplitFrame = true
      refuseWaiting(into: &intake)
    }
    switch history.take(bytes, at: place.position, broken: { consumer.reject($0) }) {
    case .foreign: return false
    case .taken: break
    case .damaged(let reject): consumer.reject(reject)
    case .message(let message):
      // What pumps send is little-endian, so the records around it are.
      if order == nil { settle(.littleEndian, into: &intake) }
      let whole = message.span
      PumpMessage.takeRecords(of: unsafe whole.bytes, at: place, into: &intake)
    }
    return true
  }

  /// Whether a line has the length of a record, and its header, or erased flash.
  private func mayBeRecord(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount == RecordReader.size else { return false }
    guard RecordReader.record(in: bytes, at: 0) != nil else { return true }
    let little = RecordFlow.Header(littleEndian: bytes, at: 0).isTimed
    let big = RecordFlow.Header(bigEndian: bytes, at: 0).isTimed
    switch order {
    case .littleEndian: return little
    case .records: return big
    default: return little || big
    }
  }

  private mutating func takeRecord(
    _ bytes: RawSpan, at place: RecordPlace, into intake: inout RecordIntake
  ) -> Bool {
    if let order {
      read(bytes, 0, order, at: place, into: &intake)
    } else {
      waiting.append(bytes, 0..<RecordReader.size)
      waitingPlaces.append(place)
      if waitingPlaces.count == Self.judged { judge(into: &intake) }
    }
    return true
  }

  private func read(
    _ bytes: RawSpan, _ offset: Int, _ order: RecordFlow.Judgement, at place: RecordPlace,
    into intake: inout RecordIntake
  ) {
    let record =
      order == .littleEndian
      ? RecordReader.littleEndianRecord(in: bytes, at: offset)
      : RecordReader.record(in: bytes, at: offset)
    if let record { intake.take(record, at: place) } else { intake.countErased() }
  }

  /// Finds out the order of the records that wait.
  private mutating func judge(into intake: inout RecordIntake) {
    guard order == nil, !waitingPlaces.isEmpty, verdict == nil else { return }
    let gathered = waiting
    let whole = gathered.span
    switch RecordFlow.opinion(of: unsafe whole.bytes) {
    case .records: settle(.records, into: &intake)
    case .littleEndian: settle(.littleEndian, into: &intake)
    case .ambiguous: verdict = RecordFlow.ambiguousVerdict(.hexLines)
    case .undecided:
      // Erased flash alone, which is the same in every order.
      isRecognised = true
      for _ in waitingPlaces { intake.countErased() }
      forgetWaiting()
    case .foreign: refuseWaiting(into: &intake)
    }
  }

  private mutating func refuseWaiting(into intake: inout RecordIntake) {
    let places = waitingPlaces
    forgetWaiting()
    for place in places { refuse(place, into: &intake) }
  }

  /// Reads the records that wait in an order.
  private mutating func settle(_ order: RecordFlow.Judgement, into intake: inout RecordIntake) {
    self.order = order
    isRecognised = true
    let (gathered, places) = (waiting, waitingPlaces)
    forgetWaiting()
    let whole = gathered.span
    let bytes = unsafe whole.bytes
    for (index, place) in places.enumerated() {
      let start = index * RecordReader.size
      if mayBeRecord(bytes.extracting(start..<start + RecordReader.size)) {
        read(bytes, start, order, at: place, into: &intake)
      } else {
        refuse(place, into: &intake)
      }
    }
  }

  private mutating func forgetWaiting() {
    waiting.removeAll()
    waitingPlaces.removeAll()
  }

  private mutating func refuse(_ place: RecordPlace, into intake: inout RecordIntake) {
    intake.consumer.reject(
      Reject(place.position, "bytes that are neither a record nor a packet of a frame"))
    refused += 1
    if !isPromising, refused >= Self.patience { verdict = .unrecognised }
  }
}
