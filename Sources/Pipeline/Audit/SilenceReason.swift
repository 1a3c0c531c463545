import Decode
import Normalize
import PumpModel

/// An event with its time.
struct TimedEvent {
  var event: PumpEvent
  /// Nil if its time is not known.
  var instant: Instant?

  /// How it is named for people.
  var title: String {
    "event \(event.number)-\(event.time.seconds)"
      + (EventCatalogue.name(of: event.id).map { " (\(event.id) \($0))" } ?? "")
  }
}

/// Why an event gave no sample of its own: by the rules, and by what came of what lies around it.
struct SilenceReason {
  let subject: TimedEvent
  /// What lies within two days of it, in order, itself among it.
  let nearby: [TimedEvent]
  /// The pump's stretches without data that begin within the same time.
  let holes: [Hole]
  /// What of the pump would still become a sample.
  let pending: [PendingPart]

  /// The ids of a sensor's readings.
  private static let readings: Set<UInt16> = [256, 372, 399, 480]

  /// The reason, as a clause.
  var words: String {
    switch subject.event.payload {
    case .clockChange:
      return "it sets the pump's clock: times are worked out by it, and it tells no dose"
    case .dailyBasal:
      return "the pump's own total checks the basal of its day, and is no dose"
    case .other: return other
    default: break
    }
    guard let instant = subject.instant else {
      return
        "when it was is not known: the pump had lost power and its clock was not set since, or its "
        + "time lies far from that of the events around it"
    }
    switch subject.event.payload {
    case .bolusCompleted(_, _, BolusStatus.rejected, _, _):
      return "the pump refused the bolus, so that nothing was delivered"
    case .bolusCompleted: return "nothing was delivered, and a dose of nothing is no sample"
    case .bolusStarted, .bolusRequest1, .bolusRequest2, .bolusRequest3, .bolusProgress:
      return ofBolus
    case .carbsEntered(let milligrams): return ofCarbohydrate(milligrams, at: instant)
    case .meterReading(_, false): return "only readings that were entered by hand are samples"
    case .meterReading, .sensorReading: return "a reading of nothing is no sample"
    case .alarm(let code) where code != 2 && code != 26: return "an alarm tells no dose"
    default: return ofBasal(at: instant)
    }
  }

  private var other: String {
    guard EventCatalogue.name(of: subject.event.id) != nil else {
      return
        "events of id \(subject.event.id) are unknown, so that nothing can be made of them; its "
        + "number and time count"
    }
    if Self.readings.contains(subject.event.id) {
      return "the pump did not show this reading, or showed that it was too high, too low or none"
    }
    return "no rule makes a sample of such events"
  }
}

extension SilenceReason {
  /// The records of the subject's bolus: those of its id of which each is at most a day from the one
  /// before.
  private var group: [TimedEvent] {
    guard let bolus = subject.event.payload.bolusID else { return [] }
    var group: [TimedEvent] = []
    var isOwn = false
    for seen in nearby where seen.event.payload.bolusID == bolus {
      guard let at = seen.instant else { continue }
      if let last = group.last?.instant, abs(at - last) > 86_400 {
        if isOwn { break }
        group.removeAll()
      }
      group.append(seen)
      if seen.event.position == subject.event.position { isOwn = true }
    }
    return group
  }

  private var ofBolus: String {
    let group = group
    let ends = group.compactMap { seen -> (seen: TimedEvent, status: UInt16, delivered: UInt32)? in
      guard case .bolusCompleted(_, _, let status, let delivered, _) = seen.event.payload else {
        return nil
      }
      return (seen, status, delivered)
    }
    if let end = ends.first(where: { $0.delivered > 0 && $0.status != BolusStatus.rejected }) {
      return "its bolus was delivered, by \(end.seen.title)"
    }
    if let end = ends.first(where: { $0.status == BolusStatus.rejected }) {
      return "the pump refused its bolus, by \(end.seen.title)"
    }
    if let end = ends.first {
      return "its bolus ended before anything was delivered, by \(end.seen.title)"
    }
    let hasBegun = group.contains { seen in
      switch seen.event.payload {
      case .bolusStarted, .bolusProgress(_, true, _): true
      default: false
      }
    }
    return hasBegun
      ? "its bolus began, and no event says that it ended: it is pending"
      : "it asked for a bolus of which no part began: it was cancelled, or what followed was not read"
  }

