import Platform
import PumpModel

/// What the day view shows, a line for each day and pump: second of two passes over an output's
/// samples, which come in order of time.
///
/// A line is `2026-05-04|pump|basal|boluses|carbs|holes`. Numbers are to base 36, times seconds of the
/// day's wall clock. Basal is a list of rates in mU/h, each of 300 seconds unless `:seconds` follows,
/// after the one before it or after `@second`; boluses are `second.mU` or `second.mU.seconds`,
/// carbs `second.dg`, holes `second.seconds`. There is no text of an input in it.
struct DayLines {
  private var days: PageDays
  private let holes: [(pump: String, hole: Hole)]
  private var open: [Key: Line] = [:]

  private struct Key: Hashable {
    var day: Int64
    var pump: Int
  }

  private struct Line {
    var basal = ""
    /// Until when basal is told, in seconds of the day.
    var until: Int64 = 0
    var boluses = ""
    var carbs = ""
  }

  /// Begins with the days of the first pass.
  init(_ days: PageDays, holes: [(pump: String, hole: Hole)]) {
    self.days = days
    self.holes = holes
  }

  /// Takes a sample, and gives the lines of days that are over.
  mutating func add(_ sample: WrittenSample, _ body: (String) throws -> Void) throws {
    let pump = days.place(of: sample)
    let first = days.days.day(at: sample.start)
    if open.keys.contains(where: { $0.day < first }) {
      try give({ $0.day < first }, body)
    }
    let wall = days.days.wall(at: sample.start)
    switch sample.type {
    case .basal: add(basal: sample, pump)
    case .bolus:
      let length = sample.end - sample.start
      let tail = length > 0 && length <= PageDays.longest ? "." + Self.base36(length) : ""
      change(first, pump) {
        Self.append(
          Self.base36(wall) + "." + Self.base36(sample.amount.thousandths) + tail, to: &$0.boluses)
      }
    case .carbohydrates:
      change(first, pump) {
        Self.append(
          Self.base36(wall) + "." + Self.base36(sample.amount.thousandths / 100), to: &$0.carbs)
      }
    case .sensorGlucose, .meterGlucose: break
    }
  }

  /// Gives the lines that are left.
  mutating func end(_ body: (String) throws -> Void) throws { try give({ _ in true }, body) }

  private mutating func add(basal sample: WrittenSample, _ pump: Int) {
    let length = sample.end - sample.start
    guard length > 0, length <= PageDays.longest else { return }
    let rate = Self.rate(of: sample.amount, for: length)
    days.days.forEachPiece(from: sample.start, to: sample.end) { piece in
      change(piece.day, pump) { line in
        if piece.from != line.until || line.basal.isEmpty {
          Self.append("@" + Self.base36(piece.from), to: &line.basal)
        }
        let length = piece.until - piece.from
        Self.append(
          Self.base36(rate) + (length == 300 ? "" : ":" + Self.base36(length)), to: &line.basal)
        line.until = piece.until
      }
    }
  }

  /// The rate in mU/h that gives an amount in so many seconds, rounded half up; the greatest of what is
  /// beyond 64 bits.
  private static func rate(of amount: WrittenAmount, for length: Int64) -> Int64 {
    let exact = amount.parts.multipliedReportingOverflow(by: 3600)
    if !exact.overflow { return WrittenAmount(parts: exact.partialValue / length).thousandths }
    // So great an amount loses nothing by thousandths.
    let rough = amount.thousandths.multipliedReportingOverflow(by: 3600)
    return rough.overflow ? .max : rough.partialValue / length
  }

  private mutating func change(_ day: Int64, _ pump: Int, _ body: (inout Line) -> Void) {
    guard days.byDay[day] != nil else { return }
    body(&open[Key(day: day, pump: pump), default: Line()])
  }

  private static func append(_ word: String, to list: inout String) {
    if !list.isEmpty { list += "," }
    list += word
  }

  private mutating func give(
    _ isMeant: (Key) -> Bool, _ body: (String) throws -> Void
  ) throws {
    let keys = open.keys.filter(isMeant).sorted { ($0.day, $0.pump) < ($1.day, $1.pump) }
    for key in keys {
      guard let line = open.removeValue(forKey: key) else { continue }
      let name = days.pumps.indices.contains(key.pump) ? days.pumps[key.pump] : nil
      var gaps = ""
      if days.byDay[key.day]?.hasHole == true {
        for (pump, hole) in holes where pump == name {
          guard let part = days.part(of: hole, on: key.day) else { continue }
          Self.append(
            Self.base36(part.lowerBound) + "." + Self.base36(part.upperBound - part.lowerBound),
            to: &gaps)
        }
      }
      try body(
        "\(PageText.date(key.day))|\(key.pump)|\(line.basal)|\(line.boluses)|\(line.carbs)|\(gaps)\n"
      )
    }
  }

  private static func base36(_ number: Int64) -> String { String(number, radix: 36) }
}

extension WrittenAmount {
  /// The amount in thousandths of the unit, rounded half up.
  var thousandths: Int64 { parts / 1_000_000_000 + (parts % 1_000_000_000 >= 500_000_000 ? 1 : 0) }
}
