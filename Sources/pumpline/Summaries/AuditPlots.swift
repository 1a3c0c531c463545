import Pipeline
import PumpModel

/// Small plots of an output for a terminal: insulin by day or week, and coverage.
struct AuditPlots {
  /// The days that have samples.
  let days: [PlottedDay]
  /// How they are to look.
  let style: TextStyle
  /// Whether all weeks and months are shown.
  let isWhole: Bool

  /// Up to so many days have bars of their own; more are shown by weeks.
  private static let mostDays = 31
  private static let mostWeeks = 26
  private static let mostMonths = 12

  /// A bar with its label.
  private struct Row {
    var label: String
    var basal: Int64
    var bolus: Int64
  }

  /// The bars of insulin, a line each; none without insulin.
  var insulin: [String] {
    guard days.contains(where: { $0.basal + $0.bolus > 0 }) else { return [] }
    let isByWeek = days.count > Self.mostDays
    let all = isByWeek ? weeks : rows
    let shown = isByWeek && !isWhole ? all.suffix(Self.mostWeeks) : all[...]
    let bars = InsulinBars(
      style: style, width: style.width - 32, of: shown.map { $0.basal + $0.bolus })
    let hidden = all.count - shown.count
    let head =
      bars.legend + (isByWeek ? ", IU a day by weeks" : ", IU by days")
      + (hidden > 0 ? "; \(counted(hidden, "week")) before, -v shows all" : "")
    return [style.dim(head)]
      + shown.map { row in
        let sum = fixed(row.basal + row.bolus, decimals: 1).leftPadded(to: 7)
        return style.dim(row.label.padded(to: 11)) + sum + "  "
          + bars.bar(basal: row.basal, bolus: row.bolus)
      }
  }

  /// The calendar of coverage, a line each month.
  var coverage: [String] {
    CoverageCalendar(
      hours: Dictionary(days.map { ($0.day, $0.hours) }) { $0 | $1 }, of: "samples", style: style,
      newestMonths: isWhole ? nil : Self.mostMonths
    ).lines
  }

  private var rows: [Row] {
    days.map { Row(label: $0.day.text, basal: $0.basal, bolus: $0.bolus) }
  }

  private var weeks: [Row] {
    var sums: [LocalDay: (days: Int64, basal: Int64, bolus: Int64)] = [:]
    for day in days {
      let monday = LocalDay(daysSince1970: WeekTotals.monday(of: day.day.daysSince1970))
      var sum = sums[monday] ?? (0, 0, 0)
      sum.days += 1
      sum.basal += day.basal
      sum.bolus += day.bolus
      sums[monday] = sum
    }
    return sums.sorted { $0.key < $1.key }.map { monday, sum in
      Row(label: monday.week, basal: sum.basal / sum.days, bolus: sum.bolus / sum.days)
    }
  }
}
