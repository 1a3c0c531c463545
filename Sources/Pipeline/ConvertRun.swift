import Deduplicate
import Emit
import Extract
import Normalize
import Platform
import PumpModel

/// One run of `convert`: read, normalize, compare with what the ledger said, write.
///
/// Outputs are staged and sealed, then the ledger commits, then they are published: until the
/// commit nothing that was there has changed.
struct ConvertRun {
  let request: ConvertRequest
  let events: (RunEvent) -> Void
  /// Answers of a service that are read after the inputs.
  private let answers: AnswerImport?
  private let zones = KnownZones()
  /// Looks at the samples before outputs are written, with the pumps' names by the run's references.
  private let onNormalized: ((OutputWriter, [UInt32: String]) throws -> Void)?

  init(
    request: ConvertRequest, answers: AnswerImport? = nil, events: @escaping (RunEvent) -> Void,
    onNormalized: ((OutputWriter, [UInt32: String]) throws -> Void)? = nil
  ) {
    self.request = request
    self.answers = answers
    self.events = events
    self.onNormalized = onNormalized
  }

  /// Runs.
  ///
  /// - Throws: `RunFailure`, with nothing changed that was there.
  func run() throws(RunFailure) -> ConvertSummary {
    let plan = try OutputPlan(request)
    do {
      return try run(plan)
    } catch {
      // What a commit has promised stays: the next run publishes it.
      for output in plan.outputs { output.sink?.discard() }
      if Interruption.isRequested, !(error is RunFailure) { throw .interrupted }
      throw RunFailure(sorting: error, ledger: request.ledger)
    }
  }

  private func run(_ plan: OutputPlan) throws -> ConvertSummary {
    // A temporary ledger fills its cache at once, and the rest of the run is not much more.
    if request.ledger == nil { LargePages.askForHeap(bytes: 24 << 20) }
    let ledger = try Ledger(
      place, waitMilliseconds: Int32(clamping: request.waitSeconds * 1000),
      keepsNothing: request.isDryRun)
    try ledger.check(kind: .events)
    if readsNothing, try ledger.settings() == nil {
      throw RunFailure(
        .inputMissing, what: "the ledger holds nothing yet", where: request.ledger,
        next: "pumpline convert fills it, with --ledger.")
    }
    // A zone that is missing or refused is said before years of history are read.
    _ = try RunSettings(request, held: ledger.settings(), known: zones)
    let outputs = try request.ledger.map { _ in
      try LedgerOutputs(ledger, plan, request) { try begin(ledger) }
    }
    RunPoint.pass()
    if !request.isDryRun { try outputs?.prepare() }
    let journal = JournalImport(ledger)
    let reader = ImportReader(journal: journal, keepsGoing: request.keepsGoing, events: events)
    reader.ledger = request.ledger
    reader.forms = request.forms
    if request.ledger != nil {
      reader.knownArchive = { try ledger.documents(ofArchive: $0) }
    }
    if !tellsDigests { reader.privateKey = PrivateDigest.Key() }
    reader.tellsProgress = request.tellsProgress
    if request.readsLines {
      try LineImport(reader, journal).read(request.inputs, events: events)
    } else {
      try reader.read(request.inputs)
    }
    try answers?.read(by: reader)
    if let demo = request.demo { try reader.read(demo) }
    RunPoint.pass()
    tell(RunProgress(.merging))
    let result: Result
    do {
      try begin(ledger)
      if !request.isDryRun { try outputs?.recover() }
      result = try write(plan, ledger, journal, reader, outputs)
      if request.isDryRun { return try takeBack(plan, result, ledger) }
      try outputs?.promise(result.report)
      RunPoint.pass()
      try checkInterruption()
      try ledger.commit()
    } catch {
      ledger.rollback()
      throw error
    }
    outputs?.leave()
    try answers?.onCommitted(result.runReport)
    RunPoint.pass()
    return try publish(plan, result, outputs)
  }

