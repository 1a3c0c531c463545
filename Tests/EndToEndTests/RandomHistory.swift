import Foundation
import PumpModel
import TestSupport

/// The history of an invented pump, left to chance, to be cut, mixed and wrapped.
struct RandomHistory: Sendable {
  let pump: PumpIdentity
  let records: [PumpRecord]
  /// What a person would say of it: zones, and at times more.
  let options: [String]

  /// A history of one or two days, with all that the rules are made for.
  init(pump ordinal: Int = 1, _ random: inout TestRandom) {
    pump = PumpIdentity(ordinal)
    var options = SyntheticPump.Options(seed: random.next(), days: random.integer(1...2))
    var zones = ["America/New_York"]
    switch random.integer(0...3) {
    case 0: options.start = TestZones.instant(2026, 10, 31, 6, in: TestZones.newYork)
    case 1: options.start = TestZones.instant(2026, 3, 7, 12, in: TestZones.newYork)
    case 2:
      options.trips = [.init(day: 1, zone: TestZones.paris)]
      zones.append("Europe/Paris@2026-05-05T12:00:00")
    default: break
    }
    options.hasSensor = false
    options.hasAlgorithm = random.happens(inThousand: 750)
    options.driftSecondsPerDay = Double(random.integer(-20...20))
    options.gapsInHundredDays = random.happens(inThousand: 500) ? 150 : 0
    options.incidents = [
      .init(random.integer(60...700), .combo(grams: 48, percentNow: 40, minutes: 90)),
      .init(random.integer(60...1300), .suspension(minutes: 25)),
      .init(random.integer(60...1300), .tempRate(percent: 60, minutes: 45)),
      .init(random.integer(60...1300), .requestOnly(grams: 12)),
    ]
    if random.happens(inThousand: 350) {
      options.incidents.append(.init(random.integer(60...1300), .powerLoss(minutes: 20)))
    }
    records = Array(SyntheticPump(options))
    var more: [String] = []
    switch random.integer(0...5) {
    case 0: more = ["--clock", "zone"]
    case 1: more = ["--clock", "records"]
    case 2: more = ["--complete"]
    default: break
    }
    self.options = zones.flatMap { ["--zone", $0] } + more
  }

  /// The changes of the clock, which the web service lists whatever the window.
  private var clockChanges: [PumpRecord] { records.filter { [13, 14].contains($0.eventID) } }

  /// A `pump-logs` answer.
  func pumpLogs(_ records: [PumpRecord]) -> [UInt8] {
    PumpLogsEncoder.document(records, of: pump, known: clockChanges)
  }

  /// The history as one answer, in order.
  var wholeAnswer: Document { Document("whole.json", pumpLogs(records)) }

  /// The account answer that names the pump.
  var account: Document { Document("pumper.json", PumperDocument.bytes([pump])) }

  /// What a pump sends over Bluetooth.
  var radioForms: [Document] {
    [
      Document("little.bin", records.flatMap { RecordEncoder.littleEndianBytes($0) }),
      Document("records.hex", Array(RadioEncoder.recordLines(records).utf8)),
      Document("frames.bin", RadioEncoder.frames(records)),
      Document("log.txt", Array(RadioEncoder.log(records).utf8)),
      Document("btsnoop_hci.log", RadioCapture.of(records)),
    ]
  }

  /// Some windows that overlap and together are the whole history, events in any order.
  func windows(_ count: Int, _ random: inout TestRandom) -> [Document] {
    (0..<count).map { index in
      let from = records.count * index / count - random.integer(3...40)
      let until = records.count * (index + 1) / count + random.integer(3...40)
      let part = records[max(0, from)..<min(records.count, until)]
      return Document(
        "window-\(pump.serial)-\(index).json", pumpLogs(part.shuffled(using: &random)))
    }
  }
}

/// A file to be imported.
struct Document: Sendable {
  var name: String
  var bytes: [UInt8]

  init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// The seeds of tests that rest on chance.
///
/// `PUMPLINE_SEED=7` takes that one alone, `PUMPLINE_ROUNDS=50` takes more than usual.
enum Seeds {
  static func first(_ usual: Int) -> [UInt64] {
    if let seed = ProcessInfo.processInfo.environment["PUMPLINE_SEED"].flatMap(UInt64.init) {
      return [seed]
    }
    let count = ProcessInfo.processInfo.environment["PUMPLINE_ROUNDS"].flatMap(Int.init) ?? usual
    return (1...UInt64(max(1, count))).map { $0 }
  }
}
