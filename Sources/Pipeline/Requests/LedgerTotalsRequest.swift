/// What `pumpline ledger totals` was asked for.
package struct LedgerTotalsRequest: Sendable, Equatable {
  /// The ledger's path.
  package var ledger: String
  /// Whether weeks are told, not days.
  package var isByWeek = false
  /// How many seconds to wait while another run holds the ledger.
  package var waitSeconds = 10

  /// Creates a request.
  package init(ledger: String) { self.ledger = ledger }
}
