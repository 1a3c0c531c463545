package import PumpModel

/// How many samples a run gave for the first time, left as they were, changed or took back.
package struct SampleChanges: Sendable, Equatable {
  /// Never given before.
  package var fresh: UInt64 = 0
  /// Given before, and saying the same.
  package var unchanged: UInt64 = 0
  /// Given before, and now saying something else, or coming back.
  package var revised: UInt64 = 0
  /// No longer produced.
  package var withdrawn: UInt64 = 0

  /// Creates counts of nothing.
  package init() {}

  /// Adds two counts.
  package static func += (left: inout SampleChanges, right: SampleChanges) {
    left.fresh += right.fresh
    left.unchanged += right.unchanged
    left.revised += right.revised
    left.withdrawn += right.withdrawn
  }
}

/// Changes by kind of sample, and ids that several samples would have had.
package struct SampleOutcome: Sendable {
  /// The changes of each kind; rates of zero do not count.
  package var changes: [SampleKind: SampleChanges] = [:]
  /// Samples whose id was taken: by number.
  package var takenIdentities = NotedNumbers()
  /// Samples that moved with the amounts that they had.
  package var moved = MovedSamples()

  /// Creates an outcome of nothing.
  package init() {}

  /// Takes in the comparison of a kind.
  mutating func add(
    _ changes: SampleChanges, of kind: SampleKind, taken: NotedNumbers, moved: MovedSamples
  ) {
    self.changes[kind, default: SampleChanges()] += changes
    takenIdentities.add(taken)
    self.moved.add(moved)
  }
}
