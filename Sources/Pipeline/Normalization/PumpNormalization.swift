import Decode
import Deduplicate
import Normalize
import PumpModel

/// Normalizes one pump's whole journal and puts the result in place of what the ledger held.
struct PumpNormalization {
  let ledger: Ledger
  let schedule: ZoneSchedule
  let clock: ClockMode
  let concentration: Concentration
  let makesGlucose: Bool
  let now: Instant
  /// Is told how many records it went through, batch by batch.
  var onBatch: ((Int) -> Void)?
  /// Where the journal is, and what documents claim; nil: in the ledger that takes the result.
  var source: Ledger?
  /// Whether a signal ends it between two batches; after a commit it does not.
  var isInterruptible = true

  private var read: Ledger { source ?? ledger }

  /// How copies of one event are compared.
  static let copyRules = CopyRules(
    prefers: { RuleFields.precedes($0, $1) }, differ: { RuleFields.differ($0, $1) })

  /// Normalizes a pump and says what changed.
  func normalize(_ pump: LedgerPump) throws -> SampleOutcome {
    let (timeline, missing) = try place(pump)
    let claims = try read.completeNumbers(of: pump.number).map {
      CompletenessClaim(group: $0.group, numbers: $0.numbers)
    }
    var normalizer = PumpNormalizer(
      timeline: timeline, missing: missing, claims: claims, concentration: concentration,
      makesGlucose: makesGlucose, now: now)
    let replacement = try PumpReplacement(ledger, pump: pump)
    var batch = NormalizedBatch()
    let journal = try read.journal(of: pump, rules: Self.copyRules)
    try forEachBatch(of: journal) { events in
      normalizer.process(events, into: &batch)
      try replacement.take(batch)
      batch.removeAll()
    }
    let summary = normalizer.finish(into: &batch)
    try replacement.take(batch)
    try addFindings(of: journal, pump, to: replacement)
    return try replacement.finish(days: summary.days, clocks: summary.clocks)
  }

  /// The clock of a pump, and the numbers that its journal is known to lack.
  func place(_ pump: LedgerPump) throws -> (Timeline, MissingNumbers) {
    var missing = MissingNumbers()
    var scanner = ClockScanner(usesRecords: clock != .zone)
    let journal = try read.journal(of: pump, rules: Self.copyRules)
    try forEachBatch(of: journal) { events in
      missing.process(events)
      scanner.process(events)
    }
    missing.finish()
    var scan = scanner.finish()
    let usesRecords = clock == .records || (clock == .auto && scan.hasClockChanges)
    // By the zone's rules a clock comes back from a power loss in another way.
    if clock == .auto, !usesRecords, !scan.resets.isEmpty { scan = try scanByZone(pump) }
    return (Timeline(scan, schedule: schedule, usesRecords: usesRecords), missing)
  }

  private func scanByZone(_ pump: LedgerPump) throws -> ClockScan {
    var scanner = ClockScanner(usesRecords: false)
    try forEachBatch(of: read.journal(of: pump, rules: Self.copyRules)) { scanner.process($0) }
    return scanner.finish()
  }

  private func forEachBatch(
    of journal: JournalReader, _ body: (borrowing [PumpEvent]) throws -> Void
  ) throws {
    var records: [PumpRecord] = []
    var events: [PumpEvent] = []
    while try journal.next(into: &records) {
      if events.count > records.count { events.removeLast(events.count - records.count) }
      while events.count < records.count { events.append(EventDecoder.blank) }
      var span = events.mutableSpan
      for index in records.indices { Self.decode(records[index], into: &span[index]) }
      try body(events)
      onBatch?(events.count)
      if isInterruptible { try checkInterruption() }
    }
  }

  /// The event of a record of the journal; it passed every check when it was read.
  static func event(_ record: PumpRecord) -> PumpEvent {
    var event = EventDecoder.blank
    decode(record, into: &event)
    return event
  }

  @inline(__always)
  private static func decode(_ record: PumpRecord, into event: inout PumpEvent) {
    if case .rejected = EventDecoder.decode(record, into: &event) {
      event = PumpEvent(
        group: 0, number: record.number, time: PumpTime(seconds: record.seconds),
        id: record.eventID, payload: .other)
    }
    event.group = record.group
  }
}

extension PumpNormalization {
  private func addFindings(
    of journal: JournalReader, _ pump: LedgerPump, to replacement: PumpReplacement
  ) throws {
    if journal.differing.count > 0 {
      try replacement.add(
        Finding(
          .copiesDiffer,
          text: "\(journal.differing.count) records came in copies that differ; numbers "
            + "\(journal.differing.text)."))
    }
    if journal.conflicting.count > 0 {
      try replacement.add(
        Finding(
          .sequenceConflict,
          text: "\(journal.conflicting.count) sequence numbers stand on different records; "
            + "numbers \(journal.conflicting.text)."))
    }
    for estimate in try read.estimatedTimes(of: pump.number)
    where !isZoneOffset(-estimate.differsBy, from: estimate.first, until: estimate.last) {
      try replacement.add(
        Finding(
          .estimatedTimeOdd,
          text: "estimatedDateTime of \(estimate.records) records differs from the pump's time by "
            + "\(estimate.differsBy) s, which is not the zone's offset; it was not used."))
    }
  }

  /// Whether a number of seconds is the offset of a zone somewhere between two pump times.
  private func isZoneOffset(_ seconds: Int64, from: PumpTime, until: PumpTime) -> Bool {
    let day: Int64 = 86_400
    var at = Instant(unixSeconds: from.wallSeconds - day)
    let end = Instant(unixSeconds: until.wallSeconds + day)
    while at <= end {
      let (_, offset, range) = schedule.span(at: at)
      if offset == seconds { return true }
      guard range.upperBound < .max else { return false }
      at = Instant(unixSeconds: range.upperBound)
    }
    return false
  }
}
