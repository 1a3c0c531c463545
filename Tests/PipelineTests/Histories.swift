import PumpModel
import TestSupport

/// Short histories, most of them at noon of 2026-05-04 in New York.
enum Histories {
  static let noon = TestZones.instant(2026, 5, 4, 12, in: TestZones.newYork)

  /// The records of a quiet pump with a meal in its first hour.
  static func meal(
    minutes: Int = 70, from start: Instant = noon, zone: ZoneRules = TestZones.newYork
  ) -> [PumpRecord] {
    records(
      .quiet(
        minutes: minutes, from: start, zone: zone, incidents: [.init(10, .meal(grams: 30))]))
  }

  /// The records of a pump.
  static func records(_ options: SyntheticPump.Options) -> [PumpRecord] {
    Array(SyntheticPump(options))
  }

  /// A `pump-logs` answer of the first invented pump, or another.
  static func pumpLogs(_ records: some Sequence<PumpRecord>, pump: Int = 1) -> [UInt8] {
    PumpLogsEncoder.document(records, of: PumpIdentity(pump))
  }

  /// The account answer that names the first invented pumps.
  static func pumper(_ pumps: ClosedRange<Int> = 1...1) -> [UInt8] {
    PumperDocument.bytes(pumps.map { PumpIdentity($0) })
  }
}
