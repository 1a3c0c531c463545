import PumpModel

/// Reads lines of sample NDJSON, as `--to samples` writes them.
///
/// Keys may stand in any order, and those that are not known are passed over, but for metadata,
/// where an unknown key would be lost. Amounts are read digit by digit and must be what a pump can
/// give. Pure; whoever wants to look at samples that were written can use it.
package enum SampleLineParser {
  private enum Key: UInt64, LineKey {
    case externalId, type, value, unit, startAt, endAt, revision, metadata, source, deleted

    static let names = LineNames<Key>()
  }

  private enum Source: UInt64, LineKey {
    case deviceId, eventIds

    static let names = LineNames<Source>()
  }

  private static let longestID = 1024

  /// Reads a line, which must be UTF-8.
  package static func parse(_ bytes: RawSpan) throws(LineFault) -> SampleLine {
    let values = try LineValues<Key>(line: bytes)
    let text = try values.required(.externalId) { LineJSON.text(bytes, $0, limit: longestID) }
    guard let id = ExternalID(text) else { throw .unusable("externalId") }
    let revision = try values.required(.revision) {
      LineJSON.whole(bytes, $0, upTo: UInt64(UInt32.max)).flatMap { $0 > 0 ? $0 : nil }
    }
    var line = SampleLine(
      pump: Array(id.pump), identity: id.identity, revision: UInt32(truncatingIfNeeded: revision),
      sample: nil, lineage: [])
    line.name = id.name
    if line.name != nil { line.pump = try device(bytes, values) }
    if try values.optional(.deleted, { LineJSON.bool(bytes, $0) }) == true { return line }
    try readSample(bytes, values, into: &line)
    if let source = values[.source] { try read(source, bytes, into: &line) }
    return line
  }

  /// The pump that a line names beside an id that names none.
  private static func device(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> [UInt8] {
    var pump: [UInt8]?
    guard let source = values[.source] else { throw .unusable("source") }
    let end = try LineJSON.members(bytes, at: source.lowerBound) { name, value throws(LineFault) in
      guard Source.names.find(bytes, name) == .deviceId else { return }
      pump = LineJSON.text(bytes, value, limit: longestID)
    }
    guard end >= 0, let pump, !pump.isEmpty else { throw .unusable("deviceId") }
    return pump
  }

  private static func readSample(
    _ bytes: RawSpan, _ values: LineValues<Key>, into line: inout SampleLine
  ) throws(LineFault) {
    let kind = line.identity.kind
    try check(.type, kind.type.rawValue, bytes, values)
    try check(.unit, kind.type.unit, bytes, values)
    let amount = try values.required(.value) {
      LineNumbers.amount(bytes, $0, decimals: kind.decimals)
    }
    let start = try values.required(.startAt) { LineNumbers.instant(bytes, $0) }
    let end = try values.required(.endAt) { LineNumbers.instant(bytes, $0) }
    guard start <= end else { throw .contradiction("startAt", "endAt") }
    guard SampleLimits.allow(amount, of: kind, seconds: end - start) else {
      throw .unusable("value")
    }
    var sample = Sample(identity: line.identity, start: start, end: end, amount: amount)
    if let metadata = values[.metadata] {
      (sample.metadata, line.statusWord) = try SampleLineMetadata.read(bytes, metadata, of: kind)
    }
    line.sample = sample
  }

  /// Refuses a text that is not what the external id says.
  private static func check(
    _ key: Key, _ wanted: String, _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) {
    let text = try values.required(key) { LineJSON.text(bytes, $0, limit: longestID) }
    guard text.elementsEqual(wanted.utf8) else { throw .contradiction("\(key)", "externalId") }
  }

  private static func read(
    _ source: Range<Int>, _ bytes: RawSpan, into line: inout SampleLine
  ) throws(LineFault) {
    var lineage: [EventReference] = []
    let pump = line.pump
    let end = try LineJSON.members(bytes, at: source.lowerBound) {
      name, value throws(LineFault) in
      switch Source.names.find(bytes, name) {
      case .deviceId:
        guard LineJSON.text(bytes, value, limit: longestID) == pump else {
          throw .contradiction("deviceId", "externalId")
        }
      case .eventIds:
        let isList = try LineJSON.elements(bytes, value) { element throws(LineFault) in
          guard
            let reference = LineJSON.text(bytes, element, limit: 32)
              .flatMap(ExternalID.reference)
          else { throw .unusable("eventIds") }
          lineage.append(reference)
        }
        guard isList else { throw .unusable("eventIds") }
      case nil: break
      }
    }
    guard end >= 0 else { throw .unusable("source") }
    line.lineage = lineage
  }
}

/// What a pump can give at most, concentration applied (N4 to N7): beyond it a line is damaged, or
/// no line of ours.
enum SampleLimits {
  /// The greatest factor of concentrated insulin.
  private static let concentration: Int64 = 5
  /// mIU: 80 IU, the limit of an amount.
  static let bolus = 80_000 * concentration
  /// mIU/h: 15 U/h, the limit of a rate.
  static let rate = 15_000 * concentration

  /// Far more than the hours that basal goes on without news (N4); outputs go through its days.
  static let longestBasal: Int64 = 366 * 86_400

  /// Whether a sample of a kind may have an amount, in its working unit.
  static func allow(_ amount: Int64, of kind: SampleKind, seconds: Int64) -> Bool {
    guard amount > 0 else { return false }
    switch kind {
    case .basal:
      // µIU: rate × seconds / 3.6, rounded. The first bound keeps the products small.
      return amount < 1 << 50 && seconds <= longestBasal
        && (amount - 1) * 36 <= rate * seconds * 10
    case .bolus, .extended: return amount <= bolus
    case .carbs: return amount < 65_535_000
    case .cgm, .meter: return amount < 65_535
    }
  }
}
