package import PumpModel

/// Writes bytes as base64 (RFC 4648), piece by piece.
package struct Base64Encoder {
  private var carried: UInt32 = 0
  private var count = 0

  /// Starts an encoding.
  package init() {}

  /// Takes bytes in and appends the text that they complete.
  package mutating func append(_ input: some Sequence<UInt8>, to text: inout [UInt8]) {
    for byte in input {
      carried = carried << 8 | UInt32(byte)
      count += 1
      if count == 3 { flush(to: &text) }
    }
  }

  /// Appends what is left, with its padding.
  package mutating func finish(to text: inout [UInt8]) {
    guard count > 0 else { return }
    let padding = 3 - count
    carried <<= UInt32(8 * padding)
    flush(to: &text)
    for index in 0..<padding { text[text.count - 1 - index] = UInt8(ascii: "=") }
  }

  private mutating func flush(to text: inout [UInt8]) {
    for shift: UInt32 in [18, 12, 6, 0] {
      text.append(Self.digit(UInt8(carried >> shift & 63)))
    }
    (carried, count) = (0, 0)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: value + UInt8(ascii: "A")
    case 26..<52: value - 26 + UInt8(ascii: "a")
    case 52..<62: value - 52 + UInt8(ascii: "0")
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}

extension Base64Encoder {
  /// The base64 text of some bytes.
  package static func text(_ bytes: [UInt8]) -> [UInt8] {
    var encoder = Base64Encoder()
    var text: [UInt8] = []
    encoder.append(bytes, to: &text)
    encoder.finish(to: &text)
    return text
  }

  /// The retired service's answer: a JSON string of base64 records (FORMATS B).
  package static func pumpEvents(_ records: some Sequence<PumpRecord>) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    return [quote] + text(RecordEncoder.document(records)) + [quote]
  }
}
