import PumpModel

/// The columns of tables that rules use.
enum TableColumn: Int, CaseIterable {
  case serial, description, eventTime, readings, anyReadings, meter
  case type, bolusType, method, requestOptions, requestTime, completionTime
  case delivered, statusID, status, isComplete
  case extendedStart, extendedEnd, extendedDelivered, extendedStatusID, extendedStatus
  case extendedIsComplete, carbohydrate
  // Of Glooko's tables.
  case timestamp, carbsInput, total, initial, later, pumpSerial, minutes, percentage, rate
  case sensorGlucose, meterGlucose

  private static let names = [
    "SerialNumber", "Description", "EventDateTime", "Readings", "Readings (CGM / BGM)", "BG",
    "Type", "BolusType", "BolusDeliveryMethod", "BolusRequestOptions", "RequestDateTime",
    "CompletionDateTime", "InsulinDelivered", "CompletionStatusID", "CompletionStatusDesc",
    "BolusIsComplete", "BolexStartDateTime", "BolexCompletionDateTime", "BolexInsulinDelivered",
    "BolexCompletionStatusID", "BolexCompletionStatusDesc", "ExtendedBolusIsComplete", "CarbSize",
    "Timestamp", "Carbs Input (g)", "Insulin Delivered (U)", "Initial Delivery (U)",
    "Extended Delivery (U)", "Serial Number", "Duration (minutes)", "Percentage (%)", "Rate",
    "CGM Glucose Value", "Glucose Value",
  ]

  /// Its English name, the unit left out.
  var name: String { Self.names[rawValue] }
}

/// The form of a section: which columns Tandem gives it, and which of them rules use.
struct TableForm {
  /// What the rows of a section are.
  enum Rows {
    case readings, boluses, insulinOnBoard, basal
    case glookoBoluses, glookoRates, glookoReadings, others
  }

  let format: DocumentFormat
  let rows: Rows
  /// The English names in the order of their maker, units left out; the format's page lists them.
  let columns: [String]
  /// The same in small letters.
  let names: [String]
  /// Those without which nothing of the section can be used.
  let used: [TableColumn]
  /// How many cells rows have beyond the names of their header.
  let extraCells: Int
  /// Behind this column cells and names do not agree.
  let lastSafe: String?

  init(
    _ format: DocumentFormat, _ rows: Rows, columns: String, used: [TableColumn],
    extraCells: Int = 0, lastSafe: String? = nil
  ) {
    self.format = format
    self.rows = rows
    self.columns = columns.split(separator: ",").map(String.init)
    names = self.columns.map { $0.lowercased() }
    self.used = used
    self.extraCells = extraCells
    self.lastSafe = lastSafe
  }

  private static let sensor = TableForm(
    .sourceCSV, .readings,
    columns: "DeviceType,SerialNumber,Description,EventDateTime,Readings",
    used: [.serial, .description, .eventTime, .readings])
  private static let meter = TableForm(
    .sourceCSV, .readings,
    columns: "DeviceType,SerialNumber,Description,EventDateTime,BG,Note",
    used: [.serial, .description, .eventTime, .meter])
  private static let boluses = TableForm(
    .sourceCSV, .boluses,
    columns: """
      Type,BolusType,BolusDeliveryMethod,BG,SerialNumber,CompletionDateTime,InsulinDelivered,\
      FoodDelivered,CorrectionDelivered,CompletionStatusDesc,BolexStartDateTime,\
      BolexCompletionDateTime,BolexInsulinDelivered,BolexCompletionStatusDesc,StandardPercent,\
      Duration (mins),CarbSize,TargetBG,CorrectionFactor,CarbRatio
      """,
    used: [
      .type, .bolusType, .method, .serial, .completionTime, .delivered, .status, .extendedStart,
      .extendedEnd, .extendedDelivered, .extendedStatus, .carbohydrate,
    ])
  private static let timelineReadings = TableForm(
    .timelineCSV, .readings,
    columns: "DeviceType,SerialNumber,Description,EventDateTime,Readings (CGM / BGM)",
    used: [.serial, .description, .eventTime, .anyReadings], extraCells: 1)
  private static let insulinOnBoard = TableForm(
    .timelineCSV, .insulinOnBoard,
    columns: "Type,EventID,EventDateTime,IOB",
    used: [], extraCells: 1)
  private static let basal = TableForm(
    .timelineCSV, .basal,
    columns: "Type,EventDateTime,BasalRate", used: [],
    extraCells: 1)
  private static let timelineBoluses = TableForm(
    .timelineCSV, .boluses,
    columns: """
      Type,Description,BG,IOB,BolusRequestID,BolusCompletionID,CompletionDateTime,\
      InsulinDelivered,FoodDelivered,CorrectionDelivered,CompletionStatusID,CompletionStatusDesc,\
      BolusIsComplete,BolexCompletionID,BolexSize,BolexStartDateTime,BolexCompletionDateTime,\
      BolexInsulinDelivered,BolexIOB,BolexCompletionStatusID,BolexCompletionStatusDesc,\
      ExtendedBolusIsComplete,EventDateTime,RequestDateTime,BolusType,BolusRequestOptions,\
      StandardPercent,Duration,CarbSize,UserOverride,TargetBG,CorrectionFactor,FoodBolusSize,\
      CorrectionBolusSize,ActualTotalBolusRequested,IsQuickBolus,EventHistoryReportEventDesc,\
      EventHistoryReportDetails,NoteID,IndexID,Note
      """,
    used: [
      .type, .completionTime, .delivered, .statusID, .status, .isComplete, .extendedStart,
      .extendedEnd, .extendedDelivered, .extendedStatusID, .extendedStatus, .extendedIsComplete,
      .requestTime, .bolusType, .requestOptions, .carbohydrate,
    ],
    extraCells: 2, lastSafe: "isquickbolus")

