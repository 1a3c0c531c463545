import PumpModel

/// A message of a pump (FORMATS D): opcode, transaction, length of the cargo, cargo, checksum with
/// its low byte first.
///
/// The cargo of the history stream is a count of records, the stream's id, and the records, 26
/// little-endian bytes each, the newest first. Over the radio a message comes in packets: before each
/// part stand how many packets are still to come, and the transaction once more.
enum PumpMessage {
  /// The opcode of the history stream.
  static let historyOpcode: UInt8 = 0x81
  /// The bytes before each part of a message.
  static let packetHead = 2
  /// The bytes of a packet by which a message of the history stream is told: the packet's two, the
  /// message's three, and the count.
  static let signature = 6
  private static let head = 3
  private static let cargoHead = 2
  private static let checksumSize = 2
  /// The longest message.
  static let longest = head + 255 + checksumSize

  /// Whether a message of the history stream begins with a packet: the transaction is in it twice, and
  /// the length fits the count.
  static func beginsHistory(_ packet: RawSpan) -> Bool {
    guard packet.byteCount >= signature, packet.byte(at: 2) == historyOpcode else { return false }
    let count = Int(packet.byte(at: 5))
    return packet.byte(at: 3) == packet.byte(at: 1)
      && Int(packet.byte(at: 4)) == cargoHead + count * RecordReader.size
  }

  /// Whether some other message of a pump may begin with a packet.
  static func beginsOther(_ packet: RawSpan) -> Bool {
    packet.byteCount >= packetHead + head && packet.byte(at: 2) != historyOpcode
      && packet.byte(at: 3) == packet.byte(at: 1)
  }

  /// Whether a packet is the whole of some other message, and sound.
  static func isWholeOther(_ packet: RawSpan) -> Bool {
    guard beginsOther(packet), packet.byte(at: 0) == 0 else { return false }
    let message = packet.extracting(droppingFirst: packetHead)
    return message.byteCount == size(of: message) && isSound(message)
  }

  /// How many bytes a message has, by its first three.
  static func size(of message: RawSpan) -> Int {
    head + Int(message.byte(at: 2)) + checksumSize
  }

  /// Whether the checksum at the end of a message of the right length is right.
  static func isSound(_ message: RawSpan) -> Bool {
    let end = message.byteCount - checksumSize
    let stated = UInt16(message.byte(at: end)) | UInt16(message.byte(at: end + 1)) << 8
    return CRC16.checksum(of: message, 0..<end) == stated
  }

  /// Takes in the records of a sound message of the history stream.
  static func takeRecords(
    of message: RawSpan, at place: RecordPlace, into intake: inout RecordIntake
  ) {
    var position = head + cargoHead
    while position + RecordReader.size + checksumSize <= message.byteCount {
      if let record = RecordReader.littleEndianRecord(in: message, at: position) {
        intake.take(record, at: place)
      } else {
        intake.countErased()
      }
      position += RecordReader.size
    }
  }
}

/// Where a record that is no plain run of the document's bytes comes from.
struct RecordPlace {
  /// The offset of the line or packet that ended the record, or held it.
  var offset: UInt64
  /// Where a reject of it stands.
  var position: Reject.Position

  /// A place that is named by its offset.
  init(offset: UInt64) {
    self.offset = offset
    position = .offset(offset)
  }

  /// A place that is named by its line, counted from 1.
  init(offset: UInt64, line: UInt64) {
    self.offset = offset
    position = .line(line)
  }
}
