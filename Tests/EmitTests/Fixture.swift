import Foundation
import PumpModel
import Testing

/// A person who flew from New York to Paris in May 2026, with two pumps.
enum Fixture {
  /// Zones with the changes of 2026 only.
  static let newYork = ZoneRules(
    name: "America/New_York", firstOffset: -18_000,
    transitions: [at("2026-03-08T07:00:00", -14_400), at("2026-11-01T06:00:00", -18_000)])
  static let paris = ZoneRules(
    name: "Europe/Paris", firstOffset: 3600,
    transitions: [at("2026-03-29T01:00:00", 7200), at("2026-10-25T01:00:00", 3600)])

  /// New York, then Paris from the evening of 10 May.
  static var schedule: ZoneSchedule {
    get throws {
      let change = instant("2026-05-10T18:00:00").unixSeconds
      return try #require(
        ZoneSchedule([.init(rules: newYork, from: nil), .init(rules: paris, from: change)]))
    }
  }

  static let pumps = [
    PumpLabel(
      name: "90556643", modelName: "Tandem t:slim X2™, with \"Control\" <IQ> & more",
      modelNumber: "1002717", softwareVersion: "7.8.1"),
    PumpLabel(name: "=cmd,\"A\""),
  ]

  /// The context of the rows below.
  static var context: OutputContext {
    get throws {
      OutputContext(
        schedule: try schedule, pumps: pumps, newestEnd: rows.map(\.sample.end).max())
    }
  }

  /// The context of an output without rows.
  static var emptyContext: OutputContext {
    get throws { OutputContext(schedule: try schedule, pumps: [], newestEnd: nil) }
  }

  /// A UTC time such as `2026-05-04T16:31:10`.
  static func instant(_ text: String) -> Instant {
    let numbers = text.split { "-T:".contains($0) }.compactMap { Int($0) }
    let days = CivilTime.days(year: numbers[0], month: numbers[1], day: numbers[2])
    let seconds = numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    return Instant(unixSeconds: days * 86_400 + Int64(seconds))
  }

  static func at(_ text: String, _ offset: Int32) -> ZoneRules.Transition {
    ZoneRules.Transition(at: instant(text), offset: offset)
  }

  static func sample(
    _ kind: SampleKind, _ number: UInt32, _ start: String, _ end: String? = nil, amount: Int64,
    _ change: (inout SampleMetadata) -> Void = { _ in }
  ) -> Sample {
    let seconds = UInt32(instant(start).unixSeconds - PumpTime.epochInUnixSeconds - 14_400)
    var metadata = SampleMetadata()
    change(&metadata)
    return Sample(
      identity: SampleIdentity(
        kind: kind, group: 0, number: number, time: PumpTime(seconds: seconds), eventID: 279),
      start: instant(start), end: instant(end ?? start), amount: amount, metadata: metadata)
  }

  /// One sample of every kind, all metadata among them.
  static let samples: [(sample: Sample, pump: Int)] = [
    (sample(.cgm, 11, "2026-05-04T16:25:00", amount: 142), 0),
    (sample(.meter, 12, "2026-05-04T16:26:00", amount: 98), 0),
    (sample(.carbs, 13, "2026-05-04T16:30:00", amount: 62_500), 0),
    (
      sample(.basal, 14, "2026-05-04T16:30:00", "2026-05-04T16:35:00", amount: 70_833) {
        $0.rate = 850
        $0.rateSource = .tempAlgorithm
      }, 0
    ),
    (
      sample(.bolus, 15, "2026-05-04T16:31:10", "2026-05-04T16:33:02", amount: 2083) {
        $0.requested = 4000
        $0.status = 0
        $0.deliveredBy = .eatingSoon
        $0.flags = [.automatic, .override, .inferred]
      }, 0
    ),
    (
      sample(.extended, 16, "2026-05-04T16:31:10", "2026-05-04T18:31:10", amount: 3_000) {
        $0.status = 7
      }, 0
    ),
    (sample(.basal, 17, "2026-05-12T21:00:00", "2026-05-12T23:00:00", amount: 1_000_001), 0),
    (sample(.basal, 18, "2026-05-12T23:00:00", "2026-05-12T23:05:00", amount: 0), 0),
    (csvBolus, 1),
  ]

  private static var csvBolus: Sample {
    var sample = sample(.bolus, 0, "2026-06-01T10:00:00", amount: 10_000)
    sample.identity.scheme = .csv
    (sample.identity.first, sample.identity.second) = (sample.identity.second, 0)
    sample.identity.ordinal = 2
    return sample
  }

  /// The samples as rows, each resting on itself and the record after it.
  static let rows: [OutputRow] = batch.rows

  /// All rows; their order serves every sink.
  static let batch = batch(of: samples)

  static func batch(of samples: [(sample: Sample, pump: Int)]) -> OutputBatch {
    var batch = OutputBatch()
    for (sample, pump) in samples {
      let start = batch.lineage.count
      let (first, second) = (sample.identity.first, sample.identity.second)
      batch.lineage.append(EventReference(number: first, seconds: second))
      if sample.identity.scheme == .event {
        batch.lineage.append(EventReference(number: first + 1, seconds: second + 300))
      }
      batch.rows.append(
        OutputRow(
          sample: sample, pump: pump, revision: sample.identity.kind == .carbs ? 3 : 1,
          lineage: start..<batch.lineage.count))
    }
    return batch
  }
}