  /// All forms.
  static let all = [
    sensor, meter, boluses, timelineReadings, insulinOnBoard, basal, timelineBoluses,
  ]
  /// How many cells the widest row of a format has; spreadsheets give all rows as many.
  var widest: Int {
    switch format {
    case .sourceCSV: 20
    case .glooko: names.count
    default: 43
    }
  }
  /// The column that names the pump.
  var serial: TableColumn { format == .glooko ? .pumpSerial : .serial }
  /// Every name that a form has.
  static let allNames = Set(all.flatMap(\.names))
  /// The forms that are known by the count of their names and the place of one with a unit, since
  /// their words are translated.
  static let translated: [(form: TableForm, unit: Int)] = [
    (sensor, 4), (meter, 4), (boluses, 3),
  ]
}

/// The unit of glucose that a header names.
enum GlucoseUnit: String, CaseIterable {
  case milligrams = "(mg/dl)"
  case millimoles = "(mmol/l)"
}

/// A section that a header row has opened.
struct TableSection {
  let form: TableForm
  /// Where columns stand; -1 where they do not.
  private var places = [Int](repeating: -1, count: TableColumn.allCases.count)
  /// The unit of its readings, if the header names one.
  private(set) var unit: GlucoseUnit?
  /// Whether its words are translated, so that columns are known by their places.
  let isTranslated: Bool
  /// Why nothing of it can be used.
  private(set) var fault: String?
  /// Names that no form has.
  private(set) var unknownNames: [String] = []
  /// How many names the header has.
  private let width: Int
  /// How many cells the header has, empty ones included.
  private let cells: Int
  /// The last place that is used.
  private var last = -1

  /// The section that a row opens; nil if the row is no header.
  ///
  /// - Parameters:
  ///   - row: any row of a table.
  ///   - allowsTranslated: whether its words may be translated.
  init?(header row: TableRow, allowsTranslated: Bool) {
    width = row.filled
    cells = row.count
    if let form = Self.form(of: row) {
      self.form = form
      isTranslated = false
      take((0..<width).map { Self.name(row, $0) }, of: row)
      return
    }
    let width = width
    let found = TableForm.translated.first {
      $0.form.names.count == width && Self.unit(row, $0.unit) != nil
    }
    guard allowsTranslated, let found else { return nil }
    form = found.form
    isTranslated = true
    unit = Self.unit(row, found.unit)
    for column in form.used {
      place(column, at: form.names.firstIndex(of: column.name.lowercased()) ?? 0)
    }
  }

  /// The section that a row opens in a table of Glooko; nil if the row is no header of one that is
  /// read.
  init?(glooko row: TableRow, hasTitle: Bool) {
    guard let (form, isTranslated) = GlookoTable.form(of: row, hasTitle: hasTitle)
    else { return nil }
    width = row.filled
    cells = row.count
    self.form = form
    self.isTranslated = isTranslated
    guard isTranslated else {
      take((0..<width).map { Self.name(row, $0) }, of: row)
      return
    }
    for column in form.used {
      place(column, at: form.names.firstIndex(of: column.name.lowercased()) ?? 0)
    }
    unit =
      [TableColumn.sensorGlucose, .meterGlucose].lazy.compactMap(place)
      .compactMap { Self.unit(row, $0) }.first
  }

