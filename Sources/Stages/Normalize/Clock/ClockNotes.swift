import PumpModel

/// Notes what a reader should know of a pump's clock and log while its events pass.
struct ClockNotes {
  private let timeline: Timeline
  private let now: Instant
  private var bounds: [Bounds]
  private var future: (count: UInt64, first: Instant, last: Instant)?
  private var damage: (count: UInt64, first: Instant?, last: Instant?) = (0, nil, nil)

  private struct Bounds {
    var first: Instant?
    var last: Instant?
  }

  /// LOG_ERASED, DATA_LOG_CORRUPTION and FACTORY_RESET (EVENTS).
  private static let damageIDs: Set<UInt16> = [0, 60, 82]

  init(timeline: Timeline, now: Instant) {
    self.timeline = timeline
    self.now = now
    bounds = timeline.stretches.map { _ in Bounds() }
  }

  /// Takes the next event in order.
  mutating func take(_ event: borrowing PumpEvent, at instant: Instant?, stretch: Int?) {
    if event.id <= 82, Self.damageIDs.contains(event.id) {
      damage.count += 1
      damage.first = damage.first ?? instant
      damage.last = instant ?? damage.last
    }
    guard let instant, let stretch else { return }
    if bounds[stretch].first == nil { bounds[stretch].first = instant }
    bounds[stretch].last = instant
    guard instant > now else { return }
    future = (
      (future?.count ?? 0) + 1, min(future?.first ?? instant, instant),
      max(future?.last ?? instant, instant)
    )
  }

  /// The stretches as reports show them.
  func clocks() -> [ClockRow] {
    zip(timeline.stretches, bounds).map { placed, bounds in
      let opening: ClockRow.Opening =
        switch placed.stretch.opening {
        case .beginning: .beginning
        case .change: .change
        case .powerLoss: .powerLoss
        }
      return ClockRow(
        usesRecords: timeline.usesRecords, opening: opening, start: bounds.first,
        end: bounds.last, offset: placed.offset, driftMilliseconds: placed.driftMilliseconds,
        records: placed.stretch.records)
    }
  }

  /// Adds the findings and the pending entries of the clock.
  func addFindings(gaps: (count: UInt64, numbers: UInt64), into batch: inout NormalizedBatch) {
    for (placed, bounds) in zip(timeline.stretches, bounds) {
      addFindings(of: placed, bounds, into: &batch)
    }
    if !timeline.usesRecords, bounds.contains(where: { $0.first != nil }) {
      batch.findings.append(
        Finding(
          .clockByZone, start: bounds.compactMap(\.first).first,
          end: bounds.compactMap(\.last).last,
          text: "The zone's rules placed this pump's time date by date, not changes of its clock."))
    }
    addUnknownTimes(into: &batch)
    if let future {
      batch.findings.append(
        Finding(
          .eventInFuture, start: future.first, end: future.last,
          text: "\(future.count) events are dated after now."))
    }
    if damage.count > 0 {
      batch.findings.append(
        Finding(
          .logDamaged, start: damage.first, end: damage.last,
          text: "The pump reported \(damage.count) times that its log was damaged or erased."))
    }
    if gaps.count > 0 {
      batch.findings.append(
        Finding(
          .continuityUnknown,
          text: "\(gaps.numbers) sequence numbers in \(gaps.count) gaps are not there; whether a "
            + "source filtered them or they were lost is not known unless a hole says so."))
    }
  }

  private func addUnknownTimes(into batch: inout NormalizedBatch) {
    for entry in timeline.unknown {
      batch.pending.append(
        PendingPart(
          kind: .clock, start: nil, number: entry.firstNumber,
          extent: PendingPart.Extent(lastNumber: entry.lastNumber, count: entry.records)))
      let why =
        switch entry.reason {
        case .powerLoss: "after a loss of power that no change of the clock ended"
        case .oddRecords: "dated more than a day ahead of the records around them"
        }
      batch.findings.append(
        Finding(
          .clockUnknown,
          text: "\(entry.records) records from number \(entry.firstNumber) to "
            + "\(entry.lastNumber) have no known time: \(why)."))
    }
  }

  private func addFindings(
    of placed: PlacedStretch, _ bounds: Bounds, into batch: inout NormalizedBatch
  ) {
    guard timeline.usesRecords, let first = bounds.first, let last = bounds.last else { return }
    if abs(placed.driftMilliseconds) > 60_000 {
      batch.findings.append(
        Finding(
          .clockDrift, start: first, end: last,
          text: "The pump's clock was off by more than a minute."))
    }
    guard first < last else { return }
    let (entry, offset, _) = timeline.schedule.span(at: first)
    let rules = timeline.schedule.entries[entry].rules
    if rules.offset(at: last) != offset
      || rules.span(at: first).range.upperBound
        <= last.unixSeconds
    {
      batch.findings.append(
        Finding(
          .clockNotChangedForDaylightSaving, start: first, end: last,
          text: "Daylight saving began or ended and the pump's clock was not changed."))
    }
  }
}
