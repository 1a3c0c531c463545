extension SampleIdentity {
  /// Appends the external id (N9), `tandem:<pump>:<number>-<seconds>:<kind>`, as UTF-8; of a named
  /// record, `<name>:<kind>`.
  package func append(
    to bytes: inout [UInt8], pump: Span<UInt8>, names: (any IdentityNames)? = nil
  ) {
    if scheme == .named {
      bytes.append(contentsOf: name(in: names).utf8)
    } else {
      bytes.append(contentsOf: "tandem:".utf8)
      for index in pump.indices { bytes.append(pump[index]) }
      bytes.append(UInt8(ascii: ":"))
      bytes.append(contentsOf: scheme.prefix.utf8)
      bytes.append(decimal: UInt64(first))
      bytes.append(UInt8(ascii: "-"))
      bytes.append(decimal: UInt64(second))
    }
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: kind.idSuffix.utf8)
    if ordinal > 1 {
      bytes.append(UInt8(ascii: "~"))
      bytes.append(decimal: UInt64(ordinal))
    }
  }

  /// What the id of a named record's sample begins with; its digest where nobody knows the name.
  private func name(in names: (any IdentityNames)?) -> String {
    names?.name(of: nameDigest) ?? "named:" + String(nameDigest, radix: 16)
  }

  /// The external id (N9), for places that are not hot.
  package func text(pump: String, names: (any IdentityNames)? = nil) -> String {
    var bytes: [UInt8] = []
    append(to: &bytes, pump: pump.utf8Span.span, names: names)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension SampleIdentity.Scheme {
  /// What stands before the two numbers.
  package var prefix: String {
    switch self {
    case .event, .named: ""
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