  /// A section of another kind, whose rows are passed over.
  init(other row: TableRow, of format: DocumentFormat) {
    width = row.filled
    cells = row.count
    form = TableForm(format, .others, columns: "", used: [])
    isTranslated = false
  }

  /// Where a column stands; nil if the section has none.
  func place(of column: TableColumn) -> Int? {
    let place = places[column.rawValue]
    return place < 0 ? nil : place
  }

  /// Whether a row has a cell for all that is used, and none too many.
  ///
  /// A row that broke off inside a number looks like one with another number, so the last cell that
  /// is used must be followed by another one: in boluses, and where the text ends. A row of boluses
  /// that lacks a cell anywhere has amounts of other columns, so it needs all cells.
  func fits(_ row: TableRow) -> Bool {
    let mayBeLast = row.isEnded && (form.rows != .boluses || last == cells - 1)
    let all = min(cells + form.extraCells, max(cells, form.widest))
    guard form.rows != .boluses || row.count >= all else { return false }
    return row.count > last + (mayBeLast ? 0 : 1)
      && row.filled <= width + form.extraCells
      && row.count <= max(cells + form.extraCells, form.widest)
  }

  /// The form with most of its names in a row, half of them at least.
  private static func form(of row: TableRow) -> TableForm? {
    guard TableForm.allNames.contains(name(row, 0)) else { return nil }
    let known = Set((0..<row.filled).map { name(row, $0) })
    var best: (form: TableForm, share: Int)?
    for form in TableForm.all {
      let share = form.names.count { known.contains($0) } * 1000 / form.names.count
      if share >= 500, share > best?.share ?? 0 { best = (form, share) }
    }
    return best?.form
  }

  /// Finds the columns by their names.
  private mutating func take(_ names: [String], of row: TableRow) {
    var missing: [String] = []
    let safe = form.lastSafe.flatMap(names.firstIndex) ?? names.count
    for column in form.used {
      let found = names.indices.filter { names[$0] == column.name.lowercased() }
      if found.isEmpty { missing.append(column.name) }
      if found.count > 1 { fault = "the column \(column.name) is there twice" }
      if let place = found.first {
        if place > safe { fault = "the column \(column.name) is not where its cells are" }
        self.place(column, at: place)
      }
    }
    if !missing.isEmpty {
      fault =
        "missing: the column\(missing.count == 1 ? "" : "s") "
        + missing.joined(separator: ", ")
    }
    for column in Self.readingColumns where form.used.contains(column) {
      unit = place(of: column).flatMap { Self.unit(row, $0) }
      if unit == nil, column != .anyReadings, missing.isEmpty {
        fault = "the unit of \(column.name) is not known"
      }
    }
    unknownNames = names.indices.filter { !form.names.contains(names[$0]) && !names[$0].isEmpty }
      .map { Self.printable(row.text(of: $0)) }
  }

  /// The columns that hold glucose.
  private static let readingColumns: [TableColumn] = [
    .readings, .meter, .anyReadings, .sensorGlucose, .meterGlucose,
  ]

  private mutating func place(_ column: TableColumn, at index: Int) {
    places[column.rawValue] = index
    last = max(last, index)
  }

  /// The name in a cell in small letters, a unit of glucose left out.
  static func name(_ row: TableRow, _ index: Int) -> String {
    var cell = row.cell(index).map(ASCII.lowercased)
    if let unit = unit(row, index) {
      cell.removeLast(unit.rawValue.utf8.count)
      while cell.last == 0x20 { cell.removeLast() }
    }
    return String(decoding: cell, as: UTF8.self)
  }

  /// The unit at the end of a cell.
  static func unit(_ row: TableRow, _ index: Int) -> GlucoseUnit? {
    let cell = row.cell(index)
    guard cell.last == 0x29 else { return nil }
    return GlucoseUnit.allCases.first { unit in
      cell.count >= unit.rawValue.utf8.count
        && zip(cell.reversed(), unit.rawValue.utf8.reversed()).allSatisfy {
          ASCII.lowercased($0) == $1
        }
    }
  }

  /// The beginning of a name, without what moves a cursor.
  private static func printable(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars where text.utf8.count <= 60 {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: text += "?"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
