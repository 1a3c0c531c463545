package import PumpModel

/// Reads a line of sample NDJSON as it stands, for audits.
///
/// `SampleLineParser` takes only what a pump can give, since its lines go on to other outputs. Here
/// a line that was tampered with is to be shown, not refused: ids, amounts and metadata may be
/// anything that has the form of a sample.
package enum WrittenLineParser {
  private enum Key: UInt64, LineKey {
    case externalId, type, value, unit, startAt, endAt, metadata, source, deleted, revision

    static let names = LineNames<Key>()
  }

  private enum Source: UInt64, LineKey {
    case deviceId, eventIds

    static let names = LineNames<Source>()
  }

  private static let longestText = 4096

  /// What is said of a line that withdraws a sample, which only an output of changes has.
  package static let deleted = LineFault.unusable("deleted")

  /// Reads a line, which must be UTF-8.
  package static func parse(_ bytes: RawSpan, line: UInt64) throws(LineFault) -> WrittenSample {
    let values = try LineValues<Key>(line: bytes)
    if try values.optional(.deleted, { LineJSON.bool(bytes, $0) }) == true {
      throw deleted
    }
    let type = try values.required(.type) { text(bytes, $0).flatMap(SampleType.init(rawValue:)) }
    _ = try values.required(.unit) { text(bytes, $0) == type.unit ? type : nil }
    let amount = try values.required(.value) {
      WrittenAmount(bytes, LineJSON.characters(bytes, $0) ?? $0)
    }
    let start = try values.required(.startAt) { LineNumbers.instant(bytes, $0) }
    let end = try values.required(.endAt) { LineNumbers.instant(bytes, $0) }
    guard start <= end else { throw .contradiction("startAt", "endAt") }
    try checkNames(bytes)
    let id = try values.optional(.externalId) { text(bytes, $0) }
    _ = try values.optional(.revision) { range in
      DecimalReading.digits(bytes, range).flatMap { $0 > 0 ? $0 : nil }
    }
    let source = try source(bytes, values)
    var sample = WrittenSample(
      externalID: id.flatMap { WrittenSample.isExternalID($0) ? $0 : nil }, type: type,
      device: source.device, start: start, end: end, amount: amount,
      metadata: try metadata(bytes, values), place: line)
    sample.lineage = source.lineage
    return sample
  }

  /// Refuses names with escapes: other readers may take them for names of ours, which then stand twice.
  private static func checkNames(_ bytes: RawSpan) throws(LineFault) {
    let start = JSONBytes.skipSpace(bytes, 0)
    _ = try LineJSON.members(bytes, at: start) { name, _ throws(LineFault) in
      guard !name.contains(where: { bytes.byte(at: $0) == 0x5C }) else {
        throw .unusable("a name with escapes")
      }
    }
  }

  private static func source(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> (device: String?, lineage: [EventReference]) {
    guard let range = values[.source] else { return (nil, []) }
    guard let source = try LineValues<Source>(object: range, of: bytes) else {
      throw .unusable("source")
    }
    let device = try source.optional(.deviceId) { text(bytes, $0) }
    return (device, try lineage(bytes, source))
  }

  /// The events that a line tells; rows of exports are told by the id.
  private static func lineage(
    _ bytes: RawSpan, _ source: LineValues<Source>
  ) throws(LineFault) -> [EventReference] {
    guard let range = source[.eventIds] else { return [] }
    var events: [EventReference] = []
    let isList = try LineJSON.elements(bytes, range) { element throws(LineFault) in
      guard let word = LineJSON.text(bytes, element, limit: longestText) else {
        throw .unusable("eventIds")
      }
      // Rows have a word before their numbers.
      guard let first = word.first, (0x30...0x39).contains(first) else { return }
      guard let event = ExternalID.reference(word) else { throw .unusable("eventIds") }
      events.append(event)
    }
    guard isList else { throw .unusable("eventIds") }
    return events
  }

  private static func metadata(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> WrittenMetadata {
    guard let range = values[.metadata] else { return WrittenMetadata() }
    var entries: [(name: String, text: String)] = []
    let end = try LineJSON.members(bytes, at: range.lowerBound) { name, value throws(LineFault) in
      // The quotes around the name belong to it again.
      let quoted = name.lowerBound - 1..<name.upperBound + 1
      guard let key = text(bytes, quoted), let word = text(bytes, value) else {
        throw .unusable("metadata")
      }
      entries.append((key, word))
    }
    guard end >= 0 else { throw .unusable("metadata") }
    return WrittenMetadata(entries)
  }

  private static func text(_ bytes: RawSpan, _ range: Range<Int>) -> String? {
    LineJSON.text(bytes, range, limit: longestText).map { String(decoding: $0, as: UTF8.self) }
  }
}