  private func ofCarbohydrate(_ milligrams: UInt32, at instant: Instant) -> String {
    guard milligrams > 0 else { return "nothing was entered, and a meal of nothing is no sample" }
    let request = nearby.first { seen in
      guard case .bolusRequest1(_, let grams?, _) = seen.event.payload, let at = seen.instant else {
        return false
      }
      return UInt32(grams) * 1000 == milligrams && abs(at - instant) <= 300
    }
    guard let request else { return "no rule makes a sample of it" }
    return
      "the same meal was told with a bolus within five minutes, by \(request.title), and counts once"
  }
}

extension SilenceReason {
  private func ofBasal(at instant: Instant) -> String {
    if let words = notEvidence(at: instant) { return words }
    if let hole = holes.first(where: { $0.start == instant }) {
      let end = hole.end.map { " until \(WallTime(secondsSince1970: $0.unixSeconds).text)Z" } ?? ""
      return "what was delivered after it is not known\(end): \(hole.reason.words)"
    }
    if pending.contains(where: {
      $0.kind == .basal && $0.start == instant && $0.number == subject.event.number
    }) {
      return "until when its rate held is not known yet: it is pending"
    }
    if case .resumed = subject.event.payload {
      return "it tells that delivery went on, and not at which rate: the next evidence does"
    }
    guard let next = nextEvidence, let at = next.instant else {
      return "nothing that was read ends it, and its rate of zero leaves nothing pending"
    }
    if at == instant {
      return "\(next.title) tells the rate of the same second, so that its own held for no time"
    }
    if at < instant {
      return
        "time steps back after it, to \(next.title), so that nothing is said of the rate between"
    }
    return "what its rate gave in \(at - instant) s, until \(next.title), rounds to nothing"
  }

  /// Why a record is no evidence of a rate; nil if it may be.
  private func notEvidence(at instant: Instant) -> String? {
    switch subject.event.payload {
    case .newDay:
      guard let next = following.first, next.event.payload.isClockChange,
        next.event.group == subject.event.group, next.event.number - subject.event.number <= 5
      else { return nil }
      return
        "it was written when the pump got power again, before \(next.title), and is no evidence of a "
        + "rate"
    case .tempRateStart:
      let teller = nearby.first { seen in
        guard let at = seen.instant else { return false }
        switch seen.event.payload {
        case .basalRateChange: return abs(at - instant) <= 2
        case .basalDelivery: return abs(at - instant) <= 900
        default: return false
        }
      }
      guard let teller else {
        return "no rate is known that it is a percentage of, or it would be one that no pump gives"
      }
      return "the rate that it led to is told by \(teller.title)"
    case .alarm:
      let suspension = nearby.first { seen in
        if case .suspended = seen.event.payload { return isNear(seen, instant, 2) }
        return false
      }
      return suspension.map { "that delivery stopped is told by \($0.title)" }
    default: return nil
    }
  }

  private func isNear(_ seen: TimedEvent, _ instant: Instant, _ seconds: Int64) -> Bool {
    seen.instant.map { abs($0 - instant) <= seconds } ?? false
  }

  private var following: ArraySlice<TimedEvent> {
    guard let own = nearby.firstIndex(where: { $0.event.position == subject.event.position }) else {
      return []
    }
    return nearby[(own + 1)...]
  }

  /// The next event that tells a rate by itself.
  private var nextEvidence: TimedEvent? {
    following.first { seen in
      switch seen.event.payload {
      case .basalDelivery, .basalRateChange, .newDay, .suspended, .resumed: seen.instant != nil
      default: false
      }
    }
  }
}

extension TimedEvent {
  /// Whether the event may be evidence of a basal rate.
  var mayTellRate: Bool {
    switch event.payload {
    case .basalDelivery, .basalRateChange, .newDay, .suspended, .resumed, .tempRateStart: true
    case .alarm(let code): code == 2 || code == 26
    default: false
    }
  }
}

extension Hole.Reason {
  /// The reason, as a clause.
  var words: String {
    switch self {
    case .heartbeatsMissing: "the records that come every five minutes are missing"
    case .numbersMissing: "numbers of the pump's log are known to be missing"
    case .silence: "the pump said nothing for more than 26 hours"
    case .clockUnknown: "when the records between were written is not known"
    }
  }
}
