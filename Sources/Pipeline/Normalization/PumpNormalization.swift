import Decode
import Deduplicate
import Normalize
import PumpModel

/// Normalizes what is new of a pump and puts the result in place of what the ledger held.
struct PumpNormalization {
  let ledger: Ledger
  let schedule: ZoneSchedule
  let clock: ClockMode
  let concentration: Concentration
  let makesGlucose: Bool
  /// Whether basal is made of rates that exports tell.
  var derivesBasal = false
  let now: Instant
  /// Is told how many records it went through, batch by batch.
  var onBatch: ((Int) -> Void)?
  /// How many records a piece of the history has for which the normalizer's state is kept.
  var recordsPerSegment = 512
  /// How many rows of exports are at least looked at together, if there are as many.
  var rowsPerChunk = 256
  /// Where the journal is, and what documents claim; nil: in the ledger that takes the result.
  var source: Ledger?
  /// Whether a signal ends it between two batches; after a commit it does not.
  var isInterruptible = true

  /// The ledger that holds what was read.
  var read: Ledger { source ?? ledger }

  /// How copies of one event are compared.
  static let copyRules = CopyRules(
    prefers: { RuleFields.precedes($0, $1) }, differ: { RuleFields.differ($0, $1) })

  /// Normalizes a pump and says what changed: what its touched records and rows can have changed,
  /// or, where that is not plain, its whole history.
  func normalize(
    _ pump: LedgerPump, touched: TouchedRecords, rows: TouchedRows
  ) throws -> SampleOutcome {
    try ranges(of: pump, touched: touched, rows: rows)?.run() ?? normalizeWhole(pump)
  }

  /// What of a pump is to be normalized again; nil: its whole history.
  func ranges(
    of pump: LedgerPump, touched: TouchedRecords, rows: TouchedRows
  ) throws -> RangeNormalization? {
    guard try ledger.hasRows(of: pump.number) else {
      return try RangeNormalization(self, pump, touched: touched)
    }
    guard let renewal = try RowRenewal(self, pump, touched: rows, besides: touched) else {
      return nil
    }
    return try RangeNormalization(self, pump, touched: touched, rows: renewal)
  }

  /// Normalizes a pump's whole history and says what changed.
  func normalizeWhole(_ pump: LedgerPump) throws -> SampleOutcome {
    let (scan, missing) = try scan(pump)
    let timeline = timeline(of: scan)
    let claims = try claims(of: pump)
    let fetched = try fetched(of: pump)
    let replacement = try PumpReplacement(ledger, pump: pump)
    let rows = try read.hasRows(of: pump.number) ? RowNormalization(self, pump) : nil
    // Where a log has several groups, numbers and times do not tell the order; and nobody comes
    // back to the places of a ledger that is gone after the run.
    let hasPieces = !pump.hasGroups && !ledger.isTemporary
    let walk = SegmentWalk(
      reader: try read.journal(of: pump, rules: Self.copyRules),
      normalizer: normalizer(
        timeline, missing, claims, fetched, gathersCounterparts: rows != nil),
      place: 0, recordsPerSegment: hasPieces ? recordsPerSegment : nil)
    walk.onBatch = { count in
      onBatch?(count)
      if isInterruptible { try checkInterruption() }
    }
    while true {
      let start = walk.place
      var told = EventsForRows()
      let next = try walk.next { batch in
        try replacement.take(batch, segment: start)
        try rows?.gather(batch, keeping: hasPieces, in: &told)
      }
      guard let segment = next else { break }
      try replacement.keep(segment)
      try replacement.keep(
        told.counterparts, daysWithBasal: told.daysWithBasal, segment: segment.start)
    }
    let all: ClosedRange<UInt64> = 0...UInt64.max
    try ledger.keep(missingNumbers: missing.known, of: pump.number, in: all)
    try ledger.keep(
      HeldNormalization(
        version: PumpNormalizer.version, scan: scan.words, claims: claims.words,
        fetched: fetched.words, knowsRows: rows != nil && hasPieces),
      of: pump.number)
    try rows?.run(into: replacement)
    try ledger.addUpRows(of: pump.number, from: rows?.sources ?? [])
    let outcome = try replacement.finish()
    try finish(replacement, pump, timeline)
    return outcome
  }

  /// A normalizer of a pump, of its whole history or from a place on.
  func normalizer(
    _ timeline: Timeline, _ missing: MissingNumbers, _ claims: [CompletenessClaim],
    _ fetched: FetchedTime, gathersCounterparts: Bool = false,
    seed: NormalizerSeed = NormalizerSeed()
  ) -> PumpNormalizer {
    PumpNormalizer(
      timeline: timeline, missing: missing, claims: claims, fetched: fetched,
      concentration: concentration,
      makesGlucose: makesGlucose, gathersCounterparts: gathersCounterparts, now: now, seed: seed)
  }

