import Pipeline
import PumpModel

/// The few lines at the end of a run: what came in, what came out, what is open, what to do next.
struct ConvertText {
  /// What happened.
  let summary: ConvertSummary
  /// What had been asked for.
  let request: ConvertRequest
  /// How it is to look.
  let style: TextStyle

  /// The lines.
  var text: String {
    var lines = LabeledText(style: style)
    if hasRead { lines.add("read", readings) }
    addSamples(to: &lines)
    if summary.pending > 0 {
      lines.add(
        "pending",
        "\(counted(summary.pending, "dose")) not finished; newer history will close "
          + (summary.pending == 1 ? "it" : "them"))
    }
    if summary.holes > 0 {
      lines.add("holes", "\(counted(summary.holes, "stretch", plural: "stretches")) without data")
    }
    addRejects(to: &lines)
    addFindings(to: &lines)
    addOutputs(to: &lines)
    addSuperseded(to: &lines)
    lines.add("next", next)
    return lines.text
  }

  /// Whether the run read something: an input, or answers of a service.
  private var hasRead: Bool { request.hasSource || summary.documents > 0 }

  private var readings: String {
    let records = summary.records
    let pumps = summary.pumps.map(printable)
    let ofPumps =
      switch pumps.count {
      case 0: ""
      case 1: " of pump \(pumps[0])"
      case 2...3: " of pumps \(listed(pumps, "and"))"
      default: " of \(counted(pumps.count, "pump"))"
      }
    let parts = [
      (records.used, "used"), (records.duplicates, "known before"),
      (records.ignored, "not needed"), (records.rejected, "rejected"),
    ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return counted(summary.documents, "document") + " with " + counted(records.read, "record")
      + ofPumps + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  private func addSamples(to lines: inout LabeledText) {
    let rows = [
      change("fresh", \.fresh), change("unchanged", \.unchanged), change("revised", \.revised),
      change("withdrawn", \.withdrawn),
    ].compactMap(\.self)
    lines.addLines("samples", rows.isEmpty ? ["none"] : rows)
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
    lines.addLines(
      "rejected",
      [counted(summary.rejects.count, "part") + " of the input"] + shown
        + more(summary.rejects.hidden))
  }

  private func addFindings(to lines: inout LabeledText) {
    let weights = Severity.allCases.sorted(by: >).filter { summary.findings[$0] != nil }
    guard !weights.isEmpty else { return }
    let counts = weights.map { counted(summary.findings[$0]?.count ?? 0, $0.rawValue) }
    lines.add("findings", counts.joined(separator: ", "))
    // Notes alone are worth a line each; beside a warning they would bury it.
    let heaviest = weights.filter { $0 == weights.first || $0 > .note }
    for weight in heaviest {
      guard let list = summary.findings[weight] else { continue }
      for finding in list.first {
        lines.add(mark: weight == .note ? "-" : "!", color: color(of: weight), sentence(finding))
      }
      for line in more(list.hidden) { lines.add("", line) }
    }
  }

  private func sentence(_ finding: PumpFinding) -> String {
    let pump = finding.pump.map { " of pump \(printable($0))" } ?? ""
    return "\(finding.finding.code.rawValue)\(pump): \(printable(finding.finding.text))"
  }

  private func color(of weight: Severity) -> (String) -> String {
    switch weight {
    case .note: style.dim
    case .warning: style.yellow
    case .error: style.red
    }
  }

  private func more(_ hidden: Int) -> [String] {
    let place = request.report == nil || request.isDryRun ? "" : " in the report"
    return hidden == 0 ? [] : ["  and \(grouped(hidden)) more\(place)"]
  }

  private func addOutputs(to lines: inout LabeledText) {
    var rows = summary.outputs.map { output in
      "\(name(of: output.target)) (\(output.format), \(content(of: output)))"
    }
    if let report = request.report { rows.append("\(name(of: report)) (report)") }
    if let ledger = request.ledger, hasRead {
      rows.append("\(name(of: ledger)) (ledger)")
    }
    if request.isDryRun {
      lines.addLines("dry run", ["nothing was written; a run would write"] + rows.map { "  " + $0 })
    } else {
      lines.addLines("wrote", rows)
    }
  }

  private func content(of output: WrittenOutput) -> String {
    if output.isCut {
      return "cut by its reader" + (output.holdsChanges ? "; all stays owed" : "")
    }
    if output.isUntouched, output.holdsChanges { return "nothing new, left as it is" }
    let samples = counted(output.samples, output.holdsChanges ? "change" : "sample")
    return samples + (output.isUntouched ? ", unchanged" : "")
  }

  /// What must be done in Apple Health before a file is imported, which cannot delete there.
  private func addSuperseded(to lines: inout LabeledText) {
    for output in summary.outputs where output.superseded > 0 {
      let list =
        output.target.lowercased().hasSuffix(".zip") ? "superseded.csv in it" : "the report"
      lines.add(
        "first",
        "delete \(counted(output.superseded, "sample")) in Apple Health before you import "
          + "\(name(of: output.target)): \(list) lists them")
    }
  }

  private func name(of target: String) -> String {
    target == "-" ? "standard output" : style.green(printable(target))
  }
}

extension SampleType {
  /// The word that summaries use.
  var word: String {
    switch self {
    case .basal: "basal"
    case .bolus: "bolus"
    case .carbohydrates: "carbs"
    case .sensorGlucose: "CGM"
    case .meterGlucose: "meter"
    }
  }
}

extension Reject.Position {
  /// Where in a document, to follow its name; empty for all of it.
  var words: String {
    switch self {
    case .offset(let offset): ", byte \(offset)"
    case .line(let line): ", line \(line)"
    case .index(let index): ", element \(index)"
    case .whole: ""
    }
  }
}
