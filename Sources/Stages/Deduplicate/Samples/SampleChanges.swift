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

/// Changes by kind of sample.
package struct SampleOutcome: Sendable {
  /// The changes of each kind; rates of zero do not count.
  package var changes: [SampleKind: SampleChanges] = [:]
  /// Samples that moved with the amounts that they had.
  package var moved = MovedSamples()

  /// Creates an outcome of nothing.
  package init() {}

  /// Takes in the comparison of a kind, as ledgers count kinds.
  ///
  /// Rates of zero are no samples unless somebody asks for them, so they do not count.
  mutating func add(_ changes: SampleChanges, moved: MovedSamples, ofStorage kind: Int) {
    guard let kind = StoredSample.kind(ofStorage: UInt64(kind)) else { return }
    self.changes[kind, default: SampleChanges()] += changes
    self.moved.add(moved)
  }

  /// Counts as unchanged all that are given now and were not given, or not so, before.
  mutating func countUnchanged(among live: [SampleKind: UInt64]) {
    for kind in SampleKind.allCases {
      var own = changes[kind] ?? SampleChanges()
      own.unchanged = (live[kind] ?? 0) - own.fresh - own.revised
      if own != SampleChanges() { changes[kind] = own }
    }
  }
}
