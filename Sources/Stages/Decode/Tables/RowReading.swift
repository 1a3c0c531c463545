import PumpModel

/// What becomes of a row.
enum RowOutcome {
  /// It says something; its pump is the place of the serial number in the table's list, plus one.
  case row(ExportRow)
  /// It is sound and not used.
  case ignored(IgnoredReason)
  /// It cannot be used.
  case rejected(String)
}

/// Why a row cannot be used: a column and what is wrong with its cell.
struct CellFault: Error {
  let reason: String

  init(_ column: TableColumn, _ what: String) { reason = "\(column.name) \(what)" }
}

/// Reads the cells of one row by its section.
struct RowReading {
  let row: TableRow
  let section: TableSection
  /// The order of the fields of dates; any, if its dates tell nothing.
  let order: DateOrder
  private(set) var marks: DecimalMarks
  /// Whether a number contradicts the marks of earlier ones.
  private(set) var isContradiction = false

  init(_ row: TableRow, of section: TableSection, order: DateOrder, marks: DecimalMarks) {
    self.row = row
    self.section = section
    self.order = order
    self.marks = marks
  }

  /// The columns with times that a section has.
  static let times: [TableColumn] = [
    .eventTime, .completionTime, .requestTime, .extendedStart, .extendedEnd, .timestamp,
  ]

  /// What the row's own dates say of the order; nil if they contradict each other.
  var evidence: CellDate.Evidence? {
    var sum = CellDate.Evidence.none
    for place in Self.times.compactMap(section.place) {
      guard let date = CellDate(row.cell(place)) else { continue }
      switch (sum, date.evidence) {
      case (.only(let order), .only(let other)) where order != other: return nil
      case (_, .only(let order)): sum = .only(order)
      case (.none, .several): sum = .several
      default: break
      }
    }
    return sum
  }

  /// Whether a date has a year of two digits.
  var hasShortYear: Bool {
    Self.times.compactMap(section.place).contains {
      CellDate(row.cell($0))?.hasShortYear ?? false
    }
  }

  func cell(_ column: TableColumn) -> ArraySlice<UInt8> {
    section.place(of: column).map(row.cell) ?? []
  }

  func isWord(_ word: StaticString, in column: TableColumn) -> Bool {
    section.place(of: column).map { row.cell($0, is: word) } ?? false
  }

  /// The time in a cell, in seconds since 1970-01-01T00:00:00; nil if it is empty.
  func time(_ column: TableColumn) throws(CellFault) -> Int64? {
    let cell = cell(column)
    guard !cell.isEmpty else { return nil }
    guard let time = CellDate(cell)?.time(in: order) else {
      throw CellFault(column, "is no date and time")
    }
    guard 0...Int64(UInt32.max) ~= time - PumpTime.epochInUnixSeconds else {
      throw CellFault(column, "is a time that no pump shows")
    }
    return time
  }

  /// The number in a cell, of a column that holds none above a limit; nil if it is empty.
  ///
  /// What is above the limit is given all the same.
  mutating func number(
    _ column: TableColumn, limit: UInt64? = nil
  ) throws(CellFault) -> CellNumber? {
    switch CellNumber.read(cell(column)) {
    case .empty: return nil
    case .fault(.notNumber): throw CellFault(column, "is no number")
    case .fault(.negative): throw CellFault(column, "is negative")
    case .fault(.tooLong): throw CellFault(column, "has more digits than any amount")
    case .fault(.thousands): throw CellFault(column, "has separators of thousands")
    case .number(let number):
      switch marks.take(number, line: row.line, limit: limit) {
      case .taken: return number
      case .refused:
        let mark = number.mark == .comma ? "comma" : "point"
        throw CellFault(
          column, "has a \(mark), which may part decimals or thousands: --decimal tells")
      case .contradiction:
        isContradiction = true
        throw CellFault(column, "has another decimal mark than numbers before")
      }
    }
  }
}

extension RowReading {
  /// A row of glucose readings.
  mutating func reading() throws(CellFault) -> RowOutcome {
    let isManual = isWord("BG", in: .description)
    guard isManual || isWord("EGV", in: .description) else { return .ignored(.otherRow) }
    guard let time = try time(.eventTime) else { throw CellFault(.eventTime, "is empty") }
    let column = [TableColumn.readings, .meter, .anyReadings].first {
      section.place(of: $0) != nil
    }
    guard let column, let glucose = try glucose(column) else { return .ignored(.glucoseNotShown) }
    return .row(
      ExportRow(
        source: .csv, pump: 0, time: time, place: row.line,
        content: .reading(glucose: glucose, isManual: isManual)))
  }

  /// The reading of a cell in whole mg/dL; nil where none was shown.
  mutating func glucose(_ column: TableColumn) throws(CellFault) -> UInt16? {
    // High and Low, whatever the language; nothing but a word says that.
    guard cell(column).contains(where: { 0x30...0x39 ~= $0 }) else { return nil }
    let highest = UInt64(ExportRow.highestGlucose)
    guard let number = try number(column, limit: highest), number.digits > 0 else { return nil }
    guard !number.isAbove(highest) else {
      throw CellFault(column, "is above any reading")
    }
    let value: UInt64
    switch section.unit {
    case .millimoles:
      value = CellNumber.divided(
        number.digits * 180_156,
        by: CellNumber(digits: 1, decimals: 0).scaled(to: number.decimals) * 10_000)
      guard value <= ExportRow.highestMillimoles else {
        throw CellFault(column, "is above any reading in mmol/L, the unit of the header")
      }
    case .milligrams:
      guard number.isWhole, number.isAbove(UInt64(ExportRow.lowestGlucose - 1)) else {
        throw CellFault(column, "is no reading in mg/dL, the unit of the header")
      }
      value = number.scaled(to: 0)
    case nil:
      // The header names no unit. It is mg/dL, but a small number may be mmol/L.
      guard number.isWhole, number.isAbove(33) else {
        throw CellFault(column, "may be in mmol/L, and the header names no unit")
      }
      value = number.scaled(to: 0)
    }
    return value == 0 ? nil : UInt16(value)
  }
}
