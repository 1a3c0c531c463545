import PumpModel

/// Finds basal that begins before the basal before it has ended, of one pump or of two.
final class BasalOverlaps: OutputCheck {
  private var ends: [String: Instant] = [:]
  /// The same of basal above zero: a pump that gives nothing overlaps no other.
  private var deliveries: [String: Instant] = [:]
  private var told: Set<Set<String>> = []

  /// More pumps than anybody has are not followed.
  private static let mostPumps = 256

  func look(at sample: WrittenSample, _ tell: (Finding) -> Void) {
    guard sample.type == .basal, sample.start < sample.end else { return }
    let device = sample.device ?? ""
    if let end = ends[device], sample.start < end {
      tell(
        Finding(
          .basalOverlaps, start: sample.start, end: min(end, sample.end),
          text: "\(sample.title) begins \(end - sample.start) s before the basal before it ends"))
    }
    Self.note(sample, of: device, in: &ends)
    guard sample.amount.parts > 0 else { return }
    lookAtOthers(sample, device, tell)
    Self.note(sample, of: device, in: &deliveries)
  }

  private static func note(
    _ sample: WrittenSample, of device: String, in ends: inout [String: Instant]
  ) {
    guard ends[device] != nil || ends.count < mostPumps else { return }
    ends[device] = max(ends[device] ?? sample.end, sample.end)
  }

  /// Tells each pair of pumps once.
  private func lookAtOthers(_ sample: WrittenSample, _ device: String, _ tell: (Finding) -> Void) {
    for (other, end) in deliveries where other != device && sample.start < end {
      guard told.insert([device, other]).inserted else { continue }
      tell(
        Finding(
          .pumpsOverlap, start: sample.start,
          text: "two pumps of the output gave basal at the same time"))
    }
  }
}
