package import PumpModel

/// What is to be said of a pump's history as a whole: the sum of what was noted of its pieces.
package struct PumpAccount {
  private let timeline: Timeline
  private var stretches: [Bounds]
  private var gaps = HistorySegment.Gaps()
  private var future = HistorySegment.Times()
  private var damage = HistorySegment.Times()

  private struct Bounds {
    var first: Instant?
    var last: Instant?
    var records: UInt64 = 0
  }

  /// Begins the account of a pump.
  package init(timeline: Timeline) {
    self.timeline = timeline
    stretches = timeline.stretches.map { _ in Bounds() }
  }

  /// Takes up an account of the same stretches of the clock again; nil: it is of others, or none.
  package init?(timeline: Timeline, words: [Int64]) {
    self.init(timeline: timeline)
    var reader = WordReader(words)
    guard reader.count() == stretches.count else { return nil }
    for index in stretches.indices {
      stretches[index].first = reader.instant()
      stretches[index].last = reader.instant()
      stretches[index].records = UInt64(clamping: reader.number())
    }
    gaps.count = UInt64(clamping: reader.number())
    gaps.numbers = UInt64(clamping: reader.number())
    future = Self.times(&reader)
    damage = Self.times(&reader)
    guard reader.isAtEnd else { return nil }
  }

  /// The account so far, for another of the same stretches of the clock.
  package var words: [Int64] {
    var writer = WordWriter()
    writer.put(Int64(stretches.count))
    for bounds in stretches {
      writer.put(bounds.first)
      writer.put(bounds.last)
      writer.put(Int64(clamping: bounds.records))
    }
    writer.put(Int64(clamping: gaps.count))
    writer.put(Int64(clamping: gaps.numbers))
    for times in [future, damage] {
      writer.put(Int64(clamping: times.count))
      writer.put(times.first)
      writer.put(times.last)
    }
    return writer.words
  }

  private static func times(_ reader: inout WordReader) -> HistorySegment.Times {
    var times = HistorySegment.Times()
    times.count = UInt64(clamping: reader.number())
    times.first = reader.instant()
    times.last = reader.instant()
    return times
  }

  /// Adds the next piece of the history, in order.
  package mutating func add(_ segment: borrowing HistorySegment) {
    gaps.count += segment.gaps.count
    gaps.numbers += segment.gaps.numbers
    damage.count += segment.damage.count
    damage.first = damage.first ?? segment.damage.first
    damage.last = segment.damage.last ?? damage.last
    future.count += segment.future.count
    if let first = segment.future.first { future.first = min(future.first ?? first, first) }
    if let last = segment.future.last { future.last = max(future.last ?? last, last) }
    for span in segment.spans { add(span) }
  }

  private mutating func add(_ span: HistorySegment.Span) {
    guard let place = timeline.place(of: span.from) else { return }
    stretches[place].records += span.records
    stretches[place].first = stretches[place].first ?? span.first
    stretches[place].last = span.last ?? stretches[place].last
  }

  /// The stretches that hold records, as reports show them.
  package func clocks() -> [ClockRow] {
    zip(timeline.stretches, stretches).compactMap { placed, bounds in
      guard bounds.records > 0 else { return nil }
      let opening: ClockRow.Opening =
        switch placed.stretch.opening {
        case .beginning: .beginning
        case .change: .change
        case .powerLoss: .powerLoss
        }
      return ClockRow(
        usesRecords: timeline.usesRecords, opening: opening, start: bounds.first,
        end: bounds.last, offset: placed.offset, driftMilliseconds: placed.driftMilliseconds,
        records: bounds.records)
    }
  }

  /// Adds the findings and the pending entries that speak of the history as a whole.
  package func addFindings(into batch: inout NormalizedBatch) {
    for (placed, bounds) in zip(timeline.stretches, stretches) {
      addFindings(of: placed, bounds, into: &batch)
    }
    if !timeline.usesRecords, stretches.contains(where: { $0.first != nil }) {
      batch.findings.append(
        Finding(
          .clockByZone, start: stretches.compactMap(\.first).first,
          end: stretches.compactMap(\.last).last,
          text: "The zone's rules placed this pump's time date by date, not changes of its clock."))
    }
    addUnknownTimes(into: &batch)
    if future.count > 0 {
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
