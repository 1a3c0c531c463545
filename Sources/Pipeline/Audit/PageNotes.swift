import Deduplicate
import Emit
import PumpModel

/// What a page is to say, collected while an audit runs; bounded whatever is found.
final class PageNotes {
  private var findings = Lines()
  private var accepted = Lines()
  private var differences = Lines()
  private var clocks: [(pump: String, row: ClockRow)]?
  private var holes: [(pump: String, hole: Hole)] = []

  /// So many lines of one code or kind are told one by one.
  private static let mostOfOne = 200

  /// Lines by code or kind.
  private struct Lines {
    var kept: [PageContent.Entry] = []
    private var counts: [String: (severity: Severity?, count: Int)] = [:]

    mutating func add(_ entry: PageContent.Entry) {
      counts[entry.word, default: (entry.severity, 0)].count += 1
      if counts[entry.word]?.count ?? 0 <= PageNotes.mostOfOne { kept.append(entry) }
    }

    /// The lines, with one for those of a word that were not kept.
    var all: [PageContent.Entry] {
      kept
        + counts.sorted { $0.key < $1.key }.compactMap { word, held in
          let hidden = held.count - PageNotes.mostOfOne
          guard hidden > 0 else { return nil }
          var entry = PageContent.Entry(
            held.severity, word, pump: nil, start: nil, text: "and \(hidden) more")
          entry.count = hidden
          return entry
        }
    }
  }

  /// Takes in a finding, with the reason if it is accepted.
  func add(_ finding: PumpFinding, reason: String?) {
    var entry = PageContent.Entry(
      finding.finding.code.severity, finding.finding.code.rawValue, pump: finding.pump,
      start: finding.finding.start, text: finding.finding.text)
    entry.reason = reason
    if reason == nil { findings.add(entry) } else { accepted.add(entry) }
  }

  /// Takes in a difference.
  func add(_ explained: ExplainedDifference) {
    let difference = explained.difference
    guard let sample = difference.first ?? difference.second else { return }
    let fields =
      difference.fields.isEmpty ? "" : ", in " + difference.fields.joined(separator: ", ")
    differences.add(
      PageContent.Entry(
        nil, difference.kind.rawValue, pump: sample.device, start: sample.start,
        text: "\(sample.type.rawValue), \(sample.amount.text) \(sample.type.unit), "
          + (sample.externalID ?? "without an id") + fields))
  }

  /// Takes in what only the ledger of the sources tells.
  func take(clocksAndHolesOf ledger: Ledger) throws {
    var clocks: [(pump: String, row: ClockRow)] = []
    try ledger.forEachClock { pump, row in clocks.append((pump, row)) }
    self.clocks = clocks
    try ledger.forEachHole { pump, hole in holes.append((pump, hole)) }
  }

  /// What the page says, once the audit is over.
  func content(_ summary: ComparisonSummary, madeAt: Instant) -> PageContent {
    var content = PageContent(madeAt: madeAt)
    content.sets = summary.sets.map { set in
      var source = PageContent.Source(
        name: set.name, form: set.form?.rawValue ?? "sources, made again", samples: set.samples)
      let trouble =
        (set.faults.count > 0 ? ["\(set.faults.count) entries that cannot be read"] : [])
        + (set.rejects > 0 ? ["\(set.rejects) parts rejected"] : [])
      source.trouble = trouble.isEmpty ? nil : trouble.joined(separator: ", ")
      return source
    }
    if summary.sets.count > 1 {
      content.counts = [
        PageContent.Count("Matched by external id", summary.matchedByID),
        PageContent.Count("matched by time and amount", summary.matchedByTime),
      ]
      content.counts += SampleDifference.Kind.allCases.map {
        PageContent.Count($0.rawValue, summary.differences[$0] ?? 0)
      }
      content.counts.append(PageContent.Count("stretches without data", summary.holes))
      content.counts.append(PageContent.Count("doses not finished", summary.pending))
    }
    content.findings = findings.all
    content.accepted = accepted.all
    content.differences = differences.all
    content.clocks = clocks
    content.holes = holes
    content.isDemo = summary.sourceFindings.values.contains { list in
      list.first.contains { $0.finding.code == .madeUp }
    }
    content.result = Self.result(summary)
    return content
  }

  private static func result(_ summary: ComparisonSummary) -> String {
    func counted(_ count: Int, _ noun: String) -> String {
      "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
    var parts: [String] = []
    if summary.sets.count > 1 {
      parts.append(
        summary.differenceCount == 0
          ? "The output is what its sources give"
          : "The output and its sources differ in \(counted(summary.differenceCount, "sample"))")
    } else {
      parts.append("The output was looked at by itself")
    }
    if !summary.sets.allSatisfy({ $0.faults.count == 0 && $0.rejects == 0 }) {
      parts.append("not all could be read")
    }
    for severity in Severity.allCases.sorted(by: >) {
      let count = summary.count(of: severity) + (summary.sourceFindings[severity]?.count ?? 0)
      if count > 0 { parts.append(counted(count, severity.rawValue)) }
    }
    if summary.acceptedCount > 0 {
      parts.append("\(counted(summary.acceptedCount, "finding")) accepted")
    }
    return parts.joined(separator: "; ") + "."
  }
}
