import PumpModel

/// Makes basal samples of a pump's evidence of the commanded rate (N4).
///
/// Whether a record is evidence, and whether a segment is a hole, can depend on what lies up to 15
/// minutes after it, so candidates wait in a queue until time has moved on well beyond that.
struct BasalNormalizer {
  private let factor: Int64
  private let gathersEvidence: Bool
  private let fetched: FetchedTime
  private var checks = PumpTotalChecks()
  private var queue: [BasalCandidate] = []
  private var head = 0
  private var latest = Int64.min
  private var nearby = NearbyRecords()
  private var open: BasalEvidence?
  /// Marks since the open evidence.
  private var crossesUnknownTime = false
  private var crossesMissingNumbers = false
  private var profile = ProfileState()

  static let heartbeatReach: Int64 = 15 * 60
  private static let missingNumbersReach: Int64 = 10 * 60
  private static let silenceReach: Int64 = 26 * 3600
  /// How far time must have moved on before a candidate is judged: 15 minutes, and a day for a
  /// clock that runs ahead or steps back; beyond a day it is odd or a power loss (N3).
  private static let lookahead: Int64 = 15 * 60 + 86_400
  private static let highestRate: Int64 = 15_000
  /// Bounds memory where a broken clock never moves on.
  private static let longestQueue = 16_384
  /// Bounds the search for what lies near, for the same reason.
  private static let longestSearch = 2048

  init(
    concentration: Concentration, gathersEvidence: Bool, fetched: FetchedTime, seed: NormalizerSeed
  ) {
    factor = concentration.factor
    self.gathersEvidence = gathersEvidence
    self.fetched = fetched
    profile = ProfileState(
      isTemp: seed.isTemp, changeRate: seed.changeRate, newDayRate: seed.newDayRate)
  }

  /// Takes the next event in order that has a known time.
  mutating func take(
    _ event: borrowing PumpEvent, at instant: Instant, stretch: Int, days: inout DayBook,
    into batch: inout NormalizedBatch
  ) {
    if let kind = candidate(event) {
      queue.append(
        BasalCandidate(
          kind: kind, position: event.position, at: instant.unixSeconds, stretch: stretch))
    }
    latest = instant.unixSeconds
    judge(days: &days, into: &batch)
  }

  /// Takes the next event in order that has no known time: the rate before it ends in a hole.
  ///
  /// What it says of the profile counts all the same.
  mutating func takeUntimed(_ event: borrowing PumpEvent) {
    _ = candidate(event)
    markUnknownTime(before: event.position)
  }

  /// Marks that records without a known time lie before the next event.
  mutating func markUnknownTime(before position: EventPosition) {
    mark(.unknownTime, at: position)
  }

  /// Marks that numbers known to be missing lie before the next event.
  mutating func markMissingNumbers(before position: EventPosition) {
    mark(.missingNumbers, at: position)
  }

  /// Takes the pump's own total of a day; the instants are the pump's midnight and the record's.
  mutating func check(
    total: UInt32, midnight: Instant, record: Instant, at position: EventPosition
  ) {
    let check = PumpTotalCheck(
      from: midnight.unixSeconds, until: record.unixSeconds, total: Int64(total) * factor)
    queue.append(BasalCandidate(kind: .total(check), position: position))
  }

  /// Ends the history: the last rate stays pending.
  mutating func finish(days: inout DayBook, into batch: inout NormalizedBatch) {
    latest = .max
    judge(days: &days, into: &batch)
    if let open {
      if crossesUnknownTime {
        days.touch(from: open.at, until: open.at + 1, isHole: true)
        batch.holes.append(
          Hole(start: Instant(unixSeconds: open.at), end: nil, reason: .clockUnknown))
      } else {
        leavePending(open, into: &batch)
      }
    }
    checks.finish(days: &days)
  }

  /// Leaves a segment open whose end is not known yet; a rate of zero leaves nothing.
  private func leavePending(_ open: BasalEvidence, into batch: inout NormalizedBatch) {
    guard let rate = open.rate, rate > 0 else { return }
    batch.pending.append(
      PendingPart(
        kind: .basal, start: Instant(unixSeconds: open.at), number: open.position.number))
  }
}

