package import PumpModel

/// What `pumpline explain` was asked for: where a sample comes from, what an event
/// gave, or what holds at a moment.
package struct ExplainRequest: Sendable, Equatable {
  /// What is to be explained.
  package var subject: Subject
  /// The run that makes the samples: its inputs are the sources, or its ledger holds them.
  package var sources: ConvertRequest

  /// What is to be explained.
  package enum Subject: Sendable, Equatable {
    /// The sample of an external id.
    case sample(String)
    /// What an event gave, of whatever pump.
    case event(EventReference)
    /// All that holds or happens at an instant.
    case moment(Instant)
  }

  /// Creates a request.
  package init(subject: Subject, sources: ConvertRequest) {
    self.subject = subject
    self.sources = sources
  }
}
