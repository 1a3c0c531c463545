import Pipeline
import PumpModel

/// What the samples of a ledger add up to by day or week, for a person.
struct LedgerTotalsText {
  /// The sums.
  let totals: LedgerTotals
  /// How it is to look.
  let style: TextStyle
  /// Whether all days or weeks are shown.
  let isWhole: Bool

  /// So many days or weeks are shown otherwise: the newest.
  private static let mostDays = 28
  private static let mostWeeks = 26

  /// The text.
  var text: String {
    guard !totals.pumps.isEmpty else {
      var lines = LabeledText(style: style)
      lines.add("pumps", "none of which days are known")
      return lines.text
    }
    let note = totals.isDemo ? style.dim("The data is made up.") + "\n\n" : ""
    return note + totals.pumps.map(block).joined(separator: "\n")
  }

  private func block(of pump: LedgerTotals.Pump) -> String {
    let known = pump.sums.filter { $0.knownSeconds > 0 || $0.given != SampleTotals() }
    let most = totals.isByWeek ? Self.mostWeeks : Self.mostDays
    let shown = isWhole ? known[...] : known.suffix(most)
    let bars = InsulinBars(
      style: style, width: style.width - margin, of: shown.map { perDay($0.basal + $0.bolus, $0) })
    var text = style.bold("pump      ") + style.bold(printable(pump.name)) + "\n"
    if known.count > shown.count {
      let word = totals.isByWeek ? "week" : "day"
      text += style.dim("\(counted(known.count - shown.count, word)) before; -v shows all") + "\n"
    }
    text += style.dim(heading) + "\n"
    for sum in shown { text += line(sum, bars).trimmed + "\n" }
    return text + style.dim(legend(bars)) + "\n"
  }

  private var heading: String {
    let sums = ["basal", "bolus", "IU", "carbs g"].map { $0.leftPadded(to: 9) }.joined()
    return totals.isByWeek
      ? "week      from       " + sums + "  days" : "day        " + sums
  }

  private var margin: Int { (totals.isByWeek ? 21 + 6 : 11) + 36 + 2 }

  private func legend(_ bars: InsulinBars) -> String {
    let zones = totals.zones.map { printable($0.name) }.joined(separator: ", ")
    return bars.legend + (totals.isByWeek ? ", per day" : "") + ". Days of \(zones)."
  }

  private func line(_ sum: LedgerTotals.Sum, _ bars: InsulinBars) -> String {
    let amounts =
      [sum.basal, sum.bolus, sum.basal + sum.bolus].map { fixed($0, decimals: 2) }
      + [fixed(sum.given.carbohydrate * 1000, decimals: 0)]
    let name =
      totals.isByWeek
      ? sum.first.week.padded(to: 10) + sum.first.text.padded(to: 11)
      : sum.first.text.padded(to: 11)
    let days = totals.isByWeek ? String(sum.days).leftPadded(to: 6) : ""
    let bar = bars.bar(basal: perDay(sum.basal, sum), bolus: perDay(sum.bolus, sum))
    return name + amounts.map { $0.leftPadded(to: 9) }.joined() + days + "  " + bar
  }

  /// The bars of weeks are of a day of them, since not all have seven.
  private func perDay(_ amount: Int64, _ sum: LedgerTotals.Sum) -> Int64 {
    amount / Int64(max(sum.days, 1))
  }
}

extension LedgerTotals.Sum {
  /// Basal in µIU.
  fileprivate var basal: Int64 { given.basal }
  /// Bolus in µIU.
  fileprivate var bolus: Int64 { given.bolus * 1000 }
}

extension String {
  /// The text without spaces at its end.
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension LocalDay {
  /// The week of ISO 8601 that the day is in, such as 2026-W19.
  var week: String { WeekTotals.name(of: daysSince1970) }
}

/// What the samples of a ledger add up to, for programs; keys are added in later versions, never
/// renamed.
enum LedgerTotalsJSON {
  /// The whole answer.
  static func value(of totals: LedgerTotals) -> JSONValue {
    let zones = totals.zones.map { zone in
      JSONValue.object([
        ("name", .string(zone.name)),
        ("from", .text(zone.from.map { WallTime(secondsSince1970: $0).text })),
      ])
    }
    let pumps = totals.pumps.map { pump in
      JSONValue.object([
        ("name", .string(pump.name)),
        ("totals", .array(pump.sums.map { value(of: $0, isByWeek: totals.isByWeek) })),
      ])
    }
    return .object([
      ("by", .string(totals.isByWeek ? "week" : "day")),
      ("dataSource", .text(totals.isDemo ? DemoData.label : nil)), ("zones", .array(zones)),
      ("pumps", .array(pumps)),
    ])
  }

  private static func value(of sum: LedgerTotals.Sum, isByWeek: Bool) -> JSONValue {
    let given = sum.given
    let head: [(key: String, value: JSONValue)] =
      isByWeek
      ? [
        ("week", .string(sum.first.week)), ("monday", .string(sum.first.text)),
        ("days", .count(sum.days)),
      ] : [("day", .string(sum.first.text))]
    return .object(
      head + [
        ("knownSeconds", .count(sum.knownSeconds)), ("basalMicroIU", .integer(given.basal)),
        ("derivedBasalMicroIU", .integer(given.derivedBasal)),
        ("bolusMilliIU", .integer(given.bolus)),
        ("carbohydratesMilligrams", .integer(given.carbohydrate)),
        ("basalSamples", .integer(given.basalSamples)),
        ("bolusSamples", .integer(given.bolusSamples)),
        ("carbohydrateSamples", .integer(given.carbohydrateSamples)),
      ])
  }
}
