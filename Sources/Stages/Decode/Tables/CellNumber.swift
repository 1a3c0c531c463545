import PumpModel

/// A decimal number exactly as a cell has it.
struct CellNumber: Equatable {
  /// All its digits as one number.
  var digits: UInt64
  /// How many of them stand behind the mark.
  var decimals: UInt8
  /// What stands before them, if there are any.
  var mark: DecimalMark?
  /// Whether the mark may as well part thousands: three digits follow, and one to three stand
  /// before it.
  var isDoubtful = false

  /// What a cell that should hold a number holds.
  enum Reading: Equatable {
    /// Nothing.
    case empty
    /// A number.
    case number(CellNumber)
    /// Anything else.
    case fault(Fault)
  }

  /// Why a cell holds no number.
  enum Fault: Equatable {
    /// It is no plain decimal number.
    case notNumber
    /// It is below zero.
    case negative
    /// It has more digits than any amount.
    case tooLong
    /// It has separators of thousands.
    case thousands
  }

  /// Digits before and behind the mark.
  private static let longest = 9

  /// Reads a cell: digits, a mark, digits, and nothing else.
  static func read(_ cell: ArraySlice<UInt8>) -> Reading {
    guard let start = cell.first else { return .empty }
    guard start != 0x2D else {
      if case .number = read(cell.dropFirst()) { return .fault(.negative) }
      return .fault(.notNumber)
    }
    var number = CellNumber(digits: 0, decimals: 0)
    var (whole, marks) = (0, 0)
    for byte in cell {
      switch byte {
      case 0x30...0x39:
        if marks == 0 { whole += 1 } else { number.decimals &+= 1 }
        guard whole <= longest, number.decimals <= longest else { return .fault(.tooLong) }
        number.digits = number.digits * 10 + UInt64(byte - 0x30)
      case 0x2C, 0x2E:
        guard whole > 0 else { return .fault(.notNumber) }
        marks += 1
        if marks > 1 { return .fault(isGrouped(cell) ? .thousands : .notNumber) }
        number.mark = byte == 0x2C ? .comma : .point
      default: return .fault(.notNumber)
      }
    }
    guard marks == 0 || number.decimals > 0 else { return .fault(.notNumber) }
    number.isDoubtful =
      number.mark != nil && number.decimals == 3 && whole <= 3 && start != 0x30
    return .number(number)
  }

  /// Whether a cell holds digits, points and commas alone.
  private static func isGrouped(_ cell: ArraySlice<UInt8>) -> Bool {
    cell.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2C || $0 == 0x2E }
  }

  /// The number in units of 10 to the power of minus `places`, which is at most 9, rounded half to
  /// even.
  func scaled(to places: UInt8) -> UInt64 {
    guard decimals > places else { return digits * Self.power(places - decimals) }
    return Self.divided(digits, by: Self.power(decimals - places))
  }

  /// Whether nothing but zeros stands behind the mark.
  var isWhole: Bool { digits.isMultiple(of: Self.power(decimals)) }

  /// Whether the number is above a whole number.
  func isAbove(_ limit: UInt64) -> Bool { digits > limit * Self.power(decimals) }

  /// A quotient rounded half to even.
  static func divided(_ number: UInt64, by divisor: UInt64) -> UInt64 {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    let twice = rest * 2
    return twice > divisor || (twice == divisor && quotient & 1 == 1) ? quotient + 1 : quotient
  }

  private static func power(_ exponent: UInt8) -> UInt64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}

/// Which mark the numbers of a table have.
///
/// Where commas part cells, numbers have points, as Tandem writes them. Elsewhere a spreadsheet
/// wrote the table, and its numbers tell: one that can be read in one way only settles it, and one
/// that could be read in two ways waits for that. Where commas part Glooko's cells, a number with a
/// point can be read in one way if by the other it would be beyond what its column can hold.
struct DecimalMarks {
  /// What becomes of a number.
  enum Judgement {
    /// It is taken.
    case taken
    /// It alone is refused.
    case refused
    /// All of the table is refused: its numbers contradict each other.
    case contradiction
  }

  /// The mark that holds for the whole table, if it was known before a number was read.
  private let said: DecimalMark?
  private let isPartedByCommas: Bool
  private var seen: DecimalMark?
  private var doubtful: (mark: DecimalMark, line: UInt64)?

  init(said: DecimalMark?, isPartedByCommas: Bool = false) {
    self.said = said
    self.isPartedByCommas = isPartedByCommas
  }

  /// The line of a number that can be read in two ways, if nothing settles which.
  var undecidedLine: UInt64? { seen == nil ? doubtful?.line : nil }

  /// Takes in a number of a line, whose column holds none above a limit.
  mutating func take(_ number: CellNumber, line: UInt64, limit: UInt64? = nil) -> Judgement {
    guard let mark = number.mark else { return .taken }
    if let said { return mark == said ? .taken : .refused }
    if let known = seen ?? doubtful?.mark, known != mark { return .contradiction }
    if number.isDoubtful, !isSettled(number, by: limit) {
      if doubtful == nil { doubtful = (mark, line) }
    } else {
      seen = mark
    }
    return .taken
  }

  /// Whether a number with three decimals cannot have thousands.
  private func isSettled(_ number: CellNumber, by limit: UInt64?) -> Bool {
    // With thousands, all its digits are whole ones.
    isPartedByCommas && number.mark == .point && limit.map { number.digits > $0 } ?? false
  }
}
