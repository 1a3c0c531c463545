import PumpModel

/// What `pumpline audit` was asked for: to compare an output with what its sources give.
package struct AuditRequest: Sendable, Equatable {
  /// The output; `-` is standard input.
  package var output: String
  /// The run that makes the samples again: its inputs are the sources, and it has neither outputs nor
  /// a ledger.
  package var sources: ConvertRequest

  /// Creates a request.
  package init(output: String, sources: ConvertRequest) {
    self.output = output
    self.sources = sources
  }
}
