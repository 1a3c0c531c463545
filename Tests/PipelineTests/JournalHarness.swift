import Deduplicate
import Normalize
import PumpModel
import TestSupport

@testable import Pipeline

/// What is said of a journal of one pump: settings of a test's ledgers.
struct HarnessSettings {
  var schedule: ZoneSchedule
  var clock = ClockMode.auto
  var makesGlucose = true
  var now = Instant(unixSeconds: 1_900_000_000)
  /// Few, so that short histories have many pieces.
  var recordsPerSegment = 40
  var rowsPerChunk = 256
  var derivesBasal = false
}

/// Some records, or rows of exports, that are imported together.
struct HarnessDocument {
  var name: String
  var records: [PumpRecord] = []
  var rows: [ExportRow] = []
  var isComplete = false
}

/// A ledger into whose journal records are imported without any files around them.
final class JournalHarness {
  let ledger: Ledger
  private var settings: HarnessSettings
  /// How many imports were normalized in ranges, and how many whole.
  private(set) var inRanges = 0
  private(set) var whole = 0

  init(_ settings: HarnessSettings) throws {
    self.settings = settings
    ledger = try Ledger(.temporary, waitMilliseconds: 0)
  }

  init(_ settings: HarnessSettings, at path: String) throws {
    self.settings = settings
    ledger = try Ledger(.file(path), waitMilliseconds: 0)
  }

  var normalization: PumpNormalization {
    var normalization = PumpNormalization(
      ledger: ledger, schedule: settings.schedule, clock: settings.clock, concentration: .u100,
      makesGlucose: settings.makesGlucose, derivesBasal: settings.derivesBasal, now: settings.now)
    normalization.recordsPerSegment = settings.recordsPerSegment
    normalization.rowsPerChunk = settings.rowsPerChunk
    return normalization
  }

  /// Imports documents in one run and normalizes what they touch.
  func run(_ documents: [HarnessDocument], now: Instant? = nil) throws {
    if let now { settings.now = now }
    try writing {
      let outcome = try take(documents)
      for pump in try ledger.pumps() where outcome.changedPumps.contains(pump.number) {
        try normalize(
          pump, outcome.touched[pump.number] ?? TouchedRecords(),
          outcome.touchedRows[pump.number] ?? TouchedRows())
      }
    }
  }

  /// Imports documents, each in a run of its own, and normalizes everything once.
  func runFromNothing(_ documents: [HarnessDocument]) throws {
    for document in documents { try writing { _ = try take([document]) } }
    try normalizeWhole()
  }

  /// Takes documents into the journal in place of all that it holds, and normalizes as if records
  /// were gone.
  func keepOnly(_ documents: [HarnessDocument], losing records: [PumpRecord]) throws {
    var touched = TouchedRecords()
    for record in records {
      touched.note(number: record.number, seconds: record.seconds, eventID: record.eventID)
    }
    try writing {
      _ = try take(documents)
      for pump in try ledger.pumps() { try normalize(pump, touched) }
    }
  }

  /// Normalizes everything anew.
  func normalizeWhole() throws {
    try writing {
      for pump in try ledger.pumps() { _ = try normalization.normalizeWhole(pump) }
    }
  }

  /// Adds up anew what was noted of all pieces.
  func addUpFromNothing() throws {
    try writing {
      for pump in try ledger.pumps() {
        _ = try NotedHistory.whole(
          of: pump.number, in: ledger, timeline: try normalization.timeline(of: pump),
          changedFrom: 0)
      }
    }
  }

  private func writing(_ body: () throws -> Void) throws {
    try ledger.begin()
    do {
      try body()
      try ledger.commit()
    } catch {
      ledger.rollback()
      throw error
    }
  }

