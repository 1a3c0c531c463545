import Normalize
import PumpModel
import TestSupport
import Testing

/// N5, N6, N7, N10: what rows of exports become, beside events that tell the same.
@Suite("Rows of exports")
struct RowTests {
  /// 2026-05-04T12:00:00 on the pump's clock, as seconds since 1970.
  private let noon: Int64 = 1_777_896_000

  private func row(
    _ source: ExportSource = .csv, at seconds: Int64 = 0, ordinal: UInt32 = 0,
    _ edit: (inout RowBolus) -> Void
  ) -> NumberedRow {
    var bolus = RowBolus()
    edit(&bolus)
    return NumberedRow(
      ExportRow(
        source: source, pump: 1, time: noon + seconds, place: 1, content: .bolus(bolus)),
      ordinal: ordinal)
  }

  private func dose(
    _ amount: UInt32, at seconds: Int64 = 0, kind: SampleKind = .bolus, offset: Int64 = -14_400
  ) -> Counterpart {
    Counterpart(
      kind: kind, time: PumpTime(seconds: UInt32(noon + seconds - PumpTime.epochInUnixSeconds)),
      instant: Instant(unixSeconds: noon + seconds - offset), amount: amount, number: 1)
  }

  private func result(
    _ rows: [NumberedRow], with counterparts: [Counterpart] = [],
    concentration: Concentration = .u100, makesGlucose: Bool = false
  ) throws -> (texts: [String], account: RowAccount, days: [DayPart]) {
    var words = StatusWords()
    words.add("Stopped", code: StatusWords.firstCode)
    var normalizer = RowNormalizer(
      schedule: try #require(
        ZoneSchedule([ZoneSchedule.Entry(rules: TestZones.newYork, from: nil)])),
      concentration: concentration,
      makesGlucose: makesGlucose, words: words)
    var batch = NormalizedBatch()
    normalizer.process(rows, with: counterparts, into: &batch)
    let texts = batch.samples.map { sample in
      let from = sample.start.unixSeconds - noon - 14_400
      let until = sample.end.unixSeconds - noon - 14_400
      let status = sample.metadata.status.map { " " + words.text($0) } ?? ""
      return "\(sample.identity.text(pump: "P")) \(sample.amount) \(from)–\(until)\(status)"
    }
    let (account, days) = sum(of: normalizer.takePieces())
    return (texts, account, days)
  }

  @Test("A bolus row is a dose at its completion and a meal at its request")
  func bolusAndMeal() throws {
    let found = try result([
      row {
        $0.normal = RowDose(amount: 2350, decimals: 2, status: "completed")
        $0.carbohydrate = 48_000
        $0.requestTime = noon - 300
      }
    ])
    #expect(
      found.texts == [
        "tandem:P:csv-578750400-0:bolus 2350 0–0 completed",
        "tandem:P:csv-578750400-0:carbs 48000 -300–-300",
      ])
    #expect(found.days.map(\.bolus) == [2350] && found.days.map(\.carbohydrate) == [48_000])
    #expect(found.account.unmatched == 1 && found.account.matched == 0)
  }

  @Test("An extended part has the times of the file, and words of a status stay as they are")
  func extended() throws {
    let found = try result([
      row {
        $0.normal = RowDose(amount: 0, decimals: 2)
        $0.extended = RowDose(amount: 3000, decimals: 2, status: "Stopped")
        $0.span = noon...noon + 7200
      }
    ])
    #expect(found.texts == ["tandem:P:csv-578750400-0:extended 3000 0–7200 Stopped"])
  }

  @Test("A bolus that the pump refused gives nothing, its meal included")
  func rejected() throws {
    let found = try result([
      row {
        $0.normal = RowDose(amount: 1000, decimals: 2, status: "rejected")
        $0.carbohydrate = 10_000
      }
    ])
    #expect(found.texts == [])
  }

  @Test("A matched part takes the row's meal with it, and the other part is a sample")
  func partMatched() throws {
    let rows = [
      row {
        $0.normal = RowDose(amount: 2000, decimals: 2)
        $0.extended = RowDose(amount: 3000, decimals: 2)
        $0.span = noon...noon + 7200
        $0.carbohydrate = 60_000
      }
    ]
    let found = try result(rows, with: [dose(2000, at: 20)])
    #expect(found.texts == ["tandem:P:csv-578750400-0:extended 3000 0–7200"])
    #expect(found.account.mealsOfEvents == 1 && found.account.matched == 1)
    let both = try result(rows, with: [dose(2000), dose(3000, at: 7230, kind: .extended)])
    #expect(both.texts == [])
  }

  @Test("A meal without insulin is the event whose dose was nothing")
  func mealOnly() throws {
    let meal = row {
      $0.normal = RowDose(amount: 0, decimals: 2)
      $0.carbohydrate = 20_000
    }
    #expect(try result([meal], with: [dose(0)]).texts == [])
    #expect(try result([meal], with: [dose(500)]).texts.count == 1)
    // A row of nothing at all leaves the event to the meal.
    let nothing = row(ordinal: 1) { $0.normal = RowDose(amount: 0, decimals: 2) }
    #expect(try result([nothing, meal], with: [dose(0)]).texts == [])
  }

  @Test(
    "Half a unit of the cell's last digit decides, at most 0.05 IU",
    arguments: [
      (UInt8(0), UInt32(2050), true), (0, 2051, false), (1, 2050, true), (1, 1949, false),
      (2, 2005, true), (2, 2006, false), (3, 2000, true), (3, 2001, false),
    ])
  func tolerance(decimals: UInt8, event: UInt32, isMatched: Bool) throws {
    let found = try result(
      [row { $0.normal = RowDose(amount: 2000, decimals: decimals) }], with: [dose(event)])
    #expect(found.texts.isEmpty == isMatched)
  }

  @Test("Rows that tell the pump's clock are compared on it, wherever that was; others by instants")
  func clocks() throws {
    let inBerlin = dose(2000, offset: 7200)
    let normal: (inout RowBolus) -> Void = { $0.normal = RowDose(amount: 2000, decimals: 2) }
    for source in ExportSource.allCases {
      let count = source.tellsInstants ? 1 : 0
      #expect(try result([row(source, edit: normal)], with: [inBerlin]).texts.count == count)
      let atTheInstant = row(source, at: source.tellsInstants ? -7200 : 0, normal)
      #expect(try result([atTheInstant], with: [inBerlin]).texts == [])
    }
    #expect(try result([row(.legacy, edit: normal)], with: [dose(2005)]).texts == [])
    #expect(
      try result([row(.legacy, edit: normal)]).texts
        == ["tandem:P:legacy-578750400-0:bolus 2000 0–0"])
  }

  @Test("Concentrated insulin multiplies rows too, after they are compared in the pump's units")
  func concentration() throws {
    let rows = [row { $0.normal = RowDose(amount: 2000, decimals: 2) }]
    let found = try result(rows, concentration: .u500)
    #expect(found.texts == ["tandem:P:csv-578750400-0:bolus 10000 0–0"])
    #expect(try result(rows, with: [dose(2000)], concentration: .u500).texts == [])
  }

  @Test("A reading within a minute and 1 mg/dL of an event's is that event")
  func readings() throws {
    func reading(_ glucose: UInt16, manual: Bool = false) -> NumberedRow {
      NumberedRow(
        ExportRow(
          source: .csv, pump: 1, time: noon, place: 1,
          content: .reading(glucose: glucose, isManual: manual)), ordinal: 0)
    }
    let event = dose(140, at: 60, kind: .cgm)
    #expect(try result([reading(141)], with: [event], makesGlucose: true).texts == [])
    #expect(
      try result([reading(142)], with: [event], makesGlucose: true).texts
        == ["tandem:P:csv-578750400-0:cgm 142 0–0"])
    #expect(
      try result([reading(140, manual: true)], with: [event], makesGlucose: true).texts
        == ["tandem:P:csv-578750400-0:meter 140 0–0"])
    #expect(try result([reading(140)]).texts == [])
  }
}

extension RowTests {
  private func row(
    _ source: ExportSource = .csv, edit: (inout RowBolus) -> Void
  ) -> NumberedRow { row(source, at: 0, ordinal: 0, edit) }
}
