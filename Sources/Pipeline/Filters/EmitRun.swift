import Decode
import Deduplicate
import Emit
import Platform
import PumpModel

/// One run of `emit`: samples in other formats, as `convert` would have written them.
struct EmitRun {
  let request: EmitRequest
  let events: (RunEvent) -> Void

  /// Runs.
  func run() throws -> FilterSummary {
    let request = try convertRequest
    let plan = try OutputPlan(request)
    do {
      return try run(request, plan)
    } catch {
      for output in plan.outputs { output.sink?.discard() }
      throw error
    }
  }

  /// What is asked of outputs, as a run of `convert` is asked it.
  private var convertRequest: ConvertRequest {
    get throws {
      var request = ConvertRequest(inputs: self.request.inputs)
      request.zones = self.request.zones
      request.outputs = self.request.outputs
      request.selection = self.request.selection
      request.report = self.request.report
      request.appleHealth = self.request.appleHealth
      // NDJSON has times in UTC alone.
      let needsZone = try OutputPlan(request).outputs.contains { $0.format != .samples }
      let hasDays = request.selection.from?.isDay == true || request.selection.until?.isDay == true
      if request.zones.isEmpty, !needsZone, !hasDays {
        request.zones = [ZoneArgument(name: "UTC")]
      }
      return request
    }
  }

  private func run(_ request: ConvertRequest, _ plan: OutputPlan) throws -> FilterSummary {
    let settings = try RunSettings(request, held: nil, known: KnownZones())
    let ledger = try Ledger(.temporary, waitMilliseconds: 0)
    let lines = SampleLineImport(ledger, takesWithdrawals: true)
    try lines.read(request.inputs, events: events)
    let facts = try readAccounts()
    try ledger.begin()
    try ledger.settle(kind: .samples)
    let outcome = try lines.finish()
    try ledger.keep(facts)
    let writer = OutputWriter(
      ledger: ledger, schedule: settings.schedule,
      pumps: try request.selection.selected(try ledger.pumps()), request: request,
      normalization: PumpNormalization(
        ledger: ledger, schedule: settings.schedule, clock: .auto, concentration: .u100,
        makesGlucose: true, now: HostClock.system.now))
    let files = plan.outputs.filter { $0.target != .standardOutput }
    try writer.write(files)
    let report = try SampleReport(lines: lines, outcome: outcome).write(to: request.report)
    try ledger.commit()
    for output in files {
      events(.writing(target: output.target.name))
      try output.sink?.publish()
    }
    try report?.publish()
    try writeStandardOutput(plan, writer)
    var summary = try lines.summary(outcome)
    // A private ledger knew nothing before, so that nothing can have changed.
    summary.changes = [:]
    summary.outputs = plan.outputs.map {
      WrittenOutput(format: $0.format.rawValue, target: $0.path ?? "-", samples: $0.samples)
    }
    summary.written = summary.outputs.map(\.samples).max() ?? 0
    return summary
  }

  private func writeStandardOutput(_ plan: OutputPlan, _ writer: OutputWriter) throws {
    let outputs = plan.outputs.filter { $0.target == .standardOutput }
    do {
      try writer.write(outputs)
      for output in outputs { try output.sink?.publish() }
    } catch OutputError.brokenPipe {
      // Whoever read standard output has seen enough.
    }
  }

  /// What account answers say of pumps.
  private func readAccounts() throws -> [PumpFacts] {
    guard !request.accounts.isEmpty else { return [] }
    let reader = ImportReader(journal: nil, keepsGoing: false, events: events)
    try reader.read(request.accounts)
    return reader.documents.filter(\.isWhole).flatMap(\.content.facts)
  }
}

extension SelectionBound {
  /// Whether a zone is needed to tell the instant.
  fileprivate var isDay: Bool {
    if case .day = self { true } else { false }
  }
}
