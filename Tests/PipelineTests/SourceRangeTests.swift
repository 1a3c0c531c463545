@testable import Deduplicate
import Platform
import PumpModel
import TestSupport
import Testing

@testable import Pipeline

/// Rows of several sources, and of third parties, are normalized where something new can have changed
/// what came of them, and the result is that of the whole.
@Suite("Normalizing only what changed of rows of several sources")
struct SourceRangeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Doses and rows that chains join across sources, days and ids are matched as from nothing",
    arguments: RunSeeds.first(24))
  func chains(seed: UInt64) throws {
    var chains = SourceChains(seed: seed)
    let documents = chains.documents()
    var settings = try newYork()
    settings.derivesBasal = seed % 2 == 0
    let whole = settings
    settings.rowsPerChunk = [1, 2, 3, 256][Int(seed % 4)]
    let ledger = try JournalHarness(settings, at: folder.path + "/ledger")
    for count in 1...documents.count {
      try ledger.run([documents[count - 1]])
      let fresh = try JournalHarness(whole)
      try fresh.runFromNothing(Array(documents.prefix(count)))
      let name = "\(chains.describe), import \(count) of \(documents.count)"
      let difference = firstDifference(try ledger.content(), try fresh.content())
      #expect(difference == nil, "\(name)")
      for pump in try ledger.ledger.pumps() {
        let comparison = LedgerComparison(of: pump, in: ledger.ledger, with: fresh.ledger)
        #expect(try comparison.samples() + comparison.others() == [], "\(name)")
        #expect(try LedgerRowCheck(ledger.ledger).pieces(of: pump) == [], "\(name)")
      }
      guard difference == nil else { return }
    }
    #expect(ledger.inRanges > 0, "\(chains.describe)")
  }
}

extension SourceRangeTests {
  /// A row of a service with an extended part of unknown length, so many seconds after noon.
  private func extended(_ source: ExportSource, at seconds: Int64) -> HarnessDocument {
    let noon = CivilTime.days(year: 2026, month: 5, day: 14) * 86_400 + 43_200
    let time = noon + seconds + (source.tellsInstants ? 14_400 : 0)
    var bolus = RowBolus()
    bolus.extended = RowDose(amount: 3000, decimals: 2)
    bolus.span = time...time
    var row = ExportRow(source: source, pump: 1, time: time, place: 1, content: .bolus(bolus))
    row.name = source.namesRecords ? "a" : nil
    return HarnessDocument(name: source.word, rows: [row])
  }

  @Test(
    "An extended part of which one service tells one end, and another the other, is one",
    arguments: [-32_400, -28_800, 28_800, 32_400], [true, false])
  func bothEnds(seconds: Int64, isFirst: Bool) throws {
    let ledger = try JournalHarness(try newYork(), at: folder.path + "/ledger")
    var documents = [extended(.glooko, at: 0), extended(.tidepool, at: seconds)]
    if isFirst { documents.reverse() }
    for document in documents { try ledger.run([document]) }
    #expect(try ledger.content().filter { $0.contains(":extended ") }.count == 1)
    // Too far from either end to be the same.
    let other = try JournalHarness(try newYork())
    try other.run([extended(.glooko, at: 0), extended(.tidepool, at: 32_461)])
    #expect(try other.content().filter { $0.contains(":extended ") }.count == 2)
  }
}

extension SourceRangeTests {
  /// 2026-05-14T20:00:00 in New York, where a day of UTC ends, on the pump's clock.
  private var evening: Int64 { CivilTime.days(year: 2026, month: 5, day: 14) * 86_400 + 72_000 }

