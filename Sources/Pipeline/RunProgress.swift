/// How far a stage of a run has come.
package struct RunProgress: Sendable, Equatable {
  /// The stage.
  package var stage: Stage
  /// How much is done: bytes of inputs, records or samples, as the stage counts.
  package var done: UInt64
  /// How much there is to do; nil if that is not known.
  package var total: UInt64?

  /// The stages that take time, in their order; raw values are words for a person.
  package enum Stage: String, Sendable, CaseIterable {
    /// Inputs are read; counts their bytes, of archives those of the archive's file.
    case reading
    /// What is new is merged into the journal.
    case merging
    /// Samples are made of records, which it counts once for each time it goes through them.
    case normalizing
    /// Outputs are written; counts samples.
    case writing
  }

  /// Creates a progress.
  package init(_ stage: Stage, done: UInt64 = 0, total: UInt64? = nil) {
    self.stage = stage
    self.done = done
    self.total = total
  }
}