extension BasalNormalizer {
  /// Adds what must be known to come to the same state again.
  func plant(_ seed: inout NormalizerSeed) {
    seed.isTemp = profile.isTemp
    seed.changeRate = profile.changeRate
    seed.newDayRate = profile.newDayRate
  }

  /// Mixes in all that can still matter.
  func mix(into digest: inout StateDigest) {
    checks.mix(into: &digest)
    digest.mix(Int64(queue.count - head))
    for candidate in queue[head...] { candidate.mix(into: &digest) }
    digest.mix(latest)
    nearby.mix(into: &digest)
    digest.mix(open != nil)
    open?.mix(into: &digest)
    digest.mix(crossesUnknownTime)
    digest.mix(crossesMissingNumbers)
    digest.mix(profile.isTemp)
    digest.mix(profile.changeRate.map(Int64.init))
    digest.mix(profile.newDayRate.map(Int64.init))
  }

  /// The events that samples may still be named after.
  var inFlight: [EventPosition] {
    queue[head...].filter { !$0.isMark }.map(\.position) + (open.map { [$0.position] } ?? [])
  }
}

/// What the pump is set to, as far as [3] and [90] told in order.
private struct ProfileState {
  /// A temp rate is on, as far as [3] says.
  var isTemp = false
  /// The scheduled rate of the last [3].
  var changeRate: Int32?
  /// The commanded rate of the last [90] that is no power-up.
  var newDayRate: Int32?
}

extension BasalNormalizer {
  private mutating func mark(_ kind: BasalCandidate.Kind, at position: EventPosition) {
    // One mark after another says nothing new, and a long unknown time must not fill the queue.
    if let last = queue.last, queue.count > head, last.isMark,
      case .unknownTime = last.kind, case .unknownTime = kind
    {
      return
    }
    queue.append(BasalCandidate(kind: kind, position: position))
  }

  /// What a record may say of the rate; nil if nothing.
  private mutating func candidate(_ event: borrowing PumpEvent) -> BasalCandidate.Kind? {
    switch event.payload {
    case .basalDelivery(let rate, let source):
      return .heartbeat(rate: Int32(rate), source: source)
    case .basalRateChange(let rate, let base, let change):
      if let change {
        if change.contains(.tempRateStart) {
          profile.isTemp = true
        } else if !change.isDisjoint(with: [.newProfile, .tempRateEnd]) {
          profile.isTemp = false
        }
      }
      profile.changeRate = Int32(base ?? rate)
      let isSuspended = !(change ?? []).isDisjoint(with: [.suspended, .shutDown])
      return .change(rate: Int32(rate), isSuspended: isSuspended, isTemp: profile.isTemp)
    case .newDay(let rate):
      profile.newDayRate = Int32(rate)
      return .newDay(rate: Int32(rate), isTemp: profile.isTemp)
    case .suspended: return .suspend
    case .resumed: return .resume
    case .tempRateStart(let percent):
      return .tempStart(
        scheduled: profile.changeRate ?? profile.newDayRate, percentHundredths: percent)
    case .alarm(2), .alarm(26): return .occlusion
    default: return nil
    }
  }

  /// Judges the candidates that time has moved on from.
  private mutating func judge(days: inout DayBook, into batch: inout NormalizedBatch) {
    while head < queue.count {
      let candidate = queue[head]
      guard
        candidate.isMark || candidate.at < latest - Self.lookahead
          || queue.count - head > Self.longestQueue
      else { break }
      head += 1
      judge(candidate, days: &days, into: &batch)
    }
    if head > 512 {
      queue.removeFirst(head)
      head = 0
    }
  }

