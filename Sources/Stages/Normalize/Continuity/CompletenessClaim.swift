/// The numbers of one group between which a pump's history is said to be complete (N4).
package struct CompletenessClaim: Sendable, Equatable {
  /// The sequence group.
  package var group: UInt32
  /// The lowest and the highest number in documents that were said to be complete.
  package var numbers: ClosedRange<UInt32>

  /// Creates a claim.
  package init(group: UInt32, numbers: ClosedRange<UInt32>) {
    self.group = group
    self.numbers = numbers
  }
}
