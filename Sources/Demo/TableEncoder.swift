package import PumpModel

/// Writes rows as the tables of Tandem Source and of the older site have them, or as a spreadsheet
/// saves those.
package struct TableEncoder {
  /// Whose table it is.
  package enum Site: Sendable { case source, timeline }

  /// How characters become bytes.
  package enum Coding: Sendable, CaseIterable {
    case utf8, utf8WithMark, littleEndian, littleEndianWithMark, bigEndian, bigEndianWithMark

    /// The bytes of a text.
    package func bytes(_ text: String) -> [UInt8] {
      switch self {
      case .utf8: Array(text.utf8)
      case .utf8WithMark: [0xEF, 0xBB, 0xBF] + Array(text.utf8)
      case .littleEndian: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case .littleEndianWithMark: [0xFF, 0xFE] + Coding.littleEndian.bytes(text)
      case .bigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      case .bigEndianWithMark: [0xFE, 0xFF] + Coding.bigEndian.bytes(text)
      }
    }
  }

  /// How dates are written.
  package enum Dates: Sendable { case iso, dayFirst, monthFirst }

  package var site: Site
  package var coding = Coding.utf8
  package var separator = ","
  package var lineEnd = "\n"
  package var endsWithLineEnd = true
  package var decimal = "."
  package var dates = Dates.iso
  /// Whether header words are Swedish; Tandem Source only.
  package var isTranslated = false
  /// Whether readings are in mmol/L; then they are told in tenths of it.
  package var isMillimoles = false
  /// Whether every line has as many cells as the widest.
  package var isPadded: Bool
  package var isQuoted: Bool
  /// Whether columns stand in the reverse order; Tandem Source in English only.
  package var isReversed = false

  /// Creates an encoder that writes as the site itself does.
  package init(_ site: Site) {
    self.site = site
    isPadded = site == .source
    isQuoted = site == .timeline
  }

  /// A row, and the serial number of its pump; nil: it has none.
  package typealias Row = (serial: String?, row: ExportRow)

  /// The table of some rows, as bytes.
  package func bytes(_ rows: [Row]) -> [UInt8] { coding.bytes(text(rows)) }

  /// The table of some rows.
  package func text(_ rows: [Row]) -> String {
    let title =
      switch (site, isTranslated) {
      case (.source, false): "Tandem Source Daily Timeline Data Export"
      case (.source, true): "Exportera dagliga tidslinjedata från Source"
      case (.timeline, _): "t:connect Therapy Timeline Data Export"
      }
    var lines = [
      ["Tandem Diabetes Care Inc."], [title], ["Patient Name", "Invented Person"],
      ["Patient DOB", "1 1 1990"], ["Report Generated On", "a day"], [],
    ]
    for section in sections {
      let inside = rows.filter { section.holds($0.row) }
      lines.append(arranged(section.names))
      lines += inside.map { arranged(quoted(section.cells($0))) }
      lines.append([])
    }
    let width = lines.map(\.count).max() ?? 0
    let texts = lines.map { line in
      (line + (isPadded ? Array(repeating: "", count: width - line.count) : []))
        .joined(separator: separator)
    }
    return texts.joined(separator: lineEnd) + (endsWithLineEnd ? lineEnd : "")
  }

  private struct Section {
    let names: [String]
    let holds: (ExportRow) -> Bool
    let cells: (Row) -> [String]
  }

  private func arranged(_ cells: [String]) -> [String] { isReversed ? cells.reversed() : cells }

  private func quoted(_ cells: [String]) -> [String] {
    cells.map { cell in
      let mustBe = cell.contains { separator.contains($0) || "\"\r\n".contains($0) }
      guard isQuoted && !cell.isEmpty || mustBe else { return cell }
      return "\""
        + cell.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
    }
  }

  private var sections: [Section] {
    let sensor = Section(names: sensorNames, holds: { Self.isReading($0, manual: false) }) {
      reading($0, "EGV")
    }
    switch site {
    case .source:
      let meter = Section(names: meterNames, holds: { Self.isReading($0, manual: true) }) {
        reading($0, "BG") + [""]
      }
      return [sensor, meter, Section(names: bolusNames, holds: Self.isBolus, cells: sourceBolus)]
    case .timeline:
      let any = Section(names: sensorNames, holds: { !Self.isBolus($0) }) {
        reading($0, Self.isReading($0.row, manual: true) ? "BG" : "EGV") + [""]
      }
      return [
        any, Section(names: bolusNames, holds: Self.isBolus, cells: timelineBolus),
      ]
    }
  }

  private static func isBolus(_ row: ExportRow) -> Bool {
    if case .bolus = row.content { true } else { false }
  }

  private static func isReading(_ row: ExportRow, manual: Bool) -> Bool {
    if case .reading(_, let isManual) = row.content { isManual == manual } else { false }
  }
}

