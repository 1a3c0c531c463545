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

  /// A [90] that waits for the next record, which tells whether it is a power-up.
  private struct HeldNewDay {
    var event: PumpEvent
    /// Nil if its time is not known.
    var instant: Instant?
    var stretch: Int
  }

  /// Creates a normalizer for one pump.
  package init(
    timeline: Timeline, missing: MissingNumbers, claims: [CompletenessClaim],
    concentration: Concentration, makesGlucose: Bool = true, now: Instant
  ) {
    clock = timeline.cursor()
    continuity = ContinuityCursor(missing: missing, claims: claims)
    basal = BasalNormalizer(concentration: concentration)
    days = DayBook(schedule: timeline.schedule, concentration: concentration)
    bolus = BolusNormalizer(concentration: concentration)
    notes = ClockNotes(timeline: timeline, now: now)
    self.makesGlucose = makesGlucose
    gaps = missing.gaps
  }

  private let gaps: (count: UInt64, numbers: UInt64)

  /// Takes the next events in order and adds what they make certain.
  package mutating func process(_ events: borrowing [PumpEvent], into batch: inout NormalizedBatch)
  {
    for index in events.indices { take(events[index], into: &batch) }
  }

  /// Ends the history: adds what was waiting and gives the totals of days and the clock's rows.
  package mutating func finish(into batch: inout NormalizedBatch) -> PumpSummary {
    settleNewDay(before: nil, into: &batch)
    basal.finish(days: &days, into: &batch)
    bolus.finish(days: &days, into: &batch)
    carbohydrate.finish(days: &days, into: &batch)
    notes.addFindings(gaps: gaps, into: &batch)
    return PumpSummary(days: days.finish(into: &batch), clocks: notes.clocks())
  }
}

/// What is known of a pump's history as a whole.
package struct PumpSummary: Sendable {
  /// The local days, in order.
  package var days: [DayTotals]
  /// The stretches of the clock, in order.
  package var clocks: [ClockRow]
}

extension PumpNormalizer {
  private mutating func take(_ event: borrowing PumpEvent, into batch: inout NormalizedBatch) {
    settleNewDay(before: copy event, into: &batch)
    let instant = clock.instant(of: event)
    let stretch = clock.stretch ?? -1
    notes.take(event, at: instant, stretch: clock.stretch)
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
        total: total, midnight: midnight(of: event, at: instant), record: instant,
        at: event.position)
    case .sensorReading(let glucose, let takenAt) where makesGlucose:
      let taken = clock.instant(ofReading: takenAt, in: instant, at: event.time)
      addGlucose(.cgm, glucose, at: taken, of: event, into: &batch)
    case .meterReading(let glucose, true) where makesGlucose:
      addGlucose(.meter, glucose, at: instant, of: event, into: &batch)
    default: break
    }
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

  /// The instant of the midnight that began the pump's own day.
  private func midnight(of event: borrowing PumpEvent, at instant: Instant) -> Instant {
    instant + -Int64(event.time.seconds % 86_400)
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
  }
}
