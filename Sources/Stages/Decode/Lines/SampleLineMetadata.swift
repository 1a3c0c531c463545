import PumpModel

/// Reads the metadata of a sample line: an object of texts (N4, N5).
enum SampleLineMetadata {
  private enum Key: UInt64, LineKey {
    case automatic, dataSource, deliveredBy, derived, inferred, override, part, rate, rateSource,
      requested
    case status

    static let names = LineNames<Key>()
  }

  /// Longer texts are no words of metadata.
  private static let longestWord = 100

  /// Reads the object in a range, which is known to be well formed.
  static func read(
    _ bytes: RawSpan, _ range: Range<Int>, of kind: SampleKind
  ) throws(LineFault) -> (metadata: SampleMetadata, statusWord: String?) {
    var metadata = SampleMetadata()
    var statusWord: String?
    var seen: UInt64 = 0
    let end = try LineJSON.members(bytes, at: range.lowerBound) {
      name, value throws(LineFault) in
      guard let key = Key.names.find(bytes, name) else { throw .unknown("a key of metadata") }
      guard seen & 1 << key.rawValue == 0 else { throw .doubled("\(key)") }
      seen |= 1 << key.rawValue
      guard take(key, bytes, value, of: kind, into: &metadata, &statusWord)
      else { throw .unusable("\(key)") }
    }
    guard end >= 0 else { throw .unusable("metadata") }
    return (metadata, statusWord)
  }

  /// Takes a value; false if it is none that the key may have.
  private static func take(
    _ key: Key, _ bytes: RawSpan, _ value: Range<Int>, of kind: SampleKind,
    into metadata: inout SampleMetadata, _ statusWord: inout String?
  ) -> Bool {
    guard let characters = LineJSON.text(bytes, value, limit: longestWord) else { return false }
    let word = String(decoding: characters, as: UTF8.self)
    switch key {
    case .automatic: return set(.automatic, word == "true", &metadata)
    case .derived: return kind == .basal && set(.derived, word == "true", &metadata)
    case .inferred: return set(.inferred, word == "true", &metadata)
    case .override: return set(.override, word == "true", &metadata)
    case .dataSource:
      if word == "syntheticDemo" { return set(.demo, true, &metadata) }
      let source = ExportSource.allCases.first { $0.word == word && !$0.flag.isEmpty }
      return set(source?.flag ?? [], source != nil, &metadata)
    case .part:
      return kind == .bolus && word == "normal" || kind == .extended && word == "extended"
    case .deliveredBy:
      metadata.deliveredBy = DeliverySource.allCases.first { $0.text == word }
      return metadata.deliveredBy != nil
    case .rateSource:
      metadata.rateSource = RateSource.allCases.first { $0.text == word }
      return metadata.rateSource != nil
    case .status:
      metadata.status = BolusStatus.code(word)
      if metadata.status != nil { return true }
      // A row's own word; a number that is no code of a pump is none.
      statusWord = word
      return word.unicodeScalars.contains(where: \.properties.isAlphabetic)
    case .rate:
      metadata.rate = milli(bytes, value, upTo: SampleLimits.rate)
      return metadata.rate != nil
    case .requested:
      metadata.requested = milli(bytes, value, upTo: SampleLimits.bolus)
      return metadata.requested != nil
    }
  }

  private static func set(
    _ flag: SampleMetadata.Flags, _ isSet: Bool, _ metadata: inout SampleMetadata
  ) -> Bool {
    if isSet { metadata.flags.insert(flag) }
    return isSet
  }

  private static func milli(_ bytes: RawSpan, _ value: Range<Int>, upTo limit: Int64) -> UInt32? {
    LineNumbers.amount(bytes, value, decimals: 3)
      .flatMap { $0 <= limit ? UInt32(exactly: $0) : nil }
  }
}
