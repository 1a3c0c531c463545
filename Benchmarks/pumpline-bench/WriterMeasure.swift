import Emit
import Foundation
import Platform
import PumpModel
import TestSupport

/// `write`: how many records of Apple Health XML a second go to `/dev/null`.
enum WriterMeasure {
  static func run(_ arguments: Arguments) throws {
    let count = try arguments.integer("records") ?? 1_000_000
    guard let nowhere = FileHandle(forWritingAtPath: "/dev/null"),
      let schedule = ZoneSchedule([.init(rules: TestZones.newYork, from: nil)])
    else { throw Usage("cannot write to /dev/null") }
    let context = OutputContext(
      schedule: schedule, pumps: [PumpLabel(name: "90000001")],
      newestEnd: TestZones.instant(2026, 5, 4, in: TestZones.newYork))
    var batch = OutputBatch()
    batch.rows = (0..<4096).map(row)
    try Pace.report(count: count / 4096 * 4096) {
      let file = StagedFile(descriptor: nowhere.fileDescriptor, name: "nowhere")
      let sink = TextSink(AppleHealthForm(context, AppleHealthOptions(version: "0")), into: file)
      for _ in 0..<count / 4096 { try sink.write(batch) }
      try sink.seal()
      return UInt64(count)
    }
  }

  /// Mostly basal, every sixteenth a bolus, every sixty-fourth a meal.
  private static func row(_ index: Int) -> OutputRow {
    let kind: SampleKind = index % 64 == 0 ? .carbs : index % 16 == 0 ? .bolus : .basal
    let start = TestZones.instant(2025, 5, 4, in: TestZones.newYork) + Int64(index * 300)
    let time = PumpTime(seconds: UInt32(550_000_000 + index * 300))
    var metadata = SampleMetadata()
    if kind == .basal { (metadata.rate, metadata.rateSource) = (850, .algorithm) }
    if kind == .bolus {
      (metadata.requested, metadata.status, metadata.deliveredBy) = (2083, 3, .pumpScreen)
    }
    let sample = Sample(
      identity: SampleIdentity(
        kind: kind, group: 0, number: UInt32(400_000 + index), time: time, eventID: 279),
      start: start, end: start + (kind == .carbs ? 0 : 300), amount: Int64(70_833 + index),
      metadata: metadata)
    return OutputRow(sample: sample, pump: 0, revision: 1, lineage: 0..<0)
  }
}
