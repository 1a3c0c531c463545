/// What `pumpline ledger forget` takes out of a ledger.
package struct ForgetSummary: Sendable, Equatable {
  /// The documents that go, by format.
  package var documents: [LedgerStatus.Documents] = []
  /// The names of the pumps that are concerned.
  package var pumps: [String] = []
  /// Whether it was done; not if a person said no.
  package var isDone = false

  /// Creates the summary of nothing.
  package init() {}
}