  private mutating func judge(
    _ candidate: BasalCandidate, days: inout DayBook, into batch: inout NormalizedBatch
  ) {
    switch candidate.kind {
    case .unknownTime:
      crossesUnknownTime = open != nil
      return
    case .missingNumbers:
      crossesMissingNumbers = true
      return
    case .total(let check):
      checks.add(check, days: &days)
      return
    default: break
    }
    nearby.note(candidate)
    guard var evidence = evidence(candidate, into: &batch) else { return }
    // Where time steps back, what lies before in time may come later in order.
    evidence.followsHeartbeat =
      nearby.hasHeartbeat(upTo: Self.heartbeatReach, before: evidence.at)
      || hasHeartbeatAhead(in: evidence.at - Self.heartbeatReach...evidence.at)
    if gathersEvidence { batch.basalEvidence.append(Instant(unixSeconds: evidence.at)) }
    close(at: evidence, days: &days, into: &batch)
    open = evidence
    crossesUnknownTime = false
    crossesMissingNumbers = false
  }

  private func evidence(
    _ candidate: BasalCandidate, into batch: inout NormalizedBatch
  ) -> BasalEvidence? {
    var evidence = BasalEvidence(
      position: candidate.position, at: candidate.at, stretch: candidate.stretch)
    switch candidate.kind {
    case .heartbeat(let rate, let source):
      evidence.rate = rate
      evidence.isSuspended = source == 0
      evidence.source = source.flatMap { RateSource(rawValue: UInt8(truncatingIfNeeded: $0)) }
    case .change(let rate, let isSuspended, let isTemp):
      evidence.rate = rate
      evidence.isSuspended = isSuspended
      evidence.source = isTemp ? .temp : .profile
    case .newDay(let rate, let isTemp):
      evidence.rate = rate
      evidence.source = isTemp ? .temp : .profile
    case .suspend:
      evidence.rate = 0
      evidence.isSuspended = true
    case .resume:
      evidence.rate = nil
    case .tempStart(let scheduled, let percent):
      guard !nearby.hasChange(near: candidate.at), !hasAhead(near: candidate.at, of: .changes),
        !nearby.hasHeartbeat(upTo: Self.heartbeatReach, around: candidate.at),
        !hasAhead(near: candidate.at, of: .heartbeats)
      else { return nil }
      guard let rate = inferredRate(scheduled, percent, at: candidate, into: &batch) else {
        return nil
      }
      evidence.rate = rate
      evidence.source = .temp
      evidence.isInferred = true
    case .occlusion:
      guard !nearby.hasSuspend(near: candidate.at), !hasAhead(near: candidate.at, of: .suspends)
      else { return nil }
      evidence.rate = 0
      evidence.cutsInferred = true
    case .unknownTime, .missingNumbers, .total:
      return nil
    }
    return evidence
  }

  private func inferredRate(
    _ scheduled: Int32?, _ percentHundredths: UInt16, at candidate: BasalCandidate,
    into batch: inout NormalizedBatch
  ) -> Int32? {
    let at = Instant(unixSeconds: candidate.at)
    guard let scheduled else {
      batch.findings.append(
        Finding(
          .tempRateWithoutBase, start: at, end: at,
          text: "A temp rate began and no rate is known that it is a percentage of."))
      return nil
    }
    let rate = roundedHalfEven(Int64(scheduled) * Int64(percentHundredths), over: 10_000)
    guard rate <= Self.highestRate else {
      batch.findings.append(
        Finding(
          .tempRateAbsurd, start: at, end: at,
          text: "A temp rate would be above 15 U/h; it was not used."))
      return nil
    }
    return Int32(rate)
  }

  private enum Sought { case heartbeats, changes, suspends }

  /// Whether a record of a kind follows in the queue, near in time.
  private func hasAhead(near at: Int64, of sought: Sought) -> Bool {
    for index in head..<min(queue.count, head + Self.longestSearch) {
      let distance = abs(queue[index].at - at)
      switch (sought, queue[index].kind) {
      case (.heartbeats, .heartbeat) where distance <= Self.heartbeatReach: return true
      case (.changes, .change) where distance <= NearbyRecords.reach: return true
      case (.suspends, .suspend) where distance <= NearbyRecords.reach: return true
      default: continue
      }
    }
    return false
  }

  /// Whether a heartbeat follows in the queue that lies in a range of times.
  private func hasHeartbeatAhead(in times: ClosedRange<Int64>) -> Bool {
    for index in head..<min(queue.count, head + Self.longestSearch) {
      if case .heartbeat = queue[index].kind, times.contains(queue[index].at) { return true }
    }
    return false
  }
}

