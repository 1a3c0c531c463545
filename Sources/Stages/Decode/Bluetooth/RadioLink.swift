import PumpModel

/// One direction of one connection: puts the pieces of its packets together (L2CAP) and looks into
/// notifications and indications of the attribute protocol.
struct RadioLink {
  /// Whether a sound frame of the history stream came.
  private(set) var hasHistory = false
  private var state = State.idle
  private var pdu: [UInt8] = []
  private var missing = 0
  private var start: UInt64 = 0
  private var streams: [UInt16: Stream] = [:]

  private enum State {
    case idle
    /// Gathers what may be of the attribute protocol.
    case gathering
    /// Passes over the rest of something else.
    case skipping
    /// Passes over the rest of what was damaged.
    case lost
  }

  /// Notifications of one handle.
  private struct Stream {
    var packets = PacketAssembler(.history)
    /// Whether a sound frame came, so that everything on it should be one.
    var isKnown = false
    /// The first packet before the first sound frame that is no part of one.
    var orphan: UInt64?
  }

  private static let attributeChannel: UInt16 = 4
  /// What the attribute protocol calls a notification, and an indication.
  static let notifying: [UInt8] = [0x1B, 0x1D]
  private static let dataHead = 4
  private static let channelHead = 4
  private static let attributeHead = 3
  /// The longest value of an attribute, and its head.
  private static let longestPDU = 520
  private static let mostStreams = 16
  private static let leftOut = "the capture left out a part of a packet"

  /// Takes a packet of data: handle and flags, length, bytes.
  mutating func take(
    _ bytes: RawSpan, isCut: Bool, at offset: UInt64, into intake: inout RecordIntake
  ) {
    guard bytes.byteCount >= Self.dataHead else {
      return lose("a packet is cut", at: offset, into: &intake)
    }
    let body = bytes.extracting(droppingFirst: Self.dataHead)
    let begins = bytes.byte(at: 1) >> 4 & 3 != 1
    if begins, state == .gathering {
      lose("the rest of a packet is missing", at: start, into: &intake)
    }
    if begins {
      state = .gathering
      pdu.removeAll(keepingCapacity: true)
      (missing, start) = (0, offset)
    }
    if isCut { return takeCut(body, at: offset, into: &intake) }
    guard Int(bytes.littleEndian16(at: 2)) == body.byteCount else {
      return lose("a packet is not as long as it says", at: offset, into: &intake)
    }
    add(body, at: offset, into: &intake)
  }

  /// Ends the connection; gives what did not come to its end.
  mutating func end() -> [Reject] {
    var rejects: [Reject] = []
    for handle in streams.keys {
      if let reject = streams[handle]?.packets.giveUp() { rejects.append(reject) }
    }
    streams.removeAll()
    return rejects
  }

  private mutating func add(_ body: RawSpan, at offset: UInt64, into intake: inout RecordIntake) {
    switch state {
    case .idle: lose("the beginning of a packet is missing", at: offset, into: &intake)
    case .lost: intake.countNoHistory()
    case .skipping: skip(body.byteCount, at: offset, into: &intake)
    case .gathering:
      let size = size(with: body)
      guard let size else {
        pdu.append(body, 0..<body.byteCount)
        return
      }
      let rest = size - pdu.count
      guard isAttribute(with: body), size <= Self.longestPDU + Self.channelHead else {
        state = .skipping
        missing = rest
        return skip(body.byteCount, at: offset, into: &intake)
      }
      guard body.byteCount <= rest else {
        return lose("a packet is not as long as it says", at: offset, into: &intake)
      }
      pdu.append(body, 0..<body.byteCount)
      if pdu.count == size { finishPDU(into: &intake) }
    }
  }

  private mutating func skip(_ count: Int, at offset: UInt64, into intake: inout RecordIntake) {
    missing -= count
    guard missing <= 0 else { return }
    state = .idle
    intake.countNoHistory()
  }

  /// The bytes of the packet that is gathered, head included; nil while that is not known.
  private func size(with body: RawSpan) -> Int? {
    guard let low = byte(0, with: body), let high = byte(1, with: body),
      byte(Self.channelHead - 1, with: body) != nil
    else { return nil }
    return Self.channelHead + (Int(low) | Int(high) << 8)
  }

