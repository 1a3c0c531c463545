package import PumpModel

/// What the days of an output add up to: first of two passes over its samples.
///
/// Its size is that of a calendar, not that of the output.
package struct PageDays {
  /// What a local day holds; amounts are in millionths of a millionth of the unit.
  package struct Day: Sendable, Equatable {
    /// Basal insulin that was given in the day, IU.
    package var basal = WrittenAmount(parts: 0)
    /// Boluses that began in the day, IU.
    package var bolus = WrittenAmount(parts: 0)
    /// Carbohydrates, g.
    package var carbohydrates = WrittenAmount(parts: 0)
    /// How many samples begin in the day.
    package var samples = 0
    /// How many findings and differences begin in it.
    package var notes = 0
    /// Whether the sources lack data in it.
    package var hasHole = false
    fileprivate var hourBits: UInt32 = 0

    /// In how many of the day's 24 hours samples of the output lie.
    package var hours: Int { hourBits.nonzeroBitCount }
    /// Basal and boluses, IU.
    package var insulin: WrittenAmount { basal.adding(bolus) }
  }

  /// The sums of a kind of sample.
  package struct Sum: Sendable, Equatable {
    /// How many samples there are.
    package var samples = 0
    /// What they add up to.
    package var amount = WrittenAmount(parts: 0)
  }

  /// The days by their numbers since 1970-01-01.
  package private(set) var byDay: [Int64: Day] = [:]
  /// The sums by type.
  package private(set) var sums: [SampleType: Sum] = [:]
  /// The pumps, in the order in which they came; nil where the output tells none.
  package private(set) var pumps: [String?] = []
  /// Whether an output says of itself that its data is made up.
  package private(set) var isDemo = false
  /// Samples of days beyond those that a page shows.
  package private(set) var samplesBeyond = 0

  let days: LocalDays
  private var places: [String?: Int] = [:]

  /// More days than anybody has had a pump for are not shown: 54 years.
  static let mostDays = 20_000
  /// More pumps than anybody has are one.
  private static let mostPumps = 64
  /// A sample of more days than Apple Health takes is not a rate that held: it counts where it begins.
  static let longest: Int64 = 4 * 86_400

  /// Begins with no days.
  package init(_ schedule: ZoneSchedule) { days = LocalDays(schedule) }

  /// The numbers of the days, in order.
  package var numbers: [Int64] { byDay.keys.sorted() }

  /// Takes in a sample.
  package mutating func add(_ sample: WrittenSample) {
    _ = place(of: sample)
    sums[sample.type, default: Sum()].samples += 1
    sums[sample.type, default: Sum()].amount.add(sample.amount)
    let first = days.day(at: sample.start)
    guard open(first) else {
      samplesBeyond += 1
      return
    }
    byDay[first]?.samples += 1
    let isSplit = sample.end > sample.start && sample.end - sample.start <= Self.longest
    if isSplit {
      days.forEachPiece(from: sample.start, to: sample.end) { piece in
        guard open(piece.day) else { return }
        for hour in piece.from / 3600...(piece.until - 1) / 3600 {
          byDay[piece.day]?.hourBits |= 1 << UInt32(hour)
        }
      }
    } else {
      let wall = days.wall(at: sample.start)
      byDay[first]?.hourBits |= 1 << UInt32(wall / 3600)
    }
    switch sample.type {
    case .basal where isSplit:
      for share in days.shares(of: sample.amount.parts, from: sample.start, to: sample.end) {
        // A day beyond those that are shown gives its part to the one that the sample begins in.
        byDay[byDay[share.day] == nil ? first : share.day]?.basal
          .add(WrittenAmount(parts: share.amount))
      }
    case .basal: byDay[first]?.basal.add(sample.amount)
    case .bolus: byDay[first]?.bolus.add(sample.amount)
    case .carbohydrates: byDay[first]?.carbohydrates.add(sample.amount)
    case .sensorGlucose, .meterGlucose: break
    }
  }

  /// The place of a sample's pump among `pumps`.
  mutating func place(of sample: WrittenSample) -> Int {
    if let place = places[sample.device] { return place }
    guard pumps.count < Self.mostPumps else { return Self.mostPumps - 1 }
    places[sample.device] = pumps.count
    pumps.append(sample.device)
    isDemo =
      isDemo || sample.device.map { DemoData.isName($0) } ?? false
      || sample.metadata.entries.contains { $0.text == DemoData.label }
    return pumps.count - 1
  }

  /// Notes a finding or a difference that begins at an instant; its day is then one of the page's.
  package mutating func note(at start: Instant) {
    let day = days.day(at: start)
    if open(day) { byDay[day]?.notes += 1 }
  }

  /// Notes a stretch without data, on the days that the page has.
  package mutating func note(_ hole: Hole) {
    for day in holeDays(hole) { byDay[day]?.hasHole = true }
  }

  /// The days of a hole that the page has, in no order.
  private func holeDays(_ hole: Hole) -> [Int64] {
    let first = days.day(at: hole.start)
    let last = hole.end.map { days.day(at: $0) } ?? first
    guard last - first > Int64(byDay.count) else {
      return first > last ? [] : (first...last).filter { byDay[$0] != nil }
    }
    return byDay.keys.filter { $0 >= first && $0 <= last }
  }

  /// What of a day is a hole, in seconds of its wall clock.
  func part(of hole: Hole, on day: Int64) -> Range<Int64>? {
    let first = days.day(at: hole.start)
    let last = hole.end.map { days.day(at: $0) } ?? first
    guard first <= day, day <= last else { return nil }
    let from = day == first ? days.wall(at: hole.start) : 0
    let until = day == last ? hole.end.map { days.wall(at: $0) } ?? 86_400 : 86_400
    return from < until ? from..<until : nil
  }

  /// Makes room for a day; false if there is none.
  private mutating func open(_ day: Int64) -> Bool {
    if byDay[day] != nil { return true }
    guard byDay.count < Self.mostDays else { return false }
    byDay[day] = Day()
    return true
  }
}

extension WrittenAmount {
  /// Adds an amount; what is beyond 64 bits stays the greatest.
  mutating func add(_ other: WrittenAmount) {
    let (sum, isOver) = parts.addingReportingOverflow(other.parts)
    parts = isOver ? .max : sum
  }

  /// The sum with another amount.
  func adding(_ other: WrittenAmount) -> WrittenAmount {
    var sum = self
    sum.add(other)
    return sum
  }

  /// The amount with so many decimals, 0 to 11, rounded half up.
  func fixed(decimals: Int) -> String {
    func power(_ count: Int) -> Int64 { (0..<count).reduce(1) { power, _ in power * 10 } }
    let (unit, scale) = (power(Self.decimals - decimals), power(decimals))
    let (quotient, rest) = max(parts, 0).quotientAndRemainder(dividingBy: unit)
    let rounded = quotient + (rest >= unit / 2 ? 1 : 0)
    guard decimals > 0 else { return String(rounded) }
    let fraction = String(rounded % scale)
    return "\(rounded / scale)." + String(repeating: "0", count: decimals - fraction.count)
      + fraction
  }
}
