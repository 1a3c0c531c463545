/// Which of two sets of samples something is about.
package enum SampleSide: Int64, Sendable, CaseIterable {
  /// The first: what should be there, where one of the two is known to be right.
  case first = 0
  /// The second: what is looked at.
  case second = 1

  /// The other one.
  package var other: SampleSide { self == .first ? .second : .first }
}

/// One thing in which two sets of samples differ.
package struct SampleDifference: Sendable, Equatable {
  /// What kind of difference it is.
  package var kind: Kind
  /// The sample of the first set; nil if it has none.
  package var first: WrittenSample?
  /// The sample of the second set; nil if it has none.
  package var second: WrittenSample?
  /// What differs between the two, in order; empty unless the kind is `changed`.
  package var fields: [String]

  /// Creates a difference.
  package init(
    _ kind: Kind, first: WrittenSample? = nil, second: WrittenSample? = nil, fields: [String] = []
  ) {
    self.kind = kind
    self.first = first
    self.second = second
    self.fields = fields
  }

  /// What kinds of differences there are; raw values are the words of outputs.
  package enum Kind: String, Sendable, CaseIterable {
    /// In the first set only.
    case missing
    /// In the second set only.
    case extra
    /// In both, and not the same.
    case changed
    /// One set has it once more than the other: the one that has a sample here.
    case duplicated
  }

  /// Whether a sample was given to another pump.
  package var isMovedBetweenPumps: Bool { kind == .changed && fields.contains(Self.device) }

  /// The name of the field that tells the pump.
  package static let device = "device"
}

/// What a comparison came to.
package struct ComparisonResult: Sendable, Equatable {
  /// Pairs that have one external id.
  package var matchedByID: UInt64 = 0
  /// Pairs that were found by type, time and amount.
  package var matchedByTime: UInt64 = 0
  /// How many differences of each kind there are.
  package var differences: [SampleDifference.Kind: UInt64] = [:]

  /// Creates the result of comparing nothing.
  package init() {}

  /// Whether both sets are the same.
  package var isClean: Bool { differences.values.allSatisfy { $0 == 0 } }
}
