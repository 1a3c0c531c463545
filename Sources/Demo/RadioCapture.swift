package import PumpModel

/// Builds a capture of Bluetooth traffic in the format of btsnoop.
package struct RadioCapture {
  /// What its packets are: 1001 plain, 1002 UART, 2001 Linux's monitor.
  package enum Datalink: UInt32, CaseIterable, Sendable {
    case plain = 1001
    case uart = 1002
    case monitor = 2001
  }

  /// The kinds of packets that it can hold.
  package enum Kind: Sendable { case command, event, sent, received }

  /// The capture so far.
  package private(set) var bytes: [UInt8]
  private let datalink: Datalink
  private var clock: UInt64 = 0x00E2_4000_0000_0000

  /// Begins a capture.
  package init(_ datalink: Datalink = .uart, version: UInt32 = 1, code: UInt32? = nil) {
    self.datalink = datalink
    bytes = Array("btsnoop\0".utf8)
    append(version)
    append(code ?? datalink.rawValue)
  }

  /// Adds a packet, of which `left` bytes at the end are left out.
  package mutating func add(_ kind: Kind, _ data: [UInt8], leavingOut left: Int = 0) {
    let whole = head(kind) + data
    append(UInt32(whole.count))
    append(UInt32(whole.count - left))
    append(flags(kind))
    append(UInt32(0))
    clock += 1000
    append(UInt32(truncatingIfNeeded: clock >> 32))
    append(UInt32(truncatingIfNeeded: clock))
    bytes += whole.dropLast(left)
  }

  /// Adds bytes that are no packet.
  package mutating func add(raw: [UInt8]) { bytes += raw }

  /// A low-energy connection to a device begins.
  package mutating func connect(_ handle: UInt16, address: [UInt8]) {
    let parameters =
      [0x01, 0] + little(handle) + [0, 0] + address + [UInt8](repeating: 0, count: 7)
    add(.event, [0x3E, UInt8(parameters.count)] + parameters)
  }

  /// A connection ends.
  package mutating func disconnect(_ handle: UInt16) {
    add(.event, [0x05, 4, 0] + little(handle) + [0x13])
  }

  /// The pieces of a notification, or of another packet of the attribute protocol.
  package static func pieces(
    of value: [UInt8], attribute: UInt16 = 0x2A, opcode: UInt8 = 0x1B, channel: UInt16 = 4,
    bytesEach size: Int = .max
  ) -> [[UInt8]] {
    let capture = RadioCapture()
    let content = [opcode] + capture.little(attribute) + value
    let whole = capture.little(UInt16(content.count)) + capture.little(channel) + content
    return stride(from: 0, to: whole.count, by: min(size, whole.count)).map {
      Array(whole[$0..<min(whole.count, $0 + min(size, whole.count))])
    }
  }

  /// Data of a connection: a first piece, or one that goes on.
  package func piece(of handle: UInt16, _ piece: [UInt8], goesOn: Bool) -> [UInt8] {
    little(handle | (goesOn ? 0x1000 : 0x2000)) + little(UInt16(piece.count)) + piece
  }

  /// Adds a notification in pieces.
  package mutating func notify(
    _ value: [UInt8], on handle: UInt16 = 0x40, attribute: UInt16 = 0x2A, opcode: UInt8 = 0x1B,
    bytesEach size: Int = .max
  ) {
    let pieces = Self.pieces(of: value, attribute: attribute, opcode: opcode, bytesEach: size)
    for (index, piece) in pieces.enumerated() {
      add(.received, self.piece(of: handle, piece, goesOn: index > 0))
    }
  }

  /// A history as a phone captures it: a connection, notifications of packets, others between them.
  package static func of(
    _ records: some Sequence<PumpRecord>, _ datalink: Datalink = .uart
  ) -> [UInt8] {
    var capture = RadioCapture(datalink)
    capture.add(.command, [0x0D, 0x20, 0])
    capture.connect(0x40, address: [1, 2, 3, 4, 5, 0xC6])
    for (index, message) in RadioEncoder.messages(records).enumerated() {
      if index % 10 == 0 { capture.notify([UInt8](repeating: 7, count: 12), attribute: 0x30) }
      for packet in RadioEncoder.packets(message, bytesEach: 40) {
        capture.notify(packet, bytesEach: 27)
      }
    }
    capture.disconnect(0x40)
    return capture.bytes
  }

  private func head(_ kind: Kind) -> [UInt8] {
    guard datalink == .uart else { return [] }
    return switch kind {
    case .command: [1]
    case .event: [4]
    case .sent, .received: [2]
    }
  }

  private func flags(_ kind: Kind) -> UInt32 {
    switch (kind, datalink) {
    case (.command, .monitor): 2
    case (.event, .monitor): 3
    case (.sent, .monitor): 4
    case (.received, .monitor): 5
    case (.command, _): 2
    case (.event, _): 3
    case (.sent, _): 0
    case (.received, _): 1
    }
  }

  private func little(_ value: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private mutating func append(_ value: UInt32) {
    for shift in [24, 16, 8, 0] as [UInt32] {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
