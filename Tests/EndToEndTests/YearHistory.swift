import PumpModel
import TestSupport

/// A history of many days, to be imported day by day: what lasts crosses midnights, clocks change
/// for daylight saving and on a journey, power and pieces of the log are lost.
struct YearHistory: Sendable {
  let records: [PumpRecord]
  /// What a person would say of its zones.
  let options: [String]
  /// Where the records are cut: at the midnights of the pump's clock, and between the two records
  /// of each change of it.
  let cuts: [Int]
  private let pump = PumpIdentity(1)

  /// Makes a history with the end of daylight saving in its middle.
  init(days: Int) {
    let first = CivilTime.days(year: 2026, month: 11, day: 1) - Int64(days / 2)
    var options = SyntheticPump.Options.quiet(
      minutes: days * 1440, from: Self.midnight(first))
    options.setsClock = true
    options.driftSecondsPerDay = 7
    let (out, back) = (days * 3 / 4, days * 3 / 4 + max(1, days / 20))
    options.trips = [.init(day: out, zone: TestZones.paris), .init(day: back, zone: options.zone)]
    options.incidents = [
      .init(days / 3 * 1440 + 700, .powerLoss(minutes: 20)),
      .init(days / 4 * 1440 + 430, .gap(minutes: 60)),
    ]
    for day in 0..<days {
      let midnight = Self.midnight(first + Int64(day) + 1) - options.start
      options.incidents += Self.evening(day, minutes: Int(midnight / 60))
    }
    records = Array(SyntheticPump(options))
    cuts = Self.cuts(of: records)
    let noons = [out, back].map { Self.noon(first + Int64($0)) }
    self.options = [
      "--zone", "America/New_York", "--zone", "Europe/Paris@" + noons[0], "--zone",
      "America/New_York@" + noons[1],
    ]
  }

  private static func midnight(_ day: Int64) -> Instant {
    TestZones.newYork.readings(ofWall: day * 86_400).earlier(wall: day * 86_400)
  }

  private static func noon(_ day: Int64) -> String {
    let date = CivilTime(daysSince1970: day)
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return "\(date.year)-\(two(date.month))-\(two(date.day))T12:00:00"
  }

  /// What begins in an evening and ends after midnight.
  private static func evening(_ day: Int, minutes: Int) -> [SyntheticPump.Timed] {
    switch day % 5 {
    case 0: [.init(minutes - 30, .combo(grams: 48, percentNow: 40, minutes: 90))]
    case 1: [.init(minutes - 15, .suspension(minutes: 40))]
    case 2: [.init(minutes - 1, .meal(grams: 45))]
    case 3: [.init(minutes - 45, .tempRate(percent: 60, minutes: 90))]
    default: [.init(minutes - 30, .comboStopped(grams: 60, percentNow: 50, minutes: 120))]
    }
  }

  private static func cuts(of records: [PumpRecord]) -> [Int] {
    records.indices.dropFirst().filter { index in
      let (before, after) = (records[index - 1], records[index])
      return before.seconds / 86_400 != after.seconds / 86_400
        || (before.eventID == 14 && after.eventID == 13)
    }
  }

  /// What lasts across some cut: the ids of the records that opened it.
  var straddling: Set<UInt16> {
    let ends: [UInt16: UInt16] = [20: 55, 21: 59, 12: 11]
    let cuts = Set(self.cuts)
    var open: Set<UInt16> = []
    var found: Set<UInt16> = []
    for (index, record) in records.enumerated() {
      if cuts.contains(index) {
        found.formUnion(open)
        if records[index - 1].eventID == 14 { found.insert(14) }
      }
      if ends.values.contains(record.eventID) { open.insert(record.eventID) }
      if let start = ends[record.eventID] { open.remove(start) }
    }
    return found
  }

  /// The account answer that names the pump.
  var account: Document { Document("pumper.json", PumperDocument.bytes([pump])) }

  /// The history as one answer.
  var whole: Document { Document("whole.json", PumpLogsEncoder.document(records, of: pump)) }

  /// The history day by day; each day with so many records of its neighbours.
  func days(overlap: Int = 0) -> [Document] {
    let bounds = [0] + cuts + [records.count]
    return zip(bounds, bounds.dropFirst()).enumerated().map { day, bounds in
      let part = records[max(0, bounds.0 - overlap)..<min(records.count, bounds.1 + overlap)]
      return Document("day-\(day).json", PumpLogsEncoder.document(part, of: pump))
    }
  }
}
