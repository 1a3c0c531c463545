import PumpModel

/// The tables of Glooko's export (FORMATS G): one a file, under a line that names the person and the days,
/// which may be missing, with words in the language of the account.
enum GlookoTable {
  static let boluses = TableForm(
    .glooko, .glookoBoluses,
    columns: """
      Timestamp,Insulin Type,Blood Glucose Input,Carbs Input (g),Carbs Ratio,\
      Insulin Delivered (U),Initial Delivery (U),Extended Delivery (U),Serial Number
      """,
    used: [.timestamp, .carbsInput, .total, .initial, .later, .pumpSerial])
  static let rates = TableForm(
    .glooko, .glookoRates,
    columns: """
      Timestamp,Insulin Type,Duration (minutes),Percentage (%),Rate,Insulin Delivered (U),\
      Serial Number
      """,
    used: [.timestamp, .minutes, .percentage, .rate, .pumpSerial])
  static let sensor = TableForm(
    .glooko, .glookoReadings, columns: "Timestamp,CGM Glucose Value,Serial Number",
    used: [.timestamp, .sensorGlucose, .pumpSerial])
  static let meter = TableForm(
    .glooko, .glookoReadings, columns: "Timestamp,Glucose Value,Manual Reading,Serial Number",
    used: [.timestamp, .meterGlucose, .pumpSerial])

  /// The forms, with the names that no other table has, and what a translated header of as many names has
  /// at a place.
  static let forms: [(form: TableForm, own: [String], place: Int, sign: String?)] = [
    (boluses, ["carbs input (g)", "initial delivery (u)", "extended delivery (u)"], 2, nil),
    (rates, ["percentage (%)", "rate"], 3, "(%)"), (sensor, ["cgm glucose value"], 1, nil),
    (meter, ["manual reading", "glucose value"], 1, nil),
  ]

  /// The form of a header, and whether its words are translated; nil if it is of none of them.
  ///
  /// `hasTitle`: the line above names a person and days, so that it is Glooko's whatever its words; then
  /// a column that is missing must not make another table of it, which would be passed over.
  static func form(of header: TableRow, hasTitle: Bool) -> (TableForm, Bool)? {
    let names = (0..<header.filled).map { TableSection.name(header, $0) }
    let known = forms.first { form, own, _, _ in
      own.contains(where: names.contains)
        && (hasTitle || names.contains("timestamp") && isMost(names, of: form))
    }
    if let known { return (known.form, false) }
    guard hasTitle else { return nil }
    let found = forms.first { form, _, place, sign in
      guard names.count == form.names.count else { return false }
      guard let sign else { return TableSection.unit(header, place) != nil }
      return names[place].hasSuffix(sign)
    }
    return found.map { ($0.form, true) }
  }

  /// Whether names are half of a form's at least.
  private static func isMost(_ names: [String], of form: TableForm) -> Bool {
    form.names.count(where: names.contains) * 2 >= form.names.count
  }

  /// Whether a line is the one that names the person and the days, whatever its words:
  /// `Name:…,Date Range:2026-01-01 - 2026-01-31`.
  static func isTitle(_ line: [UInt8]) -> Bool {
    // A spreadsheet gives all lines as many cells, and may have other separators.
    let padding = TableReader.separators + [0x20, 0x22]
    let line = line.prefix((line.lastIndex { !padding.contains($0) } ?? -1) + 1)
    guard let range = line.lastIndex(of: 0x3A),
      let end = line[..<range].lastIndex(where: TableReader.separators.contains),
      line[..<end].contains(0x3A)
    else { return false }
    let dates = String(decoding: line[(range + 1)...].filter { $0 != 0x22 }, as: UTF8.self)
      .split(separator: " - ", omittingEmptySubsequences: false)
    return dates.count == 2
      && dates.allSatisfy { date in
        let text = date.drop { $0 == " " }.prefix { $0 != " " } + " 00:00"
        return CellDate(Array(text.utf8)[...]) != nil
      }
  }

