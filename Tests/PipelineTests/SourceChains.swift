import PumpModel
import TestSupport

/// Doses that events tell, and rows of several sources that may be the same, in crowds around
/// midnights.
///
/// Whatever comes later can take a dose from a row of another source or day. Records have ids, under
/// which they are told again at other times, as something else, and of another pump.
struct SourceChains {
  private var random: TestRandom
  private let sources: [ExportSource]
  /// Midnights on the pump's clock.
  private let midnights: [Int64]
  /// How far doses of a crowd are from its midnight.
  private let spread: Int

  init(seed: UInt64) {
    random = TestRandom(seed: seed ^ 0x50_0C_E5)
    var sources: [ExportSource] = []
    for source in ExportSource.allCases where random.happens(inThousand: 600) {
      sources.append(source)
    }
    self.sources = sources.isEmpty ? [.nightscout] : sources
    let first = CivilTime.days(year: 2026, month: 5, day: 4) * 86_400
    // Those of services are of UTC.
    midnights = (0..<6).map { first + Int64($0 / 2) * 86_400 - Int64($0 % 2) * 14_400 }.sorted()
    spread = [120, 2400, 20_000][random.integer(0...2)]
  }

  var describe: String { "chains of \(sources.map(\.word)), spread \(spread), \(random.describe)" }

  /// Records and rows, each in some documents, in any order; the first holds one of each source.
  mutating func documents() -> [HarnessDocument] {
    let doses = (0..<random.integer(4...14)).map { _ in
      (time: time, isExtended: random.happens(inThousand: 300), amount: amount)
    }.sorted { $0.time < $1.time }
    var records: [[PumpRecord]] = []
    for (index, dose) in doses.enumerated() {
      let number = UInt32(1000 + index * 3)
      var own = [RowChains.record(number, dose.time, dose.isExtended, dose.amount)]
      if random.happens(inThousand: 400) {
        let length = Int64(random.integer(1...(dose.isExtended ? 30_000 : 1700)))
        own.insert(Self.start(number - 1, dose.time - length, dose.isExtended, of: number), at: 0)
      }
      records.append(own)
      // A copy that says something else takes its place, or does not.
      guard random.happens(inThousand: 250) else { continue }
      records.append([
        RowChains.record(number, dose.time, dose.isExtended, [1000, 2000][random.integer(0...1)])
      ])
    }
    let readings = (0..<random.integer(0...6)).map { _ in timeOfReading }.sorted()
    for (index, time) in readings.enumerated() {
      records.append([Self.reading(UInt32(900 + index), time, glucose)])
    }
    var rows = (0..<random.integer(8...24)).map { row(UInt64($0), doses.map(\.time)) }
    for index in rows.indices where rows[index].source.tellsMealsApart {
      guard random.happens(inThousand: 600) else { continue }
      rows.append(meal(of: rows[index], place: UInt64(500 + index)))
    }
    for index in rows.indices where random.happens(inThousand: 350) {
      rows.append(otherwise(rows[index]))
    }
    let anchors = HarnessDocument(
      name: "anchors", records: [RowChains.record(1, midnights[0] - 5 * 86_400, false, 5000)],
      rows: sources.enumerated().map { index, source in
        var row = self.row(of: source, midnights[0] - 40_000, place: UInt64(1000 + index))
        if source.namesRecords { row.name = "anchor" }
        return row
      })
    var documents = split(records, into: random.integer(1...5)).enumerated().map {
      HarnessDocument(name: "records \($0)", records: $1.flatMap(\.self))
    }
    // Most rows come alone: each other one of the day would be made anew with it.
    documents += split(rows, into: random.integer(rows.count / 2...rows.count)).enumerated().map {
      HarnessDocument(name: "rows \($0)", rows: $1)
    }
    documents.shuffle(using: &random)
    return [anchors] + documents
  }

  private func split<Element>(_ all: [Element], into count: Int) -> [[Element]] {
    (0..<count).map { part in
      all.indices.filter { $0 % count == part }.map { all[$0] }
    }
  }

  private var time: Int64 {
    mutating get {
      midnights[random.integer(0...5)] + Int64(random.integer(-spread...spread))
    }
  }

  private var amount: UInt32 {
    mutating get { [1000, 1000, 1003, 2000, 0][random.integer(0...4)] }
  }

  /// Readings are days before all doses.
  private var timeOfReading: Int64 {
    mutating get { midnights[0] - 3 * 86_400 + Int64(random.integer(-300...300)) }
  }

