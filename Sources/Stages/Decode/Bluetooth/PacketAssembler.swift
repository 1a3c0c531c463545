import PumpModel

/// Puts the messages of one kind together from their packets, which count down how many are still to
/// come.
///
/// A message counts if all its packets came once and in order, if it is as long as it says, and if its
/// checksum is right. Memory is one message.
struct PacketAssembler {
  /// Which messages are put together.
  enum Kind {
    /// Those of the history stream.
    case history
    /// All others.
    case other
  }

  /// What a packet was.
  enum Outcome {
    /// No packet of a message of this kind.
    case foreign
    /// One that is not the last of its message, or belongs to a message that was given up before.
    case taken
    /// The last one of a message, which is whole and sound.
    case message([UInt8])
    /// The one at which its message, which began at a place, turned out to be damaged.
    case damaged(Reject)
  }

  private enum State { case idle, gathering, skipping }

  private static let missing = "not all packets of a frame came once and in order"

  private let kind: Kind
  private var state = State.idle
  private var transaction: UInt8 = 0
  private var awaited: UInt8 = 0
  private var start = Reject.Position.whole
  private var message: [UInt8] = []

  init(_ kind: Kind) { self.kind = kind }

  /// Whether a message has begun and not ended.
  var isGathering: Bool { state == .gathering }

  /// Whether a packet is the one that the message needs next.
  func awaits(_ packet: RawSpan) -> Bool {
    state == .gathering && packet.byteCount > PumpMessage.packetHead
      && packet.byte(at: 1) == transaction && remaining(packet) == awaited
  }

  /// Whether a packet may be of the message that has begun, or of one that was given up.
  func concerns(_ packet: RawSpan) -> Bool {
    state != .idle && packet.byteCount >= PumpMessage.packetHead
      && packet.byte(at: 1) == transaction
  }

  /// Whether a message begins with a packet.
  func begins(_ packet: RawSpan) -> Bool {
    switch kind {
    case .history: PumpMessage.beginsHistory(packet)
    case .other: PumpMessage.beginsOther(packet)
    }
  }

  /// Takes a packet that stands at a place; `broken` is told of an earlier message that it shows to be
  /// incomplete.
  mutating func take(
    _ packet: RawSpan, at position: Reject.Position, broken: (Reject) -> Void
  ) -> Outcome {
    if awaits(packet) { return add(packet) }
    if begins(packet) {
      if let reject = giveUp() { broken(reject) }
      return begin(packet, at: position)
    }
    guard concerns(packet) else { return .foreign }
    let wasGathering = state == .gathering
    state = remaining(packet) == 0 ? .idle : .skipping
    return wasGathering ? .damaged(Reject(start, Self.missing)) : .taken
  }

  /// Gives up a message that has not ended, if there is one: no more packets will come.
  mutating func giveUp() -> Reject? {
    defer { state = .idle }
    return state == .gathering ? Reject(start, Self.missing) : nil
  }

  /// Passes over what is left of a message that has not ended, because its fault was told already.
  mutating func skipRest() {
    if state == .gathering { state = .skipping }
  }

  // Published readers take the low four bits alone.
  private func remaining(_ packet: RawSpan) -> UInt8 { packet.byte(at: 0) & 0xF }

  private mutating func begin(_ packet: RawSpan, at position: Reject.Position) -> Outcome {
    message.removeAll(keepingCapacity: true)
    (transaction, start) = (packet.byte(at: 1), position)
    state = .gathering
    return add(packet)
  }

  private mutating func add(_ packet: RawSpan) -> Outcome {
    let rest = remaining(packet)
    let size = message.count + packet.byteCount - PumpMessage.packetHead
    guard size <= PumpMessage.longest else { return damage("a frame is longer than it says", rest) }
    message.append(packet, PumpMessage.packetHead..<packet.byteCount)
    guard rest == 0 else {
      awaited = rest - 1
      return .taken
    }
    let gathered = message
    let whole = gathered.span
    let bytes = unsafe whole.bytes
    guard bytes.byteCount == PumpMessage.size(of: bytes) else {
      return damage("a frame is not as long as it says", rest)
    }
    guard PumpMessage.isSound(bytes) else {
      return damage("the checksum of a frame is wrong", rest)
    }
    state = .idle
    return .message(gathered)
  }

  private mutating func damage(_ reason: String, _ rest: UInt8) -> Outcome {
    state = rest == 0 ? .idle : .skipping
    return .damaged(Reject(start, reason))
  }
}
