import PumpModel

/// The pump's own basal total from its midnight to a record [81].
struct PumpTotalCheck {
  /// The pump's midnight, Unix seconds.
  var from: Int64
  /// When the record was written, Unix seconds.
  var until: Int64
  /// mIU of real insulin.
  var total: Int64

  /// Mixes in all that the total says.
  func mix(into digest: inout StateDigest) {
    digest.mix(from)
    digest.mix(until)
    digest.mix(total)
  }
}

/// Compares the pump's own basal totals with the segments of the same time (N11).
struct PumpTotalChecks {
  private var waiting: [PumpTotalCheck] = []
  private var segments: [Segment] = []
  private var day = Int64.min

  /// How long segments are kept: a pump's day, and the clock's changes in it.
  private static let kept: Int64 = 2 * 86_400
  /// Bounds memory where no evidence ever comes; a real log has one total a day.
  private static let mostWaiting = 512

  private struct Segment {
    var from: Int64
    var until: Int64
    /// mU/h of real insulin; nil where it is not known.
    var rate: Int64?
  }

  /// Takes a total; it is compared once evidence has passed its record.
  mutating func add(_ check: PumpTotalCheck, days: inout DayBook) {
    if waiting.count == Self.mostWaiting { compare(waiting.removeFirst(), days: &days) }
    waiting.append(check)
  }

  /// Takes the next segment.
  mutating func add(rate: Int64, from: Int64, until: Int64) {
    segments.append(Segment(from: from, until: until, rate: rate))
  }

  /// Takes a time of which nothing is known.
  mutating func addUnknown(from: Int64, until: Int64) {
    segments.append(Segment(from: from, until: until, rate: nil))
  }

  /// Compares the totals whose time is known up to an instant.
  mutating func settle(upTo known: Int64, days: inout DayBook) {
    defer { prune(at: known) }
    guard !waiting.isEmpty else { return }
    for check in waiting where check.until <= known {
      compare(check, days: &days)
    }
    waiting.removeAll { $0.until <= known }
  }

  /// Notes the totals that nothing came after.
  mutating func finish(days: inout DayBook) {
    for check in waiting { compare(check, days: &days) }
    waiting.removeAll()
  }

  private func compare(_ check: PumpTotalCheck, days: inout DayBook) {
    let difference = basal(from: check.from, until: check.until).map { $0 - check.total * 1000 }
    days.set(pumpBasal: check.total, difference: difference, of: check)
  }

  /// The basal of a time in µIU; nil unless all of it is known.
  private func basal(from: Int64, until: Int64) -> Int64? {
    var known: Int64 = 0
    var rateSeconds: Int64 = 0
    for segment in segments {
      let seconds = min(segment.until, until) - max(segment.from, from)
      guard seconds > 0 else { continue }
      guard let rate = segment.rate else { return nil }
      known += seconds
      rateSeconds += rate * seconds
    }
    guard known == until - from else { return nil }
    return roundedHalfEven(rateSeconds * 10, over: 36)
  }

  /// Forgets old segments whenever a day is over, so that what is remembered at a place does not
  /// depend on where reading began.
  private mutating func prune(at known: Int64) {
    let day = known.flooredDivision(by: 86_400)
    guard day != self.day else { return }
    self.day = day
    let oldest = day * 86_400 - Self.kept
    segments.removeAll { $0.until < oldest }
  }

  /// Mixes in all that is remembered.
  func mix(into digest: inout StateDigest) {
    digest.mix(day)
    digest.mix(Int64(waiting.count))
    for check in waiting { check.mix(into: &digest) }
    digest.mix(Int64(segments.count))
    for segment in segments {
      digest.mix(segment.from)
      digest.mix(segment.until)
      digest.mix(segment.rate)
    }
  }
}
