import PumpModel

/// Reads Tandem's tables, the export of Tandem Source and the older site's therapy timeline, and those of
/// Glooko's export (FORMATS C, E, G).
///
/// Rows are handed on while the text is read. What is found out late, that numbers or dates
/// contradict each other, or that nothing settles how to read them, damages the document, which
/// takes back all of it. Memory is bounded by one row, a batch, and the rows that wait for the
/// order of dates.
final class TableReader {
  /// How many rows go together.
  private static let batchSize = 1024
  /// Lines before the first header.
  private static let longestPreamble = 64
  /// Rows that wait until the order of the fields of dates is known.
  private static let mostWaiting = 1 << 14
  /// Pumps of one table.
  private static let mostPumps = 256

  private let consumer: any DocumentConsumer
  private let forms: CellForms
  private let isGlooko: Bool
  private var text: DocumentText
  private var splitter = RowSplitter(separator: nil)
  private var isTimeline = false
  private var format: DocumentFormat?
  /// Whether the first line is the maker's, so that it is a table of theirs, whatever follows.
  private var hasFirstLine = false
  /// The first line of the table itself: the second where one names what parts cells.
  private var firstLine: UInt64 = 1
  private var section: TableSection?
  private var marks = DecimalMarks(said: nil)
  private var order: DateOrder?
  private var waiting: [(day: RowOutcome, month: RowOutcome, line: UInt64)] = []
  private var batch: [ExportRow] = []
  private var serials: [[UInt8]] = []
  private var references: [UInt32] = []

  /// How the document ended; nil while it goes on.
  private(set) var verdict: DocumentVerdict?

  init(
    _ coding: DocumentText.Coding, isGlooko: Bool = false, forms: CellForms,
    consumer: any DocumentConsumer
  ) {
    text = DocumentText(coding)
    self.isGlooko = isGlooko
    self.forms = forms
    self.consumer = consumer
    order = forms.dates
  }

  /// Takes the next bytes of the text, its mark left out.
  func feed(_ bytes: RawSpan) {
    guard verdict == nil else { return }
    text.feed(bytes) { read($0) }
  }

  /// Ends the text: the verdict is there afterwards.
  func finish(wasCut: Reject?) {
    if verdict == nil { readLast() }
    if verdict == nil, let wasCut { end(wasCut) }
    if verdict == nil { settle() }
    guard verdict == nil else { return }
    flush()
    if let format { verdict = .whole(format) } else { end(Self.withoutHeader) }
  }

  private static let withoutHeader = Reject(.whole, "none of its headers is known")

  private func readLast() {
    switch splitter.finish() {
    case .row: take(splitter.row)
    case .damage: end(openQuote)
    case .nothing: break
    }
    guard verdict == nil, format != nil, text.isCut else { return }
    consumer.reject(Reject(.line(splitter.line), "the text ends inside a character"))
  }

  private func read(_ text: RawSpan) {
    var position = 0
    while verdict == nil {
      switch splitter.next(text, &position) {
      case .row: take(splitter.row)
      case .damage: end(openQuote)
      case .nothing: return
      }
    }
  }

  private var openQuote: Reject {
    Reject(.line(splitter.row.line), "a cell in quotes has no proper end")
  }

  /// Ends the document as damaged, or as none of ours if nothing of it had been recognised.
  private func end(_ reject: Reject) {
    let format = format ?? (hasFirstLine ? .sourceCSV : nil)
    verdict = format.map { .damaged($0, reject) } ?? .unrecognised
  }

  private func take(_ row: TableRow) {
    if splitter.separator == nil { return takeBeforeHeader(row) }
    if let fault = row.fault { return reject(row, Self.reason(of: fault)) }
    guard row.filled > 0 else { return }
    if !isGlooko, let header = TableSection(header: row, allowsTranslated: !isTimeline) {
      return open(header, at: row)
    }
    if section?.form.rows != .others, Self.looksLikeHeader(row), let format, !isGlooko {
      section = TableSection(other: row, of: format)
      return reject(row, "a header that is not known; none of the rows below it is read")
    }
    takeData(row)
  }

  /// Whether a row has words in all its cells, and some of them: rows of data have times.
  private static func looksLikeHeader(_ row: TableRow) -> Bool {
    row.filled >= 4
      && (0..<row.filled).allSatisfy { index in
        let cell = row.cell(index)
        return !cell.isEmpty && !cell.contains { 0x30...0x39 ~= $0 }
      }
  }

  private static func reason(of fault: TableRow.Fault) -> String {
    switch fault {
    case .tooLong: "the row is longer than any row of ours"
    case .quotes: "a cell goes on behind its closing quote"
    case .cut: "the text ends inside the row"
    }
  }

