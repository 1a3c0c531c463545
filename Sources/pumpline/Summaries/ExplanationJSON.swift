import Pipeline
import PumpModel

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
      ("silentEvents", .array(explanation.silentEvents.map(value))),
      ("silentRows", .array(explanation.silentRows.map(value))),
      ("surroundings", .array(explanation.surroundings.map(value))),
    ])
  }

  private static func value(of explained: ExplainedSample) -> JSONValue {
    .object([
      ("sample", ComparisonJSON.value(of: explained.sample)), ("rule", .string(explained.rule)),
      ("arithmetic", .text(explained.arithmetic)), ("note", .text(explained.note)),
      ("events", .array(explained.events.map(value))), ("row", explained.row.map(value) ?? .null),
    ])
  }

  private static func value(of silent: SilentEvent) -> JSONValue {
    .object([
      ("pump", .string(silent.pump)), ("reason", .string(silent.reason)),
      ("event", value(of: silent.event)),
    ])
  }

  private static func value(of silent: SilentRow) -> JSONValue {
    .object([
      ("pump", .string(silent.pump)), ("reason", .string(silent.reason)),
      ("row", value(of: silent.row)),
    ])
  }

  private static func value(of around: SilentPlace) -> JSONValue {
    .object([
      ("pump", .string(around.pump)), ("reason", .string(around.reason)),
      ("before", around.before.map(value) ?? .null), ("after", around.after.map(value) ?? .null),
    ])
  }

  private static func value(of explained: ExplainedRow) -> JSONValue {
    .object([
      ("name", .string(explained.row.reference.text)),
      ("source", .string(explained.row.reference.source.word)),
      ("kind", .string(explained.row.reference.kind.rawValue)),
      ("fields", .object(explained.fields.map { ($0.name, .string($0.value)) })),
      ("wallTime", .text(explained.wallTime?.text)),
      ("at", .text(explained.instant.map { $0.utc.text + "Z" })),
      ("places", explained.row.places.map { .array($0.map(ComparisonJSON.value)) } ?? .null),
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
