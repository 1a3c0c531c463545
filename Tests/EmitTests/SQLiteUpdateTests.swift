import Foundation
import Platform
import PumpModel
import Testing

@testable import Emit

/// A database that is brought up to date in its place.
@Suite struct SQLiteUpdateTests {
  private let folder: TestFolder
  private let path: String
  private static let first = SQLiteStanding(ledger: "L.0", change: 7, shows: "all")

  /// A database that shows a ledger up to change 7.
  init() throws {
    folder = try TestFolder()
    path = folder.file("out.sqlite")
    let sink = try SQLiteSink(
      .file(path), context: try Fixture.context, standing: Self.first)
    try sink.write(Fixture.batch)
    try sink.write(events: Self.events(3))
    try sink.seal()
    try sink.publish()
  }

  private static func events(_ count: Int, named name: String = "SLEEP") -> [PumpEventRow] {
    (0..<count).map { number in
      PumpEventRow(
        pump: 0, at: Fixture.instant("2026-05-04T16:30:00") + Int64(number),
        reference: EventReference(number: UInt32(number), seconds: 9), eventID: 229,
        category: "mode", name: name, details: [.init(name: "mode", value: "1")])
    }
  }

  private func update(
    _ old: SQLiteStanding = first, _ body: (SQLiteUpdate) throws -> Void
  ) throws {
    let update = try SQLiteUpdate(
      path, context: try Fixture.context, expecting: old, waitMilliseconds: 0)
    try body(update)
  }

  private func number(_ sql: String) throws -> Int64? {
    try SQLiteConnection(.readOnlyFile(path)).integer(sql)
  }

  @Test func `removed, replaced and new samples, and days that basal is shared among`() throws {
    var changed = Fixture.batch
    changed.rows = Array(changed.rows[6...6])
    changed.rows[0].sample.end = Fixture.instant("2026-05-13T01:00:00")
    changed.rows[0].revision = 2
    var removed = Fixture.batch
    removed.rows = Array(removed.rows[0...1])
    #expect(try number("SELECT count(*) FROM basal_over_midnight") == 2)
    try update { update in
      try update.remove(removed)
      try update.write(changed)
      try update.write(events: Self.events(3))
      #expect(try update.commit(SQLiteStanding(ledger: "L.0", change: 9, shows: "all")) == 7)
    }
    #expect(try number("SELECT count(*) FROM samples WHERE revision = 2") == 1)
    #expect(try number("SELECT sum(amount) FROM basal_over_midnight") == 1_000_001)
    #expect(SQLiteStanding(at: path)?.change == 9)
    #expect(try folder.names == ["out.sqlite"])
  }

  @Test(arguments: [
    (3, "SLEEP"), (5, "SLEEP"), (2, "SLEEP"), (0, "SLEEP"), (4, "EXERCISE"),
  ])
  func `events end up as they were given, their ids without gaps`(
    count: Int, name: String
  ) throws {
    try update { update in
      try update.write(events: Self.events(count, named: name))
      _ = try update.commit(Self.first)
    }
    let rows = try number("SELECT count(*) FROM pump_events WHERE name = '\(name)'")
    #expect(rows == Int64(count))
    #expect(try number("SELECT count(*) FROM pump_events") == Int64(count))
    #expect(try number("SELECT coalesce(max(id), 0) FROM pump_events") == Int64(count))
  }

  @Test func `dropped before its end, an update leaves everything as it was`() throws {
    try update { update in
      try update.remove(Fixture.batch)
      try update.write(events: [])
    }
    #expect(try number("SELECT count(*) FROM samples") == 9)
    #expect(SQLiteStanding(at: path) == Self.first)
  }

  @Test func `a database that another program holds is busy, and one of another state too`() throws
  {
    let other = try SQLiteConnection(.file(path))
    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: OutputError.busy(path: path)) { try update { _ in } }
    try other.execute("COMMIT")
    let stranger = SQLiteStanding(ledger: "M.0", change: 7, shows: "all")
    #expect(throws: OutputError.busy(path: path)) { try update(stranger) { _ in } }
  }

  @Test func `what a dead update had begun is taken back before anything else`() throws {
    let dead = folder.file("dead.sqlite")
    do {
      let writer = try SQLiteConnection(.file(path))
      // So small a cache that changed pages reach the file before the end.
      try writer.execute(
        """
        PRAGMA cache_size = 2; BEGIN; DELETE FROM samples; DELETE FROM pump_events;
        CREATE TABLE filler (bytes BLOB);
        INSERT INTO filler SELECT zeroblob(20000) FROM (VALUES (1), (2), (3), (4), (5), (6));
        """)
      for end in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + end, toPath: dead + end)
      }
      try writer.execute("ROLLBACK")
    }
    #expect(SQLiteFile.hasJournal(besides: dead))
    try SQLiteSink.check(.file(dead))
    #expect(!SQLiteFile.hasJournal(besides: dead))
    let database = try SQLiteConnection(.readOnlyFile(dead))
    #expect(try database.integer("SELECT count(*) FROM samples") == 9)
    #expect(SQLiteStanding(at: dead) == Self.first)
    // One that is being written to is refused.
    let writer = try SQLiteConnection(.file(path))
    try writer.execute("BEGIN; DELETE FROM samples;")
    #expect(throws: OutputError.self) { try SQLiteSink.check(.file(path)) }
  }

  @Test func `what shows no ledger has no standing`() throws {
    let plain = folder.file("plain.sqlite")
    let sink = try SQLiteSink(.file(plain), context: try Fixture.context)
    try sink.seal()
    try sink.publish()
    #expect(SQLiteStanding(at: plain) == nil)
    #expect(SQLiteStanding(at: folder.file("missing.sqlite")) == nil)
    try Data("no database".utf8).write(to: URL(fileURLWithPath: folder.file("x.sqlite")))
    #expect(SQLiteStanding(at: folder.file("x.sqlite")) == nil)
  }
}
