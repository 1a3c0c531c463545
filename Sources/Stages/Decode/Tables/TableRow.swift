/// One row of a table: its cells, quotes taken off.
struct TableRow {
  /// The bytes of a longest row.
  static let longest = 1 << 16

  /// What is wrong with the form of a row.
  enum Fault {
    /// It is longer than any row of ours.
    case tooLong
    /// Something follows the closing quote of a cell.
    case quotes
    /// The text ends inside it.
    case cut
  }

  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// The line on which it begins, counted from 1.
  var line: UInt64 = 1
  /// What is wrong with it.
  var fault: Fault?
  /// Whether a line end follows it; a text may end without.
  var isEnded = true

  /// An open row that holds nothing yet.
  init() {}

  /// A row of one cell.
  init(whole: [UInt8]) {
    bytes = whole
    endCell()
  }

  /// How many cells there are, empty ones included.
  var count: Int { ends.count }
  /// All its characters, where it is one cell.
  var whole: [UInt8] { bytes }
  /// How many cells there are up to the last one that is not blank.
  var filled: Int { (0..<count).last { !cell($0).isEmpty }.map { $0 + 1 } ?? 0 }

  /// Forgets what it holds.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    (fault, isEnded) = (nil, true)
  }

  /// Adds a byte to the last cell, which is open.
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Closes the last cell.
  mutating func endCell() { ends.append(bytes.count) }

  /// The characters of a cell without white space around them; none where there is no such cell.
  func cell(_ index: Int) -> ArraySlice<UInt8> {
    guard ends.indices.contains(index) else { return [] }
    var cell = bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    while let byte = cell.first, byte == 0x20 || byte == 0x09 { cell.removeFirst() }
    while let byte = cell.last, byte == 0x20 || byte == 0x09 { cell.removeLast() }
    return cell
  }

  /// Whether a cell holds exactly a word, whatever the case of its letters.
  func cell(_ index: Int, is word: StaticString) -> Bool {
    let cell = cell(index)
    guard cell.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { letters in
      unsafe zip(cell, letters).allSatisfy {
        ASCII.lowercased($0) == ASCII.lowercased($1)
      }
    }
  }

  /// A cell's words; bytes that are no UTF-8 are read as Windows-1252.
  func text(of index: Int) -> String {
    let cell = cell(index)
    return String(validating: cell, as: UTF8.self) ?? Windows1252.text(cell)
  }
}

/// The code page that spreadsheets of Western Europe save in when they do not save in UTF-8.
enum Windows1252 {
  private static let upper: [UInt32] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
  ]

  /// The characters of bytes.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      let code = 0x80...0x9F ~= byte ? upper[Int(byte) - 0x80] : UInt32(byte)
      text.unicodeScalars.append(Unicode.Scalar(code) ?? "\u{FFFD}")
    }
    return text
  }
}
