import Deduplicate
import Emit
import Platform
import PumpModel

/// Writes what a sink is owed to its output.
struct ChangesWriter {
  let writer: OutputWriter
  let request: ConvertRequest

  /// Writes an output and seals it; nothing if nothing is owed and a file stands there.
  ///
  /// A file that was not taken away yet may hold what nobody has seen, so nothing is no reason to
  /// replace it.
  func write(_ output: PlannedOutput, _ owed: OwedSamples) throws {
    if owed.isEmpty, let path = output.path, Self.isFile(path) {
      output.isUntouched = true
      return
    }
    let shown = Self.shown(output)
    let ends = shown.flatMap(\.self).compactMap { owed.newestEnds[$0] }
    let context = OutputContext(
      schedule: writer.schedule, pumps: owed.pumps.map(\.label), newestEnd: ends.max(),
      statusWords: try writer.ledger.statusWords(), names: try writer.ledger.names())
    let sink = try output.format.open(
      output.target, context: context, options: writer.healthOptions,
      staging: SinkFormat.Staging(owner: writer.owner, holdsChanges: true))
    output.sink = sink
    RunPoint.pass()
    let total = UInt64(Self.count(of: owed, shownIn: output))
    for changes in shown {
      output.samples += try write(
        try owed.rows(of: changes, showing: .last), to: sink)
      writer.onBatch?(UInt64(output.samples), total)
    }
    if output.superseded > 0, let health = sink as? AppleHealthSink,
      let list = try health.beginSuperseded(context)
    {
      _ = try write(try owed.rows(of: [.revised, .withdrawn], showing: .both), to: list)
      try list.seal()
    } else {
      try sink.seal()
    }
    RunPoint.pass()
  }

  /// Gives the samples that were given before and hold no longer as they were given, with what
  /// they are now, of the outputs that have no room for a list of them.
  static func forEachSuperseded(
    of outputs: [PlannedOutput], _ body: (ReportSuperseded) throws -> Void
  ) throws {
    for output in outputs {
      guard case .owed(let owed, _) = output.method, isListedInReport(output) else { continue }
      let rows = try owed.rows(of: [.revised, .withdrawn], showing: .both)
      var batch = OutputBatch()
      while try rows.next(into: &batch) {
        var index = 0
        while index < batch.rows.count {
          let old = batch.rows[index]
          let next = index + 1 < batch.rows.count ? batch.rows[index + 1] : nil
          let new = old.change == .revised ? next : nil
          try body(
            ReportSuperseded(
              output: output.path ?? "-", pump: owed.pumps[old.pump].label.name, old: old,
              new: new, names: owed.names)
          )
          index += new == nil ? 1 : 2
        }
      }
    }
  }

  /// How many rows an output shows of what it is owed.
  static func count(of owed: OwedSamples, shownIn output: PlannedOutput) -> Int {
    let counts: [OutputChange: UInt64] = [
      .fresh: owed.counts.fresh, .revised: owed.counts.revised, .withdrawn: owed.counts.withdrawn,
    ]
    return shown(output).flatMap(\.self).reduce(0) { $0 + Int(clamping: counts[$1] ?? 0) }
  }

  /// Whether what is superseded of an output stands in the report.
  private static func isListedInReport(_ output: PlannedOutput) -> Bool {
    output.format == .appleHealth && !AppleHealthSink.isArchive(output.target)
  }

  /// Counts what must be deleted in Health first, and refuses where there is no place to list it.
  ///
  /// A report in a file is no place for what was worked out after it was written.
  func countSuperseded(
    _ output: PlannedOutput, _ owed: OwedSamples, isLate: Bool
  ) throws(RunFailure) {
    guard output.format == .appleHealth else { return }
    output.superseded = Int(clamping: owed.counts.revised + owed.counts.withdrawn)
    guard output.superseded > 0, Self.isListedInReport(output) else { return }
    guard !isLate || request.report == "-" || output.listed == owed.basis else {
      throw .overtaken
    }
    guard request.report == nil else { return }
    throw RunFailure(
      .usage,
      what: "samples that were given to Apple Health before must be deleted there first, and an "
        + "export.xml has no place for their list (\(output.superseded) samples)",
      where: output.target.name,
      next: "Add --report FILE, or write a .zip. Nothing was changed.")
  }

  /// The changes that an output shows, in the order in which it does.
  ///
  /// What is gone comes first, so that whoever reads from the top never removes what is new.
  private static func shown(_ output: PlannedOutput) -> [Set<OutputChange>] {
    switch (output.format, output.changes) {
    case (.appleHealth, .all): [[.fresh, .revised]]
    case (.appleHealth, _): [[.fresh]]
    default: [[.withdrawn], [.fresh, .revised]]
    }
  }

  private func write(_ rows: OwedRows, to sink: any SampleSink) throws -> Int {
    var count = 0
    var batch = OutputBatch()
    while try rows.next(into: &batch) {
      try sink.write(batch)
      count += batch.rows.count
      try checkInterruption()
    }
    return count
  }

  private static func isFile(_ path: String) -> Bool {
    FilePath(path).map { (try? InputFile.kind(of: $0, followingLinks: true)) == .file } ?? false
  }
}
