import PumpModel

/// Tells, for events in order, whether numbers known to be missing lie before each.
struct ContinuityCursor {
  private let known: [UInt64]
  private let claims: [CompletenessClaim]
  private var next = 0
  private var group: UInt32?
  private var last: UInt32 = 0
  /// The gaps that were passed, known ones or not.
  private var gaps = HistorySegment.Gaps()

  init(missing: MissingNumbers, claims: [CompletenessClaim]) {
    known = missing.known
    self.claims = claims
  }

  /// Whether a number known to be missing lies between the last event's and this one's.
  mutating func isMissing(beforeGroup group: UInt32, number: UInt32) -> Bool {
    defer {
      self.group = group
      last = number
    }
    guard group == self.group, number > last, number - last > 1 else { return false }
    gaps.count += 1
    gaps.numbers += UInt64(number - last - 1)
    let gap = UInt64(group) << 32 | UInt64(last)..<UInt64(group) << 32 | UInt64(number)
    var found = false
    while next < known.count, known[next] < gap.upperBound {
      if known[next] > gap.lowerBound { found = true }
      next += 1
    }
    return found
      || claims.contains { claim in
        claim.group == group && claim.numbers.lowerBound < number && claim.numbers.upperBound > last
      }
  }

  /// Gives the gaps that were passed since the last call.
  mutating func takeGaps() -> HistorySegment.Gaps {
    defer { gaps = HistorySegment.Gaps() }
    return gaps
  }

  /// Mixes in what the last event leaves for the next.
  func mix(into digest: inout StateDigest) {
    digest.mix(group.map(Int64.init))
    digest.mix(Int64(last))
  }
}
