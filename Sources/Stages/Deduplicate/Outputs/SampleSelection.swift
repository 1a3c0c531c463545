package import PumpModel

/// Which of a ledger's samples an output shows.
///
/// Selectors narrow outputs, never what is kept.
package struct SampleSelection: Sendable, Equatable {
  /// The kinds.
  package var kinds: Set<SampleKind>
  /// Whether rates of zero are shown, as samples of 0 IU.
  package var keepsZeroBasal: Bool
  /// Whether basal is shown that was made of rates of exports.
  package var showsDerivedBasal: Bool
  /// A sample is in when it starts at or after this.
  package var from: Instant?
  /// A sample is in when it starts before this.
  package var until: Instant?
  /// A sample is in only if it changed after the ledger's count of changes was this.
  package var changedAfter: UInt64 = 0

  /// Creates a selection.
  package init(
    kinds: Set<SampleKind>, keepsZeroBasal: Bool = false, showsDerivedBasal: Bool = false,
    from: Instant? = nil, until: Instant? = nil
  ) {
    self.kinds = kinds
    self.keepsZeroBasal = keepsZeroBasal
    self.showsDerivedBasal = showsDerivedBasal
    self.from = from
    self.until = until
  }

  @inline(__always)
  func contains(start: Int64) -> Bool {
    if let from, start < from.unixSeconds { return false }
    if let until, start >= until.unixSeconds { return false }
    return true
  }
}
