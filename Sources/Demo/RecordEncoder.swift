package import PumpModel

/// Writes records as the 26 bytes that pumps and the retired cloud service have.
package enum RecordEncoder {
  /// The length of a record.
  package static let length = 26

  /// Appends the big-endian form (FORMATS B); the nibble is the header's source.
  package static func append(
    _ record: PumpRecord, source: UInt16 = 0, to bytes: inout [UInt8]
  ) {
    append(source << 12 | record.eventID, to: &bytes)
    append(record.seconds, to: &bytes)
    append(record.number, to: &bytes)
    append(record.payload.word0, to: &bytes)
    append(record.payload.word1, to: &bytes)
    append(record.payload.word2, to: &bytes)
    append(record.payload.word3, to: &bytes)
  }

  /// Appends the little-endian form of the radio (FORMATS D1): every field and every word of the
  /// payload is turned round.
  package static func appendLittleEndian(_ record: PumpRecord, to bytes: inout [UInt8]) {
    var turned: [UInt8] = []
    append(record, to: &turned)
    let fields = [0..<2, 2..<6, 6..<10, 10..<14, 14..<18, 18..<22, 22..<26]
    for field in fields { bytes.append(contentsOf: turned[field].reversed()) }
  }

  /// The big-endian form of one record.
  package static func bytes(_ record: PumpRecord, source: UInt16 = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    append(record, source: source, to: &bytes)
    return bytes
  }

  /// The little-endian form of one record.
  package static func littleEndianBytes(_ record: PumpRecord) -> [UInt8] {
    var bytes: [UInt8] = []
    appendLittleEndian(record, to: &bytes)
    return bytes
  }

  /// Any bytes as the retired service's answer: base64 in quotes.
  package static func base64(_ bytes: [UInt8]) -> String {
    "\"" + String(decoding: Base64Encoder.text(bytes), as: UTF8.self) + "\""
  }

  /// A whole document of big-endian records.
  package static func document(_ records: some Sequence<PumpRecord>) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in records { append(record, to: &bytes) }
    return bytes
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    var shift = value.bitWidth
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
