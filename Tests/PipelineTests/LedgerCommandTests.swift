import Foundation
import Pipeline
import Platform
import PumpModel
import TestSupport
import Testing

/// `ledger status`, `verify` and `export`.
@Suite("Looking at a ledger")
struct LedgerCommandTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.write("a.json", Histories.pumpLogs(Histories.records(SyntheticPump.Options())))
    try work.write("pumper.json", Histories.pumper())
    try work.importing(["pumper.json", "a.json"])
  }

  /// Changes the ledger behind its back.
  private func execute(_ sql: String) throws {
    try SQLiteConnection(.file(work.path("ledger"))).execute(sql)
  }

  private func failure(_ body: () throws -> Void) -> RunFailure? {
    #expect(throws: RunFailure.self, performing: body)
  }

  @Test("Status tells pumps, names, spans, counts and settings")
  func status() throws {
    let report = try work.importing(["a.json"])
    let status = try work.status()
    #expect(status.kind == "events")
    #expect(status.bytes > 0)
    #expect(status.settings?.zones == [ZoneArgument(name: "America/New_York")])
    #expect(status.settings?.clock == .auto)
    #expect(status.settings?.insulin == .u100)
    #expect(status.settings?.makesGlucose == false)
    #expect(status.documents.map(\.format) == ["pump-logs", "pumper"])
    let pump = try #require(status.pumps.first)
    #expect(status.pumps.count == 1)
    #expect(pump.name == PumpIdentity(1).serial)
    #expect(pump.assignments == [PumpIdentity(1).assignment])
    #expect(pump.model == PumpIdentity(1).modelName)
    #expect(pump.records == status.documents[0].records)
    #expect(pump.samples.values.reduce(0, +) == work.samples.count)
    let day = try #require(LocalDay(text: "2026-05-04"))
    #expect(pump.days == [day...day])
    #expect(pump.first == TestZones.instant(2026, 5, 4, in: TestZones.newYork))
    #expect(pump.pending == report.pending.count)
    #expect(pump.holes == report.holes.count)
  }

  @Test("What older rules made is made again by the next run, whatever it reads")
  func olderRules() throws {
    let samples = work.samples
    try execute("UPDATE normalized SET version = 0; UPDATE days SET bolus = bolus + 1")
    #expect(try work.problems() != [])
    #expect(try work.export() == samples)
    #expect(try work.problems() == [])
  }

  @Test("A ledger whose first run failed holds nothing, and is sound")
  func nothing() throws {
    try work.write("foreign.txt", Array("no pump data".utf8))
    var failing = work.request(["foreign.txt"])
    failing.ledger = work.path("new")
    _ = work.failure(failing)
    let request = LedgerRequest(ledger: work.path("new"))
    #expect(try PumplinePipeline().ledgerStatus(request).kind == nil)
    #expect(try PumplinePipeline().verifyLedger(request).problems.isEmpty)
  }

  @Test("A ledger that is not there is not made")
  func missing() throws {
    let request = LedgerRequest(ledger: work.path("none"))
    #expect(
      failure { _ = try PumplinePipeline().ledgerStatus(request) }?.exitStatus == .inputMissing)
    #expect(
      failure { _ = try PumplinePipeline().verifyLedger(request) }?.exitStatus == .inputMissing)
    var export = work.request([], zones: [])
    export.ledger = request.ledger
    #expect(work.failure(export)?.exitStatus == .inputMissing)
    #expect(try !work.names.contains("none"))
  }

  @Test("What is no ledger is refused and left as it is", arguments: [[], Array("text".utf8)])
  func foreign(bytes: [UInt8]) throws {
    try work.write("other", bytes)
    let request = LedgerRequest(ledger: work.path("other"))
    let found = failure { _ = try PumplinePipeline().ledgerStatus(request) }
    #expect(found?.exitStatus == (bytes.isEmpty ? .inputMissing : .refused))
    #expect(work.text("other") == String(decoding: bytes, as: UTF8.self))
  }

  @Test("A sound ledger is sound, and not a byte of it changes")
  func sound() throws {
    let before = try work.ledgerBytes()
    let verification = try PumplinePipeline().verifyLedger(
      LedgerRequest(ledger: work.path("ledger")))
    #expect(verification.problems.isEmpty)
    #expect(verification.pumps == 1)
    #expect(verification.samples >= work.samples.count)
    #expect(verification.records == (try work.status().pumps.first?.records))
    #expect(try work.ledgerBytes() == before)
  }

  @Test(
    "Whatever is changed behind a ledger's back is found",
    arguments: [
      (
        "INSERT INTO holes (pump, start_at, end_at, reason) VALUES (1, 5, 6, 'silence')", "holes"
      ),
      ("UPDATE days SET bolus = bolus + 1", "days"),
      ("UPDATE days SET given_basal = given_basal + 1", "days"),
      ("UPDATE days SET bolus_samples = NULL", "days"),
      ("UPDATE weeks SET carbohydrate = carbohydrate + 1", "weeks"),
      ("DELETE FROM weeks", "weeks"),
      ("UPDATE clocks SET offset_seconds = 7", "clocks"),
      ("INSERT INTO pending (pump, kind, start_at, number) VALUES (1, 'basal', 1, 1)", "pending"),
      ("INSERT INTO incomplete (pump, bolus, start_at) VALUES (1, 2, 3)", "incomplete"),
      (
        "INSERT INTO findings (pump, code, text) VALUES (1, 'clock-drift', 'text')", "findings"
      ),
      ("DELETE FROM documents", "documents"),
      ("UPDATE holders SET parent = holder", "documents"),
      ("UPDATE documents SET digest = x'00' WHERE document = 1", "documents"),
      ("DELETE FROM holders", "journal"),
      ("INSERT INTO properties VALUES (x'01', x'02')", "properties"),
      ("UPDATE journal SET entries = substr(entries, 1, length(entries) - 3)", "journal"),
      ("UPDATE journal SET entries = zeroblob(40)", "journal"),
      ("UPDATE journal SET low = low + 1", "journal"),
      ("UPDATE journal SET checksum = checksum + 1", "journal"),
      ("UPDATE samples SET checksum = checksum + 1", "samples"),
      ("UPDATE samples SET live = live + 1", "samples"),
      ("UPDATE samples SET entries = substr(entries, 1, 100)", "samples"),
      ("UPDATE samples SET entries = zeroblob(72)", "samples"),
      (
        "UPDATE samples SET entries = CAST(x'FFFFFFFF' || substr(entries, 5) AS BLOB)", "samples"
      ),
      ("DELETE FROM samples WHERE chunk = (SELECT min(chunk) FROM samples)", "samples"),
      ("UPDATE settings SET value = 1 WHERE name = 'change'", "samples"),
      ("UPDATE segments SET digest = digest + 1", "pieces"),
      ("UPDATE segments SET newest = newest + 1", "pieces"),
      ("UPDATE segments SET notes = zeroblob(length(notes))", "pieces"),
      ("UPDATE normalized SET version = version + 1", "pieces"),
      ("UPDATE normalized SET scan = zeroblob(length(scan))", "pieces"),
      ("UPDATE day_parts SET bolus = bolus + 1", "day_parts"),
      ("UPDATE day_parts SET has_hole = 1 - has_hole", "day_parts"),
      ("DELETE FROM day_parts", "day_parts"),
      ("UPDATE pumps SET name = '90000002'", "pumps"),
      (
        "INSERT INTO sinks (format, target, selection, is_database, mark) "
          + "VALUES ('csv', '/a', '', 0, (SELECT value + 1 FROM settings WHERE name = 'change'))",
        "sinks"
      ),
    ])
  func tampered(sql: String, area: String) throws {
    try execute(sql)
    #expect(try work.problems().map(\.area).contains(area))
  }

  @Test(
    "What is changed of forms that an output was given is found",
    arguments: [
      "entry = CAST(substr(entry, 1, 32) || x'7F' || substr(entry, 34) AS BLOB)",
      "entry = zeroblob(length(entry))", "entry = substr(entry, 1, 20)", "high = high + 1",
      "until_change = until_change + 1", "from_change = from_change - 1", "checksum = 7",
    ])
  func tamperedForms(change: String) throws {
    let records = Histories.records(SyntheticPump.Options())
    // Without some rates, basal is longer where the whole has more of it.
    let part = records.enumerated().filter { $0.element.eventID != 279 || $0.offset % 5 != 0 }
    try work.write("part.json", Histories.pumpLogs(part.map(\.element), pump: 2))
    try work.write("rest.json", Histories.pumpLogs(records, pump: 2))
    var request = work.request(["part.json"])
    request.ledger = work.path("ledger")
    request.outputs[0].changes = .fresh
    try work.convert(request)
    try work.importing(["rest.json"])
    #expect(try work.problems() == [])
    try execute("UPDATE superseded SET \(change)")
    #expect(Set(try work.problems().map(\.area)) == ["superseded"])
  }

  @Test("One wrong amount is found, and its number named, whatever the checksum says")
  func wrongAmount() throws {
    // The amount of a row's first sample lies 32 bytes into it.
    try execute(
      """
      UPDATE samples SET entries = CAST(
        substr(entries, 1, 32) || x'01' || substr(entries, 34) AS BLOB), checksum = NULL
      WHERE chunk = 1
      """)
    let problems = try work.problems()
    #expect(problems.map(\.area) == ["samples"])
    #expect(problems.first?.text.contains("say something else") == true)
    #expect(problems.first?.text.contains("first at number") == true)
  }

  @Test("A record that was taken out of the journal is missed in the samples")
  func shorterJournal() throws {
    try execute(
      """
      UPDATE journal SET checksum = NULL, entries = substr(entries, 1, length(entries) / 80 * 40)
      """)
    #expect(try work.problems().map(\.area).contains("samples"))
  }

  @Test("A ledger of samples is refused by everything that needs events")
  func otherKind() throws {
    try execute("UPDATE settings SET value = 'samples' WHERE name = 'kind'")
    var request = work.request(["a.json"])
    request.ledger = work.path("ledger")
    #expect(work.failure(request)?.exitStatus == .refused)
    #expect(failure { _ = try work.problems() }?.exitStatus == .refused)
    #expect(failure { _ = try work.export() }?.exitStatus == .refused)
    #expect(failure { try work.forget(.pump("x")) }?.exitStatus == .refused)
    #expect(try work.status().kind == "samples")
  }

  @Test("An export is what the last run wrote, narrowed by selectors, and reads nothing")
  func export() throws {
    let samples = work.samples
    let before = try work.ledgerBytes()
    #expect(try work.export() == samples)
    #expect(try work.ledgerBytes() == before)
    var request = work.request([], zones: [])
    request.ledger = work.path("ledger")
    request.selection.only = [.carbs]
    let summary = try work.convert(request)
    #expect(summary.records == RecordCounts())
    #expect(!work.samples.isEmpty)
    #expect(work.samples == samples.filter { $0.contains("nutrition.carbohydrates") })
  }

  @Test("Nothing is ever pruned: runs that bring nothing leave the oldest record and sample")
  func retention() throws {
    let status = try work.status()
    let samples = work.samples
    for year in 1...8 {
      var options = SyntheticPump.Options.quiet(
        minutes: 30,
        from: TestZones.instant(2026, 5, 4, in: TestZones.newYork)
          + Int64(year) * 1461 * 86_400)
      options.firstNumber = 100_000 + UInt32(year) * 10_000
      try work.write("\(year).json", Histories.pumpLogs(Histories.records(options)))
      try work.importing(["\(year).json"])
    }
    let later = try work.status()
    #expect(later.pumps[0].first == status.pumps[0].first)
    #expect(later.pumps[0].records > status.pumps[0].records)
    #expect(later.documents.map(\.documents).reduce(0, +) == 10)
    #expect(work.samples.prefix(samples.count).elementsEqual(samples))
    #expect(try work.problems() == [])
  }
}
