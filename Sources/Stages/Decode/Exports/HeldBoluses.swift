import PumpModel

/// The boluses of a document that tells one bolus more than once, as it went on: they wait for the
/// document's end, and of those with the pump's number and end of one the fullest stands.
///
/// A bolus takes `Held`'s 72 bytes while it waits (Decisions 73).
struct HeldBoluses {
  /// Ten boluses a day for thirty-five years.
  private static let most = 1 << 17
  /// So many stand side by side: a list of all would be copied whenever it grows.
  private static let portion = 1 << 12

  private var portions: [[Held]] = []
  private var words = HeldWords()
  private(set) var count = 0

  /// Takes a bolus with the pump's number of it; false if there are more than a pump can give.
  mutating func take(_ row: ExportRow, number: Int64?) -> Bool {
    guard count < Self.most, let held = Held(row, number: number, &words) else { return false }
    if count.isMultiple(of: Self.portion) {
      portions.append([])
      portions[portions.count - 1].reserveCapacity(Self.portion)
    }
    portions[portions.count - 1].append(held)
    count += 1
    return true
  }

  /// Gives the boluses, in the document's order, and takes them out; `repeated` is called for each that
  /// was told again.
  mutating func giveAll(_ body: (ExportRow) -> Void, repeated: () -> Void) {
    defer { self = HeldBoluses() }
    var numbered = (0..<UInt32(count)).filter { self[$0].number != nil }
    numbered.sort { (self[$0].key, $0) < (self[$1].key, $1) }
    var place = 0
    while place < numbered.count {
      let first = numbered[place]
      var best = first
      place += 1
      while place < numbered.count, self[numbered[place]].key == self[first].key {
        if self[best].fullness < self[numbered[place]].fullness { best = numbered[place] }
        self[numbered[place]].isTaken = true
        repeated()
        place += 1
      }
      // The first keeps its place in the document.
      if best != first { self[first].takeContent(of: self[best]) }
    }
    for held in portions.joined() where !held.isTaken { body(held.row(words)) }
  }

  private subscript(_ index: UInt32) -> Held {
    get { portions[Int(index) / Self.portion][Int(index) % Self.portion] }
    set { portions[Int(index) / Self.portion][Int(index) % Self.portion] = newValue }
  }
}

/// The words for how boluses ended, each once.
private struct HeldWords {
  private var numbers: [String: UInt16] = [:]
  private var words: [String] = []

  /// The number of a word, 0 of none; nil if there are too many.
  mutating func number(of word: String?) -> UInt16? {
    guard let word else { return 0 }
    if let known = numbers[word] { return known }
    guard let number = UInt16(exactly: words.count + 1) else { return nil }
    words.append(word)
    numbers[word] = number
    return number
  }

  func word(_ number: UInt16) -> String? { number == 0 ? nil : words[Int(number) - 1] }
}

/// A bolus that waits.
private struct Held {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let numbered = Flags(rawValue: 1)
    static let normal = Flags(rawValue: 2)
    static let extended = Flags(rawValue: 4)
    static let span = Flags(rawValue: 8)
    static let meal = Flags(rawValue: 16)
    static let requested = Flags(rawValue: 32)
    static let automatic = Flags(rawValue: 64)
    static let override = Flags(rawValue: 128)
  }

  private let bolusNumber: Int64
  private let time: Int64
  private let place: UInt64
  private var from: Int64 = 0
  private var until: Int64 = 0
  private var requestTime: Int64 = 0
  private let pump: UInt32
  private var normal: UInt32 = 0
  private var extended: UInt32 = 0
  private var carbohydrate: UInt32 = 0
  private var normalStatus: UInt16 = 0
  private var extendedStatus: UInt16 = 0
  private var normalDecimals: UInt8 = 0
  private var extendedDecimals: UInt8 = 0
  private var flags: Flags = []
  var isTaken = false

  /// Packs a bolus of the older site, which has neither a name nor a number of the log; nil if its words
  /// are too many, or it is none.
  init?(_ row: ExportRow, number: Int64?, _ words: inout HeldWords) {
    guard case .bolus(let bolus) = row.content,
      let normalStatus = words.number(of: bolus.normal?.status),
      let extendedStatus = words.number(of: bolus.extended?.status)
    else { return nil }
    (bolusNumber, time, place, pump) = (number ?? 0, row.time, row.place, row.pump)
    if number != nil { flags.insert(.numbered) }
    if let dose = bolus.normal {
      flags.insert(.normal)
      (normal, normalDecimals) = (dose.amount, dose.decimals)
    }
    if let dose = bolus.extended {
      flags.insert(.extended)
      (extended, extendedDecimals) = (dose.amount, dose.decimals)
    }
    (self.normalStatus, self.extendedStatus) = (normalStatus, extendedStatus)
    if let span = bolus.span {
      flags.insert(.span)
      (from, until) = (span.lowerBound, span.upperBound)
    }
    if let meal = bolus.carbohydrate {
      flags.insert(.meal)
      carbohydrate = meal
    }
    if let time = bolus.requestTime {
      flags.insert(.requested)
      requestTime = time
    }
    if bolus.isAutomatic { flags.insert(.automatic) }
    if bolus.isOverride { flags.insert(.override) }
  }

  /// The pump's number of it.
  var number: Int64? { flags.contains(.numbered) ? bolusNumber : nil }

  /// What is the same of all states of one bolus.
  var key: Key { Key(pump: pump, number: bolusNumber, end: time) }

  struct Key: Comparable {
    let pump: UInt32
    let number: Int64
    let end: Int64

    static func < (left: Key, right: Key) -> Bool {
      (left.pump, left.number, left.end) < (right.pump, right.number, right.end)
    }
  }

  /// How much of the bolus had been given, and whether its meal was known.
  var fullness: (Int64, Int64, Int64) {
    (
      flags.contains(.extended) ? Int64(extended) : -1,
      flags.contains(.normal) ? Int64(normal) : -1,
      flags.contains(.meal) ? Int64(carbohydrate) : -1
    )
  }

  /// Says what another state of the bolus says, in the place of this one.
  mutating func takeContent(of other: Held) {
    (from, until, requestTime) = (other.from, other.until, other.requestTime)
    (normal, extended, carbohydrate) = (other.normal, other.extended, other.carbohydrate)
    (normalStatus, extendedStatus) = (other.normalStatus, other.extendedStatus)
    (normalDecimals, extendedDecimals) = (other.normalDecimals, other.extendedDecimals)
    flags = other.flags
  }

  /// The row that it is.
  func row(_ words: HeldWords) -> ExportRow {
    var bolus = RowBolus()
    if flags.contains(.normal) {
      bolus.normal = RowDose(
        amount: normal, decimals: normalDecimals, status: words.word(normalStatus))
    }
    if flags.contains(.extended) {
      bolus.extended = RowDose(
        amount: extended, decimals: extendedDecimals, status: words.word(extendedStatus))
    }
    if flags.contains(.span) { bolus.span = from...until }
    if flags.contains(.meal) { bolus.carbohydrate = carbohydrate }
    if flags.contains(.requested) { bolus.requestTime = requestTime }
    bolus.isAutomatic = flags.contains(.automatic)
    bolus.isOverride = flags.contains(.override)
    return ExportRow(source: .legacy, pump: pump, time: time, place: place, content: .bolus(bolus))
  }
}
