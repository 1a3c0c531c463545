import Normalize
import PumpModel
import TestSupport

@testable import Pipeline

/// The records of an invented pump together with rows of exports that tell much of the same, some of
/// it otherwise, and some of their own; all that makes them hard left to chance.
struct RowHistory {
  private(set) var history: JournalHistory
  /// The sources that rows are of.
  let sources: [ExportSource]
  private var rows: [ExportRow] = []
  private var random: TestRandom
  private var places: UInt64 = 0

  init(seed: UInt64) throws {
    random = TestRandom(seed: seed ^ 0x0520_0520)
    sources =
      [
        [.csv], [.legacy], [.csv, .legacy], [.nightscout], [.tidepool], [.glooko],
        [.csv, .nightscout], ExportSource.allCases,
      ][random.integer(0...7)]
    history = try JournalHistory(seed: seed)
    history.settings.derivesBasal = random.happens(inThousand: 600)
    history.settings.makesGlucose = random.happens(inThousand: 300)
    tellEvents()
    for source in sources where random.happens(inThousand: 700) { addOwn(source) }
    if random.happens(inThousand: 700) { addRates() }
    rows.sort { ($0.time, $0.place) < ($1.time, $1.place) }
  }

  var settings: HarnessSettings { history.settings }
  var describe: String { "row history of \(history.describe)" }

  /// Lets rows tell what events tell, as exports would: times cut, amounts of some digits.
  private mutating func tellEvents() {
    let grain = Int64([1, 1, 60][random.integer(0...2)])
    for record in history.records {
      let event = PumpNormalization.event(record)
      switch event.payload {
      case .bolusCompleted(let part, _, _, let delivered, _):
        guard random.happens(inThousand: 800) else { continue }
        let end = event.time.wallSeconds - event.time.wallSeconds % grain + jitter
        let digits = UInt8(random.integer(1...3))
        let cut: UInt32 = [1: 100, 2: 10][digits] ?? 1
        var bolus = RowBolus()
        let dose = RowDose(
          amount: (delivered + cut / 2) / cut * cut, decimals: digits, status: status)
        if part == .normal {
          bolus.normal = dose
          bolus.carbohydrate = delivered == 0 || random.happens(inThousand: 400) ? 20_000 : nil
        } else {
          bolus.extended = dose
          bolus.span = end - 3600...end
        }
        add(anySource, end, .bolus(bolus), number: event.number)
      case .sensorReading(let glucose, let takenAt) where random.happens(inThousand: 500):
        add(anySource, takenAt.wallSeconds + jitter, .reading(glucose: glucose, isManual: false))
      case .meterReading(let glucose, _):
        add(anySource, event.time.wallSeconds, .reading(glucose: glucose, isManual: true))
      default: break
      }
    }
  }

  private var anySource: ExportSource {
    mutating get { sources[random.integer(0...sources.count - 1)] }
  }

  private var jitter: Int64 {
    mutating get { random.happens(inThousand: 700) ? 0 : Int64(random.integer(-70...70)) }
  }

  private var status: String? {
    mutating get { ["completed", "completed", nil, "rejected", "Stopped"][random.integer(0...4)] }
  }

  /// Adds boluses that no event tells, in crowds around some places, midnights among them.
  private mutating func addOwn(_ source: ExportSource) {
    for _ in 0..<random.integer(1...6) {
      let around =
        random.happens(inThousand: 400)
        ? (anyTime / 86_400) * 86_400 : anyTime
      for _ in 0..<random.integer(1...6) {
        var bolus = RowBolus()
        let time = around + Int64(random.integer(-200...200))
        let amount = UInt32([0, 1000, 1000, 1010, 2500][random.integer(0...4)])
        bolus.normal = RowDose(
          amount: amount, decimals: UInt8(random.integer(0...3)), status: status)
        if random.happens(inThousand: 300) {
          bolus.extended = RowDose(amount: 1000, decimals: 2, status: status)
          let end =
            random.happens(inThousand: 300) ? anyTime : time + Int64(random.integer(0...30_000))
          bolus.span = end - 600...end
        }
        if amount == 0 || random.happens(inThousand: 300) {
          bolus.carbohydrate = 15_000
          bolus.requestTime = random.happens(inThousand: 500) ? time - 900 : nil
        }
        add(source, time, .bolus(bolus))
      }
    }
  }