  private func take(_ documents: [HarnessDocument]) throws -> ImportOutcome {
    let journal = JournalImport(ledger)
    let references = Set(documents.flatMap { $0.rows.map(\.pump) + $0.records.map(\.pump) })
    for (index, document) in documents.enumerated() {
      try journal.append(document.records.span, document: UInt32(index))
      try journal.append(rows: document.rows, document: UInt32(index))
    }
    return try journal.finish(
      documents.enumerated().map { index, document in
        AcceptedDocument(
          index: UInt32(index), digest: Array(document.name.utf8), format: .records,
          isComplete: document.isComplete, bytes: 1, records: UInt64(document.records.count),
          missingBodies: 0)
      },
      claims: PumpClaims(
        stated: [.assignment("A"), .assignment("B")], present: references.union([1]),
        hasUnnamed: false, facts: [], serial: nil),
      count: UInt32(documents.count))
  }

  /// Normalizes what records of the journal touch.
  func normalize(
    _ pump: LedgerPump, _ touched: TouchedRecords, _ rows: TouchedRows = TouchedRows()
  ) throws {
    if try normalization.ranges(of: pump, touched: touched, rows: rows)?.run() != nil {
      inRanges += 1
    } else {
      whole += 1
      _ = try normalization.normalizeWhole(pump)
    }
  }

  /// Everything that the ledger gives, line by line; revisions left out.
  func content() throws -> [String] {
    var lines = try ruledContent()
    try ledger.forEachDayOfSamples { lines.append("\($0) \($1) \($2) \($3)") }
    try ledger.forEachWeek { lines.append("\($0) \($1)") }
    return lines
  }

  /// What the rules make, without what it adds up to.
  func ruledContent() throws -> [String] {
    var lines: [String] = []
    let samples = try OrderedSamples(
      ledger, pumps: try ledger.pumps(),
      selection: SampleSelection(kinds: Set(SampleKind.allCases), keepsZeroBasal: true),
      order: .device)
    var batch = OutputBatch()
    while try samples.next(into: &batch) {
      for row in batch.rows {
        lines.append(Self.line(row.sample, of: row.pump, batch.lineage[row.lineage]))
      }
    }
    try ledger.forEachPending { lines.append("\($0) \($1)") }
    try ledger.forEachHole { lines.append("\($0) \($1)") }
    try ledger.forEachFinding { lines.append("\($0) \($1)") }
    try ledger.forEachIncomplete { lines.append("\($0) \($1)") }
    try ledger.forEachClock { lines.append("\($0) \($1)") }
    try ledger.forEachDay { lines.append("\($0) \($1)") }
    for rows in try ledger.rowAccounts() { lines.append("\(rows)") }
    return lines
  }
}

extension JournalHarness {
  /// All that a sample says; a description of the whole value would take most of a test's time.
  private static func line(
    _ sample: Sample, of pump: Int, _ lineage: ArraySlice<EventReference>
  ) -> String {
    let metadata = sample.metadata
    let known = [metadata.rate, metadata.requested, metadata.status.map(UInt32.init)]
    let numbers =
      known.map { $0.map(String.init) ?? "-" } + [
        metadata.rateSource?.text ?? "-", metadata.deliveredBy?.text ?? "-",
        String(metadata.flags.rawValue),
      ]
    let events = lineage.map { "\($0.number)-\($0.seconds)" }
    let times = "\(sample.start.unixSeconds) \(sample.end.unixSeconds)"
    return "\(sample.identity.text(pump: pump == 0 ? "P" : "Q")) \(times) \(sample.amount) "
      + (numbers + events).joined(separator: " ")
  }
}

/// Where two contents differ first, for people; nil if they are equal.
func firstDifference(_ own: [String], _ wanted: [String]) -> String? {
  guard own != wanted else { return nil }
  let index = zip(own, wanted).enumerated().first { $1.0 != $1.1 }?.offset
  let at = index ?? min(own.count, wanted.count)
  let pair = [own, wanted].map { at < $0.count ? $0[at] : "(the end)" }
  return "line \(at + 1): \(pair[0])\nshould be: \(pair[1])"
}
