import Deduplicate
import Emit
import Platform
import PumpModel

/// Writes the report of a run: what the run read, then what the whole ledger holds after it.
struct RunReport {
  let ledger: Ledger
  let reader: ImportReader
  let outcome: ImportOutcome
  let changes: SampleChanges
  let moves: [PumpMoves]
  let pumpNames: [Int64: String]
  let outputs: [PlannedOutput]
  /// What earlier runs of the same pull read; nil: there were none.
  let before: PulledDocuments?

  /// Writes everything to a report, which is sealed then.
  func write(to report: ReportWriter) throws {
    try writeRun(to: report)
    try writeSuperseded(to: report)
    try writeLedger(to: report)
    try report.seal()
  }

  private func writeRun(to report: ReportWriter) throws {
    for input in before?.inputs ?? [] { try report.write(input) }
    for document in listed { try report.write(try input(document)) }
    try before?.forEachReject { try report.write($0) }
    try reader.rejects.forEach { document, reject in
      try report.write(ReportReject(document: try reader.name(of: document), reject: reject))
    }
    let ignored = reader.ignored.merging(before?.ignored ?? [:], uniquingKeysWith: +)
    for reason in IgnoredReason.allCases {
      if let count = ignored[reason] { try report.write(ignored: reason, count: count) }
    }
    let unknown = reader.unknownIDs.merging(before?.unknownIDs ?? [:], uniquingKeysWith: +)
    for id in unknown.keys.sorted() {
      try report.write(unknownID: id, count: unknown[id] ?? 0)
    }
    let changes = before?.changes(followedBy: changes) ?? changes
    try report.write(
      ReportChanges(
        fresh: changes.fresh, unchanged: changes.unchanged, revised: changes.revised,
        withdrawn: changes.withdrawn))
    for pump in (before?.moves ?? []) + moves {
      for move in pump.moves {
        try report.write(
          ReportMove(
            pump: pump.pump.label.name, shiftSeconds: move.shiftSeconds, samples: move.count,
            start: move.start, end: move.end))
      }
    }
  }

  /// What was given to outputs that have no room for it and must be deleted first.
  private func writeSuperseded(to report: ReportWriter) throws {
    try ChangesWriter.forEachSuperseded(of: outputs) { try report.write($0) }
  }

  /// The documents that have an entry, in the order in which they began.
  var listed: some Sequence<RunDocument> {
    reader.documents.lazy.filter { $0.format != nil || $0.rejected > 0 }
  }

  /// The entry of a document.
  func input(_ document: RunDocument) throws -> ReportInput {
    let counts = document.counts(outcome)
    let pumps = Set(document.content.references.compactMap { outcome.pumps[$0] })
      .union(outcome.unnamedPumps[document.index] ?? [])
    var input = ReportInput(
      document: try reader.name(of: document.index), format: document.format,
      pumps: pumps.compactMap { pumpNames[$0] }.sorted(),
      records: document.accepted + document.unusedRows + document.rejectedRecords,
      used: counts.used,
      duplicates: counts.duplicates, rejected: document.rejected)
    input.sha256 = document.sha256
    return input
  }

  private func writeLedger(to report: ReportWriter) throws {
    try ledger.forEachPending { pump, part in
      try report.write(
        ReportPending(
          pump: pump, kind: part.kind.rawValue, start: part.start, sequence: part.number,
          clock: part.extent.map { ($0.lastNumber, $0.count) }))
    }
    try ledger.forEachHole { pump, hole in
      try report.write(
        ReportHole(pump: pump, start: hole.start, end: hole.end, reason: hole.reason.rawValue))
    }
    try LedgerFindings(ledger: ledger).forEach { pump, finding in
      try report.write(ReportFinding(pump: pump, finding: finding))
    }
    try ledger.forEachIncomplete { pump, request in
      try report.write(
        ReportIncomplete(pump: pump, bolusID: request.bolus, start: request.start))
    }
    try ledger.forEachClock { pump, clock in
      try report.write(
        ReportClock(
          pump: pump, mode: clock.usesRecords ? .records : .zone,
          opened: clock.opening.rawValue, start: clock.start, end: clock.end,
          offset: clock.offset, drift: clock.usesRecords ? clock.driftSeconds : nil,
          records: clock.records))
    }
    for rows in try ledger.rowAccounts() {
      guard let name = pumpNames[rows.pump] else { continue }
      try report.write(ReportRows(pump: name, source: rows.source, account: rows.account))
    }
    try ledger.forEachDay { pump, totals in try report.write(day(totals, of: pump)) }
  }

  private func day(_ totals: DayTotals, of pump: String) -> ReportDay {
    var day = ReportDay(pump: pump, day: totals.day)
    day.basal = totals.basal
    day.bolus = totals.bolus
    day.carbs = totals.carbohydrate
    day.deliveredSeconds = totals.deliveredSeconds
    day.zeroSeconds = totals.zeroSeconds
    day.suspendedSeconds = totals.suspendedSeconds
    day.unknownSeconds = totals.unknownSeconds
    day.pumpBasal = totals.pumpBasal.map { $0 * 1000 }
    day.difference = totals.difference
    return day
  }
}

extension ClockRow {
  /// The drift in whole seconds, rounded towards zero.
  var driftSeconds: Int64 { driftMilliseconds / 1000 }
}

extension RunDocument {
  /// Records that passed every check and are not used; rows are counted apart.
  var unused: UInt64 { format?.holdsRows == true ? 0 : ignoredParts }

  /// Rows of an export that are sound and not used, and so are none of those accepted.
  var unusedRows: UInt64 { format?.holdsRows == true && isWhole ? ignoredParts : 0 }

  private var ignoredParts: UInt64 {
    content.ignored.reduce(0) { sum, entry in
      entry.key.isOfRecords ? sum + entry.value : sum
    }
  }

  /// How many of its records are new and used, were known, or are new and not used.
  func counts(
    _ outcome: ImportOutcome
  ) -> (used: UInt64, duplicates: UInt64, ignored: UInt64) {
    guard !outcome.known.contains(index) else { return (0, accepted + unusedRows, 0) }
    let duplicates = min(accepted, outcome.duplicates[index] ?? 0)
    let ignored = min(unused, accepted - duplicates)
    return (accepted - duplicates - ignored, duplicates, ignored + unusedRows)
  }

  /// Rejected records, as far as rejects are records: those of a document that was refused whole
  /// are not.
  var rejectedRecords: UInt64 { isWhole ? rejected : 0 }
}

extension ImportReader {
  /// What the run ignored, by reason.
  var ignored: [IgnoredReason: UInt64] {
    var sum: [IgnoredReason: UInt64] = [:]
    for document in documents where document.isWhole {
      sum.merge(document.content.ignored, uniquingKeysWith: +)
    }
    if unrecognised > 0 { sum[.unrecognisedDocument] = unrecognised }
    if specialFiles > 0 { sum[.specialFile] = specialFiles }
    return sum
  }

  /// The records of unknown ids, by id.
  var unknownIDs: [UInt16: UInt64] {
    documents.filter(\.isWhole).reduce(into: [:]) { sum, document in
      sum.merge(document.content.unknownIDs, uniquingKeysWith: +)
    }
  }
}