  /// Adds rates around the history, over some days before and behind it too.
  private mutating func addRates() {
    for source in sources where random.happens(inThousand: 700) {
      var time = anyTime - Int64(random.integer(0...4)) * 86_400
      for _ in 0..<random.integer(5...60) {
        let seconds = UInt32([300, 3600, 7200, 93_600][random.integer(0...3)])
        add(
          source, time,
          .rate(milliunitsPerHour: UInt32(random.integer(0...2) * 700), seconds: seconds))
        time += Int64(seconds) * Int64(random.integer(5...15)) / 10
        if random.happens(inThousand: 100) { time += Int64(random.integer(0...2)) * 86_400 }
      }
    }
  }

  /// A time about that of the history.
  private var anyTime: Int64 {
    mutating get {
      let first = PumpTime(seconds: history.records[0].seconds).wallSeconds
      return first + Int64(random.integer(-100_000...400_000))
    }
  }

  private mutating func add(
    _ source: ExportSource, _ time: Int64, _ content: ExportRow.Content, number: UInt32? = nil
  ) {
    places += 1
    var row = ExportRow(source: source, pump: 1, time: time, place: places, content: content)
    if source.tellsInstants { row = row.shifted(by: 14_400) }
    if source.namesRecords { row.name = "r\(places)" }
    if source == .nightscout, let number, case .bolus(var bolus) = content,
      random.happens(inThousand: 700)
    {
      // Whoever wrote it may have taken the wearer to be elsewhere.
      bolus.number = number
      bolus.span = nil
      row.content = .bolus(bolus)
      if random.happens(inThousand: 300) {
        row = row.shifted(by: Int64(random.integer(-27...27)) * 3600)
      }
    }
    rows.append(row)
  }

  /// The history and its rows as documents: rows in windows that overlap, told again otherwise at
  /// times, before, between and after records.
  mutating func documents() -> [HarnessDocument] {
    var documents = history.documents()
    let count = random.integer(2...7)
    for index in 0..<count {
      let from = max(0, rows.count * index / count - random.integer(0...10))
      let until = min(rows.count, rows.count * (index + 1) / count + random.integer(0...10))
      let part = rows[from..<max(from, until)].filter { _ in random.happens(inThousand: 950) }
      let document = HarnessDocument(name: "rows \(index)", rows: part)
      documents.insert(document, at: random.integer(0...documents.count))
      guard random.happens(inThousand: 400), !part.isEmpty else { continue }
      documents.insert(
        HarnessDocument(name: "other rows \(index)", rows: part.map { toldOtherwise($0) }),
        at: random.integer(0...documents.count))
    }
    return documents
  }

  private mutating func toldOtherwise(_ row: ExportRow) -> ExportRow {
    var row = row
    guard random.happens(inThousand: 300) else { return row }
    // A record may be corrected to any other time.
    if row.name != nil, random.happens(inThousand: 300) {
      row.time += Int64(random.integer(-100_000...100_000))
    }
    switch row.content {
    case .bolus(var bolus):
      if let span = bolus.span {
        let shift = Int64(random.integer(-3000...3000))
        bolus.span = span.lowerBound + shift...span.upperBound + shift
      }
      bolus.normal?.amount += 10 * UInt32(random.integer(0...1))
      bolus.normal?.status = status
      row.content = .bolus(bolus)
    case .reading(let glucose, let isManual):
      row.content = .reading(glucose: glucose + 3, isManual: isManual)
    case .rate(let rate, let seconds):
      row.content = .rate(milliunitsPerHour: rate + 100, seconds: seconds / 2 + 1)
    case .meal(let carbohydrate): row.content = .meal(carbohydrate: carbohydrate + 1000)
    }
    return row
  }
}

extension ExportRow {
  /// The row, all of its times later.
  func shifted(by seconds: Int64) -> ExportRow {
    var row = self
    row.time += seconds
    if case .bolus(var bolus) = content {
      bolus.span = bolus.span.map { $0.lowerBound + seconds...$0.upperBound + seconds }
      bolus.requestTime = bolus.requestTime.map { $0 + seconds }
      row.content = .bolus(bolus)
    }
    return row
  }
}