// MARK: - Names

extension TableEncoder {
  private var unit: String { isMillimoles ? "(mmol/L)" : "(mg/dL)" }

  private func names(_ list: String) -> [String] {
    list.split(separator: ",").map { String($0.replacing("@", with: unit)) }
  }

  private var sensorNames: [String] {
    switch (site, isTranslated) {
    case (.source, false): names("DeviceType,SerialNumber,Description,EventDateTime,Readings @")
    case (.source, true):
      names("Enhetstyp,Serienummer,Beskrivning,Händelse Datum Tid,Avläsningar @")
    case (.timeline, _):
      names("DeviceType,SerialNumber,Description,EventDateTime,Readings (CGM / BGM)")
    }
  }

  private var meterNames: [String] {
    isTranslated
      ? names("Enhetstyp,Serienummer,Beskrivning,Händelse Datum Tid,BG @,Anteckning")
      : names("DeviceType,SerialNumber,Description,EventDateTime,BG @,Note")
  }

  private var bolusNames: [String] {
    switch (site, isTranslated) {
    case (.source, false):
      names(
        "Type,BolusType,BolusDeliveryMethod,BG @,SerialNumber,CompletionDateTime,"
          + "InsulinDelivered,FoodDelivered,CorrectionDelivered,CompletionStatusDesc,"
          + "BolexStartDateTime,BolexCompletionDateTime,BolexInsulinDelivered,"
          + "BolexCompletionStatusDesc,StandardPercent,Duration (mins),CarbSize,TargetBG @,"
          + "CorrectionFactor,CarbRatio")
    case (.source, true):
      names(
        "Typ,Bolustyp,Bolus Dosering Metod,BG @,Serienummer,Slutförande Datum Tid,"
          + "Insulin Doserat,Måltidsbolus doserad,Korrektion Doserad,Status,Start,Slut,"
          + "Förlbol Insulin Doserat,Förlbol Status,Standard procent,Varaktighet (min),"
          + "Kolhydratsstorlek,MålBG @,Korrektionsfaktor,kolhydratskvot")
    case (.timeline, _):
      names(
        "Type,Description,BG,IOB,BolusRequestID,BolusCompletionID,CompletionDateTime,"
          + "InsulinDelivered,FoodDelivered,CorrectionDelivered,CompletionStatusID,"
          + "CompletionStatusDesc,BolusIsComplete,BolexCompletionID,BolexSize,BolexStartDateTime,"
          + "BolexCompletionDateTime,BolexInsulinDelivered,BolexIOB,BolexCompletionStatusID,"
          + "BolexCompletionStatusDesc,ExtendedBolusIsComplete,EventDateTime,RequestDateTime,"
          + "BolusType,BolusRequestOptions,StandardPercent,Duration,CarbSize,UserOverride,"
          + "TargetBG,CorrectionFactor,FoodBolusSize,CorrectionBolusSize,"
          + "ActualTotalBolusRequested,IsQuickBolus,EventHistoryReportEventDesc,"
          + "EventHistoryReportDetails,NoteID,IndexID,Note")
    }
  }
}

