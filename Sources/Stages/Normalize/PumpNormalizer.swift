package import PumpModel

/// Turns one pump's events, taken in order, into samples: the pure heart of the tool (N3 to N8).
///
/// What comes out depends on the events, the timeline and the settings alone. Memory holds a day
/// or two of events, whatever the history's length.
package struct PumpNormalizer {
  private var clock: TimelineCursor
  private var continuity: ContinuityCursor
  private var basal: BasalNormalizer
  private var bolus: BolusNormalizer
  private var carbohydrate = CarbohydrateEntries()
  private var days: DayBook
  private var newDay: HeldNewDay?
  private var notes: ClockNotes
  /// Glucose is made only when somebody asks for it (N7): it is half of all records.
  private let makesGlucose: Bool
  /// Whether what rows of exports may tell too is gathered.
  private let gathersCounterparts: Bool

  /// A [90] that waits for the next record, which tells whether it is a power-up.
  private struct HeldNewDay {
    var event: PumpEvent
    /// Nil if its time is not known.
    var instant: Instant?
    var stretch: Int
  }

  /// Which rules these are: raised whenever they make something else of the same events, or tell
  /// another digest of the same state.
  package static let version: Int64 = 6

  /// Creates a normalizer for one pump.
  ///
  /// With the seed of a place in the history it takes events from there on. What it makes of the
  /// first days of them is not to be used: until its `state` is that of the whole history.
  package init(
    timeline: Timeline, missing: MissingNumbers, claims: [CompletenessClaim],
    fetched: FetchedTime = .none, concentration: Concentration, makesGlucose: Bool = true,
    gathersCounterparts: Bool = false,
    now: Instant, seed: NormalizerSeed = NormalizerSeed()
  ) {
    clock = timeline.cursor()
    continuity = ContinuityCursor(missing: missing, claims: claims)
    basal = BasalNormalizer(
      concentration: concentration, gathersEvidence: gathersCounterparts, fetched: fetched,
      seed: seed)
    days = DayBook(schedule: timeline.schedule)
    bolus = BolusNormalizer(concentration: concentration, seed: seed)
    notes = ClockNotes(now: now)
    self.makesGlucose = makesGlucose
    self.gathersCounterparts = gathersCounterparts
  }

  /// Takes the next events in order and adds what they make certain.
  package mutating func process(_ events: borrowing [PumpEvent], into batch: inout NormalizedBatch)
  {
    for index in events.indices { take(events[index], into: &batch) }
  }

  /// What is known at this place of the history.
  ///
  /// Where two histories have equal states, and go on with equal events on equal timelines, equal
  /// samples and notes follow.
  package var state: NormalizerState {
    var digest = StateDigest()
    clock.mix(into: &digest)
    continuity.mix(into: &digest)
    basal.mix(into: &digest)
    bolus.mix(into: &digest)
    carbohydrate.mix(into: &digest)
    digest.mix(newDay != nil)
    if let newDay {
      newDay.event.mix(into: &digest)
      digest.mix(newDay.instant?.unixSeconds)
      digest.mix(Int64(newDay.stretch))
    }
    var seed = NormalizerSeed()
    basal.plant(&seed)
    bolus.plant(&seed)
    return NormalizerState(digest: digest.value, seed: seed)
  }

  /// The events before this place that samples to come may be named after.
  package var inFlight: Set<EventPosition> {
    var events = Set(basal.inFlight + bolus.inFlight + carbohydrate.inFlight)
    if let newDay { events.insert(newDay.event.position) }
    return events
  }

  /// Ends a piece of the history and gives what was noted of it.
  package mutating func cut() -> HistorySegment {
    var segment = notes.take()
    segment.gaps = continuity.takeGaps()
    segment.days = days.take()
    return segment
  }

  /// Ends the history: adds what was waiting; the rest is in the last `cut`.
  package mutating func end(into batch: inout NormalizedBatch) {
    settleNewDay(before: nil, into: &batch)
    basal.finish(days: &days, into: &batch)
    bolus.finish(days: &days, into: &batch)
    carbohydrate.finish(days: &days, into: &batch)
  }
}