  private func isAttribute(with body: RawSpan) -> Bool {
    guard let low = byte(2, with: body), let high = byte(3, with: body) else { return false }
    return UInt16(low) | UInt16(high) << 8 == Self.attributeChannel
  }

  private func byte(_ index: Int, with body: RawSpan) -> UInt8? {
    if index < pdu.count { return pdu[index] }
    let position = index - pdu.count
    return position < body.byteCount ? body.byte(at: position) : nil
  }

  /// A piece of which the capture left something out: damage, unless what is there shows that it is
  /// about something else.
  private mutating func takeCut(
    _ body: RawSpan, at offset: UInt64, into intake: inout RecordIntake
  ) {
    let isOther = state != .gathering || size(with: body) != nil && !isAttribute(with: body)
    let head = Self.channelHead + Self.attributeHead
    let seen = (0..<head + PumpMessage.signature).map { byte($0, with: body) }
    var isUnknown = false
    if let low = seen[head - 2], let high = seen[head - 1] {
      let value = seen[head...].compactMap(\.self)
      let bytes = value.span
      isUnknown = streams[UInt16(low) | UInt16(high) << 8]?.isKnown != true
      if unsafe PumpMessage.beginsHistory(bytes.bytes) {
        return reject(Self.leftOut, at: offset, into: &intake)
      }
    }
    if isOther || isUnknown {
      intake.countNoHistory()
      state = .lost
    } else {
      lose(Self.leftOut, at: offset, into: &intake)
    }
  }

  /// Gives up what is gathered; where no history came before, it is none of ours.
  private mutating func lose(
    _ reason: String, at offset: UInt64, into intake: inout RecordIntake
  ) {
    state = .lost
    guard hasHistory || streams.values.contains(where: \.packets.isGathering) else {
      return intake.countNoHistory()
    }
    reject(reason, at: offset, into: &intake)
  }

  private mutating func reject(
    _ reason: String, at offset: UInt64, into intake: inout RecordIntake
  ) {
    state = .lost
    intake.consumer.reject(Reject(.offset(offset), reason))
    // One fault is one reject: the frame that lacks this packet is passed over.
    for handle in streams.keys { streams[handle]?.packets.skipRest() }
  }

  private mutating func finishPDU(into intake: inout RecordIntake) {
    state = .idle
    let gathered = pdu
    let whole = gathered.span
    let bytes = unsafe whole.bytes.extracting(droppingFirst: Self.channelHead)
    guard bytes.byteCount >= Self.attributeHead, Self.notifying.contains(bytes.byte(at: 0)) else {
      return intake.countNoHistory()
    }
    takeValue(
      bytes.extracting(droppingFirst: Self.attributeHead), of: bytes.littleEndian16(at: 1),
      into: &intake)
  }

  private mutating func takeValue(
    _ value: RawSpan, of handle: UInt16, into intake: inout RecordIntake
  ) {
    guard var stream = streams.removeValue(forKey: handle) ?? newStream(for: value) else {
      return intake.countNoHistory()
    }
    defer { streams[handle] = stream }
    let consumer = intake.consumer
    switch stream.packets.take(value, at: .offset(start), broken: { consumer.reject($0) }) {
    case .taken: break
    case .damaged(let reject): consumer.reject(reject)
    case .message(let message):
      hasHistory = true
      if let orphan = stream.orphan {
        consumer.reject(Reject(.offset(orphan), "packets of a frame whose beginning is missing"))
      }
      (stream.isKnown, stream.orphan) = (true, nil)
      let bytes = message.span
      PumpMessage.takeRecords(
        of: unsafe bytes.bytes, at: RecordPlace(offset: start), into: &intake)
    case .foreign where PumpMessage.isWholeOther(value): intake.countNoHistory()
    case .foreign where stream.isKnown:
      consumer.reject(Reject(.offset(start), "a packet that is no part of a frame"))
    case .foreign:
      intake.countNoHistory()
      if stream.orphan == nil { stream.orphan = start }
    }
  }

  /// Room for notifications of one more handle.
  ///
  /// A capture may have any number of them, so that those without history make room for one with.
  private mutating func newStream(for value: RawSpan) -> Stream? {
    if streams.count >= Self.mostStreams {
      guard PumpMessage.beginsHistory(value),
        let idle = streams.first(where: { !$0.value.isKnown && !$0.value.packets.isGathering })
      else { return nil }
      streams[idle.key] = nil
    }
    return Stream()
  }
}
