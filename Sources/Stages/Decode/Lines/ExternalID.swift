import PumpModel

/// Takes an external id of a pump's sample (N9) apart.
struct ExternalID {
  /// The pump's name as UTF-8.
  let pump: ArraySlice<UInt8>
  /// The rest; group and event id are not in it, and 0.
  let identity: SampleIdentity

  private static let prefix = Array("tandem:".utf8)
  private static let schemes: [(prefix: [UInt8], scheme: SampleIdentity.Scheme)] =
    [.csv, .legacy].map { (Array($0.prefix.utf8), $0) }
  private static let kinds = SampleKind.allCases.map { (Array($0.idSuffix.utf8), $0) }

  /// Reads `tandem:<pump>:[csv-|legacy-]<number>-<seconds>:<kind>[~<ordinal>]`, nil if it is anything else.
  ///
  /// A pump's name may hold colons itself.
  init?(_ text: [UInt8]) {
    guard text.starts(with: Self.prefix), let last = text.lastIndex(of: 0x3A),
      let before = text[..<last].lastIndex(of: 0x3A), before > Self.prefix.count
    else { return nil }
    var kind = text[(last + 1)...]
    var ordinal: UInt16 = 1
    if let tilde = kind.firstIndex(of: 0x7E) {
      guard let number = Self.number(kind[(tilde + 1)...]), number > 1,
        let short = UInt16(exactly: number)
      else { return nil }
      ordinal = short
      kind = kind[..<tilde]
    }
    guard let known = Self.kinds.first(where: { kind.elementsEqual($0.0) })?.1 else { return nil }
    var numbers = text[(before + 1)..<last]
    let scheme = Self.takeScheme(of: &numbers)
    guard let (first, second) = Self.pair(numbers) else { return nil }
    var identity = SampleIdentity(
      kind: known, group: 0, number: first, time: PumpTime(seconds: second), eventID: 0)
    identity.scheme = scheme
    identity.ordinal = ordinal
    self.identity = identity
    pump = text[Self.prefix.count..<before]
  }

  /// Reads `[csv-|legacy-]<number>-<seconds>`; nil if it is anything else.
  static func reference(_ text: [UInt8]) -> EventReference? {
    var numbers = text[...]
    _ = takeScheme(of: &numbers)
    return pair(numbers).map { EventReference(number: $0.0, seconds: $0.1) }
  }

  private static func takeScheme(of numbers: inout ArraySlice<UInt8>) -> SampleIdentity.Scheme {
    guard let known = schemes.first(where: { numbers.starts(with: $0.prefix) }) else {
      return .event
    }
    numbers = numbers.dropFirst(known.prefix.count)
    return known.scheme
  }

  private static func pair(_ text: ArraySlice<UInt8>) -> (UInt32, UInt32)? {
    guard let hyphen = text.firstIndex(of: 0x2D), let first = number(text[..<hyphen]),
      let second = number(text[(hyphen + 1)...])
    else { return nil }
    return (first, second)
  }

  /// A number as it is written in ids: without leading zeros.
  private static func number(_ text: ArraySlice<UInt8>) -> UInt32? {
    guard let first = text.first, text.count <= 10, first != 0x30 || text.count == 1 else {
      return nil
    }
    var number: UInt64 = 0
    for byte in text {
      guard byte &- 0x30 < 10 else { return nil }
      number = number * 10 + UInt64(byte - 0x30)
    }
    return UInt32(exactly: number)
  }
}
