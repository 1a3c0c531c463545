@testable import Deduplicate
import Platform
import PumpModel
import TestSupport
import Testing

/// Steps lead from every version of a ledger to the newest; nothing that was kept is lost.
@Suite("Steps of a ledger's tables")
struct LedgerMigrationTests {
  /// A ledger as it was after the first steps, with a pump, a document and a record in it.
  private func old(_ folder: TemporaryFolder, steps: Int) throws -> String {
    let path = folder.path + "/ledger.db"
    let database = try SQLiteConnection(.file(path))
    try database.execute("PRAGMA journal_mode = WAL")
    for step in LedgerSchema.steps.prefix(steps) { try database.execute(step.sql) }
    try database.execute(
      """
      PRAGMA application_id = \(LedgerSchema.applicationID);
      PRAGMA user_version = \(steps);
      INSERT INTO settings VALUES ('clock', 'auto'), ('insulin', 'u100'), ('change', 5);
      INSERT INTO zones VALUES (0, 'America/New_York', NULL);
      INSERT INTO pumps (pump, name, serial) VALUES (1, 'A', '90000001');
      INSERT INTO assignments VALUES ('A', 1, '90000001', 'model', NULL, NULL);
      INSERT INTO documents (
        document, digest, format, is_complete, bytes, records, missing_bodies
      ) VALUES (1, zeroblob(32), 'pump-logs', 0, 10, 1, 0);
      INSERT INTO document_numbers VALUES (1, 1, 0, 7, 7);
      INSERT INTO holders VALUES (1, 0, 1);
      """)
    var arena = ByteArena(capacity: 64)
    let key = JournalEntry.key(of: record(7))
    let bytes = [key.high, key.low]
    arena.append(bytes[0])
    arena.append(bytes[1])
    JournalEntry.append(
      payload: record(7).payload, present: record(7).present, holder: 1, to: &arena)
    // Older tables have no column for a checksum.
    let insert = try database.prepare(
      "INSERT INTO journal (pump, high, low, entries) VALUES (1, ?, ?, ?)")
    insert.bind(1, ordered(key.high))
    insert.bind(2, ordered(key.low))
    try arena.withBytes { bytes throws(SQLiteError) in try insert.run(blob: bytes, at: 3) }
    return path
  }

  @Test("Steps have names of their own")
  func names() {
    #expect(Set(LedgerSchema.steps.map(\.name)).count == LedgerSchema.steps.count)
    #expect(LedgerSchema.steps.first?.name == "first tables")
  }

  /// Every table, column and index, in words.
  private func shape(_ database: SQLiteConnection) throws -> [String] {
    let rows = try database.prepare(
      """
      SELECT words FROM (
        SELECT t.name || ' ' || t.wr || ' ' || t.strict || ' ' || c.cid || ' ' || c.name || ' '
          || c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '-') || ' ' || c.pk
          AS words
        FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c WHERE t.schema = 'main'
        UNION ALL
        SELECT t.name || ' ' || i.name || ' ' || i."unique" || ' ' || i.origin || ' ' || i.partial
          || ' ' || c.seqno || ' ' || coalesce(c.name, '-') || ' ' || c.desc || ' '
          || coalesce((SELECT substr(sql, instr(sql, ' WHERE ')) FROM sqlite_schema s
            WHERE s.name = i.name AND i.partial), '')
        FROM pragma_table_list t JOIN pragma_index_list(t.name) i JOIN pragma_index_xinfo(i.name) c
        WHERE t.schema = 'main')
      ORDER BY 1
      """)
    var words: [String] = []
    while try rows.step() { words.append(rows.text(0)) }
    return words
  }

  @Test(
    "A ledger of any older version becomes one of the newest, and holds what it held",
    arguments: 1..<LedgerSchema.steps.count)
  func migrated(steps: Int) throws {
    let folder = try TemporaryFolder()
    let path = try old(folder, steps: steps)
    for _ in 1...2 {
      let ledger = try Ledger(.file(path), waitMilliseconds: 0)
      #expect(try ledger.schemaVersion() == LedgerSchema.version)
      #expect(try ledger.settings()?.zones.map(\.name) == ["America/New_York"])
      #expect(try ledger.pumps().map(\.label.modelName) == ["model"])
      #expect(try ledger.events() == ["0/7@1000:279 0"])
      #expect(try ledger.kind() == .events)
      var check = LedgerRowCheck(ledger)
      #expect(try check.integrity() + check.documents() == [])
      #expect(try check.journal(of: ledger.pumps()[0]) == [])
    }
  }

  @Test("The tables of a migrated ledger are those of a new one")
  func sameTables() throws {
    let folder = try TemporaryFolder()
    let migrated = try Ledger(.file(try old(folder, steps: 1)), waitMilliseconds: 0)
    let new = try Ledger.temporary()
    let (old, made) = (try shape(migrated.database), try shape(new.database))
    #expect(made.count > 200)
    #expect(Set(made).subtracting(old).sorted() == [] && Set(old).subtracting(made).sorted() == [])
    #expect(try migrated.database.text("SELECT value FROM settings WHERE name = 'id'")?.count == 32)
    #expect(try new.database.text("SELECT value FROM settings WHERE name = 'id'")?.count == 32)
  }

  @Test("Meals that Tidepool's boluses told become rows of their own, those of others stay")
  func apartMeals() throws {
    let folder = try TemporaryFolder()
    let step = try #require(LedgerSchema.steps.firstIndex { $0.name == "meals apart" })
    let path = try old(folder, steps: step)
    try SQLiteConnection(.file(path)).execute(
      """
      INSERT INTO export_rows (
        pump, section, source, time, ordinal, document, normal, carbohydrate, asked_at, flags, name)
      VALUES (1, 0, 3, 1000, 0, 1, 2350, 30000, 970, 0, 77),
        (1, 0, 3, 1010, 0, 1, 1000, 20000, 970, 0, 78), (1, 0, 3, 2000, 0, 1, 500, 10000, NULL, 0, 79),
        (1, 0, 3, 3000, 0, 1, 500, NULL, NULL, 0, 80), (1, 0, 4, 1000, 0, 1, 2350, 30000, NULL, 0, 81);
      """)
    let ledger = try Ledger(.file(path), waitMilliseconds: 0)
    let rows = try ledger.database.prepare(
      """
      SELECT section || ' ' || time || ' ' || ordinal || ' ' || name || ' '
        || coalesce(carbohydrate, '-') || ' ' || coalesce(asked_at, '-')
      FROM export_rows ORDER BY name, section
      """)
    var found: [String] = []
    while try rows.step() { found.append(rows.text(0)) }
    #expect(
      found == [
        "0 1000 0 77 - -", "4 970 0 77 30000 -", "0 1010 0 78 - -", "4 970 1 78 20000 -",
        "0 2000 0 79 - -", "4 2000 0 79 10000 -", "0 3000 0 80 - -", "0 1000 0 81 30000 -",
      ])
  }

  @Test("Before documents' words were kept, all documents of a pump count as having named it")
  func backfilled() throws {
    let folder = try TemporaryFolder()
    let ledger = try Ledger(.file(try old(folder, steps: 1)), waitMilliseconds: 0)
    let words = try ledger.database.prepare(
      "SELECT document, assignment, serial FROM document_pumps")
    #expect(try words.step())
    #expect(words.int64(0) == 1 && words.text(1) == "A" && words.text(2) == "90000001")
    #expect(try !words.step())
  }
}
