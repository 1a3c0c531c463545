import PumpModel
import TestSupport

/// Doses that events tell, and rows that may be the same, in crowds around midnights, and far from
/// them extended parts that ended in one of the crowds: whichever comes later can take a dose from
/// a row of another day.
struct RowChains {
  private var random: TestRandom
  private let source: ExportSource
  /// Midnights on the pump's clock.
  private let midnights: [Int64]

  init(seed: UInt64) {
    random = TestRandom(seed: seed)
    source = random.happens(inThousand: 500) ? .csv : .legacy
    let first = CivilTime.days(year: 2026, month: 5, day: 4) * 86_400
    midnights = (0..<3).map { first + Int64($0) * 86_400 }
  }

  var describe: String { "chains of \(random.describe)" }

  /// Records and rows, each in some documents, in any order; the first holds one of either.
  mutating func documents() -> [HarnessDocument] {
    let doses = (0..<random.integer(4...10)).map { _ in
      (time: time, isExtended: random.happens(inThousand: 400), amount: amount)
    }.sorted { $0.time < $1.time }
    let records = doses.enumerated().map { index, dose in
      Self.record(UInt32(1000 + index), dose.time, dose.isExtended, dose.amount)
    }
    let rows = (0..<random.integer(6...14)).map { row(UInt64($0)) }
    let anchors = HarnessDocument(
      name: "anchors", records: [Self.record(1, midnights[0] - 86_400, false, 5000)],
      rows: [ownRow(midnights[0] - 40_000, place: 1000)])
    var documents: [HarnessDocument] = []
    var count = random.integer(1...4)
    for part in 0..<count {
      let own = records.indices.filter { $0 % count == part }.map { records[$0] }
      documents.append(HarnessDocument(name: "records \(part)", records: own))
    }
    // Most rows come alone: each other one of the day would be made anew with it.
    count = random.integer(rows.count / 2...rows.count)
    for part in 0..<count {
      let own = rows.indices.filter { $0 % count == part }.map { rows[$0] }
      documents.append(HarnessDocument(name: "rows \(part)", rows: own))
    }
    documents.shuffle(using: &random)
    return [anchors] + documents
  }

  private var time: Int64 {
    mutating get { midnights[random.integer(0...2)] + Int64(random.integer(-90...90)) }
  }

  private var amount: UInt32 {
    mutating get { [1000, 1000, 1000, 2000][random.integer(0...3)] }
  }

  private mutating func row(_ place: UInt64) -> ExportRow {
    guard random.happens(inThousand: 500) else { return ownRow(time, place: place) }
    // Its own time is far from where its extended part ended.
    var bolus = RowBolus()
    let end = time
    bolus.normal = RowDose(amount: 3000, decimals: 2)
    bolus.extended = RowDose(amount: amount, decimals: 2)
    bolus.span = end - 1...end
    return ExportRow(
      source: source, pump: 1, time: end - Int64(random.integer(-10_000...90_000)), place: place,
      content: .bolus(bolus))
  }

  private mutating func ownRow(_ time: Int64, place: UInt64) -> ExportRow {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 2)
    return ExportRow(source: source, pump: 1, time: time, place: place, content: .bolus(bolus))
  }

  /// The completion of a bolus's part.
  static func record(
    _ number: UInt32, _ time: Int64, _ isExtended: Bool, _ amount: UInt32
  ) -> PumpRecord {
    let units = Float(amount) / 1000
    var record = PumpRecord(
      number: number, seconds: UInt32(time - PumpTime.epochInUnixSeconds),
      eventID: isExtended ? 21 : 20,
      payload: .bolusCompleted(
        bolus: UInt16(number), status: 3, iob: 0, delivered: units, requested: units),
      form: .binary)
    record.pump = 1
    return record
  }
}