extension BasalNormalizer {
  /// Ends the open evidence's segment where the next evidence begins.
  private mutating func close(
    at next: BasalEvidence, days: inout DayBook, into batch: inout NormalizedBatch
  ) {
    guard let open else { return }
    let seconds = next.at - open.at
    if seconds > 0, fetched.isBroken(from: open.position.time, until: next.position.time) {
      // What was not asked for may hold anything; once it was, this is decided like all else.
      leavePending(open, into: &batch)
      days.touch(from: open.at, until: next.at)
      checks.addUnknown(from: open.at, until: next.at)
      checks.settle(upTo: next.at, days: &days)
    } else if crossesUnknownTime, seconds > 0 {
      addHole(from: open, until: next, .clockUnknown, days: &days, into: &batch)
    } else if seconds < 0 || (seconds == 0 && (crossesUnknownTime || open.stretch != next.stretch))
    {
      batch.findings.append(
        Finding(
          .evidenceStepsBack, start: Instant(unixSeconds: next.at),
          end: Instant(unixSeconds: open.at),
          text: "Evidence of the basal rate steps back in time here, so nothing is said of the "
            + "rate between."))
    } else if seconds > 0 {
      if let reason = holeReason(from: open, until: next) {
        addHole(from: open, until: next, reason, days: &days, into: &batch)
      } else {
        addSegment(open, until: next, days: &days, into: &batch)
      }
    }
  }

  private func holeReason(from open: BasalEvidence, until next: BasalEvidence) -> Hole.Reason? {
    let seconds = next.at - open.at
    if crossesMissingNumbers, seconds > Self.missingNumbersReach { return .numbersMissing }
    guard seconds > Self.heartbeatReach else { return nil }
    if open.followsHeartbeat || nearby.hasHeartbeat(upTo: Self.heartbeatReach, after: next.at)
      || hasHeartbeatAhead(in: next.at...next.at + Self.heartbeatReach)
    {
      return .heartbeatsMissing
    }
    return seconds > Self.silenceReach ? .silence : nil
  }

  private mutating func addHole(
    from open: BasalEvidence, until next: BasalEvidence, _ reason: Hole.Reason,
    days: inout DayBook, into batch: inout NormalizedBatch
  ) {
    batch.holes.append(
      Hole(
        start: Instant(unixSeconds: open.at), end: Instant(unixSeconds: next.at), reason: reason))
    days.touch(from: open.at, until: next.at, isHole: true)
    checks.addUnknown(from: open.at, until: next.at)
    checks.settle(upTo: next.at, days: &days)
  }

  private mutating func addSegment(
    _ open: BasalEvidence, until next: BasalEvidence, days: inout DayBook,
    into batch: inout NormalizedBatch
  ) {
    defer { checks.settle(upTo: next.at, days: &days) }
    guard let rate = open.rate.map(Int64.init) else {
      checks.addUnknown(from: open.at, until: next.at)
      days.touch(from: open.at, until: next.at)
      return
    }
    days.add(rate: rate, isSuspended: open.isSuspended, from: open.at, until: next.at)
    checks.add(rate: rate * factor, from: open.at, until: next.at)
    let amount = roundedHalfEven(rate * factor * (next.at - open.at) * 10, over: 36)
    guard amount > 0 || rate == 0 else { return }
    var metadata = SampleMetadata()
    metadata.rate = UInt32(rate * factor)
    metadata.rateSource = open.source
    if open.isInferred || next.cutsInferred { metadata.flags.insert(.inferred) }
    let position = open.position
    batch.append(
      Sample(
        identity: SampleIdentity(
          kind: .basal, group: position.group, number: position.number, time: position.time,
          eventID: UInt16(truncatingIfNeeded: position.low)),
        start: Instant(unixSeconds: open.at), end: Instant(unixSeconds: next.at), amount: amount,
        metadata: metadata),
      restingOn: open.position.reference, next.position.reference)
  }
}

extension EventPosition {
  /// The reference that a lineage keeps of the event here.
  var reference: EventReference { EventReference(number: number, seconds: time.seconds) }
}
