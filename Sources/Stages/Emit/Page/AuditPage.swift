package import Platform
package import PumpModel

/// Writes an audit as one page that needs nothing but itself.
///
/// What is read without a script stands in the page: sums, the calendar, months with their days. The view
/// of a day is drawn by the page's own script when it is opened, from numbers at its end, so that ten
/// years open at once. The page forbids itself to load, send or run anything else. It is HTML and
/// well-formed XML at once, in a file that only its owner can read.
///
/// Calls come in this order: `writeHead`, `write` for each sample in order of time, `seal`, `publish`;
/// `discard` instead of any of them.
package final class AuditPage {
  private let file: any OutputFile
  private let content: PageContent
  let days: PageDays
  private var lines: DayLines
  private var buffer = ByteBuffer()

  /// Begins a page at a path.
  ///
  /// - Parameters:
  ///   - path: where the page goes.
  ///   - content: what it says beside the days.
  ///   - days: the sums of all samples that will be written.
  /// - Throws: `OutputError` if there is no place for it.
  package convenience init(
    at path: String, _ content: PageContent, _ days: PageDays
  ) throws(OutputError) {
    self.init(into: try StagedFile(.file(path)), content, days)
  }

  init(into file: any OutputFile, _ content: PageContent, _ days: PageDays) {
    self.file = file
    self.content = content
    self.days = days
    lines = DayLines(days, holes: content.holes)
  }

  /// Writes all but the views of days.
  package func writeHead() throws(OutputError) {
    try put(head)
    try put(reading + totals)
    try put(findings)
    try writeCalendar()
    try writeMonths()
    try writeWeeks()
    try put(clocks)
    try put(
      """
      <footer><p class="soft">Made by pumpline \(Release.version) at \
      \(PageText.time(content.madeAt)). This page holds health data: amounts and times of doses. It \
      loads and sends nothing.</p></footer>
      <script type="text/plain" id="days">

      """)
  }

  /// Writes what the day view shows of a sample.
  package func write(_ sample: WrittenSample) throws {
    try lines.add(sample) { try put($0) }
  }

  /// Ends the page and seals the file.
  package func seal() throws {
    try lines.end { try put($0) }
    try put("</script>\n<script>\(PageScript.text)</script>\n</body>\n</html>\n")
    try buffer.flush(to: file)
    try file.seal()
  }

  /// Publishes the file.
  package func publish() throws(OutputError) { try file.publish() }

  /// Discards the file.
  package func discard() { file.discard() }

  func put(_ text: String) throws(OutputError) {
    buffer.append(utf8: text)
    try buffer.drain(to: file)
  }
}

extension AuditPage {
  /// What a page may do: show itself with its own style and its own script.
  private static var policy: String {
    func hash(_ text: String) -> String {
      let digest = Digest256()
      let bytes = Array(text.utf8)
      digest.update(unsafe bytes.span.bytes)
      return "'sha256-\(Base64Text.encoded(digest.finish().bytes))'"
    }
    return "default-src 'none'; script-src \(hash(PageScript.text)); "
      + "style-src \(hash(PageStyle.text)); base-uri 'none'; form-action 'none'"
  }

  private var isDemo: Bool { content.isDemo || days.isDemo }