  /// What first bytes say: whether they are a title, or a header of one of these tables.
  static func opinion(of bytes: [UInt8], isLast: Bool) -> TableOpening.Opinion {
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var text = bytes.dropFirst(mark)
    switch SeparatorLine.opinion(of: text) {
    case .undecided where !isLast: return .undecided
    case .line(let count): text = text.dropFirst(count)
    case .undecided, .none: break
    }
    guard let first = text.first(where: { $0 != 0x22 }) else {
      return isLast ? .foreign : .undecided
    }
    // Labels and names begin with a letter, in some language.
    guard 0x61...0x7A ~= ASCII.lowercased(first) || first >= 0x80 else { return .foreign }
    let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
    guard line.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) else { return .foreign }
    guard line.count < text.count || isLast else {
      return bytes.count < DocumentReader.longestOpening ? .undecided : .foreign
    }
    if isTitle(Array(line)) { return .table(.bytes, mark: mark) }
    let row = TableRow(whole: Array(line))
    let isHeader = TableReader.separators.contains { separator in
      RowSplitter.row(of: row, separator: separator)
        .map { form(of: $0, hasTitle: false) != nil } ?? false
    }
    return isHeader ? .table(.bytes, mark: mark) : .foreign
  }
}

extension RowReading {
  /// A row of Glooko's boluses.
  ///
  /// Its time is one at which the bolus was asked for, given or ended: which, is not told.
  mutating func glookoBolus() throws(CellFault) -> RowOutcome {
    guard let time = try time(.timestamp) else { throw CellFault(.timestamp, "is empty") }
    var bolus = RowBolus()
    guard let total = try amount(.total) else { throw CellFault(.total, "is empty") }
    let initial = try amount(.initial)
    let later = try amount(.later)
    if let later, later.amount > 0 {
      // A part in other units, or a part of another whole, must not become insulin.
      let parts = Int64(initial?.amount ?? 0) + Int64(later.amount)
      guard abs(parts - Int64(total.amount)) <= 10 else {
        throw CellFault(.later, "and what was given at once are not all that was delivered")
      }
      bolus.extended = later
      bolus.span = time...time
      bolus.normal = initial
    } else {
      guard initial.map({ $0.amount == total.amount || $0.amount == 0 }) ?? true else {
        throw CellFault(.initial, "is not all that was delivered")
      }
      bolus.normal = total
    }
    bolus.carbohydrate = try carbohydrate(.carbsInput)
    return .row(
      ExportRow(
        source: .glooko, pump: 0, time: time, place: row.line, content: .bolus(bolus)))
  }

  private mutating func amount(_ column: TableColumn) throws(CellFault) -> RowDose? {
    guard let number = try number(column, limit: 80) else { return nil }
    guard !number.isAbove(80) else { throw CellFault(column, "is above 80 U") }
    return RowDose(amount: UInt32(number.scaled(to: 3)), decimals: number.decimals)
  }

  /// A row of Glooko's rates.
  mutating func glookoRate() throws(CellFault) -> RowOutcome {
    guard let time = try time(.timestamp) else { throw CellFault(.timestamp, "is empty") }
    let percentage = try number(.percentage)
    let longest = UInt64(ExportRow.longestRate / 60)
    guard let rate = try number(.rate, limit: 15),
      let minutes = try number(.minutes, limit: longest)
    else {
      return .ignored(.basalRow)
    }
    guard !rate.isAbove(15) else { throw CellFault(.rate, "is above 15 U/h") }
    guard !minutes.isAbove(longest) else {
      throw CellFault(.minutes, "is longer than any rate holds")
    }
    // Whether the rate is the one before or after is not told.
    guard percentage.map({ $0.scaled(to: 3) == 0 || $0.scaled(to: 3) == 100_000 }) ?? true else {
      return .ignored(.basalRow)
    }
    let seconds = CellNumber.divided(minutes.scaled(to: 6) * 60, by: 1_000_000)
    guard seconds > 0 else { return .ignored(.basalRow) }
    return .row(
      ExportRow(
        source: .glooko, pump: 0, time: time, place: row.line,
        content: .rate(
          milliunitsPerHour: UInt32(rate.scaled(to: 3)), seconds: UInt32(seconds))))
  }

  /// A row of Glooko's readings.
  mutating func glookoReading() throws(CellFault) -> RowOutcome {
    guard let time = try time(.timestamp) else { throw CellFault(.timestamp, "is empty") }
    let isManual = section.place(of: .meterGlucose) != nil
    guard let glucose = try glucose(isManual ? .meterGlucose : .sensorGlucose) else {
      return .ignored(.glucoseNotShown)
    }
    return .row(
      ExportRow(
        source: .glooko, pump: 0, time: time, place: row.line,
        content: .reading(glucose: glucose, isManual: isManual)))
  }
}
