import PumpModel

/// The last records that decide on what lies near them: heartbeats, rate changes, suspensions.
///
/// Those of a day are enough: they lie seconds or minutes back in time, but a clock may run ahead
/// of others for as long as a day. Older ones are forgotten whenever a day is over, so that what
/// is remembered at a place does not depend on where reading began.
struct NearbyRecords {
  private var heartbeats: [Int64] = []
  private var changes: [Int64] = []
  private var suspends: [Int64] = []
  private var day = Int64.min

  /// How near a rate change or suspension must be to count, in seconds.
  static let reach: Int64 = 2
  private static let kept: Int64 = 86_400 + 3600
  /// Bounds memory where a broken clock never moves on.
  private static let most = 2048

  /// Takes the next record in order.
  mutating func note(_ candidate: BasalCandidate) {
    switch candidate.kind {
    case .heartbeat: Self.keep(candidate.at, in: &heartbeats)
    case .change: Self.keep(candidate.at, in: &changes)
    case .suspend: Self.keep(candidate.at, in: &suspends)
    default: break
    }
    let day = candidate.at.flooredDivision(by: 86_400)
    guard day != self.day else { return }
    self.day = day
    let oldest = day * 86_400 - Self.kept
    heartbeats.removeAll { $0 < oldest }
    changes.removeAll { $0 < oldest }
    suspends.removeAll { $0 < oldest }
  }

  private static func keep(_ at: Int64, in list: inout [Int64]) {
    if list.count == most { list.removeFirst(most / 2) }
    list.append(at)
  }

  /// Mixes in all that is remembered.
  func mix(into digest: inout StateDigest) {
    digest.mix(day)
    for list in [heartbeats, changes, suspends] {
      digest.mix(Int64(list.count))
      for at in list { digest.mix(at) }
    }
  }

  /// Whether a heartbeat lies so many seconds before a time, or at it.
  func hasHeartbeat(upTo seconds: Int64, before at: Int64) -> Bool {
    // Most often it is the last one; where the clock was moved, an earlier one may be nearer.
    if let last = heartbeats.last, last <= at, at - last <= seconds { return true }
    return heartbeats.contains { $0 <= at && at - $0 <= seconds }
  }

  /// Whether a heartbeat lies so many seconds after a time, or at it.
  func hasHeartbeat(upTo seconds: Int64, after at: Int64) -> Bool {
    heartbeats.contains { $0 >= at && $0 - at <= seconds }
  }

  /// Whether a heartbeat lies so many seconds before or after a time.
  func hasHeartbeat(upTo seconds: Int64, around at: Int64) -> Bool {
    heartbeats.contains { abs($0 - at) <= seconds }
  }

  /// Whether a rate change lies near a time.
  func hasChange(near at: Int64) -> Bool { changes.contains { abs($0 - at) <= Self.reach } }

  /// Whether a suspension lies near a time.
  func hasSuspend(near at: Int64) -> Bool { suspends.contains { abs($0 - at) <= Self.reach } }
}
