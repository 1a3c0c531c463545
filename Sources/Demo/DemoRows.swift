import PumpModel

/// Makes of a pump's records what exports tell of them: boluses that ended, readings, basal rates.
struct DemoRows {
  private let source: ExportSource
  private var rows: [ExportRow] = []
  private var open: [UInt16: OpenBolus] = [:]
  private var rate: (milliunitsPerHour: UInt32, since: Int64)?

  /// Rates are told as long as the pump goes on telling them.
  private static let longestRate: Int64 = 15 * 60

  /// A bolus whose row still waits.
  private struct OpenBolus {
    var row = RowBolus()
    var minutes: UInt16 = 0
    var completed: Int64?
    var laterFrom: Int64?
  }

  private init(source: ExportSource) { self.source = source }

  /// The rows of some records, by time.
  static func of(_ records: [PumpRecord], source: ExportSource) -> [ExportRow] {
    var making = DemoRows(source: source)
    for record in records { making.take(record) }
    for id in making.open.keys.sorted() { making.close(id) }
    return making.rows.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  /// The times at which records say that delivery was stopped.
  static func suspensions(in records: [PumpRecord]) -> [Int64] {
    records.filter { $0.eventID == 11 }.map { PumpTime(seconds: $0.seconds).wallSeconds }
  }

  private mutating func take(_ record: PumpRecord) {
    let time = PumpTime(seconds: record.seconds).wallSeconds
    let payload = record.payload
    switch record.eventID {
    case 64:
      var bolus = OpenBolus()
      bolus.row.requestTime = time
      let grams = payload.u16(at: 6)
      bolus.row.carbohydrate = grams > 0 ? UInt32(grams) * 1000 : nil
      open[payload.u16(at: 2)] = bolus
    case 65:
      let options = payload.u8(at: 1)
      open[payload.u16(at: 2)]?.minutes = payload.u16(at: 6)
      open[payload.u16(at: 2)]?.row.isAutomatic = options == 3 || options == 6
      open[payload.u16(at: 2)]?.row.isOverride = payload.u8(at: 15) == 1
    case 59: open[payload.u16(at: 2)]?.laterFrom = time
    case 20:
      let id = payload.u16(at: 0)
      guard let dose = Self.dose(payload) else {
        open[id] = nil
        return
      }
      open[id, default: OpenBolus()].row.normal = dose
      open[id]?.completed = time
      if open[id]?.minutes == 0 { close(id) }
    case 21:
      let id = payload.u16(at: 0)
      var bolus = open[id] ?? OpenBolus()
      bolus.row.extended = Self.dose(payload)
      bolus.row.span = min(bolus.laterFrom ?? time, time)...time
      bolus.completed = bolus.completed ?? time
      open[id] = bolus
      close(id)
    case 399 where payload.u16(at: 2) == 0:
      add(.reading(glucose: payload.u16(at: 4), isManual: false), at: time)
    case 16: add(.reading(glucose: payload.u16(at: 2), isManual: true), at: time)
    case 279: change(to: UInt32(payload.u16(at: 6)), at: time)
    case 3: change(to: UInt32(max(0, (payload.f32(at: 0) * 1000).rounded())), at: time)
    case 11: change(to: 0, at: time)
    default: break
    }
  }

  /// Ends a bolus; one that never completed has no row.
  private mutating func close(_ id: UInt16) {
    guard let bolus = open.removeValue(forKey: id), let completed = bolus.completed else { return }
    add(.bolus(bolus.row), at: completed)
  }

  /// Ends the rate before it, and begins one.
  private mutating func change(to milliunitsPerHour: UInt32, at time: Int64) {
    if let rate, (1...Self.longestRate).contains(time - rate.since) {
      add(
        .rate(milliunitsPerHour: rate.milliunitsPerHour, seconds: UInt32(time - rate.since)),
        at: rate.since)
    }
    rate = (milliunitsPerHour, time)
  }

  private mutating func add(_ content: ExportRow.Content, at time: Int64) {
    rows.append(ExportRow(source: source, pump: 0, time: time, place: 0, content: content))
  }

  /// What a part of a bolus delivered; nil if the pump refused it.
  private static func dose(_ payload: PumpRecord.Payload) -> RowDose? {
    let words: [UInt16: String] = [0: "User Aborted", 1: "Alarm", 2: "Malfunction", 3: "completed"]
    guard let word = words[payload.u16(at: 2)] else { return nil }
    let amount = UInt32(max(0, (payload.f32(at: 8) * 1000).rounded()))
    return RowDose(amount: amount, decimals: 3, status: word)
  }
}
