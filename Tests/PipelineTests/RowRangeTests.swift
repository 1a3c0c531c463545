@testable import Deduplicate
import Platform
import PumpModel
import TestSupport
import Testing

@testable import Pipeline

/// Of rows of exports too only those are normalized that something new can have changed, and the
/// result is that of the whole.
@Suite("Normalizing only the rows that changed")
struct RowRangeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "After every import of rows or records the ledger holds what everything from nothing gives",
    arguments: RunSeeds.first(6))
  func everyImport(seed: UInt64) throws {
    var history = try RowHistory(seed: seed)
    let documents = history.documents()
    let ledger = try JournalHarness(history.settings, at: folder.path + "/ledger")
    for count in 1...documents.count {
      try ledger.run([documents[count - 1]])
      let fresh = try JournalHarness(history.settings)
      try fresh.runFromNothing(Array(documents.prefix(count)))
      let name = "\(history.describe), import \(count) of \(documents.count)"
      let difference = firstDifference(try ledger.content(), try fresh.content())
      #expect(difference == nil, "\(name)")
      let pump = try #require(try ledger.ledger.pumps().first)
      let comparison = LedgerComparison(of: pump, in: ledger.ledger, with: fresh.ledger)
      #expect(try comparison.samples() + comparison.others() == [], "\(name)")
      #expect(try LedgerRowCheck(ledger.ledger).pieces(of: pump) == [], "\(name)")
      guard difference == nil else { return }
    }
  }

  @Test(
    "Doses and rows that chains join across midnights are matched as from nothing",
    arguments: RunSeeds.first(20))
  func chains(seed: UInt64) throws {
    var chains = RowChains(seed: seed)
    let documents = chains.documents()
    let ledger = try JournalHarness(try newYork(), at: folder.path + "/ledger")
    for count in 1...documents.count {
      try ledger.run([documents[count - 1]])
      let fresh = try JournalHarness(try newYork())
      try fresh.runFromNothing(Array(documents.prefix(count)))
      let difference = firstDifference(try ledger.content(), try fresh.content())
      #expect(difference == nil, "\(chains.describe), import \(count) of \(documents.count)")
      guard difference == nil else { return }
    }
    #expect(ledger.inRanges > 0, "\(chains.describe)")
  }

  @Test("A new row that takes a dose changes the last row of a chain, which is of another day")
  func longChain() throws {
    let noon = CivilTime.days(year: 2026, month: 5, day: 14) * 86_400 + 43_200
    let ledger = try JournalHarness(try newYork(), at: folder.path + "/ledger")
    func row(_ name: String, day: Int64, endingAt seconds: Int64) -> HarnessDocument {
      var bolus = RowBolus()
      bolus.extended = RowDose(amount: 1000, decimals: 2)
      bolus.span = noon + seconds - 600...noon + seconds
      return HarnessDocument(
        name: name,
        rows: [
          ExportRow(
            source: .csv, pump: 1, time: noon - day * 86_400, place: 1, content: .bolus(bolus))
        ])
    }
    let documents = [
      HarnessDocument(
        name: "records",
        records: [
          RowChains.record(1, noon - 50, true, 1000), RowChains.record(2, noon + 30, true, 1000),
        ]),
      row("second", day: 5, endingAt: -10), row("third", day: 3, endingAt: 80),
    ]
    for document in documents { try ledger.run([document]) }
    let third = "csv-\(noon - 3 * 86_400 - PumpTime.epochInUnixSeconds)-0"
    #expect(try !ledger.content().contains { $0.contains(third) })
    // The first takes a dose from the second, and the second one from the third.
    try ledger.run([row("first", day: 7, endingAt: -90)])
    #expect(try ledger.content().contains { $0.contains(third) })
    #expect(ledger.whole == 2)
  }

  @Test("Most imports of histories with rows are normalized in ranges, be they of several sources")
  func variety() throws {
    var inRanges = 0
    var whole = 0
    for seed in 1...12 as ClosedRange<UInt64> {
      var history = try RowHistory(seed: seed)
      let ledger = try JournalHarness(history.settings, at: folder.path + "/ledger-\(seed)")
      for document in history.documents() { try ledger.run([document]) }
      inRanges += ledger.inRanges
      whole += ledger.whole
    }
    #expect(inRanges > whole)
  }
}

/// A nightly run for a pump of which tables are known too.
@Suite("A nightly run beside rows of exports")
struct RowNightTests {
  private let folder: TemporaryFolder
  private let days: [HarnessDocument]
  /// The rows of each day.
  private let rows: [HarnessDocument]

  init() throws {
    folder = try TemporaryFolder()
    var options = SyntheticPump.Options(days: 20)
    options.hasSensor = false
    days = try quietDays(options)
    rows = days.map { day in
      HarnessDocument(
        name: "rows of \(day.name)", rows: day.records.compactMap { Self.row(of: $0) })
    }
  }

