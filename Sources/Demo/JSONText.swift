import PumpModel

/// Values as the web service writes them.
package enum JSONText {
  /// Appends a whole number.
  package static func append(_ value: Int64, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(decimal: value.magnitude)
  }

  /// Appends the shortest decimal that gives the float again; whole numbers have no point.
  package static func append(_ value: Float, to bytes: inout [UInt8]) {
    let thousandths = (value * 1000).rounded()
    // Up to six digits the decimal with three places is the shortest, and quick to write.
    if abs(thousandths) < 1_000_000, thousandths / 1000 == value {
      if value < 0 { bytes.append(UInt8(ascii: "-")) }
      let number = UInt64(abs(thousandths))
      bytes.append(decimal: number / 1000)
      append(fraction: number % 1000, to: &bytes)
      return
    }
    let text = value.description
    bytes.append(contentsOf: (text.hasSuffix(".0") ? String(text.dropLast(2)) : text).utf8)
  }

  /// Appends a list of the bits that are set.
  package static func append(bits: UInt32, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    var left = bits
    while left != 0 {
      bytes.append(decimal: UInt64(left.trailingZeroBitCount))
      left &= left - 1
      if left != 0 { bytes.append(UInt8(ascii: ",")) }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends a pump time, `2026-04-30T11:57:38`.
  package static func append(time seconds: UInt32, to bytes: inout [UInt8]) {
    let civil = CivilTime(secondsSince1970: PumpTime(seconds: seconds).wallSeconds)
    bytes.append(decimal: UInt64(civil.year))
    for (separator, field) in [
      ("-", civil.month), ("-", civil.day), ("T", civil.hour), (":", civil.minute),
      (":", civil.second),
    ] as [(Unicode.Scalar, Int)] {
      bytes.append(UInt8(ascii: separator))
      bytes.append(UInt8(ascii: "0") + UInt8(field / 10))
      bytes.append(UInt8(ascii: "0") + UInt8(field % 10))
    }
  }

  /// Appends a text in quotes.
  package static func append(quoted text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [92, byte])
      case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
      case ..<32:
        bytes.append(contentsOf: byte < 16 ? #"\u000"#.utf8 : #"\u001"#.utf8)
        bytes.append(contentsOf: String(byte % 16, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(fraction thousandths: UInt64, to bytes: inout [UInt8]) {
    guard thousandths > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var rest = thousandths
    var unit: UInt64 = 100
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / unit))
      rest %= unit
      unit /= 10
    }
  }
}
