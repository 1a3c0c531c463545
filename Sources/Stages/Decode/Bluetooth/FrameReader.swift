import PumpModel

/// Reads frames of the history stream that stand one after the other, each in a single packet, so that
/// its length tells where the next one begins.
///
/// Packets of a split frame cannot be told apart without knowing their lengths; such a document is
/// refused. Memory is one frame.
struct FrameReader {
  /// How the document ended, if nothing more of it is to be read.
  private(set) var verdict: DocumentVerdict?
  private var carry: [UInt8] = []
  private var offset: UInt64 = 0
  /// Whether the place where a frame begins is not known any more.
  private var isLost = false

  /// Whether a document begins with a packet of the history stream.
  static func recognises(_ bytes: RawSpan) -> Bool { PumpMessage.beginsHistory(bytes) }

  /// Takes bytes.
  mutating func feed(_ bytes: RawSpan, into intake: inout RecordIntake) {
    var position = 0
    // A part at a time, so that no more than that is held.
    while position < bytes.byteCount, verdict == nil {
      let end = min(bytes.byteCount, position + 4096)
      carry.append(bytes, position..<end)
      position = end
      read(isLast: false, into: &intake)
    }
  }

  /// Ends the document.
  mutating func finish(into intake: inout RecordIntake) {
    guard verdict == nil else { return }
    read(isLast: true, into: &intake)
    guard verdict == nil else { return }
    if !carry.isEmpty, !isLost {
      intake.consumer.reject(Reject(.offset(offset), "bytes after the last whole frame"))
    }
    verdict = .whole(.frames)
  }

  private mutating func read(isLast: Bool, into intake: inout RecordIntake) {
    let gathered = carry
    let whole = gathered.span
    let bytes = unsafe whole.bytes
    var position = 0
    while verdict == nil, let next = step(bytes, position, isLast: isLast, into: &intake) {
      position = next
    }
    carry.removeFirst(position)
    offset += UInt64(position)
  }

  /// Reads a frame, or looks for one a byte further on; nil if there are too few bytes.
  private mutating func step(
    _ bytes: RawSpan, _ position: Int, isLast: Bool, into intake: inout RecordIntake
  ) -> Int? {
    let rest = bytes.extracting(droppingFirst: position)
    guard rest.byteCount >= PumpMessage.signature else { return nil }
    guard PumpMessage.beginsHistory(rest) else { return lose(position, into: &intake) }
    let packet = rest.extracting(droppingFirst: PumpMessage.packetHead)
    let size = PumpMessage.size(of: packet)
    guard rest.byte(at: 0) & 0xF == 0 else {
      guard !isLost else { return position + 1 }
      verdict = .damaged(
        .frames,
        Reject(
          .offset(offset + UInt64(position)),
          "a frame is split into packets whose lengths are not known; write them as lines of digits"
        ))
      return nil
    }
    guard packet.byteCount >= size else { return isLost && isLast ? position + 1 : nil }
    let place = RecordPlace(offset: offset + UInt64(position))
    let message = packet.extracting(first: size)
    if PumpMessage.isSound(message) {
      isLost = false
      PumpMessage.takeRecords(of: message, at: place, into: &intake)
    } else if isLost {
      return position + 1
    } else {
      intake.consumer.reject(Reject(place.position, "the checksum of a frame is wrong"))
    }
    return position + PumpMessage.packetHead + size
  }

  private mutating func lose(_ position: Int, into intake: inout RecordIntake) -> Int {
    if !isLost {
      intake.consumer.reject(
        Reject(.offset(offset + UInt64(position)), "bytes that are no frame"))
    }
    isLost = true
    return position + 1
  }
}