  private func reject(_ row: TableRow, _ reason: String) {
    consumer.reject(Reject(.line(row.line), reason))
  }
}

// MARK: - What stands before the first header

extension TableReader {
  static let separators: [UInt8] = [0x2C, 0x3B, 0x09]
  private static let title = Array("t:connect therapy timeline".utf8)

  private func takeBeforeHeader(_ line: TableRow) {
    guard line.line > 1 || line.fault != nil || !SeparatorLine.isOne(line.whole) else {
      firstLine = 2
      return
    }
    guard !isGlooko else { return takeBeforeGlookoHeader(line) }
    hasFirstLine = hasFirstLine || line.fault == nil && Self.isFirstLine(line.whole)
    guard hasFirstLine, line.fault == nil, line.line <= Self.longestPreamble else {
      return end(Self.withoutHeader)
    }
    if line.line <= firstLine + 2, Self.isTitle(line.whole) {
      isTimeline = true
      format = .timelineCSV
    }
    let rows = Self.separators.compactMap { separator in
      RowSplitter.row(of: line, separator: separator).map { (separator, $0) }
    }
    for (separator, row) in rows {
      guard let header = TableSection(header: row, allowsTranslated: !isTimeline) else { continue }
      splitter.separator = separator
      marks = DecimalMarks(said: forms.decimal ?? (separator == 0x2C ? .point : nil))
      return open(header, at: row)
    }
    // What stands above the first section has a label and words: this is a row of some section.
    if rows.contains(where: { $1.filled >= 5 }) {
      reject(line, "a row above any header that is known")
    }
  }

  /// A title, blank lines, or the header: of a table that is read, or of another one.
  private func takeBeforeGlookoHeader(_ line: TableRow) {
    guard line.fault == nil else {
      verdict = .unrecognised
      return
    }
    if line.line == firstLine, GlookoTable.isTitle(line.whole) {
      format = .glooko
      return
    }
    guard line.filled > 0 else { return }
    let rows = Self.separators.compactMap { separator in
      RowSplitter.row(of: line, separator: separator).map { (separator, $0) }
    }
    let header = rows.lazy.compactMap { separator, row in
      TableSection(glooko: row, hasTitle: self.format != nil).map { (separator, row, $0) }
    }.first
    guard let (separator, row, section) = header else {
      guard format != nil, let (separator, row) = rows.max(by: { $0.1.count < $1.1.count }) else {
        verdict = .unrecognised
        return
      }
      splitter.separator = separator
      section = TableSection(other: row, of: .glooko)
      return
    }
    splitter.separator = separator
    // Where commas part cells a number may still have one, in quotes.
    marks = DecimalMarks(said: forms.decimal, isPartedByCommas: separator == 0x2C)
    open(section, at: row)
  }

  /// Whether a line holds the name of the maker and nothing else.
  private static func isFirstLine(_ line: [UInt8]) -> Bool {
    let blanks: [UInt8] = separators + [0x20, 0x22]
    let words = line.drop { $0 == 0x22 }
    return words.starts(with: TableOpening.words)
      && words.dropFirst(TableOpening.words.count).allSatisfy(blanks.contains)
  }

  private static func isTitle(_ line: [UInt8]) -> Bool {
    line.drop { $0 == 0x22 || $0 == 0x20 }.prefix(title.count).map(ASCII.lowercased) == title
  }

  private func open(_ header: TableSection, at row: TableRow) {
    format = format ?? header.form.format
    section = header
    if let fault = header.fault {
      reject(row, "\(fault); none of the rows below it is read")
    } else if !row.isEnded, row.count < header.form.names.count {
      reject(row, "the text ends inside the row")
    }
    header.unknownNames.forEach(consumer.unknownColumn)
  }
}

// MARK: - Rows

extension TableReader {
  private func takeData(_ row: TableRow) {
    guard let section else { return }
    guard section.fault == nil else { return give(.ignored(.otherRow), at: row.line) }
    switch section.form.rows {
    case .insulinOnBoard: return give(.ignored(.insulinOnBoardRow), at: row.line)
    case .basal: return give(.ignored(.basalRow), at: row.line)
    case .others: return give(.ignored(.otherRow), at: row.line)
    case .readings, .boluses, .glookoBoluses, .glookoRates, .glookoReadings: break
    }
    guard section.fits(row) else {
      let reason =
        row.isEnded
        ? "the row has more or fewer cells than its header" : "the text ends inside the row"
      return give(.rejected(reason), at: row.line)
    }
    let reading = RowReading(row, of: section, order: order ?? .dmy, marks: marks)
    guard forms.dates == nil else { return give(outcome(reading), at: row.line) }
    guard !reading.hasShortYear else { return end(undecidedDates(row.line)) }
    switch (reading.evidence, order) {
    case (nil, _):
      end(contradiction("dates", "--date-order", row.line))
    case (.only(let found), nil):
      decide(found)
      give(outcome(RowReading(row, of: section, order: found, marks: marks)), at: row.line)
    case (.only(let found), .some(let known)) where found != known:
      end(contradiction("dates", "--date-order", row.line))
    case (.several, nil): wait(row, in: section)
    default: give(outcome(reading), at: row.line)
    }
  }

