package import Platform
package import PumpModel

/// Samples as CSV (RFC 4180, CRLF), for spreadsheets and statistics.
///
/// Local times carry the offset of the zone that holds at their own instant; `zone` is the one at
/// the start. Flags are `true` or empty.
///
/// Of a withdrawn sample the value is left out, so that no sum counts a dose that is not there.
package struct CSVForm: TextForm {
  /// What the rows are.
  package enum Content: Sendable {
    /// All samples.
    case samples
    /// What became of samples since the last time, with a column that says it.
    case changes
    /// Samples as they were given and, where they still exist, as they are now, with columns that
    /// tell the two apart.
    case superseded
  }

  /// Rows by device, start, type, external id.
  package var order: OutputOrder { .device }

  /// The external id up to the pump's name, with the opening quote if there must be one.
  private let openings: TextTable
  /// The end of the external id and the device, with their commas.
  private let devices: TextTable
  private let zones: TextTable
  private let words: StatusWords
  private let names: (any IdentityNames)?
  /// The pumps' names between commas.
  private let plainDevices: TextTable
  private let content: Content
  private var cursor: ZoneCursor
  private var utc = TimeText()
  private var local = TimeText()

  /// Prepares what is the same in every row of a pump and of a zone.
  package init(_ context: OutputContext, content: Content = .samples) {
    self.content = content
    words = context.statusWords
    names = context.names
    let prefixes = context.pumps.map { IdentityText.prefix(pump: $0.name) }
    let quotes = prefixes.map { CSVText.mustBeQuoted($0) ? [UInt8(ascii: "\"")] : [] }
    let comma = [UInt8(ascii: ",")]
    openings = TextTable(zip(quotes, prefixes).map { $0 + CSVText.doubled($1) })
    plainDevices = TextTable(context.pumps.map { comma + CSVText.field($0.name) + comma })
    devices = TextTable(
      zip(quotes, context.pumps).map { $0 + comma + CSVText.field($1.name) + comma })
    zones = TextTable(context.schedule.entries.map { CSVText.field($0.rules.name) })
    cursor = ZoneCursor(context.schedule)
  }

  /// Appends the names of the columns.
  package func appendHead(to buffer: inout ByteBuffer) {
    buffer.append("external_id,device,type,value,unit,start_utc,end_utc,start_local,end_local,")
    buffer.append("zone,revision,part,automatic,deliveredBy,requested,status,override,rate,")
    buffer.append("rateSource,inferred,dataSource")
    switch content {
    case .samples: break
    case .changes: buffer.append(",change")
    case .superseded: buffer.append(",change,form")
    }
    buffer.append("\r\n")
  }

  /// Appends a row.
  package mutating func append(
    _ row: OutputRow, lineage: [EventReference], to buffer: inout ByteBuffer
  ) {
    let sample = row.sample
    let kind = sample.identity.kind
    if sample.identity.scheme == .named {
      buffer.append(CSVText.field(sample.identity.text(pump: "", names: names)))
      buffer.append(plainDevices, row.pump)
    } else {
      buffer.append(openings, row.pump)
      IdentityText.appendSuffix(sample.identity, to: &buffer)
      buffer.append(devices, row.pump)
    }
    Self.appendType(kind, to: &buffer)
    if content != .changes || row.change != .withdrawn {
      DecimalText.append(sample.amount, decimals: kind.decimals, to: &buffer)
    }
    Self.appendUnit(kind, to: &buffer)
    appendTimes(sample, to: &buffer)
    buffer.append(decimal: UInt64(row.revision))
    appendMetadata(sample, to: &buffer)
    if content != .samples { appendChange(of: row, to: &buffer) }
    buffer.append("\r\n")
  }

  /// Does nothing: the last row ends the file.
  package func appendTail(to buffer: inout ByteBuffer) {}

  private func appendChange(of row: OutputRow, to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: ","))
    buffer.append(utf8: row.change?.rawValue ?? "")
    if content == .superseded { buffer.append(row.isOldForm ? ",old" : ",new") }
  }

  @inline(__always)
  private mutating func appendTimes(_ sample: Sample, to buffer: inout ByteBuffer) {
    let comma = UInt8(ascii: ",")
    utc.appendUTC(sample.start, to: &buffer)
    buffer.append(comma)
    utc.appendUTC(sample.end, to: &buffer)
    buffer.append(comma)
    cursor.seek(sample.start)
    let zone = cursor.entry
    local.appendLocal(sample.start, offset: cursor.offset, to: &buffer)
    buffer.append(comma)
    cursor.seek(sample.end)
    local.appendLocal(sample.end, offset: cursor.offset, to: &buffer)
    buffer.append(comma)
    buffer.append(zones, zone)
    buffer.append(comma)
  }

  @inline(__always)
  private func appendMetadata(_ sample: Sample, to buffer: inout ByteBuffer) {
    let metadata = sample.metadata
    let comma = UInt8(ascii: ",")
    buffer.append(comma)
    MetadataText.appendPart(sample, to: &buffer)
    buffer.append(comma)
    Self.appendFlag(.automatic, of: metadata, to: &buffer)
    buffer.append(comma)
    if let source = metadata.deliveredBy { buffer.append(utf8: source.text) }
    buffer.append(comma)
    if let amount = metadata.requested { MetadataText.appendMilli(amount, to: &buffer) }
    buffer.append(comma)
    if let status = metadata.status { buffer.append(CSVText.field(words.text(status))) }
    buffer.append(comma)
    Self.appendFlag(.override, of: metadata, to: &buffer)
    buffer.append(comma)
    if let rate = metadata.rate { MetadataText.appendMilli(rate, to: &buffer) }
    buffer.append(comma)
    if let source = metadata.rateSource { buffer.append(utf8: source.text) }
    buffer.append(comma)
    Self.appendFlag(.inferred, of: metadata, to: &buffer)
    buffer.append(comma)
    guard metadata.flags.rawValue != 0 else { return }
    if let source = MetadataText.dataSource(metadata.flags) {
      buffer.append(utf8: source)
    } else if metadata.flags.contains(.derived) {
      // The columns of a table are fixed; this is where it comes from.
      buffer.append("derived")
    }
  }

  @inline(__always)
  private static func appendFlag(
    _ flag: SampleMetadata.Flags, of metadata: SampleMetadata, to buffer: inout ByteBuffer
  ) {
    if metadata.flags.rawValue != 0, metadata.flags.contains(flag) { buffer.append("true") }
  }

  @inline(__always)
  private static func appendType(_ kind: SampleKind, to buffer: inout ByteBuffer) {
    switch kind {
    case .basal: buffer.append("insulin.basal,")
    case .bolus, .extended: buffer.append("insulin.bolus,")
    case .carbs: buffer.append("nutrition.carbohydrates,")
    case .cgm: buffer.append("glucose.cgm,")
    case .meter: buffer.append("glucose.meter,")
    }
  }

  @inline(__always)
  private static func appendUnit(_ kind: SampleKind, to buffer: inout ByteBuffer) {
    switch kind {
    case .basal, .bolus, .extended: buffer.append(",IU,")
    case .carbs: buffer.append(",g,")
    case .cgm, .meter: buffer.append(",mg/dL,")
    }
  }
}
