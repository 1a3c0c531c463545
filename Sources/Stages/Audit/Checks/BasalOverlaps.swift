import PumpModel

/// Finds basal that begins before the basal before it has ended, of one pump or of two.
final class BasalOverlaps: OutputCheck {
  /// The pumps in the order in which they come.
  private var pumps: [Pump] = []
  /// The place of the pump that came last, which most often comes again.
  private var last = 0
  private var told: Set<Set<String>> = []

  /// More pumps than anybody has are not followed.
  private static let mostPumps = 256

  private struct Pump {
    let device: String
    /// When its basal ends.
    var end: Instant
    /// When its basal above zero ends: a pump that gives nothing overlaps no other.
    var deliveryEnd: Instant?
  }

  func look(at sample: WrittenSample, _ tell: (Finding) -> Void) {
    guard sample.type == .basal, sample.start < sample.end else { return }
    let device = sample.device ?? ""
    let isKnown = find(device)
    if isKnown {
      let end = pumps[last].end
      if sample.start < end {
        tell(
          Finding(
            .basalOverlaps, start: sample.start, end: min(end, sample.end),
            text: "\(sample.title) begins \(end - sample.start) s before the basal before it ends"))
      }
      pumps[last].end = max(end, sample.end)
    }
    let isDelivery = sample.amount.parts > 0
    if isDelivery { lookAtOthers(sample, device, tell) }
    if isKnown {
      guard isDelivery else { return }
      pumps[last].deliveryEnd = max(pumps[last].deliveryEnd ?? sample.end, sample.end)
    } else if pumps.count < Self.mostPumps {
      last = pumps.count
      pumps.append(
        Pump(device: device, end: sample.end, deliveryEnd: isDelivery ? sample.end : nil))
    }
  }

  /// Makes a pump the last one; false if it has not come before.
  private func find(_ device: String) -> Bool {
    if last < pumps.count, pumps[last].device == device { return true }
    guard let place = pumps.firstIndex(where: { $0.device == device }) else { return false }
    last = place
    return true
  }

  /// Tells each pair of pumps once.
  private func lookAtOthers(_ sample: WrittenSample, _ device: String, _ tell: (Finding) -> Void) {
    guard pumps.count > 1 || pumps.first?.device != device else { return }
    for other in pumps where other.device != device {
      guard let end = other.deliveryEnd, sample.start < end,
        told.insert([device, other.device]).inserted
      else { continue }
      tell(
        Finding(
          .pumpsOverlap, start: sample.start,
          text: "two pumps of the output gave basal at the same time"))
    }
  }
}
