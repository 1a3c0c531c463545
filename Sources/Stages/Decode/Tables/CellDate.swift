import PumpModel

/// A date and time of day exactly as a cell has them.
struct CellDate {
  /// The three numbers of the date as they follow each other.
  private let fields: [3 of Int]
  private let firstDigits: Int
  private let lastDigits: Int
  private let seconds: Int64
  private let form: Form

  private enum Form { case yearFirst, yearLast, shortYear }

  /// What the date itself says of the order.
  enum Evidence: Equatable {
    /// Every order that could be gives the same time, or none does.
    case none
    /// Only this one gives a date.
    case only(DateOrder)
    /// Several give different dates.
    case several
  }

  /// Reads a cell such as `2026-05-04T12:31:00`, `4/5/2026 12:31` or `4.5.2026 12:31 PM`; nil if it
  /// has another form.
  init?(_ cell: ArraySlice<UInt8>) {
    var scanner = CellScanner(rest: cell)
    guard let first = scanner.number(upTo: 4), let mark = scanner.take([0x2D, 0x2F, 0x2E]),
      let second = scanner.number(upTo: 2), scanner.take([mark]) != nil,
      let third = scanner.number(upTo: 4), let time = scanner.time()
    else { return nil }
    switch (first.count, third.count) {
    case (4, 1...2): form = .yearFirst
    case (1...2, 4): form = .yearLast
    case (1...2, 1...2): form = .shortYear
    default: return nil
    }
    (firstDigits, lastDigits) = (first.count, third.count)
    fields = [first.value, second.value, third.value]
    seconds = time
  }

  /// Whether its year has two digits, so that nothing in it tells the order.
  var hasShortYear: Bool { form == .shortYear }

  /// What it says of the order.
  var evidence: Evidence {
    switch form {
    case .yearFirst: return .none
    case .shortYear: return .several
    case .yearLast:
      let (day, month) = (time(in: .dmy), time(in: .mdy))
      if day == month { return .none }
      guard day != nil, month != nil else { return .only(day == nil ? .mdy : .dmy) }
      return .several
    }
  }

  /// Seconds since 1970-01-01T00:00:00 if the date has an order; nil if there is no such date.
  func time(in order: DateOrder) -> Int64? {
    if form == .shortYear, (order == .ymd ? firstDigits : lastDigits) < 2 { return nil }
    let (year, month, day): (Int, Int, Int)
    switch (form, order) {
    case (.yearFirst, _): (year, month, day) = (fields[0], fields[1], fields[2])
    case (.yearLast, .ymd): return nil
    case (.yearLast, .dmy): (year, month, day) = (fields[2], fields[1], fields[0])
    case (.yearLast, .mdy): (year, month, day) = (fields[2], fields[0], fields[1])
    case (.shortYear, .ymd): (year, month, day) = (2000 + fields[0], fields[1], fields[2])
    case (.shortYear, .dmy): (year, month, day) = (2000 + fields[2], fields[1], fields[0])
    case (.shortYear, .mdy): (year, month, day) = (2000 + fields[2], fields[0], fields[1])
    }
    guard 1...12 ~= month, day >= 1, day <= CivilTime.days(inMonth: month, of: year) else {
      return nil
    }
    return CivilTime.days(year: year, month: month, day: day) * 86_400 + seconds
  }
}

/// Takes a cell apart.
private struct CellScanner {
  var rest: ArraySlice<UInt8>

  /// A number of at most so many digits, and how many there are.
  mutating func number(upTo most: Int) -> (value: Int, count: Int)? {
    var (value, count) = (0, 0)
    while let byte = rest.first, 0x30...0x39 ~= byte, count < most {
      value = value * 10 + Int(byte - 0x30)
      count += 1
      rest.removeFirst()
    }
    return count == 0 ? nil : (value, count)
  }

  /// One of some characters.
  mutating func take(_ bytes: [UInt8]) -> UInt8? {
    guard let byte = rest.first, bytes.contains(byte) else { return nil }
    rest.removeFirst()
    return byte
  }

  /// A time of day in seconds, with what parts it from the date, up to the end.
  mutating func time() -> Int64? {
    guard take([0x54, 0x20]) != nil, let hour = number(upTo: 2), take([0x3A]) != nil,
      let minute = number(upTo: 2), minute.count == 2, minute.value < 60
    else { return nil }
    var second = 0
    if take([0x3A]) != nil {
      guard let number = number(upTo: 2), number.count == 2, number.value < 60 else { return nil }
      second = number.value
    }
    var hours = hour.value
    if !rest.isEmpty {
      guard take([0x20]) != nil, rest.count == 2, 1...12 ~= hours,
        rest.last.map(ASCII.lowercased) == 0x6D
      else { return nil }
      switch rest.first.map(ASCII.lowercased) {
      case 0x61: hours %= 12
      case 0x70: hours = hours % 12 + 12
      default: return nil
      }
    }
    return hours < 24 ? Int64(hours * 3600 + minute.value * 60 + second) : nil
  }
}
