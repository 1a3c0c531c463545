import PumpModel

/// The drawings of a page: plain SVG whose shapes tell what colours tell.
enum PagePlots {
  /// What boluses, carbs and holes are filled with, and what marks mean.
  static let marks = """
    <svg class="marks" aria-hidden="true"><defs>\
    <pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(45)"><path class="stroke" d="M0 0V4"/></pattern>\
    <pattern id="dots" width="4" height="4" patternUnits="userSpaceOnUse">\
    <circle class="grain" cx="2" cy="2" r="1"/></pattern>\
    <pattern id="cross" width="5" height="5" patternUnits="userSpaceOnUse">\
    <path class="gap" d="M0 0L5 5M5 0L0 5"/></pattern></defs></svg>

    """

  /// The legend of the drawings.
  static let legend = """
    <p class="soft">\
    <svg class="key" viewBox="0 0 16 9"><rect class="basal" width="16" height="9"/></svg>basal, full\
    <svg class="key" viewBox="0 0 16 9"><rect class="bolus" width="16" height="9"/></svg>bolus, hatched\
    <svg class="key" viewBox="0 0 16 9"><rect class="carbs" width="16" height="9"/></svg>carbs, dotted\
    <svg class="key" viewBox="0 0 16 9"><rect class="hole" width="16" height="9"/></svg>no data in the \
    sources, crossed</p>

    """

  /// Insulin and carbs of a month, day by day.
  static func month(_ days: [(number: Int64, day: PageDays.Day)]) -> String {
    let most = max(days.map { $0.day.insulin.value }.max() ?? 0, 1)
    let meals = max(days.map { $0.day.carbohydrates.value }.max() ?? 0, 1)
    var body = ""
    for (number, day) in days {
      let place = CivilTime(daysSince1970: number).day
      let left = PageText.length(32 + Double(place - 1) * 12 + 1.5)
      let basal = day.basal.value / most * 88
      let bolus = day.bolus.value / most * 88
      if day.hasHole { body += rect("hole", left, 8, 9, 94) }
      if basal > 0 { body += rect("basal", left, 102 - basal, 9, basal) }
      if bolus > 0 { body += rect("bolus", left, 102 - basal - bolus, 9, bolus) }
      let carbs = day.carbohydrates.value / meals * 28
      if carbs > 0 { body += rect("carbs", left, 140 - carbs, 9, carbs) }
    }
    body += "<path class=\"rule\" d=\"M32 102H404M32 140H404\"/>"
    for day in [1, 5, 10, 15, 20, 25, 30] {
      body += text(PageText.length(32 + Double(day) * 12 - 6), 150, "middle", "\(day)")
    }
    body += text("29", 20, "end", WrittenAmount(value: most).fixed(decimals: 0))
    body += text("29", 102, "end", "IU")
    body += text("29", 118, "end", WrittenAmount(value: meals).fixed(decimals: 0))
    body += text("29", 140, "end", "g")
    return "<svg class=\"plot\" viewBox=\"0 0 412 154\" role=\"img\">\(body)</svg>\n"
  }

  /// The days of a year, each as full as hours of it are covered.
  static func year(_ year: Int, _ days: [(number: Int64, day: PageDays.Day)]) -> String {
    var body = ""
    for day in [1, 5, 10, 15, 20, 25, 30] {
      body += text(PageText.length(29 + Double(day) * 12 - 6), 8, "middle", "\(day)")
    }
    for month in 1...12 {
      body += text("25", 10 + month * 13 + 1, "end", "\(month)")
    }
    for (number, day) in days {
      let civil = CivilTime(daysSince1970: number)
      let left = 29 + (civil.day - 1) * 12
      let top = 3 + civil.month * 13 - 2
      let filled = Double(day.hours) / 24 * 11
      body +=
        "<a href=\"#d\(PageText.date(number))\"><rect class=\"cell\" x=\"\(left)\" y=\"\(top)\" "
        + "width=\"11\" height=\"11\"/>"
      if day.hours > 0 {
        body += rect("filled", "\(left)", Double(top + 11) - filled, 11, filled)
      }
      if day.notes > 0 {
        body += "<path class=\"mark\" d=\"M\(left + 1) \(top + 1)h9v9h-9z\"/>"
      }
      body += "<title>\(PageText.date(number)): \(day.hours) h</title></a>"
    }
    return "<figure><figcaption>\(year)</figcaption><svg class=\"plot\" viewBox=\"0 0 406 171\">"
      + "\(body)</svg></figure>\n"
  }

  /// The offset of one pump's clock over time; nil where no stretch has one.
  static func clock(_ rows: [ClockRow]) -> String? {
    let known = rows.compactMap { row -> (from: Double, until: Double, offset: Double)? in
      guard let start = row.start, let end = row.end, let offset = row.offset else { return nil }
      return (
        Double(start.unixSeconds), Double(max(start, end).unixSeconds),
        Double(offset) + Double(row.driftMilliseconds) / 1000
      )
    }
    guard let first = known.map(\.from).min(), let last = known.map(\.until).max(),
      let lowest = known.map(\.offset).min(), let highest = known.map(\.offset).max()
    else { return nil }
    let (width, height) = (max(last - first, 1), max(highest - lowest, 3600))
    func x(_ time: Double) -> String { PageText.length(44 + (time - first) / width * 358) }
    func y(_ offset: Double) -> String { PageText.length(70 - (offset - lowest) / height * 54) }
    var path = ""
    for stretch in known {
      path += "\(path.isEmpty ? "M" : "L")\(x(stretch.from)) \(y(stretch.offset))"
      path += "H\(x(stretch.until))"
    }
    func date(_ time: Double) -> String {
      PageText.date(Int64(time).flooredDivision(by: 86_400))
    }
    let body =
      "<path class=\"rule\" d=\"M44 70H402M44 16H402\"/><path class=\"clock\" d=\"\(path)\"/>"
      + text("41", 73, "end", PageText.offset(lowest))
      + (highest > lowest ? text("41", 19, "end", PageText.offset(highest)) : "")
      + text("44", 84, "start", date(first)) + text("402", 84, "end", date(last))
    return "<svg class=\"plot\" viewBox=\"0 0 412 90\" role=\"img\">\(body)</svg>\n"
  }

  private static func rect(
    _ kind: String, _ left: String, _ top: Double, _ width: Int, _ height: Double
  ) -> String {
    "<rect class=\"\(kind)\" x=\"\(left)\" y=\"\(PageText.length(top))\" width=\"\(width)\" "
      + "height=\"\(PageText.length(height))\"/>"
  }

  private static func text(_ x: String, _ y: Int, _ anchor: String, _ text: String) -> String {
    "<text class=\"faint\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(text)</text>"
  }
}

extension WrittenAmount {
  /// The amount for a drawing, in the unit.
  fileprivate var value: Double { Double(parts) / 1e12 }

  /// The nearest amount to one of a drawing.
  fileprivate init(value: Double) { self.init(parts: Int64(min(value, 9_000_000) * 1e12)) }
}