  /// Begins the ledger's transaction, waiting for other runs.
  private func begin(_ ledger: Ledger) throws {
    do {
      try ledger.begin(
        waiting: { events(.waiting(ledger: request.ledger ?? "")) },
        goesOn: { !Interruption.isRequested })
    } catch {
      try checkInterruption()
      throw error
    }
  }

  private func tell(_ progress: RunProgress) {
    if request.tellsProgress { events(.progress(progress)) }
  }

  /// Whether anybody is told by which digests documents are known, or keeps them.
  private var tellsDigests: Bool {
    request.ledger != nil || request.report != nil || request.readsLines || answers != nil
      || onNormalized != nil
  }

  /// Whether the run is about what the ledger holds already.
  private var readsNothing: Bool { !request.hasSource && answers == nil }

  /// Where the ledger is; where nothing is read it must be there.
  private var place: Ledger.Place {
    guard let path = request.ledger else { return .temporary }
    if readsNothing { return .existing(path) }
    return request.isDryRun ? .forDryRun(path) : .file(path)
  }

  /// What a run has made when its ledger commits.
  private struct Result {
    var summary: ConvertSummary
    var report: ReportWriter?
    var writer: OutputWriter
    var runReport: RunReport
  }

  private func write(
    _ plan: OutputPlan, _ ledger: Ledger, _ journal: JournalImport, _ reader: ImportReader,
    _ outputs: LedgerOutputs?
  ) throws -> Result {
    let settings = try RunSettings(request, held: ledger.settings(), known: zones)
    try ledger.settle(kind: .events)
    if settings.areNew { try ledger.keep(settings.kept) }
    let outcome = try journal.finish(
      reader.accepted(isComplete: request.isComplete),
      claims: reader.claims(serial: request.serial), count: UInt32(reader.documents.count))
    try answers?.keep(ledger, reader)
    for document in reader.documents where document.isWhole {
      for (assignment, stated) in Dictionary(grouping: document.content.fetched, by: \.assignment) {
        try ledger.keep(
          fetched: stated.map(\.range), of: assignment, document: document.content.digest)
      }
    }
    var normalization = PumpNormalization(
      ledger: ledger, schedule: settings.schedule, clock: settings.kept.clock,
      concentration: settings.kept.concentration, makesGlucose: settings.kept.makesGlucose,
      derivesBasal: settings.kept.derivesBasal,
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
      let isOld = try ledger.normalization(of: pump.number).map {
        try $0.version != PumpNormalizer.version
          || $0.fetched != normalization.fetched(of: pump).words
      }
      let isWhole = settings.areNew || isOld == true
      if isWhole || outcome.changedPumps.contains(pump.number) {
        changes.add(
          isWhole
            ? try normalization.normalizeWhole(pump)
            : try normalization.normalize(
              pump, touched: outcome.touched[pump.number] ?? TouchedRecords(),
              rows: outcome.touchedRows[pump.number] ?? TouchedRows()),
          of: pump)
      } else {
        changes.add(unchanged: try ledger.sampleCounts(of: pump.number))
      }
      RunPoint.pass()
    }
    try normalization.addUpDaysIfLacking()
    if request.holdsMoves, let held = changes.moves.first {
      throw try HeldMoves(normalization: normalization, ledger: request.ledger).failure(of: held)
    }
    normalization.onBatch = nil
    var writer = OutputWriter(
      ledger: ledger, schedule: settings.schedule, pumps: try request.selection.selected(pumps),
      request: request, normalization: normalization, owner: outputs?.owner)
    let names = Dictionary(uniqueKeysWithValues: pumps.map { ($0.number, $0.label.name) })
    try onNormalized?(writer, outcome.pumps.compactMapValues { names[$0] })
    try outputs?.assign(plan.outputs, writer)
    writer.onBatch = { tell(RunProgress(.writing, done: $0, total: $1)) }
    try writer.writeAsAssigned(plan.outputs.filter { $0.target != .standardOutput })
    // A line that is redrawn has no place between those of standard output.
    writer.onBatch = nil
    let report = RunReport(
      ledger: ledger, reader: reader, outcome: outcome,
      changes: changes.total(includingGlucose: request.selection.includesGlucose),
      moves: changes.moves, pumpNames: names, outputs: plan.outputs, before: answers?.before)
    var file: ReportWriter?
    if let path = request.report, path != "-" {
      events(.writing(target: path))
      let writer = try ReportWriter(.file(path), owner: outputs?.owner)
      try report.write(to: writer)
      file = writer
      RunPoint.pass()
    }
    var summary = try RunSummary(
      ledger: ledger, reader: reader, outcome: outcome, changes: changes, pumpNames: names
    ).summary(includingGlucose: request.selection.includesGlucose)
    let met = outcome.unnamedPumps.values.reduce(into: Set(outcome.pumps.values)) {
      $0.formUnion($1)
    }
    summary.pumps = pumps.filter { met.contains($0.number) }.map(\.label.name)
    return Result(summary: summary, report: file, writer: writer, runReport: report)
  }

