import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

/// What is changed in an output by hand is found, whatever it is.
@Suite("Outputs that were tampered with")
struct TamperedOutputTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.writeOutputs()
  }

  private func found(_ sql: String) throws -> Set<String> {
    try? FileManager.default.removeItem(atPath: work.path("bad.db"))
    try work.tamper("out.db", to: "bad.db", sql: sql)
    let comparison = try work.audit("bad.db")
    return Set(comparison.words + comparison.summary.findings.keys.map(\.rawValue))
  }

  @Test(
    "Events that are gone, changed or moved are found",
    arguments: [
      "DELETE FROM pump_events WHERE id = 1",
      "UPDATE pump_events SET name = 'X' WHERE id = 1",
      "UPDATE pump_events SET details = '{}' WHERE id = 1",
      "UPDATE pump_events SET device = '90000002' WHERE id = 1",
      "UPDATE pump_events SET at_epoch = at_epoch + 3600 WHERE id = 1",
      "UPDATE pump_events SET at_local = at_utc WHERE id = 1",
      """
      UPDATE pump_events SET at_epoch = at_epoch + 3600,
        at_utc = strftime('%Y-%m-%dT%H:%M:%SZ', at_epoch + 3600, 'unixepoch') WHERE id = 1
      """,
      """
      INSERT INTO pump_events SELECT id + 1000, device, category, name, at_utc, at_epoch, at_local, zone,
        sequence, pump_seconds, event_id, details FROM pump_events WHERE id = 1
      """,
    ])
  func events(sql: String) throws {
    #expect(try found(sql) == ["database-damaged"])
  }

  @Test(
    "Other sums, and tables that are gone, are errors",
    arguments: [
      "DROP VIEW daily_totals", "DROP TABLE pump_events",
      """
      CREATE TABLE t AS SELECT * FROM daily_totals; DROP VIEW daily_totals;
      ALTER TABLE t RENAME TO daily_totals
      """,
      "DROP VIEW daily_totals; CREATE VIEW daily_totals AS SELECT 1 AS device",
    ])
  func sums(sql: String) throws {
    #expect(try found(sql).contains("database-damaged"))
  }

  @Test(
    "What pumpline does not make is said",
    arguments: [
      "DELETE FROM pump_events",
      "CREATE TRIGGER t AFTER INSERT ON samples BEGIN DELETE FROM pump_events; END",
      "CREATE TABLE t (a)", "CREATE INDEX t ON samples (zone)", "CREATE VIEW t AS SELECT 1",
      "DROP INDEX samples_by_start", "ALTER TABLE samples ADD COLUMN a TEXT",
      "PRAGMA user_version = 99",
    ])
  func schema(sql: String) throws {
    #expect(try found(sql) == ["table-malformed"])
  }

  @Test("Samples that are no table are not read: a view may do anything")
  func view() throws {
    try work.tamper(
      "out.db", to: "bad.db",
      sql: """
        ALTER TABLE samples RENAME TO s;
        CREATE VIEW samples AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
          SELECT s.rowid, s.* FROM s, r;
        """)
    let failure = #expect(throws: RunFailure.self) { try work.audit("bad.db") }
    #expect(failure?.exitStatus == .unreadable)
  }

  @Test(
    "Cells of another kind are found in tables that are not strict",
    arguments: [
      "amount = CAST(amount AS TEXT)", "value = CAST(value AS TEXT)", "value = NULL",
      "start_epoch = start_epoch + 0.5", "end_epoch = CAST(end_epoch AS TEXT)", "revision = 0",
      "revision = 'x'", "external_id = NULL", "external_id = 'other'", "zone = x'00'",
      "metadata = '[]'", "metadata = 1", "start_local = start_utc",
    ])
  func kinds(change: String) throws {
    let words = try found(
      """
      CREATE TABLE t AS SELECT * FROM samples; DROP VIEW daily_totals; DROP TABLE samples;
      CREATE TABLE samples (external_id, device, type, amount, value, unit, start_utc, end_utc,
        start_epoch, end_epoch, start_local, zone, revision, metadata);
      INSERT INTO samples SELECT * FROM t; DROP TABLE t;
      UPDATE samples SET \(change) WHERE rowid = 5;
      """)
    #expect(words == ["missing", "database-damaged", "table-malformed"])
  }

  @Test("Of tables, rows that lack an id among others are found")
  func unnamed() throws {
    try work.tamper("out.csv", to: "bad.csv") { lines in
      lines[3] = lines[3].replacing(/^[^,]*/, with: "")
    }
    #expect(
      try work.audit("bad.csv").summary.findings.keys.map(\.rawValue) == ["external-id-contradicts"]
    )
    try work.tamper("out.ndjson", to: "bad.ndjson") { lines in
      lines[3] = lines[3].replacing(/"externalId":"[^"]*"/, with: "\"externalId\":\"other\"")
    }
    #expect(try work.audit("bad.ndjson").summary.exitStatus == .rejects)
  }

  @Test("Events that a line tells and that are others are found")
  func lineage() throws {
    try work.tamper("out.ndjson", to: "bad.ndjson") { lines in
      lines[3] = lines[3].replacing(/"eventIds":\[[^\]]*\]/, with: "\"eventIds\":[\"1-1\"]")
    }
    #expect(try work.audit("bad.ndjson").words == ["changed eventIds"])
  }

  @Test("An archive with several exports cannot be used: which is meant nobody knows")
  func severalExports() throws {
    let xml = Array((work.text("out.xml") ?? "").utf8)
    for names in [["a/export.xml", "b/export.xml"], ["export.xml", "export.xml"]] {
      try work.write("two.zip", ArchiveBuilder.archive(.zip, names.map { .file($0, xml) }))
      let failure = #expect(throws: RunFailure.self) { try work.audit("two.zip") }
      #expect(failure?.exitStatus == .unreadable)
      #expect(failure?.what.contains("several exports") == true)
    }
  }

  @Test("Rows of a ledger that are cut are a failure, with a checksum and without")
  func cutLedger() throws {
    for sum in ["checksum", "NULL"] {
      try work.tamper(
        "ledger", to: "bad-\(sum).ledger",
        sql: "UPDATE samples SET entries = substr(entries, 1, 100), checksum = \(sum)")
      #expect(throws: RunFailure.self) { try work.audit("bad-\(sum).ledger") }
    }
  }

  @Test("An export without a document type says so")
  func noDocumentType() throws {
    let text = (work.text("out.xml") ?? "").replacing(#/(?s)<!DOCTYPE.*?\]>/#, with: "")
    try work.write("bad.xml", Array(text.utf8))
    #expect(try work.audit("bad.xml").summary.findings.mapValues(\.count) == [.documentInvalid: 1])
  }

  @Test("Outputs of changes are refused, with what to do instead", arguments: ["csv", "ndjson"])
  func changes(name: String) throws {
    var request = work.sources
    request.ledger = work.path("changes.ledger")
    request.outputs = [
      OutputRequest(format: nil, target: work.path("changes.\(name)"), changes: .all)
    ]
    try work.convert(request)
    if name == "ndjson" {
      try work.write(
        "changes.ndjson",
        Array(#"{"externalId":"tandem:1:1-1:bolus","revision":2,"deleted":true}"#.utf8))
    }
    let failure = #expect(throws: RunFailure.self) { try work.audit("changes.\(name)") }
    #expect(failure?.exitStatus == .unreadable)
    #expect(failure?.what.contains("changes") == true)
  }
}
