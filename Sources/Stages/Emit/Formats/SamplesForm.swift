package import Platform
package import PumpModel

/// Samples as NDJSON, one object a line; keys, their order and the order of lines are fixed.
///
/// Values and metadata are texts, so that no reader rounds an amount; times are UTC. Rows of no
/// insulin are left out: `--zero-basal` shows them in CSV and SQLite only (N4).
package struct SamplesForm: TextForm {
  /// Lines by device, start, type, external id.
  package var order: OutputOrder { .device }

  private let openings: TextTable
  private let devices: TextTable
  private let words: StatusWords
  private let names: (any IdentityNames)?
  private var time = TimeText()

  /// Prepares what is the same in every line of a pump.
  package init(_ context: OutputContext) {
    words = context.statusWords
    names = context.names
    openings = TextTable(
      context.pumps.map { pump in
        Array(#"{"externalId":""#.utf8)
          + JSONText.escaped(IdentityText.prefix(pump: pump.name))
      })
    devices = TextTable(
      context.pumps.map { pump in
        Array(#","source":{"deviceId":"#.utf8) + JSONText.quoted(pump.name)
          + Array(#","eventIds":["#.utf8)
      })
  }

  /// Does nothing: NDJSON has no head.
  package func appendHead(to buffer: inout ByteBuffer) {}

  /// Appends a line.
  package mutating func append(
    _ row: OutputRow, lineage: [EventReference], to buffer: inout ByteBuffer
  ) {
    let sample = row.sample
    let kind = sample.identity.kind
    if sample.amount == 0, kind.isBasal { return }
    if sample.identity.scheme == .named {
      buffer.append(#"{"externalId":""#)
      buffer.append(JSONText.escaped(sample.identity.text(pump: "", names: names)))
    } else {
      buffer.append(openings, row.pump)
      IdentityText.appendSuffix(sample.identity, to: &buffer)
    }
    if row.change == .withdrawn { return appendDeletion(of: row, to: &buffer) }
    Self.appendType(kind, to: &buffer)
    DecimalText.append(sample.amount, decimals: kind.decimals, to: &buffer)
    Self.appendUnit(kind, to: &buffer)
    time.appendUTC(sample.start, to: &buffer)
    buffer.append(#"","endAt":""#)
    time.appendUTC(sample.end, to: &buffer)
    buffer.append(#"","revision":"#)
    buffer.append(decimal: UInt64(row.revision))
    buffer.append(#","metadata":"#)
    JSONMetadata.append(sample, words, to: &buffer)
    buffer.append(devices, row.pump)
    Self.append(lineage[row.lineage], of: sample.identity.scheme, to: &buffer)
    buffer.append("]}}\n")
  }

  /// Ends the line of a sample that is no more.
  private func appendDeletion(of row: OutputRow, to buffer: inout ByteBuffer) {
    buffer.append(#"","revision":"#)
    buffer.append(decimal: UInt64(row.revision))
    buffer.append(#","deleted":true"#)
    // The id of a named record says nothing of the pump.
    if row.sample.identity.scheme == .named {
      buffer.append(devices, row.pump)
      buffer.append("]}")
    }
    buffer.append("}\n")
  }

  /// Does nothing: NDJSON has no end.
  package func appendTail(to buffer: inout ByteBuffer) {}

  @inline(__always)
  private static func append(
    _ lineage: ArraySlice<EventReference>, of scheme: SampleIdentity.Scheme,
    to buffer: inout ByteBuffer
  ) {
    for reference in lineage {
      if buffer.last != UInt8(ascii: "[") { buffer.append(UInt8(ascii: ",")) }
      buffer.append(UInt8(ascii: "\""))
      IdentityText.appendPrefix(scheme, to: &buffer)
      buffer.append(decimal: UInt64(reference.number))
      buffer.append(UInt8(ascii: "-"))
      buffer.append(decimal: UInt64(reference.seconds))
      buffer.append(UInt8(ascii: "\""))
    }
  }

  @inline(__always)
  private static func appendType(_ kind: SampleKind, to buffer: inout ByteBuffer) {
    switch kind {
    case .basal: buffer.append(#"","type":"insulin.basal","value":""#)
    case .bolus, .extended: buffer.append(#"","type":"insulin.bolus","value":""#)
    case .carbs: buffer.append(#"","type":"nutrition.carbohydrates","value":""#)
    case .cgm: buffer.append(#"","type":"glucose.cgm","value":""#)
    case .meter: buffer.append(#"","type":"glucose.meter","value":""#)
    }
  }

  @inline(__always)
  private static func appendUnit(_ kind: SampleKind, to buffer: inout ByteBuffer) {
    switch kind {
    case .basal, .bolus, .extended: buffer.append(#"","unit":"IU","startAt":""#)
    case .carbs: buffer.append(#"","unit":"g","startAt":""#)
    case .cgm, .meter: buffer.append(#"","unit":"mg/dL","startAt":""#)
    }
  }
}
