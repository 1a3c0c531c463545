import Platform
import PumpModel

extension AuditPage {
  /// Writes the sums of weeks, folded, the newest first.
  func writeWeeks() throws(OutputError) {
    var weeks: [(monday: Int64, days: Int, sum: PageDays.Day)] = []
    for number in days.numbers {
      guard let day = days.byDay[number], day.samples > 0 || day.hours > 0 else { continue }
      let monday = WeekTotals.monday(of: number)
      if weeks.last?.monday != monday { weeks.append((monday, 0, PageDays.Day())) }
      weeks[weeks.count - 1].days += 1
      weeks[weeks.count - 1].sum.basal.add(day.basal)
      weeks[weeks.count - 1].sum.bolus.add(day.bolus)
      weeks[weeks.count - 1].sum.carbohydrates.add(day.carbohydrates)
    }
    guard !weeks.isEmpty else { return }
    try put(
      """
      <details id="weeks"><summary><strong>Weeks</strong>: \(PageText.counted(weeks.count, "week")), \
      from Monday on</summary>
      <table><thead><tr><th scope="col">Week</th><th class="wide" scope="col">From</th><th scope="col">Days</th>\
      <th scope="col">Basal IU</th><th scope="col">Bolus IU</th><th scope="col">Total IU</th>\
      <th scope="col">A day</th><th scope="col">Carbs g</th></tr></thead><tbody>

      """)
    for (monday, count, sum) in weeks.reversed() {
      let mean = WrittenAmount(parts: sum.insulin.parts / Int64(count))
      try put(
        """
        <tr><th scope="row">\(WeekTotals.name(of: monday))</th>\
        <td class="wide">\(PageText.date(monday))</td>\
        <td>\(count)</td><td>\(sum.basal.fixed(decimals: 1))</td><td>\(sum.bolus.fixed(decimals: 1))</td>\
        <td>\(sum.insulin.fixed(decimals: 1))</td><td>\(mean.fixed(decimals: 1))</td>\
        <td>\(sum.carbohydrates.fixed(decimals: 0))</td></tr>

        """)
    }
    try put("</tbody></table></details>\n")
  }
}