  private var glucose: UInt16 {
    mutating get { UInt16(random.integer(100...103)) }
  }

  private mutating func row(_ place: UInt64, _ doses: [Int64]) -> ExportRow {
    let source = sources[random.integer(0...sources.count - 1)]
    if random.happens(inThousand: 250) {
      var row = self.row(of: source, timeOfReading, place: place)
      row.time = timeOfReading + (source.tellsInstants ? 14_400 : 0)
      row.content = .reading(glucose: glucose, isManual: true)
      return row
    }
    // Some doses are those of many rows.
    let isOfDose = random.happens(inThousand: 600)
    let at = isOfDose ? doses[random.integer(0...random.integer(0...doses.count - 1))] : time
    // Services may tell when it was asked for.
    let reach = random.happens(inThousand: 500) ? -1700...300 : -70...70
    var row = self.row(of: source, at + Int64(random.integer(reach)), place: place)
    guard case .bolus(var bolus) = row.content else { return row }
    if source == .nightscout, let index = doses.firstIndex(of: at), random.happens(inThousand: 700)
    {
      bolus.number = UInt32(1000 + index * 3)
      row.content = .bolus(bolus)
      if random.happens(inThousand: 500) {
        row = row.shifted(by: Int64(random.integer(-27...27)) * 3600)
      }
    }
    return row
  }

  /// A row of a source about a time of the pump's clock.
  private mutating func row(
    of source: ExportSource, _ wallTime: Int64, place: UInt64
  ) -> ExportRow {
    let time = source.tellsInstants ? wallTime + 14_400 : wallTime
    var bolus = RowBolus()
    let dose = RowDose(amount: amount, decimals: 2)
    if random.happens(inThousand: 300) {
      bolus.extended = dose
      bolus.span = time - (source.flag.isEmpty ? Int64(random.integer(0...9000)) : 0)...time
      if random.happens(inThousand: 300) {
        bolus.normal = RowDose(amount: amount, decimals: 2)
      }
    } else {
      bolus.normal = dose
    }
    if dose.amount == 0, !source.tellsMealsApart { bolus.carbohydrate = 15_000 }
    var row = ExportRow(source: source, pump: 1, time: time, place: place, content: .bolus(bolus))
    if source.namesRecords { row.name = "r\(place)" }
    // Its own time is far from where its extended part ended.
    if source.flag.isEmpty, bolus.extended != nil, random.happens(inThousand: 500) {
      row.time -= Int64(random.integer(-10_000...90_000))
    }
    return row
  }

  /// The meal of a record, of the day or of another, or one whose bolus nobody tells.
  private mutating func meal(of row: ExportRow, place: UInt64) -> ExportRow {
    var meal = row
    meal.place = place
    meal.time -= Int64(random.integer(random.happens(inThousand: 800) ? 0...900 : -90_000...90_000))
    if random.happens(inThousand: 100) { meal.name = "nobody" }
    meal.content = .meal(carbohydrate: UInt32(random.integer(15...16)) * 1000)
    return meal
  }

  /// The same record, or row, as another document tells it.
  private mutating func otherwise(_ row: ExportRow) -> ExportRow {
    var row = row
    switch row.name == nil ? 3 : random.integer(0...4) {
    case 0: row = row.shifted(by: Int64(random.integer(-200_000...200_000)))
    case 1: row.content = .rate(milliunitsPerHour: 700, seconds: 7200)
    case 2: row.pump = 2
    case 3:
      guard case .bolus(var bolus) = row.content else { return row }
      bolus.normal?.amount += 1000
      bolus.number = random.happens(inThousand: 500) ? nil : bolus.number
      row.content = .bolus(bolus)
    default: break
    }
    return row
  }

  /// A reading of a meter.
  private static func reading(_ number: UInt32, _ time: Int64, _ glucose: UInt16) -> PumpRecord {
    var record = RowChains.record(number, time, false, 0)
    record.eventID = 16
    record.payload = PumpRecord.Payload(UInt32(glucose))
    return record
  }

  /// The start of a bolus's part.
  private static func start(
    _ number: UInt32, _ time: Int64, _ isExtended: Bool, of bolus: UInt32
  ) -> PumpRecord {
    var record = RowChains.record(number, time, isExtended, 0)
    record.eventID = isExtended ? 59 : 55
    record.payload = PumpRecord.Payload(bolus & 0xFFFF)
    return record
  }
}
