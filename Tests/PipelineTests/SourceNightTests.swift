@testable import Deduplicate
import Platform
import PumpModel
import TestSupport
import Testing

@testable import Pipeline

/// A nightly run for a pump of which tables and services are known too.
@Suite("A nightly run beside rows of several sources")
struct SourceNightTests {
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
      HarnessDocument(name: "rows of \(day.name)", rows: day.records.flatMap { Self.rows(of: $0) })
    }
  }

  /// What a table and two services tell of a bolus, and of another that no event tells.
  private static func rows(of record: PumpRecord) -> [ExportRow] {
    let event = PumpNormalization.event(record)
    guard case .bolusCompleted(.normal, _, _, let delivered, _) = event.payload else { return [] }
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: delivered, decimals: 3)
    return [ExportSource.csv, .tidepool, .nightscout].flatMap { source in
      [Int64(0), 5000].flatMap { later -> [ExportRow] in
        let time = event.time.wallSeconds + later + (source.tellsInstants ? 14_400 : 0)
        var row = ExportRow(
          source: source, pump: 1, time: time, place: UInt64(record.number) * 2,
          content: .bolus(bolus))
        if source.namesRecords { row.name = "r\(record.number)-\(later)" }
        if source.tellsMealsApart {
          var meal = row
          (meal.time, meal.place) = (row.time - 30, row.place + 1)
          meal.content = .meal(carbohydrate: 30_000)
          return [row, meal]
        }
        guard source == .nightscout, later == 0 else { return [row] }
        bolus.number = record.number
        row.content = .bolus(bolus)
        return [row]
      }
    }
  }

  /// A ledger of all days but the last, with their rows, of which most that is older than some days
  /// breaks the run that looks at it.
  private func ledger(damagedBefore day: Int64 = 8) throws -> (JournalHarness, old: Int64) {
    var settings = try newYork()
    settings.recordsPerSegment = 100
    let ledger = try JournalHarness(settings, at: folder.path + "/ledger")
    try ledger.run(Array(days.dropLast() + rows.dropLast()))
    #expect(ledger.whole == 1)
    let pieces = try count("SELECT count(*) FROM row_pieces")
    try folder.change(
      """
      UPDATE row_pieces SET digest = 1
        WHERE piece < (SELECT max(piece) FROM row_pieces) - \(day - 4);
      UPDATE row_counterparts SET checksum = 1
        WHERE piece < (SELECT max(piece) FROM row_pieces) - \(day - 3);
      UPDATE export_rows SET normal = normal + 1000
        WHERE time < (SELECT max(time) FROM export_rows) - \(day - 2) * 86400;
      UPDATE counterparts SET checksum = 1
        WHERE last_time < (SELECT max(last_time) FROM counterparts) - \(day + 1) * 86400;
      """)
    let old = try count(Self.untouched)
    #expect(old > pieces / 3)
    return (ledger, old)
  }

  private static let untouched = "SELECT count(*) FROM row_pieces WHERE digest = 1"

  private func count(_ sql: String) throws -> Int64 {
    try SQLiteConnection(.file(folder.path + "/ledger")).integer(sql) ?? -1
  }

  private func expect(_ ledger: JournalHarness, toHold runs: [HarnessDocument]...) throws {
    let fresh = try JournalHarness(try newYork())
    for documents in runs { try fresh.run(documents) }
    #expect(firstDifference(try ledger.content(), try fresh.content()) == nil)
  }

  @Test(
    "A night of records, or of rows, or of both makes the rows of that night anew and no others",
    arguments: [(true, false), (false, true), (true, true)])
  func touchesItsNight(hasRecords: Bool, hasRows: Bool) throws {
    let (ledger, old) = try ledger()
    var night: [HarnessDocument] = []
    if hasRecords { night.append(days[19]) }
    if hasRows { night.append(rows[19]) }
    try ledger.run(night)
    #expect(ledger.inRanges == 1)
    #expect(try count(Self.untouched) == old)
    try expect(ledger, toHold: Array(days.dropLast() + rows.dropLast()) + night)
  }

  @Test("Where services tell all again with a night more, only rows of the night are made anew")
  func growingExports() throws {
    var settings = try newYork()
    settings.recordsPerSegment = 100
    let ledger = try JournalHarness(settings, at: folder.path + "/ledger")
    try ledger.run(Array(days.dropLast() + rows.dropLast()))
    try folder.change(
      "UPDATE row_pieces SET digest = 1 WHERE piece < (SELECT max(piece) FROM row_pieces) - 4")
    let old = try count(Self.untouched)
    try ledger.run([HarnessDocument(name: "all", rows: rows.flatMap(\.rows))])
    #expect(ledger.inRanges == 1)
    #expect(try old > 30 && count(Self.untouched) == old)
    // The same again says nothing new.
    try ledger.run([HarnessDocument(name: "reversed", rows: rows.reversed().flatMap(\.rows))])
    #expect(ledger.inRanges == 1 && ledger.whole == 1)
    try expect(ledger, toHold: Array(days.dropLast()) + rows)
  }

  @Test(
    "A record that a person corrected touches the days where it stood and stands alone",
    arguments: [9 * 86_400 + 700, 0] as [Int64])
  func corrected(shift: Int64) throws {
    var settings = try newYork()
    settings.recordsPerSegment = 100
    let ledger = try JournalHarness(settings, at: folder.path + "/ledger")
    try ledger.run(days + rows)
    let record = try #require(
      rows[3].rows.first { $0.source == .nightscout && $0.name?.hasSuffix("-5000") == true })
    var other = record.shifted(by: shift)
    if shift == 0, case .bolus(var bolus) = other.content {
      bolus.normal?.amount += 1000
      other.content = .bolus(bolus)
    }
    let correction = HarnessDocument(name: "corrected", rows: [other])
    let day = record.time / 86_400
    // Beside them, pieces are read to see that these give what they gave.
    try folder.change(
      """
      UPDATE row_pieces SET digest = 1
        WHERE abs(piece - \(day)) > 3 AND abs(piece - \(day) - 9) > 3;
      """)
    let old = try count(Self.untouched)
    #expect(old > 15)
    try ledger.run([correction])
    #expect(ledger.inRanges == 1)
    #expect(try count(Self.untouched) == old)
    try expect(ledger, toHold: days + rows, [correction])
  }

  @Test(
    "What rows alone tell, and is not as it was, stops the run that it matters to",
    arguments: [
      "UPDATE row_counterparts SET checksum = checksum + 1",
      "DELETE FROM row_counterparts",
    ])
  func damage(sql: String) throws {
    let ledger = try JournalHarness(try newYork(), at: folder.path + "/ledger")
    try ledger.run(Array(days.dropLast()) + rows)
    let before = try ledger.content()
    try folder.change(sql)
    #expect(throws: LedgerError.self) { try ledger.run([days[19]]) }
    #expect(firstDifference(try ledger.content(), before) == nil)
  }
}
