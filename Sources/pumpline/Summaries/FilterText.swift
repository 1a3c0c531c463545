import Pipeline
import PumpModel

/// The few lines at the end of a filter's run.
struct FilterText {
  /// What happened.
  let summary: FilterSummary
  /// What is read: a record or a sample.
  let what: String
  /// Where the report went; nil if there is none.
  let report: String?
  /// How it is to look.
  let style: TextStyle

  /// The lines.
  var text: String {
    var lines = LabeledText(style: style)
    let documents = summary.documents > 0 ? counted(summary.documents, "document") + " with " : ""
    lines.add("read", documents + counted(summary.read, what))
    let changes = [
      change("fresh", \.fresh), change("unchanged", \.unchanged), change("revised", \.revised),
    ].compactMap(\.self)
    lines.addLines("samples", changes)
    if summary.superseded > 0 {
      lines.add(
        "set aside", counted(summary.superseded, what) + ", since another of the same id counts")
    }
    addRejects(to: &lines)
    lines.addLines(
      "wrote",
      summary.outputs.map { output in
        let isStream = output.target == "-"
        let target = isStream ? "standard output" : style.green(printable(output.target))
        return "\(target) (\(counted(output.samples, what)))"
      })
    return lines.text
  }

  private func change(_ name: String, _ count: KeyPath<ChangeCounts, Int>) -> String? {
    let counts = SampleType.allCases.compactMap { type in
      (summary.changes[type]?[keyPath: count]).map { (type: type, count: $0) }
    }.filter { $0.count > 0 }
    guard !counts.isEmpty else { return nil }
    let total = counts.reduce(0) { $0 + $1.count }
    return "\(grouped(total)) \(name): "
      + counts.map { "\(grouped($0.count)) \($0.type.word)" }.joined(separator: ", ")
  }

  private func addRejects(to lines: inout LabeledText) {
    guard summary.rejects.count > 0 else { return }
    let shown = summary.rejects.first.map { part in
      "  \(printable(part.document))\(part.reject.position.words): \(printable(part.reject.reason))"
    }
    let hidden = summary.rejects.hidden
    let more = hidden == 0 ? [] : ["  and \(grouped(hidden)) more"]
    lines.addLines(
      "rejected", [counted(summary.rejects.count, "part") + " of the input"] + shown + more)
  }
}
