import Pipeline
import PumpModel

/// What two sets of samples differ in, for a person: each difference as it comes, then the sums.
struct ComparisonText {
  private let style: TextStyle
  private let isWhole: Bool
  private var count = 0

  /// So many differences are shown unless all are asked for.
  private static let mostShown = 20

  /// Begins a text.
  init(style: TextStyle, isWhole: Bool) {
    self.style = style
    self.isWhole = isWhole
  }

  /// The lines of a difference; nil if there were enough.
  mutating func text(of explained: ExplainedDifference) -> String? {
    count += 1
    guard isWhole || count <= Self.mostShown else { return nil }
    let difference = explained.difference
    guard let sample = difference.first ?? difference.second else { return nil }
    let kind = difference.kind.rawValue.padded(to: 11)
    var lines = [
      style.red(kind)
        + [
          sample.start.utc.text + "Z", sample.type.rawValue, amount(sample),
          sample.externalID.map(printable) ?? "without an id" + place(of: sample),
        ].joined(separator: "  ")
    ]
    if difference.isMovedBetweenPumps { lines.append(indent + "moved to another pump") }
    lines += difference.fields.map { indent + change($0, difference) }
    if let rule = explained.rule { lines.append(indent + style.dim("made of " + rule)) }
    lines += explained.events.map { indent + style.dim(text(of: $0)) }
    if let row = explained.row { lines.append(indent + style.dim(text(of: row))) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Where in its output a sample stands that nothing else names.
  private func place(of sample: WrittenSample) -> String {
    sample.place == 0 ? "" : ", at place \(sample.place) of its output"
  }

  /// The sums at the end.
  func end(_ summary: ComparisonSummary) -> String {
    var lines = LabeledText(style: style)
    if !isWhole, count > Self.mostShown {
      lines.addLines("", ["and \(grouped(count - Self.mostShown)) more; -v shows all"])
    }
    let labels = summary.sets.count > 1 ? ["compared", "with"] : ["audited"]
    for (label, set) in zip(labels, summary.sets) {
      let form = set.form.map { ", \($0.rawValue)" } ?? ", made again"
      lines.addLines(
        label, ["\(printable(set.name)): \(counted(set.samples, "sample"))\(form)"])
    }
    if summary.sets.count > 1 {
      lines.addLines(
        "matched",
        [
          "\(grouped(summary.matchedByID)) by external id, "
            + "\(grouped(summary.matchedByTime)) by time and amount"
        ])
    }
    for set in summary.sets { addFaults(of: set, to: &lines) }
    addSourceFindings(summary, to: &lines)
    addFindings(summary, to: &lines)
    addAccepted(summary, to: &lines)
    if let days = summary.days {
      var inner = style
      inner.width -= LabeledText.margin
      let plots = AuditPlots(days: days, style: inner, isWhole: isWhole)
      lines.addLines("insulin", plots.insulin)
      lines.addLines("coverage", plots.coverage)
    }
    lines.addLines("result", [result(summary)])
    return lines.text
  }

  private func result(_ summary: ComparisonSummary) -> String {
    let kinds = SampleDifference.Kind.allCases.compactMap { kind in
      summary.differences[kind].flatMap { $0 > 0 ? "\(grouped($0)) \(kind.rawValue)" : nil }
    }
    var parts: [String] = []
    if !kinds.isEmpty {
      parts.append(
        "\(counted(summary.differenceCount, "difference")): \(kinds.joined(separator: ", "))")
    } else if summary.sets.count > 1 {
      parts.append("the same" + (isRead(summary) ? "" : ", as far as it can be read"))
    }
    let weights = Severity.allCases.sorted(by: >).filter { summary.count(of: $0) > 0 }
    parts += weights.map {
      counted(
        summary.count(of: $0), "\($0.rawValue) in the output",
        plural: "\($0.rawValue)s in the output")
    }
    if summary.acceptedCount > 0 {
      parts.append("\(counted(summary.acceptedCount, "finding")) accepted")
    }
    if parts.isEmpty { parts.append(isRead(summary) ? "nothing is wrong" : "not all can be read") }
    let text = parts.joined(separator: "; ")
    return summary.exitStatus == .ok ? style.green(text) : style.red(text)
  }

  private func isRead(_ summary: ComparisonSummary) -> Bool {
    summary.sets.allSatisfy { $0.faults.count == 0 && $0.rejects == 0 }
  }

  private func addFindings(_ summary: ComparisonSummary, to lines: inout LabeledText) {
    for code in FindingCode.allCases {
      guard let list = summary.findings[code] else { continue }
      let shown = list.first.map { finding in
        "  " + (finding.start.map { $0.utc.text + "Z  " } ?? "") + printable(finding.text)
      }
      lines.addLines(
        code.severity.rawValue,
        ["\(code.rawValue), \(counted(list.count, "time"))"] + shown + more(list.hidden))
    }
  }

  private func addAccepted(_ summary: ComparisonSummary, to lines: inout LabeledText) {
    for accepted in summary.accepted {
      let acceptance = accepted.acceptance
      let what =
        acceptance.code.rawValue
        + (acceptance.pump.map { " of pump \(printable($0))" } ?? "")
        + (acceptance.day.map { " on \($0.text)" } ?? "")
      if accepted.isIdle {
        lines.addLines("accepted", ["\(what): line \(acceptance.line) matches no finding"])
      } else {
        lines.addLines(
          "accepted",
          [
            "\(what), \(counted(accepted.findings.count, "time"))",
            "  " + printable(acceptance.reason),
          ])
      }
    }
  }

  private func addSourceFindings(_ summary: ComparisonSummary, to lines: inout LabeledText) {
    var rows = Severity.allCases.sorted(by: >).flatMap { weight in
      (summary.sourceFindings[weight]?.first ?? []).map { finding in
        "\(weight.rawValue) \(finding.finding.code.rawValue)"
          + (finding.pump.map { " of pump \(printable($0))" } ?? "")
          + ": \(printable(finding.finding.text))"
      } + more(summary.sourceFindings[weight]?.hidden ?? 0)
    }
    if summary.holes > 0 {
      rows.append("\(counted(summary.holes, "stretch", plural: "stretches")) without data")
    }
    if summary.pending > 0 { rows.append("\(counted(summary.pending, "dose")) not finished") }
    if !rows.isEmpty { lines.addLines("sources", rows) }
  }

  private func more(_ hidden: Int) -> [String] {
    hidden > 0 ? ["  and \(grouped(hidden)) more"] : []
  }

  private let indent = "".padded(to: 11)

  private func addFaults(of set: ComparedSet, to lines: inout LabeledText) {
    if set.rejects > 0 {
      lines.addLines("rejected", [counted(set.rejects, "part") + " of the sources"])
    }
    guard set.faults.count > 0 else { return }
    let word = set.form == .nightscout ? "line or offset" : "line or row"
    let shown = set.faults.first.map { fault in
      "  " + (fault.place.map { "\(word) \(grouped(Int(clamping: $0))): " } ?? "")
        + printable(fault.reason)
    }
    lines.addLines(
      "unread",
      ["\(counted(set.faults.count, "entry", plural: "entries")) of \(printable(set.name))"]
        + shown + more(set.faults.hidden))
  }

  private func amount(_ sample: WrittenSample) -> String {
    sample.amount.text + " " + sample.type.unit
  }

  private func change(_ field: String, _ difference: SampleDifference) -> String {
    func value(_ sample: WrittenSample?) -> String {
      sample.flatMap { $0.text(of: field) }.map(printable) ?? "nothing"
    }
    let arrow = style.isUnicode ? "→" : "->"
    return "\(printable(field)): \(value(difference.first)) \(arrow) \(value(difference.second))"
  }

  private func text(of event: LocatedEvent) -> String {
    let id = event.id.map { " (\($0)\(event.name.map { " \($0)" } ?? ""))" } ?? ""
    return "event \(event.reference.number)-\(event.reference.seconds)\(id)"
      + text(of: event.places)
  }

  private func text(of row: LocatedRow) -> String {
    "row \(printable(row.reference.text))" + text(of: row.places)
  }

  private func text(of places: [SourcePlace]?) -> String {
    guard let places else { return "" }
    guard !places.isEmpty else { return ", which is in none of the sources" }
    return places.map { ", in \(printable($0.document)) at \($0.words)" }.joined()
  }
}

extension WrittenSample {
  /// The text of a field that a comparison names; nil if the output does not tell it.
  fileprivate func text(of field: String) -> String? {
    switch field {
    case "externalId": externalID
    case "type": type.rawValue
    case SampleDifference.device: device
    case "start": start.utc.text + "Z"
    case "end": end.utc.text + "Z"
    case "value": amount.text + " " + type.unit
    case "zone": zone
    case "eventIds": lineage.map { "\($0.number)-\($0.seconds)" }.joined(separator: " ")
    default: metadata.entries.first { $0.name == field }?.text
    }
  }
}
