import Deduplicate
import Emit
import Extract
import Platform
import PumpModel

/// One run of `convert`: read, normalize, compare with what the ledger said, write.
///
/// Outputs are staged and sealed, then the ledger commits, then they are published: until the
/// commit nothing that was there has changed.
struct ConvertRun {
  let request: ConvertRequest
  let events: (RunEvent) -> Void
  private let zones = KnownZones()

  init(request: ConvertRequest, events: @escaping (RunEvent) -> Void) {
    self.request = request
    self.events = events
  }

  /// Runs.
  ///
  /// - Throws: `RunFailure`, with nothing changed that was there.
  func run() throws(RunFailure) -> ConvertSummary {
    let plan = try OutputPlan(request)
    do {
      return try run(plan)
    } catch {
      for output in plan.outputs { output.sink?.discard() }
      throw RunFailure(sorting: error, ledger: request.ledger)
    }
  }

  private func run(_ plan: OutputPlan) throws -> ConvertSummary {
    let ledger = try Ledger(
      place, waitMilliseconds: Int32(clamping: request.waitSeconds * 1000),
      keepsNothing: request.isDryRun)
    try ledger.check(kind: .events)
    if request.inputs.isEmpty, try ledger.settings() == nil {
      throw RunFailure(
        .inputMissing, what: "the ledger holds nothing yet", where: request.ledger,
        next: "pumpline convert fills it, with --ledger.")
    }
    // A zone that is missing or refused is said before years of history are read.
    _ = try RunSettings(request, held: ledger.settings(), known: zones)
    let journal = JournalImport(ledger)
    let reader = ImportReader(journal: journal, keepsGoing: request.keepsGoing, events: events)
    if request.ledger != nil {
      reader.knownArchive = { try ledger.documents(ofArchive: $0) }
    }
    reader.tellsProgress = request.tellsProgress
    if request.readsLines {
      try LineImport(reader, journal).read(request.inputs, events: events)
    } else {
      try reader.read(request.inputs)
    }
    tell(RunProgress(.merging))
    do {
      try ledger.begin()
      let result = try write(plan, ledger, journal, reader)
      if request.isDryRun { return try takeBack(plan, result, ledger) }
      try ledger.commit()
      return try publish(plan, result)
    } catch {
      ledger.rollback()
      throw error
    }
  }

  private func tell(_ progress: RunProgress) {
    if request.tellsProgress { events(.progress(progress)) }
  }

  /// Where the ledger is; without inputs it must be there.
  private var place: Ledger.Place {
    guard let path = request.ledger else { return .temporary }
    if request.inputs.isEmpty { return .existing(path) }
    return request.isDryRun ? .forDryRun(path) : .file(path)
  }

  /// What a run has made when its ledger commits.
  private struct Result {
    var summary: ConvertSummary
    var report: ReportWriter?
    var standardOutputs: [PlannedOutput]
    var writer: OutputWriter
    var runReport: RunReport
  }

