/// What the command line can ask for; one method a command.
///
/// The command line knows the pipeline by this protocol alone, so that its tests need no files.
package protocol PipelineCommands: Sendable {
  /// Turns history into samples and writes the outputs; a failure leaves none half-written.
  func convert(
    _ request: ConvertRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> ConvertSummary

  /// Tells what inputs hold.
  func inspect(
    _ request: InspectRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> InspectSummary

  /// Reads a pipeline file for a run; the run itself is `convert` with the request in it.
  func definition(at path: String) throws(RunFailure) -> PipelineDefinition

  /// Writes archives of pumps that never were.
  func demo(
    _ request: DemoRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> DemoSummary

  /// Tells what is wrong in pipeline files.
  func validate(_ request: ValidateRequest) throws(RunFailure) -> ValidateSummary

  /// Writes the records of inputs as lines.
  func decode(
    _ request: DecodeRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> FilterSummary

  /// Keeps samples, and writes those that are new or changed.
  func deduplicate(
    _ request: DeduplicateRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> FilterSummary

  /// Writes samples in other formats.
  func emit(
    _ request: EmitRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> FilterSummary

  /// Compares the samples of two outputs; `report` is told every difference, by time.
  func diff(
    _ request: DiffRequest, events: (RunEvent) -> Void,
    report: (ExplainedDifference) throws(RunFailure) -> Void
  ) throws(RunFailure) -> ComparisonSummary

  /// Compares an output with what its sources give; `report` is told every difference, by time.
  func audit(
    _ request: AuditRequest, events: (RunEvent) -> Void,
    report: (ExplainedDifference) throws(RunFailure) -> Void
  ) throws(RunFailure) -> ComparisonSummary

  /// Tells where a sample comes from, or what holds at a moment.
  func explain(
    _ request: ExplainRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> Explanation

  /// Tells what a ledger holds.
  func ledgerStatus(_ request: LedgerRequest) throws(RunFailure) -> LedgerStatus

  /// Tells what the samples of a ledger add up to by day or week.
  func ledgerTotals(_ request: LedgerTotalsRequest) throws(RunFailure) -> LedgerTotals

  /// Proves a ledger against its own journal, without changing it.
  func verifyLedger(_ request: LedgerRequest) throws(RunFailure) -> LedgerVerification

  /// Takes something out of a ledger, without a trace, if `confirm` says so.
  func forget(
    _ request: ForgetRequest, confirm: (ForgetSummary) throws(RunFailure) -> Bool
  ) throws(RunFailure) -> ForgetSummary

  /// Logs in to Tandem Source and tells what the account has.
  func logIn(_ request: LoginRequest) throws(RunFailure) -> LoginSummary

  /// Fetches from Tandem Source what a ledger lacks, and writes the outputs.
  func pull(
    _ request: PullRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> PullSummary
}

/// Something that a person may like to see while a run goes on.
package enum RunEvent: Sendable, Equatable {
  /// The reading of a document began.
  case reading(document: String)
  /// Another run holds the ledger, and this one waits for it.
  case waiting(ledger: String)
  /// An output is being written.
  case writing(target: String)
  /// Days of a pump's history were fetched and are in the ledger.
  case fetched(pump: String, days: ClosedRange<LocalDay>, records: Int)
  /// A stage has come this far; only if the request asks for it.
  case progress(RunProgress)
}
