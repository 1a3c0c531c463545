import Platform
package import PumpModel

/// Rows of a ledger as an output of them would tell them, for audits.
package final class WrittenRows {
  private let context: OutputContext
  private let tellsZones: Bool
  private var cursor: ZoneCursor
  private var text = ByteBuffer()

  /// Prepares rows; `tellsZones` says whether the zones of the context are known to be those of the
  /// samples.
  package init(_ context: OutputContext, tellsZones: Bool) {
    self.context = context
    self.tellsZones = tellsZones
    cursor = ZoneCursor(context.schedule)
  }

  /// A row as outputs tell it, with the events that it rests on.
  package func sample(of row: OutputRow, in batch: OutputBatch) -> WrittenSample {
    let sample = row.sample
    let kind = sample.identity.kind
    let device = context.pumps[row.pump].name
    text.removeAll()
    MetadataText.append(sample, context.statusWords, as: MetadataLines.self, to: &text)
    let lines = text.withText(0..<text.count) { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
    cursor.seek(sample.start)
    var written = WrittenSample(
      externalID: sample.identity.text(pump: device, names: context.names), type: kind.type,
      device: device, start: sample.start, end: sample.end,
      amount: WrittenAmount(sample.amount, decimals: kind.decimals),
      zone: tellsZones ? context.schedule.entries[cursor.entry].rules.name : nil,
      metadata: WrittenMetadata(lines: lines))
    // Of a row, its id tells which one it is.
    if sample.identity.scheme == .event { written.lineage = Array(batch.lineage[row.lineage]) }
    written.definingEvent = sample.identity.scheme == .event ? sample.identity.eventID : nil
    return written
  }
}

/// Metadata as the lines of `WrittenMetadata`.
private enum MetadataLines: MetadataForm {
  static func appendOpening(_ key: MetadataKey, to buffer: inout ByteBuffer) {
    buffer.append(utf8: "\(key)")
    buffer.append(UInt8(ascii: "="))
  }

  static func appendValue(_ text: String, to buffer: inout ByteBuffer) {
    buffer.append(utf8: WrittenMetadata.onOneLine(text))
  }

  static func appendClosing(to buffer: inout ByteBuffer) { buffer.append(UInt8(ascii: "\n")) }
}
