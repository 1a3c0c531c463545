import Pipeline
import PumpModel

/// Which days have something, as a picture of one line a month and one character a day.
///
/// Darker means more of the day's 24 hours; the shades differ in shape, so that no colour is
/// needed. Long stretches of empty months become one line.
struct CoverageCalendar {
  /// In how many hours of a day there is something; days that are not in it have nothing.
  let hours: [LocalDay: Int]
  /// What there is, in the plural.
  let what: String
  /// How it is to look.
  let style: TextStyle
  /// How many months are shown, the newest; nil: all.
  let newestMonths: Int?

  /// Creates a calendar of hours by day.
  init(hours: [LocalDay: Int], of what: String, style: TextStyle, newestMonths: Int? = nil) {
    self.hours = hours
    self.what = what
    self.style = style
    self.newestMonths = newestMonths
  }

  /// Creates a calendar of records.
  init(coverage: Coverage, style: TextStyle) {
    self.init(
      hours: Dictionary(coverage.days.map { ($0.day, $0.records.hours) }) { $0 | $1 },
      of: "records", style: style)
  }

  /// The lines; none if there is nothing.
  var lines: [String] {
    let all = Set(hours.keys.map(Month.init)).sorted()
    let months = newestMonths.map { all.suffix($0) } ?? all[...]
    guard !months.isEmpty else { return [] }
    var lines = [ruler]
    if all.count > months.count {
      lines.append(
        style.dim(margin + "\(counted(all.count - months.count, "month")) before; -v shows all"))
    }
    var previous: Month?
    for month in months {
      lines += gap(from: previous, to: month) + [row(of: month)]
      previous = month
    }
    return lines + [legend]
  }

  private static let emptyMonthsShown = 2

  private var margin: String { String(repeating: " ", count: 9) }

  private var ruler: String {
    style.dim(margin + "1   5    10   15   20   25   30")
  }

  private var legend: String {
    let shades = [
      (0, "none"), (1, "1-5"), (6, "6-11"), (12, "12-17"), (18, "18-24 hours with \(what)"),
    ].map { "\(shade(hours: $0.0)) \($0.1)" }
    return style.dim(margin + shades.joined(separator: "  "))
  }

  private func gap(from previous: Month?, to month: Month) -> [String] {
    guard let previous else { return [] }
    let empty = month.number - previous.number - 1
    guard empty > Self.emptyMonthsShown else {
      return (0..<max(empty, 0)).map { row(of: Month(number: previous.number + 1 + $0)) }
    }
    return [style.dim(margin + "\(grouped(empty)) months without \(what)")]
  }

  private func row(of month: Month) -> String {
    var sum = 0
    var days = 0
    let marks = month.days.map { day in
      let own = hours[day]
      sum += own ?? 0
      days += own == nil ? 0 : 1
      return shade(hours: own ?? 0)
    }.joined()
    let strip = marks.padded(to: 31)
    let text = "\(month.text)  \(strip)"
    guard style.width >= 60 else { return text }
    return text + "  " + style.dim(counted(days, "day").leftPadded(to: 7) + ", \(sum) h")
  }

  private func shade(hours: Int) -> String {
    let shades = style.isUnicode ? ["·", "░", "▒", "▓", "█"] : [".", "-", "+", "*", "#"]
    return shades[hours == 0 ? 0 : min(hours / 6, 3) + 1]
  }
}

/// A month of a wall calendar.
private struct Month: Hashable, Comparable {
  /// Months since the year 0.
  var number: Int

  init(number: Int) { self.number = number }

  init(_ day: LocalDay) {
    let civil = day.civil
    number = civil.year * 12 + civil.month - 1
  }

  static func < (left: Month, right: Month) -> Bool { left.number < right.number }

  var year: Int { number / 12 }
  var month: Int { number % 12 + 1 }
  var text: String { String(LocalDay(daysSince1970: first).text.prefix(7)) }

  var days: [LocalDay] {
    (0..<CivilTime.days(inMonth: month, of: year)).map {
      LocalDay(daysSince1970: first + Int64($0))
    }
  }

  private var first: Int64 { CivilTime.days(year: year, month: month, day: 1) }
}
