extension SampleIdentity {
  /// Appends the external id (N9), `tandem:<pump>:<number>-<seconds>:<kind>`, as UTF-8.
  package func append(to bytes: inout [UInt8], pump: Span<UInt8>) {
    bytes.append(contentsOf: "tandem:".utf8)
    for index in pump.indices { bytes.append(pump[index]) }
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: scheme.prefix.utf8)
    bytes.append(decimal: UInt64(first))
    bytes.append(UInt8(ascii: "-"))
    bytes.append(decimal: UInt64(second))
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: kind.idSuffix.utf8)
    if ordinal > 1 {
      bytes.append(UInt8(ascii: "~"))
      bytes.append(decimal: UInt64(ordinal))
    }
  }

  /// The external id (N9), for places that are not hot.
  package func text(pump: String) -> String {
    var bytes: [UInt8] = []
    append(to: &bytes, pump: pump.utf8Span.span)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension SampleIdentity.Scheme {
  /// What stands before the two numbers.
  package var prefix: String {
    switch self {
    case .event: ""
    case .csv: "csv-"
    case .legacy: "legacy-"
    }
  }
}

extension [UInt8] {
  /// Appends a number in decimal digits.
  package mutating func append(decimal value: UInt64) {
    if value < 10 {
      append(UInt8(ascii: "0") + UInt8(value))
      return
    }
    var divisor: UInt64 = 1
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }
}
