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

  @Test(
    "have their days, each with its part of a night, or it is found",
    arguments: [
      ([("2026-05-03", 600), ("2026-05-04", 1200)], "1", true),
      ([("2026-05-03", 599), ("2026-05-04", 1200)], "1", false),
      ([("2026-05-03", 601), ("2026-05-04", 1199)], "1", false),
      ([("2026-05-02", 600), ("2026-05-04", 1200)], "1", false),
      ([("2026-05-04", 1800)], "1", false), ([], "1", false),
      ([("2026-05-03", 600), ("2026-05-04", 1200)], "2", false),
    ] as [([(String, Int)], String, Bool)])
  func shares(shares: [(String, Int)], device: String, isSound: Bool) throws {
    #expect(try codes(shares, device) == (isSound ? [] : [.databaseDamaged]))
  }

  @Test("give no days to what is of one day, or no basal")
  func sharesOfOthers() throws {
    let shares = [("2026-05-03", 600), ("2026-05-04", 1200)]
    let evening = [
      6: "'2026-05-04T03:29:00Z'", 7: "'2026-05-04T03:59:00Z'", 8: "1777865340",
      9: "1777867140", 10: "'2026-05-03T23:29:00-04:00'",
    ]
    #expect(try codes(shares, "1", evening) == [.databaseDamaged])
    #expect(try codes([], "1", evening) == [])
    #expect(try codes(shares, "1", [2: "'insulin.bolus'"]) == [.databaseDamaged])
    // Behind the newest sample nobody tells which zone held.
    #expect(try codes([("2026-05-04", 1800)], "1", isNewest: true) == [])
    #expect(try codes([], "1", isNewest: true) == [.databaseDamaged])
    #expect(
      try codes(shares.map { ("2027" + $0.0.dropFirst(4), $0.1) }, "1", isNewest: true) == [
        .databaseDamaged
      ])
  }

  /// What is found in a database of a basal sample that begins ten minutes before midnight and is half an
  /// hour long.
  private func codes(
    _ shares: [(String, Int)], _ device: String, _ changes: [Int: String] = [:],
    isNewest: Bool = false
  ) throws -> Set<FindingCode> {
    let path = folder.path + "/\(shares.count)-\(changes.count)-\(isNewest).sqlite"
    var row = Self.row
    for (column, value) in [
      0: "'tandem:1:1-5:basal'", 2: "'insulin.basal'", 3: "1800", 4: "0.0018",
      6: "'2026-05-04T03:50:00Z'", 7: "'2026-05-04T04:20:00Z'", 8: "1777866600", 9: "1777868400",
      10: "'2026-05-03T23:50:00-04:00'",
    ].merging(changes, uniquingKeysWith: { $1 }) { row[column] = value }
    do {
      let connection = try SQLiteConnection(.file(path))
      try connection.execute(
        """
        CREATE TABLE samples (external_id TEXT, device TEXT, type TEXT, amount, value, unit TEXT,
          start_utc TEXT, end_utc TEXT, start_epoch, end_epoch, start_local TEXT, zone TEXT,
          revision INTEGER, metadata TEXT);
        INSERT INTO samples VALUES (\(row.joined(separator: ",")));
        CREATE TABLE basal_over_midnight (external_id, device, day, amount);
        """)
      if !isNewest {
        let bolus = Self.row.joined(separator: ",")
        try connection.execute("INSERT INTO samples VALUES (\(bolus))")
      }
      for (day, amount) in shares {
        try connection.execute(
          """
          INSERT INTO basal_over_midnight VALUES
            ('tandem:1:1-5:basal', '\(device)', '\(day)', \(amount))
          """)
      }
    }
    let database = try SampleDatabase(at: path) { _, instant in
      TestZones.newYork.offset(at: instant)
    }
    return Set(try database.findings().map(\.code))
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
