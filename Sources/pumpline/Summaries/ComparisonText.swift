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
          sample.externalID.map(printable) ?? "without an id",
        ].joined(separator: "  ")
    ]
    if difference.isMovedBetweenPumps { lines.append(indent + "moved to another pump") }
    lines += difference.fields.map { indent + change($0, difference) }
    if let rule = explained.rule { lines.append(indent + style.dim("made of " + rule)) }
    lines += explained.events.map { indent + style.dim(text(of: $0)) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The sums at the end.
  func end(_ summary: ComparisonSummary) -> String {
    var lines = LabeledText(style: style)
    if !isWhole, count > Self.mostShown {
      lines.addLines("", ["and \(grouped(count - Self.mostShown)) more; -v shows all"])
    }
    for (index, set) in summary.sets.enumerated() {
      let form = set.form.map { ", \($0.rawValue)" } ?? ", made again"
      lines.addLines(
        index == 0 ? "compared" : "with",
        ["\(printable(set.name)): \(counted(set.samples, "sample"))\(form)"])
    }
    lines.addLines(
      "matched",
      [
        "\(grouped(summary.matchedByID)) by external id, "
          + "\(grouped(summary.matchedByTime)) by time and amount"
      ])
    for set in summary.sets { addFaults(of: set, to: &lines) }
    let kinds = SampleDifference.Kind.allCases.compactMap { kind in
      summary.differences[kind].flatMap { $0 > 0 ? "\(grouped($0)) \(kind.rawValue)" : nil }
    }
    let result =
      kinds.isEmpty
      ? summary.exitStatus == .ok
        ? style.green("the same") : style.red("the same, as far as it can be read")
      : style.red(
        "\(counted(summary.differenceCount, "difference")): \(kinds.joined(separator: ", "))")
    lines.addLines("result", [result])
    return lines.text
  }

  private let indent = "".padded(to: 11)

  private func addFaults(of set: ComparedSet, to lines: inout LabeledText) {
    if set.rejects > 0 {
      lines.addLines("rejected", [counted(set.rejects, "part") + " of the sources"])
    }
    guard set.faults.count > 0 else { return }
    let shown = set.faults.first.map { fault in
      "  " + (fault.place.map { "line or row \(grouped(Int(clamping: $0))): " } ?? "")
        + printable(fault.reason)
    }
    let more = set.faults.hidden > 0 ? ["  and \(grouped(set.faults.hidden)) more"] : []
    lines.addLines(
      "unread",
      ["\(counted(set.faults.count, "entry", plural: "entries")) of \(printable(set.name))"]
        + shown + more)
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
    let places = event.places.map { places in
      places.isEmpty
        ? ", which is in none of the sources"
        : places.map { ", in \(printable($0.document)) at offset \($0.offset)" }.joined()
    }
    return "event \(event.reference.number)-\(event.reference.seconds)\(id)" + (places ?? "")
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
    default: metadata.entries.first { $0.name == field }?.text
    }
  }
}
