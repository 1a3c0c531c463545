import Foundation
import Platform
import PumpModel
import TestSupport
import Testing

@testable import Emit

@Suite struct SQLiteSinkTests {
  private func database(
    _ samples: [(sample: Sample, pump: Int)], events: [PumpEventRow] = [], in folder: TestFolder
  ) throws -> SQLiteConnection {
    let path = folder.file("out.sqlite")
    let sink = try SQLiteSink(.file(path), context: try Fixture.context)
    try sink.write(Fixture.batch(of: samples))
    try sink.write(events: events)
    try sink.seal()
    try sink.publish()
    return try SQLiteConnection(.readOnlyFile(path))
  }

  @Test func `every sample is a row`() throws {
    let folder = try TestFolder()
    let database = try database(Fixture.samples, in: folder)
    #expect(try database.integer("SELECT count(*) FROM samples") == 9)
    let row = try database.text(
      """
      SELECT external_id || ' ' || device || ' ' || type || ' ' || amount
        || ' ' || value || ' ' || unit || ' ' || start_utc || ' ' || end_utc || ' '
        || (end_epoch - start_epoch) || ' ' || start_local || ' ' || zone || ' ' || revision
        || ' ' || metadata FROM samples WHERE amount = 2083
      """)
    #expect(
      row == """
        tandem:90556643:15-578752270:bolus 90556643 insulin.bolus 2083 2.083 IU \
        2026-05-04T16:31:10Z 2026-05-04T16:33:02Z 112 2026-05-04T12:31:10-04:00 \
        America/New_York 1 {"automatic":"true","deliveredBy":"eatingSoon","inferred":"true",\
        "override":"true","part":"normal","requested":"4","status":"userAborted"}
        """)
    #expect(try folder.names == ["out.sqlite"])
  }

  @Test(arguments: [0, 1, 15, 16, 17, 100])
  func `no row is lost, however many there are`(count: Int) throws {
    let folder = try TestFolder()
    let samples = (0..<count).map { number in
      let kind: SampleKind = number % 3 == 0 ? .bolus : .carbs
      let sample = Fixture.sample(
        kind, UInt32(number), "2026-05-04T16:30:00", amount: Int64(number))
      return (sample, number % 2)
    }
    let database = try database(samples, in: folder)
    #expect(try database.integer("SELECT count(*) FROM samples") == Int64(count))
    let wrong = """
      SELECT count(*) FROM samples WHERE amount != CAST(replace(substr(external_id,
        length('tandem:' || device || ':') + 1), '-', '.') AS INTEGER)
        OR (type = 'insulin.bolus') != (amount % 3 = 0)
        OR (unit = 'IU') != (amount % 3 = 0) OR (device = '90556643') != (amount % 2 = 0)
      """
    #expect(try database.integer(wrong) == 0)
  }

  @Test func `daily totals cut basal at local midnight and are exact`() throws {
    let folder = try TestFolder()
    let database = try database(Fixture.samples, in: folder)
    // 23:00 to 01:00 in Paris.
    let basal = "SELECT basal_iu FROM daily_totals WHERE device = '90556643' AND day = "
    #expect(try database.text(basal + "'2026-05-12'") == "0.5")
    #expect(try database.text(basal + "'2026-05-13'") == "0.500001")
    #expect(try database.text(basal + "'2026-05-04'") == "0.070833")
    #expect(
      try database.text("SELECT bolus_iu FROM daily_totals WHERE day = '2026-05-04'") == "5.083")
    #expect(try database.text("SELECT sum(carbs_g) FROM daily_totals") == "62.5")
    #expect(try database.integer("SELECT count(*) FROM daily_totals") == 4)
  }

  @Test func `basal that ends at midnight is its own day's`() throws {
    let folder = try TestFolder()
    let sample = Fixture.sample(
      .basal, 1, "2026-05-05T03:00:00", "2026-05-05T04:00:00", amount: 800_000)
    let database = try database([(sample, 0)], in: folder)
    #expect(
      try database.text("SELECT day || ' ' || basal_iu FROM daily_totals") == "2026-05-04 0.8")
    #expect(try database.integer("SELECT count(*) FROM basal_over_midnight") == 0)
  }

  @Test func `pump events are rows`() throws {
    let folder = try TestFolder()
    let event = PumpEventRow(
      pump: 0, at: Fixture.instant("2026-05-04T16:00:00"),
      reference: EventReference(number: 7, seconds: 99), eventID: 11, category: "suspension",
      name: "PUMPING_SUSPENDED", details: [.init(name: "reason", value: "say \"user\"")])
    let database = try database([], events: [event], in: folder)
    #expect(
      try database.text("SELECT json_extract(details, '$.reason') FROM pump_events")
        == "say \"user\"")
    #expect(
      try database.text("SELECT at_local || ' ' || sequence FROM pump_events")
        == "2026-05-04T12:00:00-04:00 7")
  }

  @Test func `an own database is replaced, another one is refused`() throws {
    let folder = try TestFolder()
    _ = try database(Fixture.samples, in: folder)
    _ = try database([], in: folder)
    let foreign = folder.file("foreign.db")
    try SQLiteConnection(.file(foreign)).execute("CREATE TABLE t (x); PRAGMA user_version = 3;")
    let text = folder.file("text.db")
    try Data("not a database at all".utf8).write(to: URL(fileURLWithPath: text))
    for path in [foreign, text] {
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(throws: OutputError.self) {
        _ = try SinkFormat.sqlite.open(
          .file(path), context: try Fixture.context, options: AppleHealthOptions(version: "1"))
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
    #expect(try folder.names == ["foreign.db", "out.sqlite", "text.db"])
  }

  @Test func `shares of days add up to the amount`() throws {
    let days = LocalDays(try Fixture.schedule)
    let seed = UInt64.random(in: 0 ... .max)
    var random = TestRandom(seed: seed)
    for _ in 0..<500 {
      let start =
        Fixture.instant("2026-01-01T00:00:00") + .random(in: 0..<31_536_000, using: &random)
      let end = start + .random(in: 1..<400_000, using: &random)
      let amount = Int64.random(in: 0..<9_000_000_000, using: &random)
      let shares = days.shares(of: amount, from: start, to: end)
      #expect(shares.reduce(0) { $0 + $1.amount } == amount, "seed \(seed)")
      #expect(shares.allSatisfy { $0.amount >= 0 }, "seed \(seed)")
    }
  }
}