  /// Where a pump's history is said to be complete.
  func claims(of pump: LedgerPump) throws -> [CompletenessClaim] {
    try read.completeNumbers(of: pump.number).map {
      CompletenessClaim(group: $0.group, numbers: $0.numbers)
    }
  }

  /// What was fetched of a pump from a live source.
  func fetched(of pump: LedgerPump) throws -> FetchedTime {
    FetchedTime(try read.fetchedTime(of: pump.number))
  }

  /// The clock of a pump, as it was when the pump was normalized last.
  func timeline(of pump: LedgerPump) throws -> Timeline {
    let held = try ledger.normalization(of: pump.number)
    if let held, let scan = ClockScan(words: held.scan) { return timeline(of: scan) }
    return timeline(of: try scan(pump).0)
  }

  /// The clock that a scan tells of.
  func timeline(of scan: ClockScan) -> Timeline {
    Timeline(scan, schedule: schedule, usesRecords: usesRecords(scan))
  }

  private func usesRecords(_ scan: ClockScan) -> Bool {
    clock == .records || (clock == .auto && scan.hasClockChanges)
  }

  /// What a pump's whole journal tells of its clock, and the numbers that it is known to lack.
  private func scan(_ pump: LedgerPump) throws -> (ClockScan, MissingNumbers) {
    var missing = MissingNumbers()
    var scanner = ClockScanner(usesRecords: clock != .zone)
    let journal = try read.journal(of: pump, rules: Self.copyRules)
    try forEachBatch(of: journal) { records in
      for record in records {
        missing.take(group: record.group, number: record.number)
        scanner.process(Self.clockRecord(record))
      }
    }
    missing.finish()
    var scan = scanner.finish()
    // By the zone's rules a clock comes back from a power loss in another way.
    if clock == .auto, !usesRecords(scan), !scan.resets.isEmpty { scan = try scanByZone(pump) }
    return (scan, missing)
  }

  private func scanByZone(_ pump: LedgerPump) throws -> ClockScan {
    var scanner = ClockScanner(usesRecords: false)
    try forEachBatch(of: read.journal(of: pump, rules: Self.copyRules)) { records in
      for record in records { scanner.process(Self.clockRecord(record)) }
    }
    return scanner.finish()
  }

  /// A record as the clock's scanner sees it; only of those that may move a clock it needs more than
  /// where they stand.
  @inline(__always)
  private static func clockRecord(_ record: PumpRecord) -> ClockScanner.Record {
    let position = EventPosition(
      group: record.group, number: record.number, time: PumpTime(seconds: record.seconds),
      id: record.eventID)
    guard EventDecoder.mayMoveClock(record.eventID),
      case .clockChange(let milliseconds) = event(record).payload
    else { return ClockScanner.Record(position: position, shift: nil) }
    return ClockScanner.Record(position: position, shift: milliseconds)
  }

  private func forEachBatch(
    of journal: JournalReader, _ body: (borrowing [PumpRecord]) throws -> Void
  ) throws {
    var records: [PumpRecord] = []
    while try journal.next(into: &records) {
      try body(records)
      onBatch?(records.count)
      if isInterruptible { try checkInterruption() }
    }
  }

  /// The events of records of the journal, in place of those that stood in a list.
  static func decode(_ records: [PumpRecord], into events: inout [PumpEvent]) {
    if events.count > records.count { events.removeLast(events.count - records.count) }
    while events.count < records.count { events.append(EventDecoder.blank) }
    var span = events.mutableSpan
    for index in records.indices { decode(records[index], into: &span[index]) }
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

extension [CompletenessClaim] {
  /// The claims as words, for a ledger to keep.
  var words: [Int64] {
    flatMap { [Int64($0.group), Int64($0.numbers.lowerBound), Int64($0.numbers.upperBound)] }
  }
}

extension PumpNormalization {
  /// Adds findings of records that contradict one another or the zone.
  func addFindings(
    _ differing: NotedNumbers, _ conflicting: NotedNumbers, _ pump: LedgerPump,
    into batch: inout NormalizedBatch
  ) throws {
    if differing.count > 0 {
      batch.findings.append(
        Finding(
          .copiesDiffer,
          text: "\(differing.count) records came in copies that differ; numbers "
            + "\(differing.text)."))
    }
    if conflicting.count > 0 {
      batch.findings.append(
        Finding(
          .sequenceConflict,
          text: "\(conflicting.count) sequence numbers stand on different records; "
            + "numbers \(conflicting.text)."))
    }
    for estimate in try read.estimatedTimes(of: pump.number)
    where !isZoneOffset(-estimate.differsBy, from: estimate.first, until: estimate.last) {
      batch.findings.append(
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
