import PumpModel

/// The links of a Bluetooth capture: to whom each is, and what its packets hold.
///
/// Records name no pump, so those of two devices must not come under one name. A link is known by the
/// other device's address, if the capture shows how it began, else it is a device of its own. Addresses
/// are compared and not kept beyond the reading.
struct RadioLinks {
  /// Why the capture cannot be used at all, once that is known.
  private(set) var refusal: Reject?
  private var links: [Key: RadioLink] = [:]
  private var peers: [PeerKey: Peer] = [:]
  private var unnamed: UInt64 = 0
  private var historyPeer: Peer?

  /// So many links may be open; a radio has room for a few dozen.
  private static let mostLinks = 512

  private struct PeerKey: Hashable {
    var adapter: UInt16
    var handle: UInt16
  }

  private struct Key: Hashable {
    var peer: PeerKey
    var isReceived: Bool
  }

  /// The device at the other end.
  private enum Peer: Equatable {
    case address(UInt64)
    case unnamed(UInt64)
  }

  /// Takes a packet that stands at an offset; `isCut` says that the capture left some of it out.
  mutating func take(
    _ kind: RadioPacket.Kind, _ adapter: UInt16, _ bytes: RawSpan, isCut: Bool, at offset: UInt64,
    into intake: inout RecordIntake
  ) {
    switch kind {
    case .data(let isReceived):
      guard bytes.byteCount >= 2 else { return intake.countNoHistory() }
      let key = PeerKey(adapter: adapter, handle: bytes.littleEndian16(at: 0) & 0xFFF)
      takeData(
        bytes, of: Key(peer: key, isReceived: isReceived), isCut: isCut, at: offset, into: &intake)
    case .event:
      takeEvent(bytes, adapter, into: &intake)
      intake.countNoHistory()
    case .other: intake.countNoHistory()
    }
  }

  /// Ends the capture.
  mutating func finish(into intake: inout RecordIntake) {
    let ended = links.values.flatMap { link in
      var link = link
      return link.end()
    }
    for reject in Self.sorted(ended) { intake.consumer.reject(reject) }
  }

  private mutating func takeData(
    _ bytes: RawSpan, of key: Key, isCut: Bool, at offset: UInt64, into intake: inout RecordIntake
  ) {
    // Taken out while it is used, so that it is not copied.
    var link = links.removeValue(forKey: key) ?? RadioLink()
    guard links.count < Self.mostLinks else {
      refusal = Reject(.offset(offset), "more connections at once than any radio has")
      return
    }
    let sawHistory = link.hasHistory
    link.take(bytes, isCut: isCut, at: offset, into: &intake)
    links[key] = link
    if link.hasHistory, !sawHistory { claim(key.peer, at: offset) }
  }

  /// Notes that a device sent history; a second one is too many.
  private mutating func claim(_ key: PeerKey, at offset: UInt64) {
    let peer: Peer
    if let known = peers[key] {
      peer = known
    } else {
      unnamed += 1
      peer = .unnamed(unnamed)
      peers[key] = peer
    }
    if let historyPeer, historyPeer != peer {
      refusal = Reject(
        .whole,
        "it holds the history of more than one device, or of connections of which it does not show "
          + "that they are to the same one; records name no pump, so cut it into a file for each")
    }
    historyPeer = peer
  }

  private mutating func takeEvent(
    _ bytes: RawSpan, _ adapter: UInt16, into intake: inout RecordIntake
  ) {
    guard bytes.byteCount >= 6 else { return }
    switch bytes.byte(at: 0) {
    case 0x05 where bytes.byte(at: 2) == 0:
      end(PeerKey(adapter: adapter, handle: bytes.littleEndian16(at: 3) & 0xFFF), into: &intake)
    case 0x3E: takeConnection(bytes, adapter, into: &intake)
    default: break
    }
  }

  /// A low-energy connection began: subevent, status, handle, role, kind of address, address.
  private mutating func takeConnection(
    _ bytes: RawSpan, _ adapter: UInt16, into intake: inout RecordIntake
  ) {
    guard bytes.byteCount >= 14, [0x01, 0x0A, 0x29].contains(bytes.byte(at: 2)),
      bytes.byte(at: 3) == 0
    else { return }
    let key = PeerKey(adapter: adapter, handle: bytes.littleEndian16(at: 4) & 0xFFF)
    end(key, into: &intake)
    guard peers.count < Self.mostLinks else {
      refusal = Reject(.whole, "more connections at once than any radio has")
      return
    }
    // Addresses that the radio resolved itself are of the kinds 2 and 3, else 0 and 1.
    let address = (8..<14).reduce(UInt64(bytes.byte(at: 7) & 1)) {
      $0 << 8 | UInt64(bytes.byte(at: $1))
    }
    peers[key] = .address(address)
  }

  private mutating func end(_ key: PeerKey, into intake: inout RecordIntake) {
    var ended: [Reject] = []
    for isReceived in [false, true] {
      guard var link = links.removeValue(forKey: Key(peer: key, isReceived: isReceived)) else {
        continue
      }
      ended += link.end()
    }
    for reject in Self.sorted(ended) { intake.consumer.reject(reject) }
    peers[key] = nil
  }

  /// Tables have no order of their own.
  private static func sorted(_ rejects: [Reject]) -> [Reject] {
    func offset(_ reject: Reject) -> UInt64 {
      if case .offset(let offset) = reject.position { offset } else { 0 }
    }
    return rejects.sorted { offset($0) < offset($1) }
  }
}

extension RawSpan {
  /// Two bytes, the first one lowest.
  func littleEndian16(at offset: Int) -> UInt16 {
    UInt16(byte(at: offset)) | UInt16(byte(at: offset + 1)) << 8
  }
}
