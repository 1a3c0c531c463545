package import PumpModel

/// Joins the records of boluses and makes their insulin and carbohydrate samples (N5, N6).
///
/// A group stays open until its id comes again more than a day later, or two days have passed:
/// memory holds the boluses of two days.
struct BolusNormalizer {
  private let factor: Int64
  private var groups: [UInt16: BolusGroup] = [:]
  private var latest: Int64?

  /// How far apart consecutive parts may be, in seconds.
  private static let joins: Int64 = 86_400
  /// When a group that nothing joins any more is closed: a day for steps back of the clock.
  private static let closesAfter: Int64 = 2 * 86_400

  init(concentration: Concentration, seed: NormalizerSeed) {
    factor = concentration.factor
    latest = seed.newest
  }

  /// Takes the next event in order that has a known time.
  mutating func take(
    _ event: borrowing PumpEvent, at instant: Instant, days: inout DayBook,
    into batch: inout NormalizedBatch
  ) {
    let at = instant.unixSeconds
    if at > latest ?? .min {
      let hour = latest?.flooredDivision(by: 3600)
      latest = at
      // Whenever an hour is over, so that what is open does not depend on where reading began.
      if at.flooredDivision(by: 3600) != hour { sweep(at, days: &days, into: &batch) }
    }
    guard let bolus = event.payload.bolusID else { return }
    let part = BolusGroup.Part(position: event.position, at: at, payload: event.payload)
    if groups[bolus] != nil {
      if let last = groups[bolus]?.last, abs(at - last) <= Self.joins {
        groups[bolus]?.append(part)
        return
      }
      if let group = groups.removeValue(forKey: bolus) { close(group, days: &days, into: &batch) }
    }
    groups[bolus] = BolusGroup(bolus: bolus, first: part)
  }

  /// Ends the history.
  mutating func finish(days: inout DayBook, into batch: inout NormalizedBatch) {
    for bolus in groups.keys.sorted() {
      if let group = groups[bolus] { close(group, days: &days, into: &batch) }
    }
  }

  private mutating func sweep(
    _ now: Int64, days: inout DayBook, into batch: inout NormalizedBatch
  ) {
    let old = groups.filter { $0.value.last < now - Self.closesAfter }.keys.sorted()
    for bolus in old {
      if let group = groups.removeValue(forKey: bolus) { close(group, days: &days, into: &batch) }
    }
  }
}

extension BolusNormalizer {
  /// Adds what must be known to come to the same state again.
  func plant(_ seed: inout NormalizerSeed) { seed.newest = latest }

  /// Mixes in all that can still matter.
  func mix(into digest: inout StateDigest) {
    digest.mix(latest)
    digest.mix(Int64(groups.count))
    for bolus in groups.keys.sorted() { digest.mix(groups[bolus]?.digest.value ?? 0) }
  }

  /// The events that samples may still be named after.
  var inFlight: [EventPosition] { groups.values.flatMap { $0.parts.map(\.position) } }
}

extension BolusNormalizer {
  /// When a part of a bolus began at the earliest, that ends now, and by how much the pump's clock is
  /// further since: at the first record of the bolus, but not longer ago than such a part can take.
  func begin(
    of bolus: UInt16, _ part: PumpEvent.BolusPart, endingAt end: Instant, _ time: PumpTime
  ) -> (at: Instant, clockSeconds: Int32) {
    let longest = part == .normal ? DoseLength.normal : DoseLength.extended
    let range = end.unixSeconds - longest...end.unixSeconds
    let parts = groups[bolus]?.parts.filter { range.contains($0.at) } ?? []
    guard let first = parts.min(by: { $0.at < $1.at }) else { return (end, 0) }
    let passed = time.wallSeconds - first.position.time.wallSeconds
    return (Instant(unixSeconds: first.at), Int32(clamping: passed))
  }
}

extension PumpEvent.Payload {
  /// The bolus that a record belongs to; nil if it belongs to none.
  package var bolusID: UInt16? {
    switch self {
    case .bolusCompleted(_, let bolus, _, _, _), .bolusStarted(_, let bolus),
      .bolusRequest1(let bolus, _, _), .bolusRequest2(let bolus, _, _),
      .bolusRequest3(let bolus), .bolusProgress(let bolus, _, _):
      bolus
    default: nil
    }
  }
}

extension BolusNormalizer {
  private func close(
    _ group: BolusGroup, days: inout DayBook, into batch: inout NormalizedBatch
  ) {
    let shared = metadata(of: group)
    let references = group.references
    var starts = BolusStarts()
    var admitted: BolusGroup.Part?
    for part in group.parts {
      if let completion = part.completion, !completion.isRejected {
        admitted = admitted ?? part
        let start = starts.start(of: completion.part, endingAt: part.at)
        addDose(
          completion, part, from: start, shared, restingOn: references ?? [part.position.reference],
          days: &days, into: &batch)
      }
      starts.note(part)
    }
    if let admitted {
      addCarbohydrate(of: group, admittedBy: admitted, days: &days, into: &batch)
    }
    addPending(of: group, into: &batch)
  }

