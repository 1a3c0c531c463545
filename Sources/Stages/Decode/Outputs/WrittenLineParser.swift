package import PumpModel

/// Reads a line of sample NDJSON as it stands, for audits.
///
/// `SampleLineParser` takes only what a pump can give, since its lines go on to other outputs. Here
/// a line that was tampered with is to be shown, not refused: ids, amounts and metadata may be
/// anything that has the form of a sample.
package enum WrittenLineParser {
  private enum Key: UInt64, LineKey {
    case externalId, type, value, unit, startAt, endAt, metadata, source, deleted

    static let names = LineNames<Key>()
  }

  private enum Source: UInt64, LineKey {
    case deviceId

    static let names = LineNames<Source>()
  }

  private static let longestText = 4096

  /// Reads a line, which must be UTF-8.
  package static func parse(_ bytes: RawSpan, line: UInt64) throws(LineFault) -> WrittenSample {
    let values = try LineValues<Key>(line: bytes)
    if try values.optional(.deleted, { LineJSON.bool(bytes, $0) }) == true {
      throw .unusable("deleted")
    }
    let type = try values.required(.type) { text(bytes, $0).flatMap(SampleType.init(rawValue:)) }
    _ = try values.required(.unit) { text(bytes, $0) == type.unit ? type : nil }
    let amount = try values.required(.value) {
      WrittenAmount(bytes, LineJSON.characters(bytes, $0) ?? $0)
    }
    let start = try values.required(.startAt) { LineNumbers.instant(bytes, $0) }
    let end = try values.required(.endAt) { LineNumbers.instant(bytes, $0) }
    guard start <= end else { throw .contradiction("startAt", "endAt") }
    let id = try values.optional(.externalId) { text(bytes, $0) }
    return WrittenSample(
      externalID: id.flatMap { WrittenSample.isExternalID($0) ? $0 : nil }, type: type,
      device: try device(bytes, values), start: start, end: end, amount: amount,
      metadata: try metadata(bytes, values), place: line)
  }

  private static func device(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> String? {
    guard let source = values[.source] else { return nil }
    var device: String?
    let end = try LineJSON.members(bytes, at: source.lowerBound) { name, value throws(LineFault) in
      if Source.names.find(bytes, name) == .deviceId { device = text(bytes, value) }
    }
    guard end >= 0 else { throw .unusable("source") }
    return device
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
