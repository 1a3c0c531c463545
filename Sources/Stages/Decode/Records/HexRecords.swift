import PumpModel

/// Lines of hexadecimal digits, as tools write down what a pump sends over Bluetooth.
enum HexRecords {
  /// Digits of one record.
  private static let lineLength = 2 * RecordReader.size

  /// Whether a text begins with a little-endian record in hexadecimal; foreign if not.
  static func opinion(of text: RawSpan, isLast: Bool) -> RecordFlow.Judgement {
    var record: [UInt8] = []
    for position in 0..<min(lineLength, text.byteCount) {
      guard let digit = JSONBytes.hexValue(text.byte(at: position)) else { return .foreign }
      if position & 1 == 0 {
        record.append(digit << 4)
      } else {
        record[position >> 1] |= digit
      }
    }
    guard text.byteCount > lineLength || isLast else { return .undecided }
    guard record.count == RecordReader.size, text.byteCount >= lineLength,
      text.byteCount == lineLength || JSONBytes.isSpace(text.byte(at: lineLength))
    else { return .foreign }
    return unsafe RecordFlow.opinion(of: record.span.bytes) == .littleEndian
      ? .littleEndian : .foreign
  }
}

extension RecordFlow {
  /// How little-endian records are refused.
  static var littleEndianVerdict: DocumentVerdict {
    .damaged(
      .littleEndianRecords,
      Reject(.whole, "little-endian records, as pumps send them over Bluetooth, cannot be read"))
  }
}
