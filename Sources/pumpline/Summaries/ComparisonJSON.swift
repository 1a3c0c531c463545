import Pipeline
import PumpModel

/// What two sets of samples differ in, for programs: one object, written as differences come.
///
/// Keys are added in later versions, never renamed.
struct ComparisonJSON {
  private var isFirst = true

  /// Begins an answer.
  init() {}

  /// The text of a difference.
  mutating func text(of difference: ExplainedDifference) -> String {
    defer { isFirst = false }
    let value = Self.value(of: difference).text.replacing("\n", with: "\n    ")
    return (isFirst ? Self.head + "\n    " : ",\n    ") + value
  }

  /// The text from the last difference to the end.
  func end(_ summary: ComparisonSummary) -> String {
    let head = isFirst ? Self.head + "]" : "\n  ]"
    // The object of the sums goes on where that of the differences is.
    return head + "," + Self.value(of: summary).text.dropFirst() + "\n"
  }

  private static let head = "{\n  \"differences\": ["

  private static func value(of explained: ExplainedDifference) -> JSONValue {
    let difference = explained.difference
    return .object([
      ("kind", .string(difference.kind.rawValue)),
      ("movedBetweenPumps", .boolean(difference.isMovedBetweenPumps)),
      ("fields", .array(difference.fields.map(JSONValue.string))),
      ("first", difference.first.map(value) ?? .null),
      ("second", difference.second.map(value) ?? .null),
      ("rule", .text(explained.rule)), ("events", .array(explained.events.map(value))),
      ("row", explained.row.map(value) ?? .null),
    ])
  }

  /// A sample as an output tells it.
  static func value(of sample: WrittenSample) -> JSONValue {
    .object([
      ("externalId", .text(sample.externalID)), ("type", .string(sample.type.rawValue)),
      ("device", .text(sample.device)), ("value", .string(sample.amount.text)),
      ("unit", .string(sample.type.unit)), ("startAt", .string(sample.start.utc.text + "Z")),
      ("endAt", .string(sample.end.utc.text + "Z")), ("zone", .text(sample.zone)),
      ("metadata", .object(sample.metadata.entries.map { ($0.name, .string($0.text)) })),
      ("place", sample.place == 0 ? .null : .integer(Int64(clamping: sample.place))),
    ])
  }

  /// A place in a document.
  static func value(of place: SourcePlace) -> JSONValue {
    let number = JSONValue.integer(Int64(clamping: place.number))
    let isLine = if case .line = place.at { true } else { false }
    return .object([
      ("document", .string(place.document)), ("offset", isLine ? .null : number),
      ("line", isLine ? number : .null),
    ])
  }

  /// A row of an export with its places.
  static func value(of row: LocatedRow) -> JSONValue {
    .object([
      ("name", .string(row.reference.text)), ("source", .string(row.reference.source.word)),
      ("kind", .string(row.reference.kind.rawValue)),
      ("places", row.places.map { .array($0.map(value)) } ?? .null),
    ])
  }

  private static func value(of event: LocatedEvent) -> JSONValue {
    .object([
      ("number", .integer(Int64(event.reference.number))),
      ("seconds", .integer(Int64(event.reference.seconds))),
      ("id", event.id.map { .integer(Int64($0)) } ?? .null), ("name", .text(event.name)),
      ("places", event.places.map { .array($0.map(value)) } ?? .null),
    ])
  }

  private static func value(of summary: ComparisonSummary) -> JSONValue {
    let counts = SampleDifference.Kind.allCases.map { kind in
      (kind.rawValue, JSONValue.count(summary.differences[kind] ?? 0))
    }
    return .object([
      ("sets", .array(summary.sets.map(value))),
      (
        "matched",
        .object([
          ("byId", .count(summary.matchedByID)), ("byTime", .count(summary.matchedByTime)),
        ])
      ), ("counts", .object(counts)),
      ("findings", .array(FindingCode.allCases.compactMap { findings($0, of: summary) })),
      ("sourceFindings", ConvertJSON.findings(summary.sourceFindings)),
      ("accepted", .array(summary.accepted.map(value))),
      ("pending", .count(summary.pending)), ("holes", .count(summary.holes)),
      ("same", .boolean(summary.differenceCount == 0)),
      ("clean", .boolean(summary.exitStatus == .ok)),
    ])
  }

  private static func findings(
    _ code: FindingCode, of summary: ComparisonSummary
  ) -> JSONValue? {
    guard let list = summary.findings[code] else { return nil }
    let first = list.first.map { finding in
      JSONValue.object([
        ("startAt", .text(finding.start.map { $0.utc.text + "Z" })),
        ("endAt", .text(finding.end.map { $0.utc.text + "Z" })), ("text", .string(finding.text)),
      ])
    }
    return .object([
      ("code", .string(code.rawValue)), ("severity", .string(code.severity.rawValue)),
      ("count", .count(list.count)), ("first", .array(first)),
    ])
  }

  private static func value(of accepted: AcceptedFindings) -> JSONValue {
    let first = accepted.findings.first.map { finding in
      JSONValue.object([
        ("pump", .text(finding.pump)),
        ("startAt", .text(finding.finding.start.map { $0.utc.text + "Z" })),
        ("endAt", .text(finding.finding.end.map { $0.utc.text + "Z" })),
        ("text", .string(finding.finding.text)),
      ])
    }
    let acceptance = accepted.acceptance
    return .object([
      ("code", .string(acceptance.code.rawValue)), ("pump", .text(acceptance.pump)),
      ("day", .text(acceptance.day?.text)), ("reason", .string(acceptance.reason)),
      ("line", .count(acceptance.line)), ("idle", .boolean(accepted.isIdle)),
      ("count", .count(accepted.findings.count)), ("first", .array(first)),
    ])
  }

  private static func value(of set: ComparedSet) -> JSONValue {
    let faults = set.faults.first.map { fault in
      JSONValue.object([
        ("place", fault.place.map { .integer(Int64(clamping: $0)) } ?? .null),
        ("reason", .string(fault.reason)),
      ])
    }
    return .object([
      ("name", .string(set.name)), ("form", .text(set.form?.rawValue)),
      ("samples", .count(set.samples)), ("unreadable", .count(set.faults.count)),
      ("faults", .array(faults)), ("rejected", .count(set.rejects)),
    ])
  }
}