extension PumpNormalizer {
  private mutating func take(_ event: borrowing PumpEvent, into batch: inout NormalizedBatch) {
    if newDay != nil { settleNewDay(before: copy event, into: &batch) }
    let instant = clock.instant(of: event)
    let stretch = clock.stretch ?? -1
    notes.take(event, at: instant, span: clock.next)
    if continuity.isMissing(beforeGroup: event.group, number: event.number) {
      basal.markMissingNumbers(before: event.position)
    }
    if case .newDay = event.payload {
      if instant == nil { basal.markUnknownTime(before: event.position) }
      newDay = HeldNewDay(event: copy event, instant: instant, stretch: stretch)
      return
    }
    guard let instant else {
      basal.takeUntimed(event)
      return
    }
    basal.take(event, at: instant, stretch: stretch, days: &days, into: &batch)
    switch event.payload {
    case .dailyBasal(let total, true):
      basal.check(
        total: total, midnight: clock.midnight(before: event, at: instant), record: instant,
        at: event.position)
    case .sensorReading(let glucose, let takenAt) where makesGlucose:
      let taken = clock.instant(ofReading: takenAt, in: instant, at: event.time)
      addGlucose(.cgm, glucose, at: taken, of: event, into: &batch)
    case .meterReading(let glucose, true) where makesGlucose:
      addGlucose(.meter, glucose, at: instant, of: event, into: &batch)
    default: break
    }
    if gathersCounterparts { addDose(of: event, at: instant, into: &batch) }
    bolus.take(event, at: instant, days: &days, into: &batch)
    carbohydrate.take(event, at: instant, days: &days, into: &batch)
  }

  /// Decides on a held [90]: a power-up if the next record, at most five numbers on, is a change
  /// of the clock (N4).
  private mutating func settleNewDay(
    before next: PumpEvent?, into batch: inout NormalizedBatch
  ) {
    guard let held = newDay else { return }
    newDay = nil
    if let next, next.payload.isClockChange, next.group == held.event.group,
      next.number - held.event.number <= 5
    {
      return
    }
    guard let instant = held.instant else { return basal.takeUntimed(held.event) }
    basal.take(held.event, at: instant, stretch: held.stretch, days: &days, into: &batch)
  }

  private func addGlucose(
    _ kind: SampleKind, _ glucose: UInt16, at instant: Instant, of event: borrowing PumpEvent,
    into batch: inout NormalizedBatch
  ) {
    guard glucose > 0 else { return }
    batch.append(
      Sample(
        identity: SampleIdentity(
          kind: kind, group: event.group, number: event.number, time: event.time,
          eventID: event.id),
        start: instant, end: instant, amount: Int64(glucose)),
      restingOn: event.reference)
    guard gathersCounterparts else { return }
    let time =
      if case .sensorReading(_, let takenAt) = event.payload { takenAt } else { event.time }
    batch.counterparts.append(
      Counterpart(
        kind: kind, time: time, instant: instant, amount: UInt32(glucose), number: event.number))
  }

  /// Adds what the event tells of a dose that was delivered, be it nothing.
  private func addDose(
    of event: borrowing PumpEvent, at instant: Instant, into batch: inout NormalizedBatch
  ) {
    guard case .bolusCompleted(let part, let id, let status, let delivered, _) = event.payload,
      status != BolusStatus.rejected
    else { return }
    let begin = bolus.begin(of: id, part, endingAt: instant, event.time)
    batch.counterparts.append(
      Counterpart(
        kind: part == .normal ? .bolus : .extended, time: event.time, instant: instant,
        begin: begin.at, clockSeconds: begin.clockSeconds, amount: delivered, number: event.number))
  }
}