  /// The row of a bolus.
  private static func row(of record: PumpRecord) -> ExportRow? {
    let event = PumpNormalization.event(record)
    guard case .bolusCompleted(.normal, _, _, let delivered, _) = event.payload else { return nil }
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: delivered, decimals: 3, status: "completed")
    return ExportRow(
      source: .csv, pump: 1, time: event.time.wallSeconds, place: UInt64(record.number),
      content: .bolus(bolus))
  }

  /// A ledger of all days but the last, with their rows.
  private func ledger() throws -> JournalHarness {
    var settings = try newYork()
    settings.recordsPerSegment = 100
    let ledger = try JournalHarness(settings, at: folder.path + "/ledger")
    try ledger.run(Array(days.dropLast() + rows.dropLast()))
    #expect(ledger.whole == 1)
    return ledger
  }

  private func count(_ sql: String) throws -> Int64 {
    try SQLiteConnection(.file(folder.path + "/ledger")).integer(sql) ?? -1
  }

  @Test(
    "A night of records, or of rows, or of both makes the rows of that night anew and no others",
    arguments: [(true, false), (false, true), (true, true)])
  func touchesItsNight(hasRecords: Bool, hasRows: Bool) throws {
    let ledger = try ledger()
    // What is looked at is found to be other than it was.
    let days = try count("SELECT count(*) FROM row_pieces")
    try folder.change(
      """
      UPDATE row_pieces SET digest = 1 WHERE piece < (SELECT max(piece) FROM row_pieces) - 3;
      UPDATE export_rows SET normal = normal + 1000
        WHERE time < (SELECT max(time) FROM export_rows) - 5 * 86400;
      UPDATE counterparts SET checksum = 1
        WHERE last_time < (SELECT max(last_time) FROM counterparts) - 9 * 86400;
      """)
    let old = try count("SELECT count(*) FROM row_pieces WHERE digest = 1")
    #expect(old > days / 2)
    var night: [HarnessDocument] = []
    if hasRecords { night.append(self.days[19]) }
    if hasRows { night.append(rows[19]) }
    try ledger.run(night)
    #expect(ledger.inRanges == 1)
    #expect(try count("SELECT count(*) FROM row_pieces WHERE digest = 1") == old)
    let fresh = try JournalHarness(try newYork())
    try fresh.run(Array(self.days.dropLast() + rows.dropLast()) + night)
    #expect(firstDifference(try ledger.content(), try fresh.content()) == nil)
  }

  @Test("Where an export tells all again with a night more, only rows of the night are made anew")
  func growingExport() throws {
    let ledger = try ledger()
    try folder.change(
      "UPDATE row_pieces SET digest = 1 WHERE piece < (SELECT max(piece) FROM row_pieces) - 3")
    let old = try count("SELECT count(*) FROM row_pieces WHERE digest = 1")
    try ledger.run([HarnessDocument(name: "all", rows: rows.flatMap(\.rows))])
    #expect(ledger.inRanges == 1)
    #expect(try old > 10 && count("SELECT count(*) FROM row_pieces WHERE digest = 1") == old)
    // The same again says nothing new.
    try ledger.run([HarnessDocument(name: "reversed", rows: rows.reversed().flatMap(\.rows))])
    #expect(ledger.inRanges == 1 && ledger.whole == 1)
    let fresh = try JournalHarness(try newYork())
    try fresh.run(Array(days.dropLast()) + rows)
    #expect(firstDifference(try ledger.content(), try fresh.content()) == nil)
  }

  @Test("A pump whose rows an older version kept without pieces is normalized whole once")
  func withoutPieces() throws {
    let ledger = try ledger()
    try folder.change(
      """
      UPDATE normalized SET knows_rows = 0, checksum = NULL;
      DELETE FROM row_pieces; DELETE FROM row_day_parts; DELETE FROM counterparts;
      """)
    let fresh = try JournalHarness(try newYork())
    try fresh.runFromNothing(Array(days.dropLast() + rows.dropLast()))
    let pump = try #require(try ledger.ledger.pumps().first)
    let comparison = LedgerComparison(of: pump, in: ledger.ledger, with: fresh.ledger)
    #expect(try comparison.samples() + comparison.others() == [])
    try ledger.run([rows[19]])
    try ledger.run([days[19]])
    #expect(ledger.whole == 2 && ledger.inRanges == 1)
    try fresh.run([rows[19], days[19]])
    #expect(firstDifference(try ledger.content(), try fresh.content()) == nil)
  }

  @Test(
    "What came of rows, or stands beside them, and is not as it was stops the run",
    arguments: [
      "UPDATE row_pieces SET digest = digest + 1",
      "INSERT INTO row_day_parts SELECT 1, 0, piece - 5, day, 0, 1, 0, 0, 0, within, 0, 1 "
        + "FROM row_day_parts",
      "UPDATE counterparts SET checksum = checksum + 1",
      "DELETE FROM counterparts",
    ])
  func damage(sql: String) throws {
    let ledger = try ledger()
    // Rows of a day that no record tells.
    try ledger.run([rows[19]])
    let before = try ledger.content()
    try folder.change(sql)
    #expect(throws: LedgerError.self) { try ledger.run([days[19]]) }
    #expect(firstDifference(try ledger.content(), before) == nil)
  }
}