  private var head: String {
    let newest = days.numbers.last.map { " data-newest=\"\(PageText.date($0))\"" } ?? ""
    let demo =
      isDemo
      ? "<p class=\"demo\">Synthetic demo data: a simulated pump made it up. Nobody got this "
        + "insulin.</p>\n" : ""
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="referrer" content="no-referrer"/>
      <meta name="color-scheme" content="light dark"/>
      <title>Audit\(isDemo ? " of synthetic demo data" : "")</title>
      <style>\(PageStyle.text)</style>
      </head>
      <body\(newest)>
      \(PagePlots.marks)<h1>Audit</h1>
      \(demo)<p class="result">\(PageText.escaped(content.result))</p>
      <nav><a href="#read">What was read</a><a href="#findings">Findings</a>\
      <a href="#coverage">Coverage</a><a href="#months">Days</a><a href="#clock">Clock</a></nav>

      """
  }

  private var reading: String {
    var text = """
      <h2 id="read">What was read</h2>
      <table><thead><tr><th scope="col">Name</th><th class="text" scope="col">Form</th>\
      <th scope="col">Samples</th></tr></thead><tbody>

      """
    for source in content.sets {
      text += "<tr><td>\(PageText.name(source.name))</td><td class=\"text\">"
      text += PageText.escaped(source.form)
      text += source.trouble.map { "; \(PageText.escaped($0))" } ?? ""
      text += "</td><td>\(PageText.grouped(source.samples))</td></tr>\n"
    }
    text += "</tbody></table>\n"
    if !content.counts.isEmpty {
      let counts = content.counts.map {
        "\(PageText.escaped($0.label)): \(PageText.grouped($0.count))"
      }
      text += "<p>\(counts.joined(separator: ", ")).</p>\n"
    }
    if !days.pumps.isEmpty {
      text += "<p>Pumps of the output:</p>\n<ul>\n"
      for (index, pump) in days.pumps.enumerated() {
        let name = pump.map { "pump " + PageText.name($0) } ?? "a pump that is not told"
        text += "<li id=\"p\(index)\">\(name)</li>\n"
      }
      text += "</ul>\n"
    }
    return text
  }

  private var totals: String {
    var text = """
      <table><thead><tr><th scope="col">Output</th><th scope="col">Samples</th>\
      <th scope="col">Sum</th></tr></thead><tbody>

      """
    for type in SampleType.allCases {
      guard let sum = days.sums[type] else { continue }
      let isGlucose = type == .sensorGlucose || type == .meterGlucose
      text += "<tr><th scope=\"row\">\(type.rawValue)</th><td>\(PageText.grouped(sum.samples))</td>"
      text += "<td>\(isGlucose ? "" : sum.amount.fixed(decimals: 3) + " " + type.unit)</td></tr>\n"
    }
    text += "</tbody></table>\n"
    if days.samplesBeyond > 0 {
      text += "<p>\(PageText.counted(days.samplesBeyond, "sample")) lie on days beyond the "
      text += "\(PageText.grouped(PageDays.mostDays)) that are shown.</p>\n"
    }
    return text
  }

  private var findings: String {
    var text = "<h2 id=\"findings\">Findings</h2>\n"
    for severity in Severity.allCases.sorted(by: >) {
      text += list(
        content.findings.filter { $0.severity == severity }, kind: severity.rawValue,
        title: Self.titles[severity] ?? "")
    }
    if content.findings.isEmpty { text += "<p>None that are not accepted.</p>\n" }
    text += list(content.accepted, kind: "accepted", title: "Accepted")
    text += list(content.differences, kind: "differences", title: "Differences")
    return text
  }

  private func list(_ entries: [PageContent.Entry], kind: String, title: String) -> String {
    guard !entries.isEmpty else { return "" }
    let count = entries.reduce(0) { $0 + $1.count }
    var text = "<section class=\"\(kind)\"><h3>\(title) (\(PageText.grouped(count)))</h3>\n<ul>\n"
    for entry in entries.sorted(by: Self.isBefore) {
      text += "<li><strong>\(PageText.escaped(entry.word))</strong> "
      text += entry.start.map { link(to: $0) + " " } ?? ""
      text += entry.pump.map { "pump \(PageText.name($0)): " } ?? ""
      text += "<span>\(PageText.escaped(entry.text))</span>"
      text += entry.reason.map { "<br/>Accepted: <q>\(PageText.escaped($0))</q>" } ?? ""
      text += "</li>\n"
    }
    return text + "</ul></section>\n"
  }

  private static func isBefore(_ left: PageContent.Entry, _ right: PageContent.Entry) -> Bool {
    (left.start?.unixSeconds ?? .max, left.word) < (right.start?.unixSeconds ?? .max, right.word)
  }

  /// A link to the day of an instant, if the page has it.
  private func link(to start: Instant) -> String {
    let day = days.days.day(at: start)
    let time = PageText.time(start)
    guard days.byDay[day] != nil else { return time }
    return "<a href=\"#d\(PageText.date(day))\">\(time)</a>"
  }

  private func writeCalendar() throws(OutputError) {
    try put(
      """
      <h2 id="coverage">Coverage</h2>
      <p class="soft">A square is a day of the output, filled from below by the hours in which samples \
      lie; rows are months. A square in the square marks findings. Days without a square have no sample. Hours \
      at a rate of zero count only where the output keeps them.</p>
      <div class="years">

      """)
    for (year, days) in grouped(by: { $0.year }) { try put(PagePlots.year(year, days)) }
    try put("</div>\n")
  }

  private func writeMonths() throws(OutputError) {
    try put(
      """
      <h2 id="months">Days</h2>
      <p class="soft">Local days by the zones of the audit. Basal counts in the day in which it was given, \
      boluses and carbs where they began. Where no basal is drawn the output has none: the rate was zero, \
      or it is not known.</p>
      \(PagePlots.legend)<p class="hint">A date opens the view of its day.</p>

      """)
    let months = grouped { $0.year * 12 + $0.month - 1 }
    for (index, (month, days)) in months.reversed().enumerated() {
      try put(self.month(month, days, isOpen: index == 0))
    }
  }

  private func month(
    _ month: Int, _ days: [(number: Int64, day: PageDays.Day)], isOpen: Bool
  ) -> String {
    var sum = PageDays.Day()
    for (_, day) in days {
      sum.basal.add(day.basal)
      sum.bolus.add(day.bolus)
      sum.carbohydrates.add(day.carbohydrates)
    }
    let name = Self.months[month % 12] + " \(month / 12)"
    var text = """
      <details\(isOpen ? " open=\"open\"" : "")><summary><strong>\(name)</strong>: \
      \(PageText.counted(days.count, "day")), basal \(sum.basal.fixed(decimals: 1)) IU, bolus \
      \(sum.bolus.fixed(decimals: 1)) IU, carbs \(sum.carbohydrates.fixed(decimals: 0)) g</summary>
      \(PagePlots.month(days))<table><thead><tr><th scope="col">Day</th><th scope="col">Basal IU</th>\
      <th scope="col">Bolus IU</th><th scope="col">Total IU</th><th scope="col">Carbs g</th>\
      <th scope="col">Hours</th><th class="text" scope="col">Notes</th></tr></thead><tbody>

      """
    for (number, day) in days { text += row(number, day) }
    return text + "</tbody></table></details>\n"
  }

  private func row(_ number: Int64, _ day: PageDays.Day) -> String {
    let date = PageText.date(number)
    let weekday = Self.weekdays[Int((number + 4) - (number + 4).flooredDivision(by: 7) * 7)]
    var notes: [String] = []
    if day.notes > 0 { notes.append(PageText.counted(day.notes, "finding")) }
    if day.hasHole { notes.append("hole") }
    return """
      <tr id="d\(date)"><th scope="row"><a href="#d\(date)">\(weekday) \(date.suffix(2))</a></th>\
      <td>\(day.basal.fixed(decimals: 3))</td><td>\(day.bolus.fixed(decimals: 3))</td>\
      <td>\(day.insulin.fixed(decimals: 3))</td><td>\(day.carbohydrates.fixed(decimals: 1))</td>\
      <td>\(day.hours)</td><td class="text">\(notes.joined(separator: ", "))</td></tr>

      """
  }

  private var clocks: String {
    var text = "<h2 id=\"clock\">The pump's clock</h2>\n"
    guard let clocks = content.clocks else {
      return text + "<p>What the clock showed, only sources tell: name them with --source.</p>\n"
    }
    for pump in Set(clocks.map(\.pump)).sorted() {
      let rows = clocks.filter { $0.pump == pump }.map(\.row)
      text += "<h3>Pump \(PageText.name(pump))</h3>\n"
      if let plot = PagePlots.clock(rows) {
        text += "<figure><figcaption>Offset from UTC over time</figcaption>\(plot)</figure>\n"
      }
      text += """
        <table><thead><tr><th scope="col">From</th><th class="text" scope="col">Until</th>\
        <th class="text" scope="col">Began with</th><th scope="col">Offset</th>\
        <th scope="col">Off by s</th></tr></thead><tbody>

        """
      for row in rows.prefix(Self.mostClocks) { text += self.row(row) }
      text += "</tbody></table>\n"
      if rows.count > Self.mostClocks {
        text += "<p>\(PageText.grouped(rows.count - Self.mostClocks)) more stretches.</p>\n"
      }
    }
    return text
  }

  private func row(_ row: ClockRow) -> String {
    func time(_ instant: Instant?) -> String { instant.map(PageText.time) ?? "not known" }
    let offset =
      row.offset.map { PageText.offset(Double($0)) }
      ?? (row.usesRecords ? "not known" : "of the zone")
    let drift = row.usesRecords ? "\(row.driftMilliseconds / 1000)" : ""
    return """
      <tr><td>\(time(row.start))</td><td class="text">\(time(row.end))</td>\
      <td class="text">\(row.opening.rawValue)</td><td>\(offset)</td><td>\(drift)</td></tr>

      """
  }

  /// The days in groups, in order.
  private func grouped(
    by key: (CivilTime) -> Int
  ) -> [(key: Int, days: [(number: Int64, day: PageDays.Day)])] {
    var groups: [(key: Int, days: [(number: Int64, day: PageDays.Day)])] = []
    for number in days.numbers {
      guard let day = days.byDay[number] else { continue }
      let own = key(CivilTime(daysSince1970: number))
      if groups.last?.key != own { groups.append((own, [])) }
      groups[groups.count - 1].days.append((number, day))
    }
    return groups
  }

  /// More stretches of a clock are counted.
  private static let mostClocks = 500
  private static let titles: [Severity: String] = [
    .error: "Errors", .warning: "Warnings", .note: "Notes",
  ]
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