// MARK: - Cells

extension TableEncoder {
  private func reading(_ row: Row, _ description: String) -> [String] {
    guard case .reading(let glucose, _) = row.row.content else { return [] }
    let value =
      isMillimoles
      ? number(UInt64(Self.tenths(ofMillimoles: glucose)), 1) : String(glucose)
    return ["t:slim X2™", row.serial ?? "", description, date(row.row.time), value]
  }

  /// The tenths of mmol/L that come to so many mg/dL, or the next ones.
  package static func tenths(ofMillimoles glucose: UInt16) -> Int {
    (Int(glucose) * 100_000 + 90_078) / 180_156
  }

  private func sourceBolus(_ row: Row) -> [String] {
    guard case .bolus(let bolus) = row.row.content else { return [] }
    return [
      "Bolus", bolus.isOverride ? "Override" : "Food", bolus.isAutomatic ? "Auto" : "Standard",
      "", row.serial ?? "", bolus.normal == nil ? "" : date(row.row.time), amount(bolus.normal),
      amount(bolus.normal), "0", word(bolus.normal), date(bolus.span?.lowerBound),
      date(bolus.span?.upperBound), amount(bolus.extended), word(bolus.extended), "100", "0",
      grams(bolus.carbohydrate), "110", "30", "10",
    ]
  }

  private func timelineBolus(_ row: Row) -> [String] {
    guard case .bolus(let bolus) = row.row.content else { return [] }
    let hasNormal = bolus.normal != nil
    let hasExtended = bolus.extended != nil
    let safe = [
      "Bolus", "Standard", "", "", "7001.000", "7001.000", hasNormal ? date(row.row.time) : "",
      amount(bolus.normal), "", "", "3", word(bolus.normal), hasNormal ? "1" : "0", "", "",
      date(bolus.span?.lowerBound), date(bolus.span?.upperBound), amount(bolus.extended), "", "",
      word(bolus.extended), hasExtended ? "1" : "", "", date(bolus.requestTime),
      bolus.isOverride ? "Override" : "Carb", bolus.isAutomatic ? "Auto" : "Standard", "100.00",
      "0", grams(bolus.carbohydrate), "0", "110", "30.00", "", "", "",
      "0",
    ]
    // Behind the last of these the site writes a cell without a name, and another one at the end.
    return safe + ["0", "Food Bolus", "CF 1:30, \"a\"", "0", "1", "", ""]
  }

  private func amount(_ dose: RowDose?) -> String {
    guard let dose else { return "" }
    let power = (0..<dose.decimals).reduce(UInt64(1)) { power, _ in power * 10 }
    return number(UInt64(dose.amount) * power / 1000, Int(dose.decimals))
  }

  private func grams(_ milligrams: UInt32?) -> String {
    guard let milligrams else { return "" }
    return milligrams.isMultiple(of: 1000)
      ? String(milligrams / 1000) : number(UInt64(milligrams / 100), 1)
  }

  private func number(_ digits: UInt64, _ decimals: Int) -> String {
    guard decimals > 0 else { return String(digits) }
    let text = String(digits)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - text.count)) + text
    return padded.dropLast(decimals) + decimal + padded.suffix(decimals)
  }

  private func word(_ dose: RowDose?) -> String {
    switch dose?.status {
    case "completed": "Completed"
    case "rejected": "Rejected"
    case let word: word ?? ""
    }
  }

  private func date(_ seconds: Int64?) -> String {
    guard let seconds else { return "" }
    let time = CivilTime(secondsSince1970: seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let clock = "\(two(time.hour)):\(two(time.minute)):\(two(time.second))"
    return switch dates {
    case .iso: "\(time.year)-\(two(time.month))-\(two(time.day))T\(clock)"
    case .dayFirst: "\(two(time.day)).\(two(time.month)).\(time.year) \(clock)"
    case .monthFirst: "\(time.month)/\(time.day)/\(time.year) \(clock)"
    }
  }
}
