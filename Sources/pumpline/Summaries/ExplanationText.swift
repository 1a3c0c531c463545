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
    for entry in explanation.holes {
      let end = entry.hole.end.map { "until \($0.utc.text)Z" } ?? "with no known end"
      lines.add(
        "hole",
        "pump \(printable(entry.pump)) from \(entry.hole.start.utc.text)Z \(end): "
          + entry.hole.reason.rawValue)
    }
    if explanation.exitStatus != .ok { lines.add("result", style.red(nothing)) }
    return lines.text
  }

  private var nothing: String {
    switch request.subject {
    case .sample: "there is no sample of this id"
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
    for (index, event) in explained.events.enumerated() {
      add(event, label: index == 0 ? "events" : "", to: &lines)
    }
  }

  private func add(_ explained: ExplainedEvent, label: String, to lines: inout LabeledText) {
    let event = explained.event
    let id = event.id.map { " (\($0)\(event.name.map { " \($0)" } ?? ""))" } ?? ""
    lines.addLines(label, ["\(event.reference.number)-\(event.reference.seconds)\(id)"])
    lines.add("", "  " + clock(explained))
    for place in event.places ?? [] {
      lines.addLines("", ["  in \(printable(place.document)) at offset \(place.offset)"])
    }
    guard !explained.fields.isEmpty else { return }
    let fields = explained.fields.map { "\(printable($0.name)) \(printable($0.value))" }
    for line in fields.joined(separator: ", ").wrapped(to: style.width - 12) {
      lines.addLines("", ["  " + style.dim(line)])
    }
  }

  /// How the pump's clock became a time.
  private func clock(_ event: ExplainedEvent) -> String {
    let shown = "the pump showed \(event.wallTime.text)"
    guard let offset = event.offset, let instant = event.instant else {
      return shown + ", and when that was is not known"
    }
    let how = event.isPlacedByRecords ? "its records of clock changes" : "the zone's rules"
    let sign = offset < 0 ? "-" : "+"
    let seconds = Int(offset.magnitude % 60)
    let rest = seconds == 0 ? "" : ":" + (seconds < 10 ? "0" : "") + String(seconds)
    let hours = Int(offset.magnitude / 3600)
    let minutes = Int(offset.magnitude / 60 % 60)
    let text = "\(sign)\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)\(rest)"
    return "\(shown), by \(how) \(text) from UTC: \(instant.utc.text)Z"
  }
}

/// Where samples come from, for programs; keys are added in later versions, never renamed.
enum ExplanationJSON {
  /// The whole answer.
  static func value(of explanation: Explanation) -> JSONValue {
    let holes = explanation.holes.map { entry in
      JSONValue.object([
        ("pump", .string(entry.pump)), ("startAt", .string(entry.hole.start.utc.text + "Z")),
        ("endAt", .text(entry.hole.end.map { $0.utc.text + "Z" })),
        ("reason", .string(entry.hole.reason.rawValue)),
      ])
    }
    return .object([
      ("samples", .array(explanation.samples.map(value))), ("hidden", .count(explanation.hidden)),
      ("holes", .array(holes)),
    ])
  }

  private static func value(of explained: ExplainedSample) -> JSONValue {
    .object([
      ("sample", ComparisonJSON.value(of: explained.sample)), ("rule", .string(explained.rule)),
      ("arithmetic", .text(explained.arithmetic)), ("events", .array(explained.events.map(value))),
    ])
  }

  private static func value(of explained: ExplainedEvent) -> JSONValue {
    let event = explained.event
    return .object([
      ("number", .integer(Int64(event.reference.number))),
      ("seconds", .integer(Int64(event.reference.seconds))),
      ("id", event.id.map { .integer(Int64($0)) } ?? .null), ("name", .text(event.name)),
      ("fields", .object(explained.fields.map { ($0.name, .string($0.value)) })),
      ("wallTime", .string(explained.wallTime.text)),
      ("at", .text(explained.instant.map { $0.utc.text + "Z" })),
      ("offsetSeconds", explained.offset.map(JSONValue.integer) ?? .null),
      ("placedBy", .string(explained.isPlacedByRecords ? "records" : "zone")),
      ("places", event.places.map { .array($0.map(ComparisonJSON.value)) } ?? .null),
    ])
  }
}
