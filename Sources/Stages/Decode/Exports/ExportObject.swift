import PumpModel

/// One object of an export: the members that are looked at.
struct ExportObject {
  private let bytes: [UInt8]
  private let values: [ExportName: Range<Int>]
  private let members: ExportMembers
  /// A member that stands twice: which of them is meant nobody knows.
  private let doubled: ExportName?

  /// Longer texts are none of ours.
  private static let longestText = 256

  /// Reads the object that bytes are, which are known to be well formed.
  init(_ bytes: [UInt8], _ members: ExportMembers) { self.init(bytes, from: 0, members) }

  private init(_ bytes: [UInt8], from start: Int, _ members: ExportMembers) {
    var values: [ExportName: Range<Int>] = [:]
    var doubled: ExportName?
    let span = unsafe bytes.span.bytes
    _ = try? LineJSON.members(span, at: start) { name, value in
      guard let known = ExportName.find(span, name), members.contains(known) else { return }
      if values.updateValue(value, forKey: known) != nil { doubled = doubled ?? known }
    }
    self.bytes = bytes
    self.values = values
    self.members = members
    self.doubled = doubled
  }

  /// Refuses an object in which a member stands twice.
  func checkNames() throws(ExportFault) {
    if let doubled { throw ExportFault(doubled, "stands twice") }
  }

  /// Whether there is a member of a name, be it `null`.
  func has(_ name: ExportName) -> Bool { values[name] != nil }

  /// The value of a member; nil if there is none or it is `null`.
  private func value(_ name: ExportName) -> Range<Int>? {
    values[name].flatMap { bytes[$0.lowerBound] == 0x6E ? nil : $0 }
  }

  /// The object that a member is; nil if there is none.
  func object(_ name: ExportName) throws(ExportFault) -> ExportObject? {
    guard let value = value(name) else { return nil }
    guard bytes[value.lowerBound] == 0x7B else { throw ExportFault(name, "is no object") }
    let object = ExportObject(bytes, from: value.lowerBound, members)
    try object.checkNames()
    return object
  }

