import PumpModel

extension RowReading {
  /// A row of boluses (N5, N6): the parts that have ended.
  mutating func bolus() throws(CellFault) -> RowOutcome {
    guard isWord("Bolus", in: .type) else {
      guard !section.isTranslated else { throw CellFault(.type, "is a word that is not known") }
      return .ignored(.otherRow)
    }
    var bolus = RowBolus()
    let end = try time(.completionTime)
    bolus.normal = try part(.delivered, .status, .statusID, end: end, isComplete: .isComplete)
    let extendedStart = try time(.extendedStart)
    let extendedEnd = try time(.extendedEnd)
    bolus.extended = try part(
      .extendedDelivered, .extendedStatus, .extendedStatusID, end: extendedEnd,
      isComplete: .extendedIsComplete)
    bolus.requestTime = try time(.requestTime)
    bolus.carbohydrate = try carbohydrate(.carbohydrate)
    bolus.isAutomatic = isFlag("Auto")
    bolus.isOverride = isFlag("Override")
    if bolus.extended != nil {
      bolus.span = try span(extendedStart, extendedEnd)
    }
    let normalEnd = try isSaid(.isComplete) ? end : nil
    guard let time = bolus.normal == nil ? bolus.span?.upperBound ?? normalEnd : normalEnd else {
      return .ignored(.incompleteRow)
    }
    guard bolus.normal != nil || bolus.extended != nil else {
      throw CellFault(.delivered, "is empty")
    }
    return .row(
      ExportRow(
        source: .csv, pump: 0, time: time, place: row.line, content: .bolus(bolus)))
  }

  /// What was delivered of a part; nil if it has not ended or its cell is empty.
  private mutating func part(
    _ delivered: TableColumn, _ status: TableColumn, _ statusID: TableColumn, end: Int64?,
    isComplete: TableColumn
  ) throws(CellFault) -> RowDose? {
    let number = try number(delivered)
    if let number, number.isAbove(80) { throw CellFault(delivered, "is above 80 U") }
    let word = try self.status(status, statusID)
    guard try isSaid(isComplete), end != nil, let number else { return nil }
    return RowDose(
      amount: UInt32(number.scaled(to: 3)), decimals: number.decimals, status: word)
  }

  private func span(_ start: Int64?, _ end: Int64?) throws(CellFault) -> ClosedRange<Int64>? {
    guard let end else { return nil }
    guard let start else { throw CellFault(.extendedStart, "is empty") }
    guard let span = RowBolus.span(from: start, until: end) else {
      throw CellFault(.extendedStart, "is more than a day after the end")
    }
    return span
  }

  /// Carbohydrate in mg; nil if there is none.
  mutating func carbohydrate(_ column: TableColumn) throws(CellFault) -> UInt32? {
    guard let number = try number(column, limit: 65_535) else { return nil }
    let milligrams = number.isAbove(65_535) ? .max : number.scaled(to: 3)
    guard milligrams < RowBolus.tooMuchCarbohydrate else {
      throw CellFault(column, "is above any meal")
    }
    return milligrams == 0 ? nil : UInt32(milligrams)
  }

  /// Whether a column says yes; a section without it says it of all its rows.
  private func isSaid(_ column: TableColumn) throws(CellFault) -> Bool {
    guard section.place(of: column) != nil else { return true }
    if isWord("1", in: column) || isWord("true", in: column) { return true }
    if cell(column).isEmpty || isWord("0", in: column) || isWord("false", in: column) {
      return false
    }
    throw CellFault(column, "is neither 0 nor 1")
  }

  /// Whether a word is one of those that say how a bolus came about.
  private func isFlag(_ word: StaticString) -> Bool {
    isWord(word, in: .bolusType) || isWord(word, in: .method) || isWord(word, in: .requestOptions)
  }

  /// How a part ended, by its word and the pump's number for it.
  private func status(
    _ column: TableColumn, _ number: TableColumn
  ) throws(CellFault) -> String? {
    // The pump's number for a bolus that it refused.
    if isWord("5", in: number) || isWord("Rejected", in: column) { return "rejected" }
    if isWord("Completed", in: column) { return "completed" }
    guard let place = section.place(of: column), !row.cell(place).isEmpty else { return nil }
    let text = row.text(of: place)
    // Where an unquoted comma shifts the cells, an amount comes to stand here.
    guard RowDose.isStatus(text), text.unicodeScalars.contains(where: \.properties.isAlphabetic)
    else { throw CellFault(column, "is no word of a status") }
    return text
  }
}