  /// A row with a bolus at once, so many seconds after the evening.
  private func row(
    _ source: ExportSource, at seconds: Int64, _ amount: UInt32, name: String,
    number: UInt32? = nil
  ) -> HarnessDocument {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 3)
    bolus.number = number
    let time = evening + seconds + (source.tellsInstants ? 14_400 : 0)
    var row = ExportRow(source: source, pump: 1, time: time, place: 1, content: .bolus(bolus))
    row.name = source.namesRecords ? name : nil
    return HarnessDocument(name: name, rows: [row])
  }

  /// Runs imports one after the other, each of which must give what all from nothing do, and the last of
  /// which must be normalized in ranges.
  private func expectSame(_ documents: [HarnessDocument]) throws -> [String] {
    let ledger = try JournalHarness(try newYork(), at: folder.path + "/ledger")
    var before = 0
    for count in 1...documents.count {
      before = ledger.inRanges
      try ledger.run([documents[count - 1]])
      let fresh = try JournalHarness(try newYork())
      try fresh.runFromNothing(Array(documents.prefix(count)))
      #expect(firstDifference(try ledger.content(), try fresh.content()) == nil, "import \(count)")
    }
    #expect(ledger.inRanges == before + 1)
    return try ledger.content()
  }

  @Test("A row that takes what a table tells changes a row of another day that had it")
  func toldJoins() throws {
    let content = try expectSame([
      row(.csv, at: 900, 1000, name: "table"), row(.tidepool, at: 600, 1000, name: "had"),
      row(.tidepool, at: -90_000, 2000, name: "another"),
      row(.tidepool, at: -300, 1000, name: "takes"),
    ])
    // Days between, and days behind.
    #expect(content.filter { $0.contains(":bolus ") }.count == 3)
  }

  @Test("What a table tells no more is another service's to tell, on another day too")
  func toldNoMore() throws {
    let content = try expectSame([
      HarnessDocument(
        name: "anchor", records: [RowChains.record(6, evening - 18_000, false, 5000)]),
      row(.csv, at: 900, 1000, name: "table"), row(.tidepool, at: -600, 1000, name: "service"),
      HarnessDocument(
        name: "records", records: [RowChains.record(7, evening + 930, false, 1000)]),
    ])
    #expect(content.filter { $0.contains(":bolus ") }.count == 3)
  }

  @Test(
    "A treatment moves when the log has another dose under its number",
    arguments: [[1000, 3000], [3000, 1000], [1000, 500], [500, 1000]] as [[UInt32]])
  func otherDose(amounts: [UInt32]) throws {
    _ = try expectSame([
      row(.nightscout, at: -18_000, 1000, name: "moves", number: 10),
      // They share a dose with it only where it is compared with the log's.
      HarnessDocument(
        name: "records",
        records: [
          RowChains.record(10, evening + 600, false, amounts[0]),
          RowChains.record(11, evening + 650, false, 1004),
        ]), row(.nightscout, at: 705, 1008, name: "stays"),
      HarnessDocument(
        name: "copy", records: [RowChains.record(10, evening + 600, false, amounts[1])]),
    ])
  }

  @Test("A treatment moves when the log's dose under its number was refused")
  func goneDose() throws {
    var refused = RowChains.record(10, evening + 600, false, 1000)
    refused.payload = .bolusCompleted(
      bolus: 10, status: BolusStatus.rejected, iob: 0, delivered: 1, requested: 1)
    let content = try expectSame([
      row(.nightscout, at: -18_000, 1000, name: "moves", number: 10),
      HarnessDocument(
        name: "records",
        records: [
          RowChains.record(9, evening - 3000, false, 5000),
          RowChains.record(10, evening + 600, false, 1000),
          RowChains.record(11, evening + 3000, false, 5000),
        ]), HarnessDocument(name: "copy", records: [refused]),
    ])
    #expect(content.filter { $0.contains(":bolus ") }.count == 3)
  }

  @Test("What rows of a day alone tell is kept, though they are compared after rows of the next")
  func comparedLate() throws {
    let documents = [
      row(.csv, at: -400_000, 1000, name: "table"), row(.nightscout, at: -600, 2000, name: "a"),
      row(.nightscout, at: 1800, 2500, name: "b"),
      // One of them has the dose.
      row(.nightscout, at: -30_000, 1000, name: "c", number: 10),
      row(.nightscout, at: -31_000, 1000, name: "d", number: 10),
      HarnessDocument(
        name: "records", records: [RowChains.record(10, evening + 40_000, false, 1000)]),
    ]
    var settings = try newYork()
    let fresh = try JournalHarness(settings)
    try fresh.run(documents)
    settings.rowsPerChunk = 1
    let ledger = try JournalHarness(settings, at: folder.path + "/ledger")
    try ledger.run(documents)
    let pump = try #require(try ledger.ledger.pumps().first)
    let comparison = LedgerComparison(of: pump, in: ledger.ledger, with: fresh.ledger)
    #expect(try comparison.samples() + comparison.others() == [])
    #expect(try ledger.content().filter { $0.contains(":bolus ") }.count == 5)
  }

  @Test("Where a record stood before, it is not taken for what holds elsewhere")
  func stoodBefore() throws {
    let content = try expectSame([
      HarnessDocument(
        name: "anchor", records: [RowChains.record(6, evening - 18_000, false, 5000)]),
      row(.nightscout, at: 0, 1000, name: "a"),
      HarnessDocument(
        name: "moved",
        rows: row(.nightscout, at: 400_000, 1000, name: "a").rows),
      row(.nightscout, at: 9000, 1000, name: "b"),
    ])
    #expect(content.filter { $0.contains(":bolus ") }.count == 3)
  }

  @Test("Rows that one dose joins are decided on together, however few are looked at together")
  func fewAtOnce() throws {
    var settings = try newYork()
    settings.rowsPerChunk = 1
    for source in [ExportSource.csv, .tidepool] {
      let ledger = try JournalHarness(settings)
      let rows = [0, 20, 40].flatMap { row(source, at: $0, 1000, name: "r\($0)").rows }
      try ledger.run([
        HarnessDocument(
          name: "all",
          records: [
            RowChains.record(7, evening - 20, false, 1000),
            RowChains.record(8, evening + 70, false, 1000),
          ], rows: rows)
      ])
      #expect(try ledger.content().filter { $0.contains(":bolus ") }.count == 3, "\(source)")
    }
  }

  @Test("Rows whose extended parts ended before those of rows that come earlier find their doses")
  func stepsBack() throws {
    var settings = try newYork()
    settings.rowsPerChunk = 1
    let ledger = try JournalHarness(settings)
    var rows: [ExportRow] = []
    for (place, end) in ([9000, 100, 4000] as [Int64]).enumerated() {
      var bolus = RowBolus()
      bolus.extended = RowDose(amount: 1000, decimals: 3)
      bolus.span = evening + end - 60...evening + end
      rows.append(
        ExportRow(
          source: .csv, pump: 1, time: evening + 20_000 + Int64(place) * 60, place: UInt64(place),
          content: .bolus(bolus)))
    }
    try ledger.run([
      HarnessDocument(
        name: "all",
        records: ([100, 4000, 9000] as [Int64]).enumerated().map { index, end in
          RowChains.record(UInt32(7 + index), evening + end, true, 1000)
        }, rows: rows)
    ])
    #expect(try ledger.content().filter { $0.contains(":extended ") }.count == 3)
  }

  @Test("More doses than a pump can give are compared with the whole")
  func crowded() throws {
    let ledger = try JournalHarness(try newYork(), at: folder.path + "/ledger")
    let crowd = HarnessDocument(
      name: "records",
      records: (0..<60).map { RowChains.record(UInt32(7 + $0), evening + Int64($0), false, 1000) })
    let documents = [
      crowd, row(.csv, at: 30, 1000, name: "first"), row(.csv, at: 31, 1000, name: "second"),
    ]
    for document in documents { try ledger.run([document]) }
    #expect(ledger.whole == 3)
    let fresh = try JournalHarness(try newYork())
    try fresh.runFromNothing(documents)
    #expect(firstDifference(try ledger.content(), try fresh.content()) == nil)
  }

  @Test("A rate that a record told, and tells no more, leaves its day to later sources")
  func otherRates() throws {
    var settings = try newYork()
    settings.derivesBasal = true
    func rate(_ source: ExportSource, at seconds: Int64, _ name: String) -> ExportRow {
      var row = row(source, at: seconds, 1000, name: name).rows[0]
      row.content = .rate(milliunitsPerHour: 700, seconds: 3600)
      return row
    }
    let documents = [
      HarnessDocument(name: "tidepool", rows: [rate(.tidepool, at: 0, "a")]),
      HarnessDocument(
        name: "nightscout",
        rows: [rate(.nightscout, at: 5000, "b"), rate(.nightscout, at: -90_000, "c")]),
      row(.tidepool, at: 0, 1000, name: "a"),
    ]
    let anchor = HarnessDocument(
      name: "anchor", records: [RowChains.record(6, evening - 500_000, false, 5000)])
    let ledger = try JournalHarness(settings, at: folder.path + "/ledger")
    for (index, document) in ([anchor] + documents).enumerated() {
      try ledger.run([
        HarnessDocument(name: "\(index)", records: document.records, rows: document.rows)
      ])
    }
    let fresh = try JournalHarness(settings)
    try fresh.runFromNothing(
      [anchor]
        + documents.enumerated().map {
          HarnessDocument(name: "\($0)", rows: $1.rows)
        })
    #expect(ledger.inRanges == 1)
    #expect(firstDifference(try ledger.content(), try fresh.content()) == nil)
  }
}