  private func write(
    _ plan: OutputPlan, _ ledger: Ledger, _ journal: JournalImport, _ reader: ImportReader
  ) throws -> Result {
    let settings = try RunSettings(request, held: ledger.settings(), known: zones)
    try ledger.settle(kind: .events)
    if settings.areNew { try ledger.keep(settings.kept) }
    let outcome = try journal.finish(
      reader.accepted(isComplete: request.isComplete),
      claims: reader.claims(serial: request.serial), count: UInt32(reader.documents.count))
    var normalization = PumpNormalization(
      ledger: ledger, schedule: settings.schedule, clock: settings.kept.clock,
      concentration: settings.kept.concentration, makesGlucose: settings.kept.makesGlucose,
      now: request.now ?? HostClock.system.now)
    var normalized: UInt64 = 0
    normalization.onBatch = { count in
      normalized += UInt64(count)
      tell(RunProgress(.normalizing, done: normalized))
    }
    for archive in reader.readArchives where request.ledger != nil {
      try ledger.keep(archive: archive.digest, archive.documents)
    }
    let pumps = try ledger.pumps()
    var changes = RunChanges()
    for pump in pumps {
      if settings.areNew || outcome.changedPumps.contains(pump.number) {
        changes.add(try normalization.normalize(pump), of: pump)
      } else {
        changes.add(unchanged: try ledger.sampleCounts(of: pump.number))
      }
    }
    if request.holdsMoves, let held = changes.moves.first {
      throw try HeldMoves(normalization: normalization, ledger: request.ledger).failure(of: held)
    }
    normalization.onBatch = nil
    var writer = OutputWriter(
      ledger: ledger, schedule: settings.schedule, pumps: try request.selection.selected(pumps),
      request: request,
      normalization: normalization)
    writer.onBatch = { tell(RunProgress(.writing, done: $0, total: $1)) }
    try writer.write(plan.outputs.filter { $0.target != .standardOutput })
    // A line that is redrawn has no place between those of standard output.
    writer.onBatch = nil
    let names = Dictionary(uniqueKeysWithValues: pumps.map { ($0.number, $0.label.name) })
    let report = RunReport(
      ledger: ledger, reader: reader, outcome: outcome,
      changes: changes.total(includingGlucose: request.selection.includesGlucose),
      moves: changes.moves, pumpNames: names)
    var file: ReportWriter?
    if let path = request.report, path != "-" {
      events(.writing(target: path))
      let writer = try ReportWriter(.file(path))
      try report.write(to: writer)
      file = writer
    }
    var summary = try RunSummary(
      ledger: ledger, reader: reader, outcome: outcome, changes: changes, pumpNames: names
    ).summary(includingGlucose: request.selection.includesGlucose)
    summary.pumps = pumps.filter { outcome.pumps.values.contains($0.number) }.map(\.label.name)
    return Result(
      summary: summary, report: file,
      standardOutputs: plan.outputs.filter { $0.target == .standardOutput }, writer: writer,
      runReport: report)
  }

  private func publish(_ plan: OutputPlan, _ result: Result) throws -> ConvertSummary {
    for output in plan.outputs where output.target != .standardOutput {
      events(.writing(target: output.target.name))
      try output.sink?.publish()
    }
    try result.report?.publish()
    do {
      if !result.standardOutputs.isEmpty || request.report == "-" {
        events(.writing(target: OutputTarget.standardOutput.name))
      }
      try writeStandardOutput(result)
    } catch {
      // Whoever read standard output may have seen enough.
      if error != .brokenPipe { throw error }
    }
    return summary(of: plan, result)
  }

  /// Ends a run that keeps nothing, once it knows all that would have been written.
  private func takeBack(
    _ plan: OutputPlan, _ result: Result, _ ledger: Ledger
  ) throws -> ConvertSummary {
    for output in result.standardOutputs { try result.writer.count(output) }
    for output in plan.outputs { output.sink?.discard() }
    result.report?.discard()
    ledger.rollback()
    return summary(of: plan, result)
  }

  private func summary(of plan: OutputPlan, _ result: Result) -> ConvertSummary {
    var summary = result.summary
    summary.outputs = plan.outputs.map {
      WrittenOutput(format: $0.format.rawValue, target: name($0.target), samples: $0.samples)
    }
    return summary
  }

  private func writeStandardOutput(_ result: Result) throws(OutputError) {
    do {
      try result.writer.write(result.standardOutputs)
      for output in result.standardOutputs { try output.sink?.publish() }
      guard request.report == "-" else { return }
      let report = try ReportWriter(.standardOutput)
      try result.runReport.write(to: report)
      try report.publish()
    } catch let error as OutputError {
      throw error
    } catch {
      throw .failed(path: "standard output", reason: "the ledger could not be read")
    }
  }

  private func name(_ target: OutputTarget) -> String {
    switch target {
    case .file(let path): path
    case .standardOutput: "-"
    }
  }
}
