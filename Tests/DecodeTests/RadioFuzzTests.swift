import Decode
import Foundation
import PumpModel
import TestSupport
import Testing

/// However what pumps send is damaged, no record comes out that they did not send.
@Suite("Damaged Bluetooth history")
struct RadioFuzzTests {
  private static let records = (1...60 as ClosedRange<UInt32>).map {
    DocumentTests.record($0, id: [20, 279, 3, 55, 256][Int($0) % 5])
  }
  private static let sent = Set(records.map { RecordEncoder.bytes($0) })

  private static func isSent(_ recording: Recording) -> Bool {
    recording.records.allSatisfy { sent.contains(RecordEncoder.bytes($0)) }
  }

  private static var random: TestRandom {
    let seed = ProcessInfo.processInfo.environment["PUMPLINE_FUZZ_SEED"].flatMap(UInt64.init)
    return TestRandom(seed: seed ?? 20_260_504)
  }

  private static var rounds: Int {
    ProcessInfo.processInfo.environment["PUMPLINE_FUZZ_ROUNDS"].flatMap(Int.init) ?? 150
  }

  /// Takes away, doubles, exchanges or damages some packets.
  private static func damage(_ packets: inout [[UInt8]], _ random: inout TestRandom) {
    for _ in 0..<random.integer(1...5) {
      guard packets.count > 1 else { return }
      let place = random.integer(0...packets.count - 1)
      switch random.integer(0...4) {
      case 0: packets.remove(at: place)
      case 1: packets.insert(packets[place], at: place)
      case 2: packets.swapAt(place, random.integer(0...packets.count - 1))
      case 3: packets[place].removeLast(random.integer(0...packets[place].count))
      default:
        guard !packets[place].isEmpty else { continue }
        let byte = random.integer(0...packets[place].count - 1)
        packets[place][byte] ^= 1 << UInt8(random.integer(0...7))
      }
    }
  }

  private static func packets(_ random: inout TestRandom) -> [[UInt8]] {
    let count = random.integer(1...RadioEncoder.mostRecords)
    let size = random.integer(6...64)
    return RadioEncoder.messages(records, recordsEach: count)
      .flatMap { RadioEncoder.packets($0, bytesEach: size) }
  }

  @Test("Of lost, doubled, exchanged and damaged packets in a log only whole frames are used")
  func lines() {
    var random = Self.random
    var used = 0
    for round in 0..<Self.rounds {
      var packets = Self.packets(&random)
      Self.damage(&packets, &random)
      let text = packets.map { "fff8 " + RadioEncoder.hex($0, separator: " ") }
        .joined(separator: "\n")
      let recording = Recording.of(text)
      used += recording.records.count
      #expect(Self.isSent(recording), "\(random.describe), round \(round)")
      #expect(
        Recording.of(text, pieces: random.integer(1...90)).calls == recording.calls,
        "\(random.describe), round \(round)")
    }
    #expect(used > Self.rounds * 10 && used < Self.rounds * Self.records.count)
  }

  @Test("The same of a capture, whatever pieces its packets come in")
  func captures() {
    var random = Self.random
    var used = 0
    for round in 0..<Self.rounds {
      var packets = Self.packets(&random)
      Self.damage(&packets, &random)
      var capture = RadioCapture(
        RadioCapture.Datalink.allCases[random.integer(0...2)])
      var pieces: [(bytes: [UInt8], goesOn: Bool)] = []
      for packet in packets {
        let cut = RadioCapture.pieces(of: packet, bytesEach: random.integer(5...80))
        pieces += cut.enumerated().map { ($1, $0 > 0) }
      }
      for _ in 0..<random.integer(0...2) {
        pieces.remove(at: random.integer(0...pieces.count - 1))
      }
      for piece in pieces {
        capture.add(.received, capture.piece(of: 0x40, piece.bytes, goesOn: piece.goesOn))
      }
      let recording = Recording.of(capture.bytes)
      used += recording.records.count
      #expect(Self.isSent(recording), "\(random.describe), round \(round)")
      #expect(recording.verdict == .whole(.btsnoop))
      #expect(
        Recording.of(capture.bytes, pieces: random.integer(1...90)).calls == recording.calls,
        "\(random.describe), round \(round)")
    }
    #expect(used > Self.rounds * 10 && used < Self.rounds * Self.records.count)
  }

  @Test("Of damaged frames in bytes only whole ones are used")
  func frames() {
    var random = Self.random
    for round in 0..<Self.rounds {
      var packets = RadioEncoder.messages(Self.records, recordsEach: random.integer(1...9))
        .flatMap { RadioEncoder.packets($0) }
      let first = packets.removeFirst()
      Self.damage(&packets, &random)
      let bytes = first + packets.flatMap(\.self)
      let recording = Recording.of(bytes)
      #expect(Self.isSent(recording), "\(random.describe), round \(round)")
      #expect(
        Recording.of(bytes, pieces: random.integer(1...90)).calls == recording.calls,
        "\(random.describe), round \(round)")
    }
  }
}
