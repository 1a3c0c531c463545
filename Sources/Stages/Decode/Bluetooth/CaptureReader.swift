import PumpModel

/// Reads a capture of Bluetooth traffic in the format of btsnoop: the history stream in the
/// notifications of a pump.
///
/// The handle of the stream is not known, so its messages are told by their content. Everything else is
/// counted and not looked at. Memory is one packet of the capture and what links and streams have begun,
/// of which there may be only so many.
struct CaptureReader {
  /// How the document ended, if nothing more of it is to be read.
  private(set) var verdict: DocumentVerdict?
  private var carry: [UInt8] = []
  private var offset: UInt64 = 0
  private var datalink: Datalink?
  private var links = RadioLinks()

  private static let magic = Array("btsnoop\0".utf8)
  private static let headSize = 16
  private static let packetHead = 24
  /// The longest packet of any kind, and more.
  private static let longestPacket = 1 << 17

  /// What the packets of a capture are.
  enum Datalink: UInt32, CaseIterable {
    /// HCI without a byte for the kind, which the flags tell.
    case plain = 1001
    /// HCI with a byte for the kind before each packet.
    case uart = 1002
    /// Linux's monitor: kind and adapter in the flags.
    case monitor = 2001
  }

  /// Whether a document is a capture.
  static func recognises(_ bytes: RawSpan) -> Bool {
    bytes.byteCount >= magic.count && magic.indices.allSatisfy { bytes.byte(at: $0) == magic[$0] }
  }

  /// Takes bytes.
  mutating func feed(_ bytes: RawSpan, into intake: inout RecordIntake) {
    var position = 0
    while position < bytes.byteCount, verdict == nil {
      let end = min(bytes.byteCount, position + 65_536)
      carry.append(bytes, position..<end)
      position = end
      read(into: &intake)
    }
  }

  /// Ends the document.
  mutating func finish(into intake: inout RecordIntake) {
    guard verdict == nil else { return }
    guard datalink != nil else {
      verdict = .damaged(.btsnoop, Reject(.offset(offset), "the capture is cut"))
      return
    }
    links.finish(into: &intake)
    if !carry.isEmpty {
      intake.consumer.reject(Reject(.offset(offset), "the last packet of the capture is cut"))
    }
    verdict = .whole(.btsnoop)
  }

  private mutating func read(into intake: inout RecordIntake) {
    let gathered = carry
    let whole = gathered.span
    let bytes = unsafe whole.bytes
    var position = 0
    while verdict == nil, let next = step(bytes, position, into: &intake) {
      offset += UInt64(next - position)
      position = next
    }
    carry.removeFirst(position)
  }

  /// Reads the head or a packet; nil if there are too few bytes.
  private mutating func step(
    _ bytes: RawSpan, _ position: Int, into intake: inout RecordIntake
  ) -> Int? {
    guard let datalink else { return readHead(bytes) }
    guard bytes.byteCount - position >= Self.packetHead else { return nil }
    let size = bytes.bigEndian32(at: position)
    let included = bytes.bigEndian32(at: position + 4)
    guard included <= size, included <= Self.longestPacket else {
      verdict = .damaged(
        .btsnoop, Reject(.offset(offset), "a packet has a length that cannot be"))
      return nil
    }
    let start = position + Self.packetHead
    guard bytes.byteCount - start >= Int(included) else { return nil }
    let packet = RadioPacket(
      datalink, flags: bytes.bigEndian32(at: position + 8),
      bytes.extracting(start..<start + Int(included)))
    links.take(
      packet.kind, packet.adapter,
      bytes.extracting(start + packet.dataOffset..<start + Int(included)),
      isCut: included < size, at: offset, into: &intake)
    if let refusal = links.refusal { verdict = .damaged(.btsnoop, refusal) }
    return start + Int(included)
  }

  private mutating func readHead(_ bytes: RawSpan) -> Int? {
    guard bytes.byteCount >= Self.headSize else { return nil }
    guard bytes.bigEndian32(at: 8) == 1 else {
      verdict = .damaged(
        .btsnoop, Reject(.offset(8), "only version 1 of the format can be read"))
      return nil
    }
    guard let known = Datalink(rawValue: bytes.bigEndian32(at: 12)) else {
      verdict = .damaged(
        .btsnoop,
        Reject(.offset(12), "only packets of HCI, of UART and of Linux's monitor can be read"))
      return nil
    }
    datalink = known
    return Self.headSize
  }
}

/// What a packet of a capture is.
struct RadioPacket {
  /// Kinds that matter.
  enum Kind {
    /// Data from the other device (`isReceived`) or to it.
    case data(isReceived: Bool)
    case event, other
  }

  let kind: Kind
  /// Which of the computer's adapters it is of.
  let adapter: UInt16
  /// Where its data begins.
  let dataOffset: Int

  init(_ datalink: CaptureReader.Datalink, flags: UInt32, _ bytes: RawSpan) {
    let isReceived = flags & 1 == 1
    switch datalink {
    case .plain:
      (adapter, dataOffset) = (0, 0)
      let isControl = flags & 2 == 2
      kind = !isControl ? .data(isReceived: isReceived) : isReceived ? .event : .other
    case .uart:
      (adapter, dataOffset) = (0, min(1, bytes.byteCount))
      switch bytes.byteCount > 0 ? bytes.byte(at: 0) : 0 {
      case 2: kind = .data(isReceived: isReceived)
      case 4: kind = .event
      default: kind = .other
      }
    case .monitor:
      (adapter, dataOffset) = (UInt16(truncatingIfNeeded: flags >> 16), 0)
      switch UInt16(truncatingIfNeeded: flags) {
      case 3: kind = .event
      case 4: kind = .data(isReceived: false)
      case 5: kind = .data(isReceived: true)
      default: kind = .other
      }
    }
  }
}