  private func outcome(_ reading: RowReading) -> RowOutcome {
    var reading = reading
    defer { marks = reading.marks }
    do {
      let outcome: RowOutcome
      switch reading.section.form.rows {
      case .boluses: outcome = try reading.bolus()
      case .glookoBoluses: outcome = try reading.glookoBolus()
      case .glookoRates: outcome = try reading.glookoRate()
      case .glookoReadings: outcome = try reading.glookoReading()
      case .readings, .insulinOnBoard, .basal, .others: outcome = try reading.reading()
      }
      guard case .row(var row) = outcome else { return outcome }
      row.pump = try pump(of: reading)
      return .row(row)
    } catch {
      if reading.isContradiction {
        end(contradiction("numbers", "--decimal", reading.row.line))
      }
      return .rejected(error.reason)
    }
  }

  /// The place of a row's serial number in the list, plus one; 0 where it has none.
  private func pump(of reading: RowReading) throws(CellFault) -> UInt32 {
    let column = reading.section.form.serial
    let cell = reading.cell(column)
    guard !cell.isEmpty else { return 0 }
    if let last = serials.last, last.elementsEqual(cell) { return UInt32(serials.count) }
    if let known = serials.firstIndex(where: { $0.elementsEqual(cell) }) {
      return UInt32(known + 1)
    }
    guard ExportSerial.isSerial(cell) else {
      throw CellFault(column, "is no serial number")
    }
    guard serials.count < Self.mostPumps else {
      throw CellFault(column, "is one more than pumps of any person")
    }
    serials.append(Array(cell))
    references.append(0)
    return UInt32(serials.count)
  }

  /// Hands on what became of a row, after those that wait.
  private func give(_ outcome: RowOutcome, at line: UInt64) {
    guard verdict == nil else { return }
    guard waiting.isEmpty else { return wait(outcome, outcome, line) }
    switch outcome {
    case .row(let row): add(row)
    case .ignored(let reason): consumer.ignore(reason, eventID: nil)
    case .rejected(let reason): consumer.reject(Reject(.line(line), reason))
    }
  }

  private func add(_ row: ExportRow) {
    var row = row
    if row.pump > 0 {
      let place = Int(row.pump) - 1
      if references[place] == 0 {
        references[place] = consumer.pump(serial: String(decoding: serials[place], as: UTF8.self))
      }
      row.pump = references[place]
    }
    batch.append(row)
    if batch.count == Self.batchSize { flush() }
  }

  private func flush() {
    guard !batch.isEmpty else { return }
    consumer.rows(batch)
    batch.removeAll(keepingCapacity: true)
  }
}

// MARK: - The order of dates

extension TableReader {
  private func wait(_ row: TableRow, in section: TableSection) {
    let day = outcome(RowReading(row, of: section, order: .dmy, marks: marks))
    let month = outcome(RowReading(row, of: section, order: .mdy, marks: marks))
    guard verdict == nil else { return }
    wait(day, month, row.line)
  }

  private func wait(_ day: RowOutcome, _ month: RowOutcome, _ line: UInt64) {
    waiting.append((day, month, line))
    if waiting.count > Self.mostWaiting { end(undecidedDates(waiting[0].line)) }
  }

  private func decide(_ found: DateOrder) {
    order = found
    let rows = waiting
    waiting = []
    for row in rows { give(found == .mdy ? row.month : row.day, at: row.line) }
  }

  /// Refuses a table in which something could be read in two ways to the end.
  private func settle() {
    if let first = waiting.first {
      end(undecidedDates(first.line))
    } else if let line = marks.undecidedLine {
      end(
        Reject(
          .line(line),
          "numbers such as the ones here could have decimals or thousands: say which with "
            + "--decimal point or --decimal comma"))
    }
  }

  private func undecidedDates(_ line: UInt64) -> Reject {
    Reject(
      .line(line),
      "dates such as the one here can be read in several ways: say which with --date-order dmy, "
        + "mdy or ymd")
  }

  private func contradiction(_ what: String, _ option: String, _ line: UInt64) -> Reject {
    Reject(
      .line(line),
      "\(what) of this row and of earlier ones contradict each other: say how "
        + "to read them with \(option)")
  }
}
