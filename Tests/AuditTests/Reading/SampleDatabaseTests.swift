import Platform
import PumpModel
import TestSupport
import Testing

@testable import Audit

@Suite("Samples of a database")
struct SampleDatabaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let row = [
    "'tandem:1:1-5:bolus'", "'1'", "'insulin.bolus'", "2500", "2.5", "'IU'",
    "'2026-05-04T12:00:00Z'", "'2026-05-04T12:00:00Z'", "1777896000", "1777896000",
    "'2026-05-04T08:00:00-04:00'", "'America/New_York'", "1",
    "'{\"status\":\"completed\",\"part\":\"normal\"}'",
  ]

  /// Reads a table of one row, of which some columns have other values.
  private func read(_ changes: [Int: String] = [:]) throws -> WrittenEntry? {
    let path = folder.path + "/\(changes.hashValue).sqlite"
    do {
      let connection = try SQLiteConnection(.file(path))
      try connection.execute(
        """
        CREATE TABLE samples (external_id TEXT, device TEXT, type TEXT, amount, value, unit TEXT,
          start_utc TEXT, end_utc TEXT, start_epoch, end_epoch, start_local TEXT, zone TEXT,
          revision INTEGER, metadata TEXT);
        """)
      var row = Self.row
      for (column, value) in changes { row[column] = value }
      try connection.execute("INSERT INTO samples VALUES (\(row.joined(separator: ",")))")
    }
    var entries: [WrittenEntry] = []
    try SampleDatabase(at: path).forEach { entries.append($0) }
    #expect(entries.count == 1)
    return entries.first
  }

  @Test("have what their columns say")
  func row() throws {
    let noon = Instant(unixSeconds: 1_777_896_000)
    let wanted = WrittenSample(
      externalID: "tandem:1:1-5:bolus", type: .bolus, device: "1", start: noon, end: noon,
      amount: WrittenAmount(2500, decimals: 3), zone: "America/New_York",
      metadata: WrittenMetadata([("part", "normal"), ("status", "completed")]), place: 1)
    #expect(try read() == .sample(wanted))
  }

  @Test(
    "are faults where columns contradict each other, or are none of a sample",
    arguments: [
      ([4: "2.6"], "amount and value"), ([3: "2600"], "amount and value"),
      ([3: "-2500", 4: "-2.5"], "amount"), ([3: "'x'"], "amount"), ([2: "'insulin'"], "type"),
      ([5: "'g'"], "unit"), ([8: "1777896001"], "times"), ([6: "'2026-05-04T12:00:01Z'"], "times"),
      ([10: "'2026-05-04T08:00:01-04:00'"], "times"), ([13: "'{'"], "metadata"),
      ([8: "9223372036854775807"], "times"),
    ] as [([Int: String], String)])
  func faults(changes: [Int: String], word: String) throws {
    guard case .fault(let fault) = try read(changes) else {
      Issue.record("taken: \(changes)")
      return
    }
    #expect(fault.place == 1)
    #expect(fault.reason.contains(word))
  }

  @Test("are not read from rows that no output has, so long are they")
  func overlong() throws {
    let long = "'" + String(repeating: "a", count: 2 << 20) + "'"
    #expect(throws: AuditError.self) { try read([0: long]) }
  }

  @Test("are not looked for in other databases, and a damaged one says so")
  func others() throws {
    let path = folder.path + "/other.sqlite"
    do {
      try SQLiteConnection(.file(path)).execute("CREATE TABLE t (a)")
    }
    #expect(throws: AuditError.self) { try SampleDatabase(at: path) }
  }

  @Test("have days that add up, or it is found")
  func shares() throws {
    for (share, isSound) in [(1500, true), (1499, false)] {
      let path = folder.path + "/shares-\(share).sqlite"
      do {
        let connection = try SQLiteConnection(.file(path))
        try connection.execute(
          """
          CREATE TABLE samples (external_id TEXT, device TEXT, type TEXT, amount, value, unit TEXT,
            start_utc TEXT, end_utc TEXT, start_epoch, end_epoch, start_local TEXT, zone TEXT,
            revision INTEGER, metadata TEXT);
          INSERT INTO samples VALUES (\(Self.row.joined(separator: ",")));
          CREATE TABLE basal_over_midnight (external_id, device, day, amount);
          INSERT INTO basal_over_midnight VALUES ('tandem:1:1-5:bolus', '1', 'a', 1000),
            ('tandem:1:1-5:bolus', '1', 'b', \(share));
          """)
      }
      let findings = try SampleDatabase(at: path).findings()
      #expect(findings.map(\.code) == (isSound ? [] : [.databaseDamaged]))
    }
  }

  @Test("are found to be damaged where an index lacks a row")
  func damage() throws {
    let path = folder.path + "/index.sqlite"
    do {
      let connection = try SQLiteConnection(.file(path))
      try connection.execute(
        """
        CREATE TABLE samples (external_id TEXT, device TEXT, type TEXT, amount, value, unit TEXT,
          start_utc TEXT, end_utc TEXT, start_epoch, end_epoch, start_local TEXT, zone TEXT,
          revision INTEGER, metadata TEXT);
        CREATE INDEX by_start ON samples (start_epoch);
        PRAGMA writable_schema = ON;
        INSERT INTO samples VALUES (\(Self.row.joined(separator: ",")));
        UPDATE sqlite_schema SET sql = 'CREATE INDEX by_start ON samples (end_utc)'
          WHERE name = 'by_start';
        """)
    }
    #expect(try SampleDatabase(at: path).findings().map(\.code) == [.databaseDamaged])
  }
}
