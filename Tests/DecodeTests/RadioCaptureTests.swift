import Decode
import PumpModel
import TestSupport
import Testing

/// Captures of Bluetooth traffic.
@Suite("Captures of btsnoop")
struct RadioCaptureTests {
  private static let records = RadioFrameTests.records
  private static let newestFirst = RadioFrameTests.newestFirst
  private static let pump: [UInt8] = [1, 2, 3, 4, 5, 0xC6]

  /// The packets of a frame with some of the records.
  private static func packets(_ range: ClosedRange<Int>) -> [[UInt8]] {
    let message = RadioEncoder.history(records[range.lowerBound - 1..<range.upperBound])
    return RadioEncoder.packets(message, bytesEach: 18)
  }

  private static func ignored(_ recording: Recording) -> Int {
    recording.calls.count { $0 == .ignore(.noHistory, nil) }
  }

  @Test("The history in a capture comes back", arguments: RadioCapture.Datalink.allCases)
  func roundTrip(datalink: RadioCapture.Datalink) {
    let bytes = RadioCapture.of(Self.records, datalink)
    for recording in [Recording.of(bytes), Recording.of(bytes, pieces: 5)] {
      #expect(recording.records == Self.newestFirst)
      #expect(recording.verdict == .whole(.btsnoop))
      #expect(recording.rejects.isEmpty)
      #expect(Self.ignored(recording) == 4)
    }
  }

  @Test("Indications count as notifications do; other packets of attributes do not")
  func opcodes() {
    var capture = RadioCapture()
    for packet in Self.packets(1...3) { capture.notify(packet, opcode: 0x1D) }
    for packet in Self.packets(4...6) { capture.notify(packet, opcode: 0x0B) }
    let recording = Recording.of(capture.bytes)
    #expect(recording.records.count == 3)
    #expect(Self.ignored(recording) == Self.packets(4...6).count)
  }

  @Test("Handles, channels and directions are kept apart, and so are a packet's pieces")
  func interleaved() {
    var capture = RadioCapture()
    let packets = Self.packets(1...3)
    for (index, packet) in packets.enumerated() {
      let pieces = RadioCapture.pieces(of: packet, bytesEach: 7)
      for (piece, bytes) in pieces.enumerated() {
        capture.add(.received, capture.piece(of: 0x40, bytes, goesOn: piece > 0))
        // Another connection, the other direction, and another channel.
        capture.notify([UInt8(index), 0, 0x81, 0, 1], on: 0x41)
        capture.add(.sent, capture.piece(of: 0x40, bytes, goesOn: piece > 0))
      }
      capture.notify([0, 0, 0x33, 0, 1], on: 0x40, attribute: 0x50)
      capture.add(
        .received,
        capture.piece(of: 0x40, RadioCapture.pieces(of: packet, channel: 0x3A)[0], goesOn: false))
    }
    let recording = Recording.of(capture.bytes)
    // What the phone sends is looked into as well, so everything came twice.
    #expect(recording.records == (0..<2).flatMap { _ in Self.newestFirst[0..<3] })
    #expect(recording.rejects.isEmpty)
  }

  @Test("A frame of which a packet is damaged or missing is one reject")
  func packetFaults() {
    let first = Self.packets(1...3)
    let second = Self.packets(4...6)
    var wrong = first
    wrong[2][9] ^= 1
    for (packets, name) in [
      (wrong, "checksum"), (Array(first.dropLast()), "last"), ([first[0]] + first[2...], "second"),
      (Array(first[0...1] + first[1...]), "doubled"),
    ] {
      var capture = RadioCapture()
      for packet in packets + second { capture.notify(packet) }
      let recording = Recording.of(capture.bytes)
      #expect(recording.records.count == 3, "\(name)")
      #expect(recording.rejects.map(\.position) == [.offset(16)], "\(name)")
    }
  }

  @Test("A capture that begins inside a frame, or ends inside one, has one reject for it")
  func cutFrames() {
    var capture = RadioCapture()
    for packet in Self.packets(1...3).dropFirst() + Self.packets(4...6) { capture.notify(packet) }
    for packet in Self.packets(7...9).dropLast() { capture.notify(packet) }
    let recording = Recording.of(capture.bytes)
    #expect(recording.records.count == 3)
    #expect(recording.rejects.count == 2)
    #expect(recording.rejects.first?.position == .offset(16))
  }

  @Test("A packet that the capture left a part of out costs its frame, if it is a pump's")
  func leftOut() {
    var capture = RadioCapture()
    for packet in Self.packets(1...3) { capture.notify(packet) }
    for (index, packet) in Self.packets(4...6).enumerated() {
      let data = capture.piece(of: 0x40, RadioCapture.pieces(of: packet)[0], goesOn: false)
      capture.add(.received, data, leavingOut: index == 1 ? 5 : 0)
    }
    let other = RadioCapture.pieces(of: [1, 2, 3, 4, 5], attribute: 0x60)[0]
    capture.add(.received, capture.piece(of: 0x40, other, goesOn: false), leavingOut: 2)
    capture.add(.received, capture.piece(of: 0x77, other, goesOn: false), leavingOut: 9)
    for packet in Self.packets(7...9) { capture.notify(packet) }
    let recording = Recording.of(capture.bytes)
    #expect(recording.records.count == 6)
    #expect(recording.rejects.count == 1)
    // Where everything is left out, it is said of each frame.
    var bare = RadioCapture()
    for packet in Self.packets(1...3) {
      let data = bare.piece(of: 0x40, RadioCapture.pieces(of: packet)[0], goesOn: false)
      bare.add(.received, data, leavingOut: 4)
    }
    #expect(Recording.of(bare.bytes).rejects.count == 1)
  }