  private func addDose(
    _ completion: BolusCompletion, _ part: BolusGroup.Part, from start: BolusStarts.Start,
    _ shared: SampleMetadata, restingOn references: [EventReference], days: inout DayBook,
    into batch: inout NormalizedBatch
  ) {
    let amount = Int64(completion.delivered) * factor
    guard amount > 0 else { return }
    var metadata = shared
    metadata.status = completion.status
    metadata.requested = completion.requested.flatMap { UInt32(exactly: Int64($0) * factor) }
    if start.isInferred { metadata.flags.insert(.inferred) }
    let begin = min(start.at, part.at)
    batch.append(
      Sample(
        identity: SampleIdentity(
          kind: completion.part == .normal ? .bolus : .extended, group: part.position.group,
          number: part.position.number, time: part.position.time,
          eventID: UInt16(truncatingIfNeeded: part.position.low)),
        start: Instant(unixSeconds: begin), end: Instant(unixSeconds: part.at), amount: amount,
        metadata: metadata),
      restingOn: references)
    days.add(bolus: amount, from: begin, until: part.at)
  }

  /// What all doses of a group share.
  private func metadata(of group: BolusGroup) -> SampleMetadata {
    var metadata = SampleMetadata()
    if group.parts.contains(where: \.isAutomatic) { metadata.flags.insert(.automatic) }
    if group.parts.contains(where: { $0.override == 1 }) { metadata.flags.insert(.override) }
    metadata.deliveredBy =
      group.parts.lazy.compactMap { $0.source.flatMap(DeliverySource.init) }.first
    return metadata
  }

  private func addCarbohydrate(
    of group: BolusGroup, admittedBy completion: BolusGroup.Part, days: inout DayBook,
    into batch: inout NormalizedBatch
  ) {
    guard let request = group.parts.first(where: { $0.grams ?? 0 > 0 }), let grams = request.grams
    else { return }
    let amount = Int64(grams) * 1000
    batch.append(
      Sample(
        identity: SampleIdentity(
          kind: .carbs, group: request.position.group, number: request.position.number,
          time: request.position.time, eventID: UInt16(truncatingIfNeeded: request.position.low)),
        start: Instant(unixSeconds: request.at), end: Instant(unixSeconds: request.at),
        amount: amount),
      restingOn: request.position.reference, completion.position.reference)
    days.add(carbohydrate: amount, at: request.at)
  }

  private func addPending(of group: BolusGroup, into batch: inout NormalizedBatch) {
    let hasEnded = group.parts.contains { $0.completion != nil }
    let normal =
      group.unfinishedStart(of: .normal) ?? (hasEnded ? nil : group.startOfProgressOnly)
    let extended = group.unfinishedStart(of: .extended)
    if let normal { batch.pending.append(normal.pending(.bolus)) }
    if let extended { batch.pending.append(extended.pending(.extended)) }
    guard !hasEnded, normal == nil, extended == nil,
      let request = group.parts.first(where: { $0.isRequest })
    else { return }
    batch.incomplete.append(
      IncompleteRequest(bolus: group.bolus, start: Instant(unixSeconds: request.at)))
  }
}

extension BolusGroup.Part {
  /// What the part says, if it ends a normal or an extended part.
  var completion: BolusCompletion? {
    guard case .bolusCompleted(let part, _, let status, let delivered, let requested) = payload
    else { return nil }
    return BolusCompletion(
      part: part, status: status, delivered: delivered, requested: requested)
  }

  /// Whether the part says that the algorithm gave the bolus (N5).
  var isAutomatic: Bool {
    switch payload {
    case .bolusRequest1(_, _, 2), .bolusRequest2(_, 3, _), .bolusRequest2(_, 6, _),
      .bolusProgress(_, _, 7):
      true
    default: false
    }
  }

  /// Grams of carbohydrate, if the part is a request that names them.
  var grams: UInt16? {
    if case .bolusRequest1(_, let grams, _) = payload { grams } else { nil }
  }

  /// Whether the user overrode the calculator, if the part says.
  var override: UInt8? {
    if case .bolusRequest2(_, _, let override) = payload { override } else { nil }
  }

  /// What delivered the bolus, if the part says.
  var source: UInt8? {
    if case .bolusProgress(_, _, let source) = payload { source } else { nil }
  }

  /// Whether the part is one of a request's three messages.
  var isRequest: Bool {
    switch payload {
    case .bolusRequest1, .bolusRequest2, .bolusRequest3: true
    default: false
    }
  }

  /// Whether the part starts a normal or an extended part.
  var isStart: Bool {
    if case .bolusStarted = payload { true } else { false }
  }

  /// The part as a pending one.
  func pending(_ kind: PendingPart.Kind) -> PendingPart {
    PendingPart(kind: kind, start: Instant(unixSeconds: at), number: position.number)
  }
}