  /// The characters of a text; nil if there is none or the member is something else.
  func text(_ name: ExportName) -> String? {
    guard let value = value(name) else { return nil }
    return LineJSON.text(unsafe bytes.span.bytes, value, limit: Self.longestText)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The characters of a text; nil if there is none.
  ///
  /// Anything but a text is refused, for members on which it depends what an amount means.
  func words(_ name: ExportName) throws(ExportFault) -> String? {
    guard value(name) != nil else { return nil }
    guard let text = text(name) else { throw ExportFault(name, "is no text of a sane length") }
    return text
  }

  /// The characters of a text or of a whole number; nil if there is none.
  ///
  /// Anything else is refused.
  func label(_ name: ExportName) throws(ExportFault) -> String? {
    guard let value = value(name) else { return nil }
    guard bytes[value.lowerBound] != 0x22 else { return try words(name) }
    guard let number = DecimalReading.digits(unsafe bytes.span.bytes, value) else {
      throw ExportFault(name, "is neither a text nor a whole number")
    }
    return String(number)
  }

  /// Whether a member is exactly a word, whatever the case of its letters.
  func isWord(_ word: String, in name: ExportName) -> Bool {
    text(name).map { $0.utf8.elementsEqual(word.utf8, by: ASCII.areAlike) } ?? false
  }

  /// Which word of a list a member is, whatever the case of its letters; nil if it is none.
  func word<Word: CaseIterable & RawRepresentable<String>>(_ name: ExportName) -> Word? {
    Word.allCases.first { isWord($0.rawValue, in: name) }
  }

  /// A number, which may stand in quotes; nil if there is none.
  func number(_ name: ExportName) throws(ExportFault) -> ExportNumber? {
    guard let value = value(name) else { return nil }
    let isQuoted = bytes[value.lowerBound] == 0x22
    let characters =
      isQuoted ? value.lowerBound + 1..<value.upperBound - 1 : value
    if characters.isEmpty { return nil }
    guard
      JSONBytes.skipNumber(unsafe bytes.span.bytes, characters.lowerBound) == characters.upperBound,
      let number = ExportNumber(bytes[characters])
    else { throw ExportFault(name, "is no number") }
    return number
  }

  /// A number that is not below zero; nil if there is none.
  func amount(_ name: ExportName) throws(ExportFault) -> ExportNumber? {
    guard let number = try number(name) else { return nil }
    guard number.value >= 0 else { throw ExportFault(name, "is negative") }
    return number
  }

  /// A yes or no, as a word or a number; nil if there is none.
  func flag(_ name: ExportName) throws(ExportFault) -> Bool? {
    guard let value = value(name) else { return nil }
    if let word = LineJSON.bool(unsafe bytes.span.bytes, value) { return word }
    switch try number(name)?.value {
    case nil: return nil
    case 0: return false
    case 1: return true
    default: throw ExportFault(name, "is neither 0 nor 1")
    }
  }

  /// A local time without a zone, in seconds since 1970 of the wall clock; nil if there is none, or
  /// the year 1, which stands for none.
  func localTime(_ name: ExportName) throws(ExportFault) -> Int64? {
    guard value(name) != nil else { return nil }
    guard let text = text(name) else { throw ExportFault(name, "is no date and time") }
    if text.isEmpty || text.hasPrefix("0001-01-01") { return nil }
    var characters = Array(text.utf8)[...]
    if let point = characters.firstIndex(of: 0x2E),
      characters[(point + 1)...].allSatisfy({ 0x30...0x39 ~= $0 })
    {
      characters = characters[..<point]
    }
    guard let time = CellDate(characters)?.time(in: .ymd) else {
      throw ExportFault(name, "is no date and time")
    }
    guard PumpTime.canShow(time) else { throw ExportFault(name, "is a time that no pump shows") }
    return time
  }

  /// A time with its offset from UTC, in seconds since 1970 of UTC; nil if there is none.
  ///
  /// A fraction of a second is left off.
  func instant(_ name: ExportName) throws(ExportFault) -> Int64? {
    guard value(name) != nil else { return nil }
    guard let text = text(name), !text.isEmpty else {
      throw ExportFault(name, "is no date and time")
    }
    let characters = Array(text.utf8)
    guard characters.count > 19, let local = CellDate(characters[..<19])?.time(in: .ymd),
      let offset = Self.offset(characters[19...])
    else { throw ExportFault(name, "is no date and time with an offset from UTC") }
    let time = local - offset
    guard PumpTime.canShow(time) else { throw ExportFault(name, "is a time that no pump shows") }
    return time
  }

  /// The seconds in `Z` or `+02:00`, with a fraction of a second before it or not; nil for all else.
  private static func offset(_ characters: ArraySlice<UInt8>) -> Int64? {
    var rest = characters
    if rest.first == 0x2E {
      let digits = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
      guard !digits.isEmpty else { return nil }
      rest = rest[digits.endIndex...]
    }
    if rest.elementsEqual([0x5A]) { return 0 }
    guard let sign = rest.first, sign == 0x2B || sign == 0x2D else { return nil }
    let digits = rest.dropFirst().filter { $0 != 0x3A }
    guard digits.count == 4, rest.count == 5 || rest.count == 6,
      rest.count == 5 || rest[rest.startIndex + 3] == 0x3A,
      digits.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    guard number / 100 <= 14, number % 100 < 60 else { return nil }
    let seconds = number / 100 * 3600 + number % 100 * 60
    return sign == 0x2D ? -seconds : seconds
  }
}

/// A decimal number of an export.
struct ExportNumber: Equatable {
  /// The number, which is finite.
  let value: Double
  /// How many digits stand behind its point, at most 9.
  let decimals: UInt8

  /// Reads a number of JSON; nil if it is beyond every number.
  init?(_ characters: ArraySlice<UInt8>) {
    guard let value = Double(String(decoding: characters, as: UTF8.self)), value.isFinite else {
      return nil
    }
    self.value = value
    let fraction = characters.drop { $0 != 0x2E }.dropFirst().prefix { 0x30...0x39 ~= $0 }
    let hasExponent = characters.contains { $0 | 0x20 == 0x65 }
    decimals = hasExponent ? 9 : UInt8(min(9, fraction.count))
  }

  /// The number in thousandths, rounded half to even; nil if it is negative or above a whole number.
  func thousandths(upTo limit: UInt32) -> UInt32? {
    guard value >= 0, value <= Double(limit) else { return nil }
    return UInt32((value * 1000).rounded(.toNearestOrEven))
  }

  /// The number if it is whole and fits.
  var whole: Int64? { Int64(exactly: value) }
}

extension PumpTime {
  /// Whether a pump's clock can show a time, in seconds since 1970 of the wall clock.
  static func canShow(_ time: Int64) -> Bool {
    let (seconds, isBeyond) = time.subtractingReportingOverflow(epochInUnixSeconds)
    return !isBeyond && UInt32(exactly: seconds) != nil
  }
}