  @Test("Pieces that are missing, too long or without a beginning cost one frame")
  func pieceFaults() {
    for fault in 0..<4 {
      var capture = RadioCapture()
      for packet in Self.packets(1...3) { capture.notify(packet) }
      for (index, packet) in Self.packets(4...6).enumerated() {
        var pieces = RadioCapture.pieces(of: packet, bytesEach: 9)
        if index == 2 {
          switch fault {
          case 0: pieces.removeLast()
          case 1: pieces.removeFirst()
          case 2: pieces.append([1, 2, 3])
          default: pieces[1].append(9)
          }
        }
        for (piece, bytes) in pieces.enumerated() {
          let goesOn = piece > 0 || fault == 1 && index == 2
          capture.add(.received, capture.piece(of: 0x40, bytes, goesOn: goesOn))
        }
      }
      for packet in Self.packets(7...9) { capture.notify(packet) }
      let recording = Recording.of(capture.bytes)
      #expect(recording.records.count == 6, "\(fault)")
      #expect(recording.rejects.count == 1, "\(fault): \(recording.rejects)")
    }
  }

  @Test("The same pump may come and go; history of a second device is refused")
  func severalDevices() {
    func capture(_ second: [UInt8]?, showsFirst: Bool = true) -> Recording {
      var capture = RadioCapture()
      if showsFirst { capture.connect(0x40, address: Self.pump) }
      for packet in Self.packets(1...3) { capture.notify(packet, on: 0x40) }
      if showsFirst { capture.disconnect(0x40) }
      if let second { capture.connect(0x41, address: second) }
      for packet in Self.packets(4...6) { capture.notify(packet, on: 0x41) }
      return Recording.of(capture.bytes)
    }
    let same = capture(Self.pump)
    #expect(same.records.count == 6 && same.verdict == .whole(.btsnoop))
    for recording in [
      capture([9, 9, 9, 9, 9, 9]), capture(nil), capture(Self.pump, showsFirst: false),
      capture(nil, showsFirst: false),
    ] {
      guard case .damaged(.btsnoop, let reject) = recording.verdict else {
        Issue.record("not refused")
        continue
      }
      #expect(reject.reason.contains("more than one device"))
    }
  }

  @Test("A second device without history does no harm")
  func otherDevice() {
    var capture = RadioCapture()
    capture.connect(0x41, address: [9, 9, 9, 9, 9, 9])
    capture.notify(Array(0..<60), on: 0x41)
    for packet in Self.packets(1...3) { capture.notify(packet) }
    capture.notify(Array(0..<60), on: 0x41)
    #expect(Recording.of(capture.bytes).records.count == 3)
    #expect(Recording.of(capture.bytes).verdict == .whole(.btsnoop))
  }

  @Test("A capture that is cut has one reject at its end; a packet of impossible length refuses it")
  func damagedCaptures() {
    let bytes = RadioCapture.of(Self.records)
    let cut = Recording.of(Array(bytes.dropLast(3)))
    #expect(cut.records == Self.newestFirst && cut.rejects.count == 1)
    #expect(cut.verdict == .whole(.btsnoop))
    for (place, value) in [(16, 0xFF), (20, 0xFF), (21, 0x10)] as [(Int, UInt8)] {
      var damaged = bytes
      damaged[place] = value
      if place == 16 { damaged[20] = value }
      guard case .damaged(.btsnoop, _) = Recording.of(damaged).verdict else {
        Issue.record("byte \(place)")
        continue
      }
    }
    guard case .damaged(.btsnoop, _) = Recording.of(Array(bytes.prefix(12))).verdict else {
      Issue.record("a cut head")
      return
    }
  }

  @Test("Other versions and kinds of link are refused by name; a capture without history is empty")
  func heads() {
    for capture in [RadioCapture(version: 2), RadioCapture(code: 1003)] {
      guard case .damaged(.btsnoop, let reject) = Recording.of(capture.bytes).verdict else {
        Issue.record("not refused")
        continue
      }
      #expect(reject.reason.contains("can be read"))
    }
    var capture = RadioCapture()
    capture.add(.command, [1, 2, 3])
    capture.add(.received, [1])
    capture.add(.event, [])
    let recording = Recording.of(capture.bytes)
    #expect(recording.verdict == .whole(.btsnoop) && recording.records.isEmpty)
    #expect(Self.ignored(recording) == 3)
  }

  @Test(
    "No capture makes the reader hold more than a little, nor read a stream that it has no room for"
  )
  func manyHandles() {
    var capture = RadioCapture()
    for handle in 1...300 as ClosedRange<UInt16> {
      capture.notify([1, 2, 3], on: 0x40, attribute: 0x1000 + handle)
    }
    for packet in Self.packets(1...3) { capture.notify(packet) }
    #expect(Recording.of(capture.bytes).records.count == 3)
    var hostile = RadioCapture()
    for handle in 0..<0xF00 as Range<UInt16> { hostile.notify(Self.packets(1...3)[0], on: handle) }
    guard case .damaged(.btsnoop, _) = Recording.of(hostile.bytes).verdict else {
      Issue.record("not refused")
      return
    }
  }
}
