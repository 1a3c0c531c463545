import Decode
import Deduplicate
import Emit
import Platform
import PumpModel

/// One run of `deduplicate`: keeps samples in a ledger of samples, and writes those that are new to
/// it or changed.
///
/// What it writes is there before the ledger commits: whatever stops the run, the ledger knows
/// nothing of what nobody may have got, and the next run gives it again.
struct DeduplicateRun {
  let request: DeduplicateRequest
  let events: (RunEvent) -> Void

  /// Runs.
  func run() throws -> FilterSummary {
    var check = ConvertRequest(inputs: request.inputs)
    check.outputs = [OutputRequest(format: SinkFormat.samples.rawValue, target: request.output)]
    check.ledger = request.ledger
    check.report = request.report
    let target = try OutputPlan(check).outputs[0].target
    let ledger = try Ledger(
      request.ledger.map { .file($0) } ?? .temporary,
      waitMilliseconds: Int32(clamping: request.waitSeconds * 1000))
    try ledger.check(kind: .samples)
    let lines = SampleLineImport(ledger, takesWithdrawals: false)
    try lines.read(request.inputs, events: events)
    do {
      try ledger.begin()
      return try write(to: target, ledger, lines)
    } catch OutputError.brokenPipe {
      ledger.rollback()
      guard let path = request.ledger else { return try lines.summary(SampleImportOutcome()) }
      throw Self.failure(of: path)
    } catch {
      ledger.rollback()
      throw error
    }
  }

  private func write(
    to target: OutputTarget, _ ledger: Ledger, _ lines: SampleLineImport
  ) throws -> FilterSummary {
    try ledger.settle(kind: .samples)
    let before = try ledger.changeCount()
    let outcome = try lines.finish()
    let pumps = try ledger.pumps()
    var selection = SampleSelection(
      kinds: Set(SampleKind.allCases), showsDerivedBasal: true)
    if !request.writesAll { selection.changedAfter = before }
    let samples = try OrderedSamples(
      ledger, pumps: pumps, selection: selection, order: SinkFormat.samples.order)
    let sink = try SinkFormat.samples.open(
      target,
      context: OutputContext(
        schedule: .utc, pumps: pumps.map(\.label), newestEnd: samples.newestEnd,
        statusWords: try ledger.statusWords(), names: try ledger.names()),
      options: Emit.AppleHealthOptions(version: Release.version))
    do {
      try Self.write(samples, to: sink)
      var summary = try lines.summary(outcome)
      summary.written = samples.count
      summary.outputs = [
        WrittenOutput(
          format: SinkFormat.samples.rawValue, target: request.output, samples: samples.count)
      ]
      let report = try SampleReport(lines: lines, outcome: outcome).write(to: request.report)
      try sink.publish()
      try report?.publish()
      try ledger.commit()
      return summary
    } catch {
      sink.discard()
      throw error as any Error
    }
  }

  private static func write(_ samples: OrderedSamples, to sink: any SampleSink) throws {
    var batch = OutputBatch()
    while try samples.next(into: &batch) { try sink.write(batch) }
    try sink.seal()
  }
}

extension DeduplicateRun {
  /// What a reader of standard output that goes away means.
  static func failure(of ledger: String) -> RunFailure {
    RunFailure(
      .io, what: "the reader of standard output went away before it had all samples",
      where: ledger, next: "Nothing was kept in the ledger; run it again.")
  }
}
