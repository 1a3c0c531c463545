package import PumpModel

/// A ledger that a command is to look at.
package struct LedgerRequest: Sendable, Equatable {
  /// Its path.
  package var ledger: String
  /// How many seconds to wait while another run holds it.
  package var waitSeconds = 10

  /// Creates a request.
  package init(ledger: String) { self.ledger = ledger }
}

/// What `pumpline ledger forget` was asked for.
package struct ForgetRequest: Sendable, Equatable {
  /// The ledger's path.
  package var ledger: String
  /// What is to be forgotten.
  package var target: Target
  /// What counts as now, for findings of the history that remains; nil: the host's clock.
  package var now: Instant?
  /// How many seconds to wait while another run holds the ledger.
  package var waitSeconds = 10

  /// What is to be forgotten.
  package enum Target: Sendable, Equatable {
    /// The pump of a name, a serial number or an assignment id.
    case pump(String)
    /// The document, archive or capture of a SHA-256: 32 bytes.
    case document([UInt8])
    /// All that the ledger holds, its settings too.
    case everything
  }

  /// Creates a request.
  package init(ledger: String, target: Target) {
    self.ledger = ledger
    self.target = target
  }
}
