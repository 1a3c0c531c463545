/// Finds the rows and cells of a table in text cut anywhere.
///
/// Lines end in LF, CR or both. A cell may be in quotes; then it may hold separators, line ends and
/// quotes written twice. Memory is bounded by one row.
struct RowSplitter {
  /// What was found.
  enum Found {
    /// A row has ended: `row`.
    case row
    /// The bytes are at their end, and the row is not.
    case nothing
    /// A cell in quotes goes on over lines and has no proper end: what is a row and what a cell
    /// cannot be told any more.
    case damage
  }

  private enum State { case cellStart, plain, quoted, quoteInQuotes, skipping }

  /// What stands between cells; nil: it is not known yet, and a line comes as one cell with all its
  /// characters.
  var separator: UInt8?
  /// The row that ended last.
  private(set) var row = TableRow()

  private var state = State.cellStart
  /// The line of the next character, counted from 1.
  private(set) var line: UInt64 = 1
  private var length = 0
  private var isAfterReturn = false
  private var isOpen = false

  init(separator: UInt8?) { self.separator = separator }

  /// Reads on from a position until something is found.
  mutating func next(_ bytes: RawSpan, _ position: inout Int) -> Found {
    while position < bytes.byteCount {
      let byte = bytes.byte(at: position)
      position += 1
      if isAfterReturn {
        isAfterReturn = false
        if byte == 0x0A { continue }
      }
      if !isOpen { open() }
      length += 1
      if byte == 0x0A || byte == 0x0D {
        let isInside = state == .quoted
        isAfterReturn = byte == 0x0D
        line += 1
        guard isInside else {
          close()
          return .row
        }
        row.append(0x0A)
      } else if !take(byte) {
        return .damage
      }
      if length > TableRow.longest, state != .skipping {
        guard state != .quoted else { return .damage }
        skip(.tooLong)
      }
    }
    return .nothing
  }

  /// Ends the text: what is left of it is a row without a line end.
  mutating func finish() -> Found {
    guard isOpen else { return .nothing }
    if state == .quoted {
      guard line == row.line else { return .damage }
      row.fault = .cut
    }
    close()
    row.isEnded = false
    return .row
  }

  private mutating func open() {
    row.clear()
    row.line = line
    (state, length, isOpen) = (.cellStart, 0, true)
  }

  private mutating func close() {
    row.endCell()
    isOpen = false
  }

  private mutating func skip(_ fault: TableRow.Fault) {
    row.fault = fault
    state = .skipping
  }

  /// Takes a character that ends no line; false if the text makes no sense from here on.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard let separator else {
      if state != .skipping { row.append(byte) }
      return true
    }
    switch state {
    case .cellStart where byte == 0x22: state = .quoted
    case .cellStart, .plain:
      if byte == separator {
        endCell()
      } else {
        row.append(byte)
        state = .plain
      }
    case .quoted where byte == 0x22: state = .quoteInQuotes
    case .quoted: row.append(byte)
    case .quoteInQuotes where byte == 0x22:
      row.append(byte)
      state = .quoted
    case .quoteInQuotes where byte == separator: endCell()
    case .quoteInQuotes:
      guard line == row.line else { return false }
      skip(.quotes)
    case .skipping: break
    }
    return true
  }

  private mutating func endCell() {
    row.endCell()
    state = .cellStart
  }
}

extension RowSplitter {
  /// A line as a row with a separator; nil if it is not one whole row.
  static func row(of line: TableRow, separator: UInt8) -> TableRow? {
    var splitter = RowSplitter(separator: separator)
    let text = line.whole
    var position = 0
    guard case .nothing = splitter.next(unsafe text.span.bytes, &position),
      case .row = splitter.finish(), splitter.row.fault == nil
    else { return nil }
    var row = splitter.row
    row.line = line.line
    row.isEnded = line.isEnded
    return row
  }
}
