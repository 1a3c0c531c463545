import Normalize
import PumpModel
import TestSupport

/// The records of an invented pump, with all that makes histories hard, left to chance.
struct JournalHistory {
  private(set) var records: [PumpRecord]
  var settings: HarnessSettings
  private var random: TestRandom

  init(seed: UInt64, days: ClosedRange<Int> = 2...4) throws {
    random = TestRandom(seed: seed)
    var zones = [ZoneSchedule.Entry(rules: TestZones.newYork, from: nil)]
    let options = Self.options(days: days, &zones, &random)
    guard let schedule = ZoneSchedule(zones) else { throw HistoryError.noSchedule }
    settings = HarnessSettings(schedule: schedule)
    settings.clock = [.auto, .auto, .auto, .records, .zone][random.integer(0...4)]
    settings.makesGlucose = random.happens(inThousand: 500)
    settings.recordsPerSegment = random.integer(8...90)
    records = SyntheticPump(options).map(Self.numbered)
    loseSome()
    repeatNumbers()
    if random.happens(inThousand: 200) { makeOdd() }
    // Some histories end around now.
    if random.happens(inThousand: 300), let last = records.last {
      settings.now = Instant(
        unixSeconds: PumpTime(seconds: last.seconds).wallSeconds - Int64(random.integer(0...80_000))
      )
    }
  }

  enum HistoryError: Error { case noSchedule }

  private static func options(
    days: ClosedRange<Int>, _ zones: inout [ZoneSchedule.Entry], _ random: inout TestRandom
  ) -> SyntheticPump.Options {
    var options = SyntheticPump.Options(seed: random.next(), days: random.integer(days))
    switch random.integer(0...5) {
    case 0: options.start = TestZones.instant(2026, 10, 30, 6, in: TestZones.newYork)
    case 1: options.start = TestZones.instant(2026, 3, 6, 12, in: TestZones.newYork)
    case 2:
      options.trips = [.init(day: 1, zone: TestZones.paris)]
      let landed = CivilTime.days(year: 2026, month: 5, day: 5) * 86_400 + 43_200
      zones.append(.init(rules: TestZones.paris, from: landed))
    default: break
    }
    options.hasSensor = random.happens(inThousand: 300)
    options.hasAlgorithm = random.happens(inThousand: 600)
    options.driftSecondsPerDay = Double(random.integer(-40...40))
    options.gapsInHundredDays = random.happens(inThousand: 500) ? 100 : 0
    let last = options.minutes - 100
    options.incidents = [
      .init(random.integer(60...last), .combo(grams: 48, percentNow: 40, minutes: 90)),
      .init(random.integer(60...last), .combo(grams: 30, percentNow: 20, minutes: 300)),
      .init(random.integer(60...last), .comboStopped(grams: 50, percentNow: 50, minutes: 120)),
      .init(random.integer(60...last), .suspension(minutes: 25)),
      .init(random.integer(60...last), .tempRate(percent: 60, minutes: 45)),
      .init(random.integer(60...last), .requestOnly(grams: 12)),
      .init(random.integer(60...last), .occlusion(minutes: 10)),
    ]
    if random.happens(inThousand: 200) {
      options.incidents.append(.init(random.integer(60...last), .powerLoss(minutes: 20)))
    }
    return options
  }

  private static func numbered(_ record: PumpRecord) -> PumpRecord {
    var record = record
    record.pump = 1
    return record
  }

  /// Takes single records and short runs out, as a source that lost them would.
  private mutating func loseSome() {
    for _ in 0..<random.integer(0...6) where records.count > 200 {
      let at = random.integer(0...records.count - 130)
      records.removeSubrange(at..<at + [1, 1, 2, 5, 30, 120][random.integer(0...5)])
    }
  }

  /// Lets other records stand under numbers that are taken, some at the same second.
  private mutating func repeatNumbers() {
    for _ in 0..<random.integer(0...4) {
      var copy = records[random.integer(0...records.count - 1)]
      let other = records[random.integer(0...records.count - 1)]
      (copy.eventID, copy.payload) = (other.eventID, other.payload)
      guard ![13, 14].contains(copy.eventID) else { continue }
      if random.happens(inThousand: 500) { copy.seconds += UInt32(random.integer(1...400)) }
      records.append(copy)
    }
    records.sort { ($0.number, $0.seconds, $0.eventID) < ($1.number, $1.seconds, $1.eventID) }
  }

  /// Lets some records be dated days ahead.
  private mutating func makeOdd() {
    let at = random.integer(0...records.count - 40)
    for index in at..<at + random.integer(1...30) where ![13, 14].contains(records[index].eventID) {
      records[index].seconds += 400_000
    }
  }

  var describe: String { random.describe }

  /// The history cut at midnights of the pump's clock into windows that overlap by some records.
  func dailyDocuments(overlap: Int) -> [HarnessDocument] {
    var starts = [0]
    for index in records.indices.dropFirst()
    where records[index].seconds / 86_400 != records[index - 1].seconds / 86_400 {
      starts.append(index)
    }
    return starts.indices.map { day in
      let end = day + 1 < starts.count ? starts[day + 1] : records.count
      return HarnessDocument(
        name: "day \(day)",
        records: Array(
          records[max(0, starts[day] - overlap)..<min(records.count, end + overlap)]))
    }
  }

  /// The history as documents that overlap, hold copies of other forms, miss records that come
  /// later, and are said to be complete at times; in any order.
  mutating func documents() -> [HarnessDocument] {
    let count = random.integer(2...9)
    var documents: [HarnessDocument] = []
    var late: [PumpRecord] = []
    for index in 0..<count {
      let from = max(0, records.count * index / count - random.integer(0...60))
      let until = min(records.count, records.count * (index + 1) / count + random.integer(0...60))
      var part = Array(records[from..<until])
      if random.happens(inThousand: 300) {
        for index in part.indices { part[index].form = .json }
      }
      if random.happens(inThousand: 300), part.count > 20 {
        let at = random.integer(0...part.count - 11)
        late += part[at..<at + 10]
        part.removeSubrange(at..<at + 10)
      }
      if random.happens(inThousand: 200), let at = part.indices.randomElement(using: &random) {
        // A copy that says something else.
        part[at].form = .json
        part[at].payload.word0 ^= 1
      }
      documents.append(
        HarnessDocument(
          name: "part \(index)", records: part,
          isComplete: random.happens(inThousand: 150)))
    }
    switch random.integer(0...3) {
    case 0: documents.reverse()
    case 1: documents.shuffle(using: &random)
    default: break
    }
    if !late.isEmpty { documents.append(HarnessDocument(name: "late", records: late)) }
    return documents
  }
}
