import Pipeline
import PumpModel

/// Where samples come from, for a person.
struct ExplanationText {
  /// What is known.
  let explanation: Explanation
  /// What had been asked for.
  let request: ExplainRequest
  /// How it is to look.
  let style: TextStyle

  /// The text.
  var text: String {
    var lines = LabeledText(style: style)
    for sample in explanation.samples { add(sample, to: &lines) }
    if explanation.hidden > 0 {
      lines.add("", "and \(counted(explanation.hidden, "more sample"))")
    }
    for silent in explanation.silentEvents {
      add(silent.event, label: "event", to: &lines)
      lines.add("no sample", "of pump \(printable(silent.pump)): \(silent.reason)")
    }
    for silent in explanation.silentRows {
      add(silent.row, to: &lines)
      lines.add("no sample", "of pump \(printable(silent.pump)): \(silent.reason)")
    }
    for entry in explanation.holes {
      let end = entry.hole.end.map { "until \($0.utc.text)Z" } ?? "with no known end"
      lines.add(
        "hole",
        "pump \(printable(entry.pump)) from \(entry.hole.start.utc.text)Z \(end): "
          + entry.hole.reason.rawValue)
    }
    for around in explanation.surroundings { add(around, to: &lines) }
    if explanation.exitStatus != .ok { lines.add("result", style.red(nothing)) }
    return lines.text
  }

  private var nothing: String {
    switch request.subject {
    case .sample: "there is no sample of this id"
    case .event: "there is no such event"
    case .moment: "there is no sample and no hole at this instant"
    }
  }

  private func add(_ explained: ExplainedSample, to lines: inout LabeledText) {
    let sample = explained.sample
    let times =
      sample.start == sample.end
      ? "at \(sample.start.utc.text)Z" : "from \(sample.start.utc.text)Z to \(sample.end.utc.text)Z"
    lines.addLines(
      "sample",
      [
        sample.externalID.map(printable) ?? "",
        "\(sample.type.rawValue), \(sample.amount.text) \(sample.type.unit), \(times)",
      ] + sample.metadata.entries.map { "\(printable($0.name)): \(printable($0.text))" })
    lines.add("why", explained.rule)
    if let arithmetic = explained.arithmetic { lines.add("", arithmetic) }
    if let note = explained.note { lines.add("note", note) }
    for (index, event) in explained.events.enumerated() {
      add(event, label: index == 0 ? "events" : "", to: &lines)
    }
    if let row = explained.row { add(row, to: &lines) }
  }

  private func add(_ around: SilentPlace, to lines: inout LabeledText) {
    let label = if case .moment = request.subject { "no basal" } else { "no event" }
    lines.add(label, "of pump \(printable(around.pump)): \(around.reason)")
    if let before = around.before { add(before, label: "before", to: &lines) }
    if let after = around.after { add(after, label: "after", to: &lines) }
  }

  private func add(_ explained: ExplainedRow, to lines: inout LabeledText) {
    lines.addLines("row", [printable(explained.row.reference.text)])
    if let instant = explained.instant {
      let told =
        explained.wallTime.map {
          "the row shows \($0.text), by the zone's rules "
            + "\(Self.offset($0.secondsSince1970 - instant.unixSeconds)) from UTC: "
        } ?? "the row tells "
      lines.add("", "  \(told)\(instant.utc.text)Z")
    }
    add(explained.row.places, explained.fields, to: &lines)
  }

  private func add(
    _ places: [SourcePlace]?, _ fields: [PumpEventRow.Detail], to lines: inout LabeledText
  ) {
    for place in places ?? [] {
      lines.addLines("", ["  in \(printable(place.document)) at \(place.words)"])
    }
    guard !fields.isEmpty else { return }
    let text = fields.map { "\(printable($0.name)) \(printable($0.value))" }
      .joined(separator: ", ")
    for line in text.wrapped(to: style.width - 12) {
      lines.addLines("", ["  " + style.dim(line)])
    }
  }

  private func add(_ explained: ExplainedEvent, label: String, to lines: inout LabeledText) {
    let event = explained.event
    let id = event.id.map { " (\($0)\(event.name.map { " \($0)" } ?? ""))" } ?? ""
    lines.addLines(label, ["\(event.reference.number)-\(event.reference.seconds)\(id)"])
    lines.add("", "  " + clock(explained))
    add(event.places, explained.fields, to: &lines)
  }

  /// How the pump's clock became a time.
  private func clock(_ event: ExplainedEvent) -> String {
    let shown = "the pump showed \(event.wallTime.text)"
    guard let offset = event.offset, let instant = event.instant else {
      return shown + ", and when that was is not known"
    }
    let how = event.isPlacedByRecords ? "its records of clock changes" : "the zone's rules"
    return "\(shown), by \(how) \(Self.offset(offset)) from UTC: \(instant.utc.text)Z"
  }

  private static func offset(_ offset: Int64) -> String {
    let sign = offset < 0 ? "-" : "+"
    let seconds = Int(offset.magnitude % 60)
    let rest = seconds == 0 ? "" : ":" + (seconds < 10 ? "0" : "") + String(seconds)
    let hours = Int(offset.magnitude / 3600)
    let minutes = Int(offset.magnitude / 60 % 60)
    return "\(sign)\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)\(rest)"
  }
}
