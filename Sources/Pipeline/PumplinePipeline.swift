/// The commands, carried out.
package struct PumplinePipeline: PipelineCommands {
  /// How servers are asked.
  private let network: Network

  /// Creates the pipeline; `network` is the host's, unless a test is the network.
  package init(network: Network = Network()) { self.network = network }

  /// Converts inputs into outputs.
  package func convert(
    _ request: ConvertRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> ConvertSummary {
    do {
      return try withoutActuallyEscaping(events) { events in
        try ConvertRun(request: request, events: events).run()
      }
    } catch {
      throw RunFailure(sorting: error, ledger: request.ledger)
    }
  }

  /// Tells what inputs hold.
  package func inspect(
    _ request: InspectRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> InspectSummary {
    do {
      return try withoutActuallyEscaping(events) { events in
        try InspectRun(request: request, events: events).run()
      }
    } catch {
      throw RunFailure(sorting: error, ledger: nil)
    }
  }

  /// Reads a pipeline file for a run.
  package func definition(at path: String) throws(RunFailure) -> PipelineDefinition {
    try PipelineFile(path: path).definition()
  }

  /// Writes archives of pumps that never were.
  package func demo(
    _ request: DemoRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> DemoSummary {
    do {
      return try withoutActuallyEscaping(events) { events in
        try DemoRun(request: request, events: events).run()
      }
    } catch {
      throw RunFailure(sorting: error, ledger: nil)
    }
  }

  /// Tells what is wrong in pipeline files.
  package func validate(_ request: ValidateRequest) throws(RunFailure) -> ValidateSummary {
    var summary = ValidateSummary()
    for path in request.paths {
      for file in try PipelineFile.files(at: path) {
        summary.pipelines.append(
          CheckedPipeline(path: file.path, problems: try file.read().problems))
      }
    }
    return summary
  }

  /// Writes the records of inputs as lines.
  package func decode(
    _ request: DecodeRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> FilterSummary {
    try sorted(ledger: nil, events) { try DecodeRun(request: request, events: $0).run() }
  }

  /// Keeps samples, and writes those that are new or changed.
  package func deduplicate(
    _ request: DeduplicateRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> FilterSummary {
    try sorted(ledger: request.ledger, events) {
      try DeduplicateRun(request: request, events: $0).run()
    }
  }

  /// Writes samples in other formats.
  package func emit(
    _ request: EmitRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> FilterSummary {
    try sorted(ledger: nil, events) { try EmitRun(request: request, events: $0).run() }
  }

  /// Runs, and sorts what stopped the run.
  private func sorted(
    ledger: String?, _ events: (RunEvent) -> Void,
    _ run: (@escaping (RunEvent) -> Void) throws -> FilterSummary
  ) throws(RunFailure) -> FilterSummary {
    do {
      return try withoutActuallyEscaping(events) { try run($0) }
    } catch {
      throw RunFailure(sorting: error, ledger: ledger)
    }
  }

  /// Compares two outputs.
  package func diff(
    _ request: DiffRequest, events: (RunEvent) -> Void,
    report: (ExplainedDifference) throws(RunFailure) -> Void
  ) throws(RunFailure) -> ComparisonSummary {
    do {
      return try withoutActuallyEscaping(events) { events in
        try withoutActuallyEscaping(report) { report in
          try DiffRun(request: request, events: events, report: report).run()
        }
      }
    } catch {
      throw RunFailure(sorting: error, ledger: nil)
    }
  }

  /// Compares an output with what its sources give.
  package func audit(
    _ request: AuditRequest, events: (RunEvent) -> Void,
    report: (ExplainedDifference) throws(RunFailure) -> Void
  ) throws(RunFailure) -> ComparisonSummary {
    do {
      return try withoutActuallyEscaping(events) { events in
        try withoutActuallyEscaping(report) { report in
          try AuditRun(request: request, events: events, report: report).run()
        }
      }
    } catch {
      throw RunFailure(sorting: error, ledger: nil)
    }
  }

  /// Tells where a sample comes from.
  package func explain(
    _ request: ExplainRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> Explanation {
    do {
      return try withoutActuallyEscaping(events) { events in
        try ExplainRun(request: request, events: events).run()
      }
    } catch {
      throw RunFailure(sorting: error, ledger: request.sources.ledger)
    }
  }

  /// Tells what a ledger holds.
  package func ledgerStatus(_ request: LedgerRequest) throws(RunFailure) -> LedgerStatus {
    do {
      return try StatusRun(request: request).run()
    } catch {
      throw RunFailure(sorting: error, ledger: request.ledger)
    }
  }

  /// Tells what the samples of a ledger add up to.
  package func ledgerTotals(_ request: LedgerTotalsRequest) throws(RunFailure) -> LedgerTotals {
    do {
      return try TotalsRun(request: request).run()
    } catch {
      throw RunFailure(sorting: error, ledger: request.ledger)
    }
  }

  /// Proves a ledger against its own journal.
  package func verifyLedger(_ request: LedgerRequest) throws(RunFailure) -> LedgerVerification {
    do {
      return try VerifyRun(request: request).run()
    } catch {
      throw RunFailure(sorting: error, ledger: request.ledger)
    }
  }

  /// Takes something out of a ledger.
  package func forget(
    _ request: ForgetRequest, confirm: (ForgetSummary) throws(RunFailure) -> Bool
  ) throws(RunFailure) -> ForgetSummary {
    do {
      return try withoutActuallyEscaping(confirm) { confirm in
        try ForgetRun(request: request, confirm: confirm).run()
      }
    } catch {
      throw RunFailure(sorting: error, ledger: request.ledger)
    }
  }

  /// Logs in to Tandem Source and tells what the account has.
  package func logIn(_ request: LoginRequest) throws(RunFailure) -> LoginSummary {
    do {
      return try LoginRun(request: request, network: network).run()
    } catch {
      throw RunFailure(sorting: error, ledger: nil)
    }
  }

  /// Fetches from Tandem Source what a ledger lacks, and writes the outputs.
  package func pull(
    _ request: PullRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> PullSummary {
    do {
      return try withoutActuallyEscaping(events) { events in
        try PullRun(request: request, network: network, events: events).run()
      }
    } catch {
      throw RunFailure(sorting: error, ledger: request.convert.ledger)
    }
  }
}
