import Normalize
import PumpModel
import TestSupport
import Testing

/// N10 for services that do not tell when a bolus ended (Decisions 77): a row is any dose that was asked
/// for, or being given, at its time.
@Suite("Rows whose times are not ends")
struct SpanMatchingTests {
  /// 2026-05-04T12:00:00 in New York.
  private let noon: Int64 = 1_777_896_000 + 14_400

  private func row(
    _ source: ExportSource, at seconds: Int64 = 0, ordinal: UInt32 = 0,
    _ edit: (inout RowBolus) -> Void
  ) -> NumberedRow {
    var bolus = RowBolus()
    edit(&bolus)
    let time = source.tellsInstants ? noon + seconds : noon - 14_400 + seconds
    return NumberedRow(
      ExportRow(source: source, pump: 1, time: time, place: 1, content: .bolus(bolus)),
      ordinal: ordinal, nameDigest: UInt64(ordinal) + 1)
  }

  /// A dose during which the pump's clock is set by some seconds.
  private func dose(
    _ amount: UInt32, from begin: Int64, until end: Int64, kind: SampleKind = .bolus,
    settingClock shift: Int64 = 0
  ) -> Counterpart {
    let instant = Instant(unixSeconds: noon + end)
    return Counterpart(
      kind: kind,
      time: PumpTime(seconds: UInt32(noon - 14_400 + end + shift - PumpTime.epochInUnixSeconds)),
      instant: instant, begin: Instant(unixSeconds: noon + begin),
      clockSeconds: Int32(end - begin + shift), amount: amount, number: 1)
  }

  /// The amounts of rows that no dose is.
  private func unmatched(
    _ rows: [NumberedRow], with doses: [Counterpart]
  ) throws -> [Int64] {
    var normalizer = RowNormalizer(
      schedule: try #require(
        ZoneSchedule([ZoneSchedule.Entry(rules: TestZones.newYork, from: nil)])),
      concentration: .u100, makesGlucose: false, words: StatusWords())
    var batch = NormalizedBatch()
    normalizer.process(rows, with: doses, into: &batch)
    return batch.samples.map(\.amount)
  }

  @Test(
    "A row at the request of a long bolus is that bolus",
    arguments: [.tidepool, .glooko] as [ExportSource])
  func longBolus(source: ExportSource) throws {
    for (time, isOne) in [
      (-61, false), (-60, true), (0, true), (150, true), (300, true), (360, true), (361, false),
    ] as [(Int64, Bool)] {
      let row = row(source, at: time) { $0.normal = RowDose(amount: 9000, decimals: 3) }
      let rest = try unmatched([row], with: [dose(9004, from: 0, until: 300)])
      #expect(rest == (isOne ? [] : [9000]), "\(time)")
    }
  }

  @Test("What the pump's maker and tconnectsync tell are ends, whatever was asked for before")
  func ends() throws {
    for source in [ExportSource.csv, .legacy, .nightscout] {
      let row = row(source) { $0.normal = RowDose(amount: 9000, decimals: 3) }
      #expect(try unmatched([row], with: [dose(9000, from: 0, until: 300)]) == [9000])
    }
  }

  @Test("An extended part is matched from its request on, and with no normal one")
  func extended() throws {
    let row = row(.tidepool) {
      $0.normal = RowDose(amount: 1650, decimals: 3)
      $0.extended = RowDose(amount: 3350, decimals: 3)
      $0.span = noon...noon + 7200
    }
    let normal = dose(1650, from: 0, until: 100)
    let later = dose(3350, from: 0, until: 7300, kind: .extended)
    #expect(try unmatched([row], with: [normal, later]) == [])
    #expect(try unmatched([row], with: [normal]) == [3350])
    #expect(try unmatched([row], with: [normal, dose(3350, from: 0, until: 100)]) == [3350])
  }

  @Test(
    "A part is one with its row, though the clock was set while it was given",
    arguments: [3600, -3600, 21_600, -21_600] as [Int64], [120, 7300] as [Int64])
  func clockSet(shift: Int64, length: Int64) throws {
    let kind: SampleKind = length > DoseLength.normal ? .extended : .bolus
    let given = dose(3350, from: 0, until: length, kind: kind, settingClock: shift)
    func row(_ source: ExportSource, _ time: Int64) -> NumberedRow {
      self.row(source, at: time) {
        let dose = RowDose(amount: 3350, decimals: 3)
        if kind == .bolus { $0.normal = dose } else { $0.extended = dose }
      }
    }
    for (source, time) in [
      (.tidepool, 0), (.tidepool, length), (.glooko, 0), (.glooko, length / 2),
      (.glooko, length / 2 + shift), (.glooko, length + shift),
    ] as [(ExportSource, Int64)] {
      #expect(try unmatched([row(source, time)], with: [given]) == [], "\(source) at \(time)")
      let late = length + max(0, source.tellsInstants ? 0 : shift) + 61
      #expect(try unmatched([row(source, late)], with: [given]) == [3350])
      let early = min(0, source.tellsInstants ? 0 : shift) - 61
      #expect(try unmatched([row(source, early)], with: [given]) == [3350])
    }
  }

  @Test("What an event tells of a dose spans all that the clock showed while it was given")
  func clockOfEvents() throws {
    let history = History(zone: TestZones.newYork) {
      at("11-01 01:50", .request(7))
      at("11-01 01:59", .start(7))
      at("11-01 01:00", .clock(by: -3600))
      at("11-01 01:01", .end(7, 2000))
      at("11-01 01:02", .startExtended(7))
      at("11-01 07:02", .clock(by: 18_000))
      at("11-01 08:02", .endExtended(7, 3000))
    }
    let told = history.outcome().batch.counterparts
    #expect(told.map(\.instant.unixSeconds).map { $0 - told[0].instant.unixSeconds } == [0, 7260])
    // 11 minutes passed: 01:50 to 02:01 or 00:50 to 01:01, then two hours more, or from 06:50 on.
    let spans = told.map { told in
      (told.clockSpan.lowerBound - 1_793_491_200, told.clockSpan.upperBound - 1_793_491_200)
    }
    #expect(spans.map(\.0) == [50 * 60, 110 * 60])
    #expect(spans.map(\.1) == [121 * 60, 482 * 60])
  }

  @Test("Two equal boluses are two, each its own row's; one alone takes one row")
  func two() throws {
    let rows = (0..<2).map { index in
      row(.tidepool, at: Int64(index) * 200, ordinal: UInt32(index)) {
        $0.normal = RowDose(amount: 1000, decimals: 3)
      }
    }
    let doses = [dose(1000, from: 0, until: 150), dose(1000, from: 195, until: 350)]
    #expect(try unmatched(rows, with: doses) == [])
    #expect(try unmatched(rows, with: [doses[0]]) == [1000])
    #expect(try unmatched(rows, with: [doses[1]]) == [1000])
    #expect(try unmatched([rows[0]], with: doses) == [])
  }

  @Test("As many rows as possible find their dose, though the nearest would leave one alone")
  func most() throws {
    // The first row lies within both doses, the second within the first only.
    let rows = [
      row(.tidepool, at: 100) { $0.normal = RowDose(amount: 1000, decimals: 3) },
      row(.tidepool, at: 10, ordinal: 1) { $0.normal = RowDose(amount: 1000, decimals: 3) },
    ]
    let doses = [dose(1000, from: 0, until: 120), dose(1000, from: 90, until: 400)]
    #expect(try unmatched(rows, with: doses) == [])
  }
}
