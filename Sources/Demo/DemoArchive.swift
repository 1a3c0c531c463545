package import PumpModel

/// An archive of a demo: documents of one format beside the account answer that names their pumps.
///
/// Records by themselves cannot say that they are made up, so that they never stand alone.
package struct DemoArchive: Sendable {
  /// Its format.
  package let format: DocumentFormat
  /// The name of its file.
  package let name: String
  /// The pumps whose history it holds.
  package let pumps: [DemoHistory.Pump]
  /// All pumps of the account.
  private let account: [PumpIdentity]

  /// The serial number that must be told to who reads it; nil where the documents tell it.
  package var serial: String? { Self.isNamed(format) ? nil : pumps.first?.identity.serial }

  /// The formats that there are archives of: all that a pump's history comes in.
  package static let formats = DocumentFormat.allCases.filter { $0 != .pumper && $0 != .fetched }

  /// A document covers so many days at most, as the service and its exports have it.
  private static let daysPerDocument: Int64 = 28

  /// The archives of a history in a format: where documents do not name their pump, one for each.
  package static func all(of history: DemoHistory, as format: DocumentFormat) -> [DemoArchive] {
    guard formats.contains(format) else { return [] }
    let account = history.pumps.map(\.identity)
    guard !isNamed(format) else {
      return [
        DemoArchive(
          format: format, name: "\(format.rawValue).zip", pumps: history.pumps, account: account)
      ]
    }
    return history.pumps.map { pump in
      DemoArchive(
        format: format, name: "\(format.rawValue)-\(pump.identity.serial).zip", pumps: [pump],
        account: account)
    }
  }

  /// Gives the documents one after the other, each with its name in the archive.
  package func forEachDocument(_ body: (_ name: String, _ bytes: [UInt8]) throws -> Void) throws {
    try body("pumper.json", Self.labelled(PumperDocument.bytes(account)))
    for pump in pumps {
      let records = pump.records
      let changes = records.filter { $0.eventID == 13 || $0.eventID == 14 }
      for (index, part) in Self.parts(of: records).enumerated() {
        let serial = pump.identity.serial
        let number = index < 9 ? "0\(index + 1)" : String(index + 1)
        let name = "\(format.rawValue)-\(serial)-\(number)"
        guard !isOfOthers else {
          let part = Part(name: number, records: part, pump: pump, changes: changes)
          for document in documents(of: part) {
            try body("\(name)\(document.ending)", document.bytes)
          }
          continue
        }
        try body(
          "\(name).\(Self.ending(of: format))", document(part, of: pump.identity, changes))
      }
    }
  }

  /// A history in pieces of some weeks of the pump's own time.
  private static func parts(of records: [PumpRecord]) -> [[PumpRecord]] {
    guard let first = records.first else { return [] }
    var parts: [[PumpRecord]] = [[]]
    for record in records {
      let days = (Int64(record.seconds) - Int64(first.seconds)) / 86_400
      // Clocks step back; a piece once begun goes on.
      if days >= Int64(parts.count) * daysPerDocument { parts.append([]) }
      parts[parts.count - 1].append(record)
    }
    return parts
  }

  private func document(
    _ records: [PumpRecord], of pump: PumpIdentity, _ changes: [PumpRecord]
  ) -> [UInt8] {
    switch format {
    case .pumpLogs, .pumper:
      Self.labelled(PumpLogsEncoder.document(records, of: pump, known: changes))
    case .har: capture(records, of: pump, changes)
    case .pumpEvents: Base64Encoder.pumpEvents(records)
    case .records: RecordEncoder.document(records)
    case .littleEndianRecords: records.flatMap { RecordEncoder.littleEndianBytes($0) }
    case .hexLines: Array(RadioEncoder.log(records).utf8)
    case .frames: RadioEncoder.frames(records)
    case .btsnoop: RadioCapture.of(records)
    case .sourceCSV: table(.source, records, pump)
    case .timelineCSV: table(.timeline, records, pump)
    case .therapyEvents:
      Self.labelled(
        Array(
          LegacyExport.therapyEvents(DemoRows.of(records, source: .legacy), serial: pump.serial)
            .utf8))
    case .timelineJSON:
      Self.labelled(Array(LegacyExport.timeline(DemoRows.of(records, source: .legacy)).utf8))
    case .suspensionsJSON:
      Self.labelled(
        Array(
          LegacyExport.suspensions(
            at: DemoRows.suspensions(in: records).map { LegacyExport.instant(ofWall: $0) * 1000 },
            reason: "manual"
          ).utf8))
    // Third parties' are made by `documents(of:)`, and there is no archive of the last (`formats`).
    case .nightscout, .glooko, .tidepool, .fetched: []
    }
  }

  private func capture(
    _ records: [PumpRecord], of pump: PumpIdentity, _ changes: [PumpRecord]
  ) -> [UInt8] {
    var capture = HarCapture()
    capture.add(Self.labelled(PumperDocument.bytes(account)))
    capture.add(Self.labelled(PumpLogsEncoder.document(records, of: pump, known: changes)))
    return Self.labelled(capture.bytes)
  }

  private func table(
    _ site: TableEncoder.Site, _ records: [PumpRecord], _ pump: PumpIdentity
  ) -> [UInt8] {
    // No table tells rates that anything can be made of.
    let rows = DemoRows.of(records, source: .csv).filter {
      if case .rate = $0.content { false } else { true }
    }
    return TableEncoder(site).bytes(rows.map { (pump.serial, $0) })
  }

  /// A JSON document that says of itself that its data is made up.
  static func labelled(_ document: [UInt8]) -> [UInt8] {
    guard let brace = document.firstIndex(of: UInt8(ascii: "{")) else { return document }
    return document[...brace] + Array(#""dataSource":"\#(DemoData.label)","#.utf8)
      + document[(brace + 1)...]
  }

  /// Whether documents of a format name their pumps.
  private static func isNamed(_ format: DocumentFormat) -> Bool {
    switch format {
    case .pumpLogs, .pumper, .har, .sourceCSV, .therapyEvents, .glooko, .tidepool: true
    case .pumpEvents, .records, .littleEndianRecords, .hexLines, .frames, .btsnoop, .timelineCSV,
      .timelineJSON, .suspensionsJSON, .nightscout, .fetched:
      false
    }
  }

  private static func ending(of format: DocumentFormat) -> String {
    switch format {
    case .pumpLogs, .pumper, .pumpEvents, .therapyEvents, .timelineJSON, .nightscout, .tidepool,
      .fetched:
      "json"
    case .suspensionsJSON: "js"
    case .har: "har"
    case .records, .littleEndianRecords, .frames: "bin"
    case .hexLines: "txt"
    case .btsnoop: "btsnoop"
    case .sourceCSV, .timelineCSV, .glooko: "csv"
    }
  }
}
