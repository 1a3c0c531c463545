import PumpModel

/// What third parties tell of a pump: its doses, meals, rates and, but for Nightscout, readings.
extension DemoArchive {
  /// A piece of a pump's history.
  struct Part {
    /// What tells it from the pump's other pieces.
    var name: String
    /// Its records, in order.
    var records: [PumpRecord]
    /// The pump.
    var pump: DemoHistory.Pump
    /// All records of the pump that tell that its clock was set.
    var changes: [PumpRecord]
  }

  /// Whether it is a third party that writes the format.
  var isOfOthers: Bool { [.nightscout, .glooko, .tidepool].contains(format) }

  /// The documents of a piece in a third party's format, each with the ending of its name.
  ///
  /// Each says by itself that it is made up: by its own word, or by its pump's serial number.
  func documents(of part: Part) -> [(ending: String, bytes: [UInt8])] {
    switch format {
    case .nightscout:
      let treatments = part.rows(.nightscout).flatMap {
        NightscoutExport.treatments($0.row, numbers: $0.numbers)
      }
      return [(".json", Self.labelled(Array(NightscoutExport.answer(treatments).utf8)))]
    case .tidepool:
      let records = part.rows(.tidepool).flatMap {
        TidepoolExport.records(
          Self.asTidepoolTells($0.row), serial: part.pump.identity.serial, offset: $0.offset)
      }
      return [(".json", Array(TidepoolExport.list(records).utf8))]
    case .glooko:
      let rows = DemoRows.of(part.records, source: .glooko)
      var export = GlookoExport()
      if let first = rows.first, let last = rows.last {
        export.days = [first, last].map { row in
          String(LegacyExport.time(row.time).dropFirst().prefix(10))
        }.joined(separator: " - ")
      }
      return export.tables(rows.map { (part.pump.identity.serial, $0) }).map { name, text in
        ("-\(name)", Array(text.utf8))
      }
    default: return []
    }
  }

  /// A bolus under the time at which it was asked for.
  private static func asTidepoolTells(_ row: ExportRow) -> ExportRow {
    guard case .bolus(let bolus) = row.content, let time = bolus.requestTime else { return row }
    var row = row
    row.time = time
    return row
  }
}

extension DemoArchive.Part {
  /// Its rows with instants as their times, each with an id that begins as made-up ones do.
  func rows(_ source: ExportSource) -> [DemoRows.Told] {
    var offset = DemoHistory.zone.offset(at: pump.options.start)
    for change in changes.prefix(while: { $0.number < records.first?.number ?? 0 }) {
      offset = DemoRows.offset(offset, after: change)
    }
    let serial = pump.identity.serial
    return DemoRows.told(records, source: source, offset: offset).enumerated().map { index, told in
      var told = told
      told.row.name = "\(DemoData.assignmentPrefix)\(serial)-\(name)-\(index + 1)"
      return told
    }
  }
}
