import PumpModel

/// Makes samples of carbohydrate that was entered by itself [48], unless a bolus request of the
/// same grams lies within five minutes (N6).
struct CarbohydrateEntries {
  private var requests: [(at: Int64, milligrams: Int64)] = []
  private var waiting: [Entry] = []

  private static let reach: Int64 = 300
  /// How long an entry waits, and a request is remembered: five minutes, and a day for a clock
  /// that runs ahead or steps back.
  private static let lookahead: Int64 = 300 + 86_400

  private struct Entry {
    var position: EventPosition
    var at: Int64
    var milligrams: Int64
  }

  /// Takes the next event in order that has a known time.
  mutating func take(
    _ event: borrowing PumpEvent, at instant: Instant, days: inout DayBook,
    into batch: inout NormalizedBatch
  ) {
    let at = instant.unixSeconds
    switch event.payload {
    case .bolusRequest1(_, let grams?, _) where grams > 0:
      requests.append((at, Int64(grams) * 1000))
    case .carbsEntered(let milligrams):
      waiting.append(
        Entry(position: event.position, at: at, milligrams: Int64(milligrams)))
    default: break
    }
    guard !waiting.isEmpty || !requests.isEmpty else { return }
    settle(before: at - Self.lookahead, days: &days, into: &batch)
    // A request still matters to entries that wait, and to those that may step back to it.
    let needed = min(waiting.lazy.map(\.at).min() ?? at, at) - Self.lookahead
    if requests.contains(where: { $0.at < needed }) { requests.removeAll { $0.at < needed } }
  }

  /// Ends the history.
  mutating func finish(days: inout DayBook, into batch: inout NormalizedBatch) {
    settle(before: .max, days: &days, into: &batch)
  }

  /// Mixes in all that can still matter.
  func mix(into digest: inout StateDigest) {
    digest.mix(Int64(requests.count))
    for request in requests {
      digest.mix(request.at)
      digest.mix(request.milligrams)
    }
    digest.mix(Int64(waiting.count))
    for entry in waiting {
      digest.mix(entry.position)
      digest.mix(entry.at)
      digest.mix(entry.milligrams)
    }
  }

  /// The events that samples may still be named after.
  var inFlight: [EventPosition] { waiting.map(\.position) }

  private mutating func settle(
    before time: Int64, days: inout DayBook, into batch: inout NormalizedBatch
  ) {
    // Where the clock was moved, a later entry may be due before an earlier one.
    guard waiting.contains(where: { $0.at < time }) else { return }
    for entry in waiting where entry.at < time {
      guard entry.milligrams > 0, !isRequested(entry) else { continue }
      let instant = Instant(unixSeconds: entry.at)
      batch.append(
        Sample(
          identity: SampleIdentity(
            kind: .carbs, group: entry.position.group, number: entry.position.number,
            time: entry.position.time, eventID: UInt16(truncatingIfNeeded: entry.position.low)),
          start: instant, end: instant, amount: entry.milligrams),
        restingOn: entry.position.reference)
      days.add(carbohydrate: entry.milligrams, at: entry.at)
    }
    waiting.removeAll { $0.at < time }
  }

  private func isRequested(_ entry: Entry) -> Bool {
    requests.contains {
      $0.milligrams == entry.milligrams && abs($0.at - entry.at) <= Self.reach
    }
  }
}