  /// Writes an output straight to its place.
  private func write(_ output: PlannedOutput, _ writer: OutputWriter) throws {
    output.isCut = true
    try writer.writeAsAssigned([output])
    try output.sink?.publish()
    output.isCut = false
  }

  private func publish(
    _ plan: OutputPlan, _ result: Result, _ outputs: LedgerOutputs?
  ) throws -> ConvertSummary {
    for output in plan.outputs where output.target != .standardOutput {
      events(.writing(target: output.target.name))
    }
    if let outputs {
      try outputs.publish(result.writer)
    } else {
      for output in plan.outputs where output.target != .standardOutput {
        try output.sink?.publish()
      }
      try result.report?.publish()
    }
    do {
      try outputs?.giveStandardOutput(result.writer) { output, writer in
        events(.writing(target: output.target.name))
        try write(output, writer)
      }
      try writeStandardOutput(plan, result)
    } catch {
      if Interruption.isRequested { throw RunFailure.interruptedLate }
      // Whoever read standard output may have seen enough; what changed stays owed.
      guard case OutputError.brokenPipe = error else { throw error }
    }
    if Interruption.isRequested { throw RunFailure.interruptedLate }
    return summary(of: plan, result)
  }

  /// Ends a run that keeps nothing, once it knows all that would have been written.
  private func takeBack(
    _ plan: OutputPlan, _ result: Result, _ ledger: Ledger
  ) throws -> ConvertSummary {
    for output in plan.outputs where output.sink == nil && !output.isUntouched {
      switch output.method {
      case .owed(let owed, _):
        output.samples = ChangesWriter.count(of: owed, shownIn: output)
      case .whole, .database, .update: try result.writer.count(output)
      }
    }
    for output in plan.outputs { output.sink?.discard() }
    result.report?.discard()
    ledger.rollback()
    return summary(of: plan, result)
  }

  private func summary(of plan: OutputPlan, _ result: Result) -> ConvertSummary {
    var summary = result.summary
    summary.outputs = plan.outputs.map {
      WrittenOutput(
        format: $0.format.rawValue, target: name($0.target), samples: $0.samples,
        holdsChanges: $0.holdsChanges, superseded: $0.superseded, isUntouched: $0.isUntouched,
        isCut: $0.isCut)
    }
    return summary
  }

  private func writeStandardOutput(_ plan: OutputPlan, _ result: Result) throws {
    let standard = plan.outputs.filter { $0.target == .standardOutput && $0.promise == nil }
    guard !standard.isEmpty || request.report == "-" else { return }
    events(.writing(target: OutputTarget.standardOutput.name))
    // Other runs may go on meanwhile, and what is written here is of one moment.
    try result.writer.ledger.reading {
      for output in standard { try write(output, result.writer) }
      guard request.report == "-" else { return }
      let report = try ReportWriter(.standardOutput)
      try result.runReport.write(to: report)
      try report.publish()
    }
    RunPoint.pass()
  }

  private func name(_ target: OutputTarget) -> String {
    switch target {
    case .file(let path): path
    case .standardOutput: "-"
    }
  }
}
