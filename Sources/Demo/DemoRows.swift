import PumpModel

/// Makes of a pump's records what exports tell of them: boluses that ended, readings, basal rates.
struct DemoRows {
  private let source: ExportSource
  /// How many seconds the clock is ahead of UTC, where times are told as instants; nil: they are told
  /// as the clock shows them.
  private var offset: Int64?
  private var rows: [Told] = []
  private var open: [UInt16: OpenBolus] = [:]
  private var rate: (milliunitsPerHour: UInt32, since: Int64)?

  /// A row, with what some exports tell beside it.
  struct Told {
    /// The row.
    var row: ExportRow
    /// How many seconds the pump's clock was ahead of UTC; 0 where times are as the clock shows them.
    var offset: Int64
    /// The numbers of the records that ended the parts of a bolus.
    var numbers: (normal: UInt32?, extended: UInt32?) = (nil, nil)
  }

  /// Rates are told as long as the pump goes on telling them.
  private static let longestRate: Int64 = 15 * 60

  /// A bolus whose row still waits.
  private struct OpenBolus {
    var row = RowBolus()
    var minutes: UInt16 = 0
    var completed: Int64?
    var laterFrom: Int64?
    var numbers: (normal: UInt32?, extended: UInt32?) = (nil, nil)
  }

  private init(source: ExportSource, offset: Int64?) {
    self.source = source
    self.offset = offset
  }

  /// The rows of some records, by time, as the pump's clock shows it.
  static func of(_ records: [PumpRecord], source: ExportSource) -> [ExportRow] {
    told(records, source: source, offset: nil).map(\.row)
  }

  /// The same with what some exports tell beside them.
  ///
  /// With `offset`, the seconds by which the clock is ahead of UTC when the first record is written, times
  /// are instants; sets of the clock are followed.
  static func told(_ records: [PumpRecord], source: ExportSource, offset: Int64?) -> [Told] {
    var making = DemoRows(source: source, offset: offset)
    for record in records { making.take(record) }
    for id in making.open.keys.sorted() { making.close(id) }
    return making.rows.enumerated()
      .sorted { ($0.element.row.time, $0.offset) < ($1.element.row.time, $1.offset) }
      .map(\.element)
  }

  /// How many seconds the clock is ahead of UTC behind a record, `offset` being what it was before.
  ///
  /// A clock is set to a zone's time, so that whole minutes count: the rest is what it had drifted.
  static func offset(_ offset: Int64, after record: PumpRecord) -> Int64 {
    let (prior, next) = (Int64(record.payload.u32(at: 0)), Int64(record.payload.u32(at: 4)))
    let change: Int64
    switch record.eventID {
    case 13: change = (next - prior) / 1000
    case 14: change = (next - prior) * 86_400
    default: return offset
    }
    return (offset + change + 30).flooredDivision(by: 60) * 60
  }

  /// The times at which records say that delivery was stopped.
  static func suspensions(in records: [PumpRecord]) -> [Int64] {
    records.filter { $0.eventID == 11 }.map { PumpTime(seconds: $0.seconds).wallSeconds }
  }

  private mutating func take(_ record: PumpRecord) {
    if let before = offset { offset = Self.offset(before, after: record) }
    let time = PumpTime(seconds: record.seconds).wallSeconds - (offset ?? 0)
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
      open[id]?.numbers.normal = record.number
      if open[id]?.minutes == 0 { close(id) }
    case 21:
      let id = payload.u16(at: 0)
      var bolus = open[id] ?? OpenBolus()
      bolus.row.extended = Self.dose(payload)
      bolus.row.span = min(bolus.laterFrom ?? time, time)...time
      bolus.completed = bolus.completed ?? time
      bolus.numbers.extended = record.number
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
    add(.bolus(bolus.row), at: completed, numbers: bolus.numbers)
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

  private mutating func add(
    _ content: ExportRow.Content, at time: Int64,
    numbers: (normal: UInt32?, extended: UInt32?) = (nil, nil)
  ) {
    let row = ExportRow(source: source, pump: 0, time: time, place: 0, content: content)
    rows.append(Told(row: row, offset: offset ?? 0, numbers: numbers))
  }

  /// What a part of a bolus delivered; nil if the pump refused it.
  private static func dose(_ payload: PumpRecord.Payload) -> RowDose? {
    let words: [UInt16: String] = [0: "User Aborted", 1: "Alarm", 2: "Malfunction", 3: "completed"]
    guard let word = words[payload.u16(at: 2)] else { return nil }
    let amount = UInt32(max(0, (payload.f32(at: 8) * 1000).rounded()))
    return RowDose(amount: amount, decimals: 3, status: word)
  }
}
