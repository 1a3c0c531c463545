import PumpModel

/// Walks over the bytes of a date or time; each step takes what it reads or says nil.
struct TimeScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position == bytes.count }

  /// Takes one ASCII character if it stands here.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  /// Takes exactly so many digits.
  mutating func digits(_ count: Int) -> Int64? {
    guard position + count <= bytes.count else { return nil }
    var number: Int64 = 0
    for byte in bytes[position..<position + count] {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - 0x30)
    }
    position += count
    return number
  }

  /// `YYYY-MM-DD` of a real date, as days since 1970.
  mutating func day() -> Int64? {
    guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2),
      (1...12).contains(month), day >= 1,
      day <= Int64(CivilTime.days(inMonth: Int(month), of: Int(year)))
    else { return nil }
    return CivilTime.days(year: Int(year), month: Int(month), day: Int(day))
  }

  /// `HH:MM:SS`, or `HH:MM` where seconds may be left out, as seconds since midnight.
  mutating func timeOfDay(secondsRequired: Bool) -> Int64? {
    guard let hour = digits(2), hour < 24, skip(":"), let minute = digits(2), minute < 60 else {
      return nil
    }
    guard skip(":") else { return secondsRequired ? nil : hour * 3600 + minute * 60 }
    guard let second = digits(2), second < 60 else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// An optional fraction of a second: whether there is one above zero; nil if it has no digit.
  mutating func fraction() -> Bool? {
    guard skip(".") else { return false }
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    guard position > start else { return nil }
    return bytes[start..<position].contains { $0 != 0x30 }
  }

  /// `Z` or `±HH:MM`, as seconds east of UTC.
  mutating func offset() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    guard let sign = sign(), let hours = digits(2), hours < 24, skip(":"),
      let minutes = digits(2), minutes < 60
    else { return nil }
    return Int64(sign) * (hours * 3600 + minutes * 60)
  }

  /// `+` as 1, `-` as -1.
  mutating func sign() -> Int? {
    if skip("+") { return 1 }
    return skip("-") ? -1 : nil
  }
}
