package import Platform
package import PumpModel

/// Samples as an Apple Health `export.xml` (APPLE_HEALTH).
///
/// Every date of the file is written at one UTC offset, as Health itself does: text order is then
/// time order, and readers that refuse mixed offsets read it. The zone is in `HKTimeZone`. The
/// external id is both `HKExternalUUID` and the sync identifier; it begins with a word, so no
/// importer takes it for a number. Rows of no insulin are left out (N4).
///
/// `HKWasUserEntered` is 1 for carbohydrates and meter readings, which a person typed into the
/// pump, and 0 for what the pump or a sensor measured.
///
/// A basal segment of more than four days is written as it is, since a cut one would lose its id,
/// though HealthKit refuses so long a sample; `overlongCount` says how many there are, so that the
/// run can say so.
package struct AppleHealthForm: TextForm {
  /// When the export was made, as the file says.
  package let exportDate: Instant
  /// The offset of every date, seconds east of UTC, whole minutes.
  package let offset: Int64
  /// How many samples are longer than HealthKit takes.
  package private(set) var overlongCount = 0

  private let templates: AppleTemplates
  private let words: StatusWords
  private let names: (any IdentityNames)?
  private var cursor: ZoneCursor
  private var time = TimeText()

  /// The longest sample that HealthKit takes, in seconds (APPLE_HEALTH 9).
  package static let longestSample: Int64 = 345_600

  /// Prepares what is the same in every record of a pump and of a zone.
  package init(_ context: OutputContext, _ options: AppleHealthOptions) {
    let (date, offset) = Self.dateAndOffset(context, options)
    (self.exportDate, self.offset) = (date, offset)
    templates = AppleTemplates(context, version: options.version)
    words = context.statusWords
    names = context.names
    cursor = ZoneCursor(context.schedule)
  }

  /// Records by type, start, external id.
  package var order: OutputOrder { .healthType }

  /// Appends the document up to the first record.
  package func appendHead(to buffer: inout ByteBuffer) {
    buffer.append(AppleHealthProlog.beforeExportDate)
    var time = time
    time.appendApple(exportDate, offset: offset, to: &buffer)
    buffer.append(AppleHealthProlog.afterExportDate)
  }

  /// Appends a record.
  package mutating func append(
    _ row: OutputRow, lineage: [EventReference], to buffer: inout ByteBuffer
  ) {
    let sample = row.sample
    let kind = sample.identity.kind
    if sample.amount == 0, kind.isBasal { return }
    if sample.end - sample.start > Self.longestSample { overlongCount += 1 }
    let flags = sample.metadata.flags
    let isDemo = flags.rawValue != 0 && flags.contains(.demo)
    let opening = templates.opening(of: kind, pump: row.pump, isDemo: isDemo)
    buffer.append(templates.openings, opening)
    appendDates(sample, to: &buffer)
    DecimalText.append(sample.amount, decimals: kind.decimals, to: &buffer)
    appendIDs(row, to: &buffer)
    buffer.append("\"/>\n  <MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"")
    buffer.append(decimal: UInt64(row.revision))
    cursor.seek(sample.start)
    buffer.append(templates.constants, templates.constants(of: kind, zone: cursor.entry))
    MetadataText.append(sample, words, as: AppleMetadata.self, to: &buffer)
    buffer.append(" </Record>\n")
  }

  /// Appends the document's end.
  package func appendTail(to buffer: inout ByteBuffer) { buffer.append(AppleHealthProlog.end) }

  /// Appends the external id twice, with the entries around it.
  @inline(__always)
  private func appendIDs(_ row: OutputRow, to buffer: inout ByteBuffer) {
    let identity = row.sample.identity
    guard identity.scheme != .named else {
      let id = XMLText.attribute(identity.text(pump: "", names: names))
      buffer.append(AppleTemplates.toExternalID)
      buffer.append(id)
      buffer.append(AppleTemplates.toSyncIdentifier)
      return buffer.append(id)
    }
    buffer.append(templates.externalIDs, row.pump)
    let id = buffer.count
    IdentityText.appendSuffix(identity, to: &buffer)
    let suffix = id..<buffer.count
    buffer.append(templates.syncIdentifiers, row.pump)
    buffer.appendAgain(suffix)
  }

  /// Appends the three dates with the attributes around them, up to the value; a sample is taken
  /// to be saved when it ended.
  @inline(__always)
  private mutating func appendDates(_ sample: Sample, to buffer: inout ByteBuffer) {
    let before = buffer.count
    time.appendApple(sample.end, offset: offset, to: &buffer)
    let end = before..<buffer.count
    buffer.append("\" startDate=\"")
    if sample.start.unixSeconds == sample.end.unixSeconds {
      buffer.appendAgain(end)
    } else {
      time.appendApple(sample.start, offset: offset, to: &buffer)
    }
    buffer.append("\" endDate=\"")
    buffer.appendAgain(end)
    buffer.append("\" value=\"")
  }

  /// The date of the export and the offset of the file; a file without samples is dated with the
  /// first midnight that a pump can show.
  private static func dateAndOffset(
    _ context: OutputContext, _ options: AppleHealthOptions
  ) -> (Instant, Int64) {
    let epoch = Instant(unixSeconds: PumpTime.epochInUnixSeconds)
    let known = options.exportDate ?? context.newestEnd
    let natural = context.schedule.span(at: known ?? epoch).offset
    let offset = (options.offset ?? natural) / 60 * 60
    return (known ?? epoch + -offset, offset)
  }
}

/// What a person may set of a Health export.
package struct AppleHealthOptions: Sendable {
  /// The version of pumpline, for `sourceVersion`.
  package var version: String
  /// When the export was made; nil: the newest end of a sample.
  package var exportDate: Instant?
  /// The offset of every date, seconds east of UTC; nil: the zone's at the export date.
  package var offset: Int64?

  /// Creates options.
  package init(version: String, exportDate: Instant? = nil, offset: Int64? = nil) {
    self.version = version
    self.exportDate = exportDate
    self.offset = offset
  }
}
