import Normalize
import PumpModel
import TestSupport
import Testing

/// Where rows may be cut so that what is decided of those before does not depend on those behind.
@Suite("Rows that can be decided on")
struct SettledRowsTests {
  /// 2026-05-04T12:00:00 in New York.
  private let noon: Int64 = 1_777_896_000 + 14_400

  private func settled(
    _ rows: [(seconds: Int64, amount: UInt32)], with doses: [(ClosedRange<Int64>, UInt32)],
    before next: Int64
  ) throws -> Int {
    let normalizer = RowNormalizer(
      schedule: try #require(
        ZoneSchedule([ZoneSchedule.Entry(rules: TestZones.newYork, from: nil)])),
      concentration: .u100, makesGlucose: false, words: StatusWords())
    let rows = rows.enumerated().map { index, row in
      var bolus = RowBolus()
      bolus.normal = RowDose(amount: row.amount, decimals: 3)
      return NumberedRow(
        ExportRow(
          source: .tidepool, pump: 1, time: noon + row.seconds, place: 1, content: .bolus(bolus)),
        ordinal: 0, nameDigest: UInt64(index))
    }
    let doses = doses.map { span, amount in
      Counterpart(
        kind: .bolus, time: PumpTime(seconds: 0),
        instant: Instant(unixSeconds: noon + span.upperBound),
        begin: Instant(unixSeconds: noon + span.lowerBound), amount: amount,
        number: Counterpart.noNumber)
    }
    return normalizer.settled(rows, with: doses, before: noon + next)
  }

  @Test("Rows that no dose joins can be cut anywhere")
  func apart() throws {
    let rows: [(Int64, UInt32)] = [(0, 1000), (30, 2000), (60, 3000)]
    #expect(try settled(rows, with: [], before: 61) == 3)
    #expect(try settled(rows, with: [(0...0, 1000), (30...30, 2000)], before: 121) == 3)
  }

  @Test("Rows that a dose joins stay together, whatever lies between them")
  func joined() throws {
    let rows: [(Int64, UInt32)] = [(0, 500), (100, 1000), (300, 2000), (900, 1000), (2000, 500)]
    #expect(try settled(rows, with: [(160...840, 1000)], before: 2000) == 5)
    // A row that comes next may be joined with the last two.
    #expect(
      try settled(rows, with: [(160...840, 1000), (800...1940, 500)], before: 2000) == 4)
    #expect(try settled(rows, with: [(160...1940, 1000)], before: 2000) == 1)
    #expect(try settled(rows, with: [(160...1939, 1000)], before: 2000) == 5)
    #expect(try settled(rows, with: [(0...1940, 500)], before: 2000) == 0)
  }
}
