package import PumpModel

/// What `pumpline audit` was asked for: to look at an output, and to compare it with what its sources
/// give.
package struct AuditRequest: Sendable, Equatable {
  /// The output; `-` is standard input.
  package var output: String
  /// The run that makes the samples again: its inputs are the sources, and it has neither outputs nor
  /// a ledger.
  ///
  /// Without inputs the output is looked at by itself.
  package var sources: ConvertRequest
  /// The weight from which on findings end an audit with 1; differences always do.
  package var failsOn = Severity.error

  /// The path of the file of accepted findings; nil: none is accepted.
  package var accepted: String?

  /// The path of the page that is written; nil: none.
  package var page: String?

  /// Whether the summary is to tell the output's days.
  package var tellsDays = false

  /// Creates a request.
  package init(output: String, sources: ConvertRequest) {
    self.output = output
    self.sources = sources
  }
}
