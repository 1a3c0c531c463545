package import PumpModel

/// Takes an external id of a pump's sample (N9) apart.
package struct ExternalID {
  /// The pump's name as UTF-8.
  package let pump: ArraySlice<UInt8>
  /// The rest; group and event id are not in it, and 0.
  package let identity: SampleIdentity
  /// What the id begins with, of a named record, whose id names no pump.
  private(set) var name: String?
  /// The source of a named record.
  private var source: ExportSource?

  private static let prefix = Array("tandem:".utf8)
  private static let schemes: [(prefix: [UInt8], scheme: SampleIdentity.Scheme)] =
    [.csv, .legacy].map { (Array($0.prefix.utf8), $0) }
  private static let kinds = SampleKind.allCases.map { (Array($0.idSuffix.utf8), $0) }

  private static let named = ExportSource.allCases.filter { !$0.flag.isEmpty }.map {
    (source: $0, prefix: Array($0.idBase(of: "").utf8))
  }

  /// Reads `tandem:<pump>:[csv-|legacy-]<number>-<seconds>:<kind>[~<ordinal>]`, or `<name>:<kind>` of
  /// a named record; nil if it is anything else.
  ///
  /// A pump's name may hold colons itself.
  package init?(_ text: [UInt8]) {
    guard let last = text.lastIndex(of: 0x3A), let (kind, ordinal) = Self.kind(text[(last + 1)...])
    else { return nil }
    var identity: SampleIdentity
    if let (source, prefix) = Self.named.first(where: { text.starts(with: $0.prefix) }) {
      guard last >= prefix.count, Self.isName(text[prefix.count..<last], of: source) else {
        return nil
      }
      identity = SampleIdentity(kind: kind, named: 0)
      name = String(decoding: text[..<last], as: UTF8.self)
      self.source = source
      pump = []
    } else {
      guard text.starts(with: Self.prefix), let before = text[..<last].lastIndex(of: 0x3A),
        before > Self.prefix.count
      else { return nil }
      var numbers = text[(before + 1)..<last]
      let scheme = Self.takeScheme(of: &numbers)
      guard let (first, second) = Self.pair(numbers) else { return nil }
      identity = SampleIdentity(
        kind: kind, group: 0, number: first, time: PumpTime(seconds: second), eventID: 0)
      identity.scheme = scheme
      pump = text[Self.prefix.count..<before]
    }
    identity.ordinal = ordinal
    self.identity = identity
  }

  /// Whether a text is what a source calls a record: the record's own id, or `<pump>:<seconds>-<n>`.
  private static func isName(_ text: ArraySlice<UInt8>, of source: ExportSource) -> Bool {
    guard !source.namesRecords else { return ExportSource.isName(text) }
    guard let before = text.lastIndex(of: 0x3A), before > text.startIndex else { return false }
    return pair(text[(before + 1)...]) != nil
  }

  /// Reads `<kind>[~<ordinal>]`; nil if it is anything else.
  private static func kind(
    _ text: ArraySlice<UInt8>
  ) -> (kind: SampleKind, ordinal: UInt16)? {
    var word = text
    var ordinal: UInt16 = 1
    if let tilde = text.firstIndex(of: 0x7E) {
      guard let number = number(text[(tilde + 1)...]), number > 1,
        let short = UInt16(exactly: number)
      else { return nil }
      ordinal = short
      word = text[..<tilde]
    }
    return kinds.first { word.elementsEqual($0.0) }.map { ($0.1, ordinal) }
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

extension ExternalID {
  /// The event that the id names; nil: it names a row.
  package var event: EventReference? {
    guard identity.scheme == .event else { return nil }
    return EventReference(number: identity.first, seconds: identity.second)
  }

  /// The row of an export that the id names; nil: it names an event.
  package var row: RowReference? {
    let kind = RowKind(of: identity.kind)
    func placed(_ source: ExportSource, _ seconds: UInt32, _ ordinal: UInt32) -> RowReference {
      RowReference(source: source, kind: kind, name: .time(seconds: seconds, ordinal: ordinal))
    }
    switch identity.scheme {
    case .event: return nil
    case .csv: return placed(.csv, identity.first, identity.second)
    case .legacy: return placed(.legacy, identity.first, identity.second)
    case .named: break
    }
    guard let source, let name else { return nil }
    let own = name.dropFirst(source.idBase(of: "").count)
    guard !source.namesRecords else {
      return RowReference(source: source, kind: kind, name: .own(String(own)))
    }
    // What such sources call a record holds its pump, its time and its count.
    guard let colon = own.lastIndex(of: ":"),
      let (seconds, ordinal) = Self.pair(Array(own[own.index(after: colon)...].utf8)[...])
    else { return nil }
    return placed(source, seconds, ordinal)
  }
}
