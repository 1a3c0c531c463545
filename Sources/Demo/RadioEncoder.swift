package import PumpModel

/// Writes records as pumps send them over Bluetooth (FORMATS D): messages, packets, lines of a log.
package enum RadioEncoder {
  /// As many records as fit a message.
  package static let mostRecords = 9

  /// CRC-16/CCITT-FALSE, bit by bit.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var register: UInt16 = 0xFFFF
    for byte in bytes {
      register ^= UInt16(byte) << 8
      for _ in 0..<8 {
        register = register & 0x8000 == 0 ? register << 1 : register << 1 ^ 0x1021
      }
    }
    return register
  }

  /// A message with a cargo, and its checksum.
  package static func message(
    opcode: UInt8, transaction: UInt8 = 0, cargo: [UInt8]
  ) -> [UInt8] {
    let bytes = [opcode, transaction, UInt8(truncatingIfNeeded: cargo.count)] + cargo
    let checksum = checksum(bytes)
    return bytes + [UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8)]
  }

  /// A message of the history stream with at most nine records, the last of them first.
  package static func history(
    _ records: some Collection<PumpRecord>, transaction: UInt8 = 0, stream: UInt8 = 1
  ) -> [UInt8] {
    var cargo = [UInt8(truncatingIfNeeded: records.count), stream]
    for record in Array(records).reversed() {
      RecordEncoder.appendLittleEndian(record, to: &cargo)
    }
    return message(opcode: 0x81, transaction: transaction, cargo: cargo)
  }

  /// The packets of a message, with so many of its bytes each.
  package static func packets(_ message: [UInt8], bytesEach size: Int = 255) -> [[UInt8]] {
    let starts = Array(stride(from: 0, to: message.count, by: size))
    return starts.enumerated().map { index, start in
      [UInt8(truncatingIfNeeded: starts.count - 1 - index), message[1]]
        + message[start..<min(message.count, start + size)]
    }
  }

  /// A history as messages with so many records each.
  package static func messages(
    _ records: some Sequence<PumpRecord>, recordsEach count: Int = 3
  ) -> [[UInt8]] {
    let all = Array(records)
    return stride(from: 0, to: all.count, by: count).map {
      history(all[$0..<min(all.count, $0 + count)])
    }
  }

  /// A history as frames of one packet each, one after the other.
  package static func frames(_ records: some Sequence<PumpRecord>) -> [UInt8] {
    messages(records).flatMap { packets($0) }.flatMap(\.self)
  }

  /// Bytes as hexadecimal digits.
  package static func hex(
    _ bytes: some Sequence<UInt8>, separator: String = "", mark: String = ""
  ) -> String {
    bytes.map { mark + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
  }

  /// A history as lines, a little-endian record each.
  package static func recordLines(_ records: some Sequence<PumpRecord>) -> String {
    records.map { hex(RecordEncoder.littleEndianBytes($0)) + "\n" }.joined()
  }

  /// A history as an app's log: packets of twenty bytes, with what such logs print around them.
  package static func log(_ records: some Sequence<PumpRecord>) -> String {
    var lines = ["--------- beginning of main"]
    for (index, message) in messages(records).enumerated() {
      let stamp = "05-04 08:\(10 + index / 60 % 50):\(10 + index % 50).123"
      if index % 20 == 0 {
        lines.append("\(stamp)  1234  1250 I Link: interval 15, latency 0")
        let other = RadioEncoder.message(opcode: 0x3D, transaction: 9, cargo: [0, 1])
        lines.append("\(stamp)  1234  1250 D Link: fff6 \(hex([0, 9] + other, separator: " "))")
      }
      for packet in packets(message, bytesEach: 18) {
        lines.append("\(stamp)  1234  1250 D Link: fff8 \(hex(packet, separator: " "))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
