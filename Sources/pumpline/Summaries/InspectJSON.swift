import Pipeline
import PumpModel

/// What inputs hold, for programs; keys are added in later versions, never renamed.
enum InspectJSON {
  /// The whole answer.
  static func value(of summary: InspectSummary) -> JSONValue {
    .object([
      ("documents", .array(summary.documents.map(document))),
      ("unrecognised", .count(summary.unrecognised)),
      ("pumps", .array(summary.pumps.map { pump($0, names: summary.eventNames) })),
      ("rejected", .count(summary.rejects.count)),
      ("rejects", .array(summary.rejects.first.map(reject))),
    ])
  }

  private static func document(_ document: InspectSummary.Document) -> JSONValue {
    .object([
      ("name", .string(document.name)), ("format", .string(document.format.rawValue)),
      ("sha256", .text(document.sha256)),
      ("dataSource", .text(document.isMadeUp ? DemoData.label : nil)),
      ("records", .count(document.records)), ("rejected", .count(document.rejected)),
      (
        "ignored",
        .object(
          IgnoredReason.allCases.compactMap { reason in
            document.ignored[reason].map { (reason.rawValue, .count($0)) }
          })
      ), ("unknownColumns", .array(document.unknownColumns.map(JSONValue.string))),
      ("missingBodies", .count(document.missingBodies)),
    ])
  }

  private static func pump(_ pump: InspectedPump, names: [UInt16: String]) -> JSONValue {
    let events = pump.events.sorted { $0.key < $1.key }.map { id, count in
      JSONValue.object([
        ("id", .count(Int(id))), ("name", .text(names[id])), ("count", .count(count)),
      ])
    }
    let rows = InspectedPump.RowKind.allCases.compactMap { kind in
      pump.rows[kind].map {
        JSONValue.object([("kind", .string(kind.rawValue)), ("count", .count($0))])
      }
    }
    return .object([
      ("name", .text(pump.name)), ("assignment", .text(pump.assignment)),
      ("dataSource", .text(pump.isMadeUp ? DemoData.label : nil)),
      ("serial", .text(pump.facts?.serial ?? pump.serial)), ("model", .text(pump.facts?.modelName)),
      ("modelNumber", .text(pump.facts?.modelNumber)),
      ("software", .text(pump.facts?.softwareVersion)), ("records", .count(pump.records)),
      ("spans", .array(pump.coverage.spans.map(span))),
      ("clockChanges", .array(pump.clockChanges.map(clockChange))), ("events", .array(events)),
      ("rows", .array(rows)),
      ("days", .array(pump.coverage.days.map(day))),
    ])
  }

  private static func span(_ span: Coverage.Span) -> JSONValue {
    .object([
      ("first", .string(span.first.wallTime.text)), ("last", .string(span.last.wallTime.text)),
      ("records", .count(span.records)),
    ])
  }

  private static func clockChange(_ change: InspectedPump.ClockChange) -> JSONValue {
    .object([
      ("number", .integer(Int64(change.number))), ("before", .string(change.before.text)),
      ("after", .string(change.after.wallTime.text)),
      ("shiftSeconds", .integer(change.shiftSeconds)),
    ])
  }

  private static func day(_ day: LocalDay, records: Coverage.Day) -> JSONValue {
    .object([
      ("day", .string(day.text)), ("records", .count(records.count)),
      ("hours", .count(records.hours)),
    ])
  }

  /// A part that could not be used.
  static func reject(_ part: RejectedPart) -> JSONValue {
    let position: (key: String, value: JSONValue)? =
      switch part.reject.position {
      case .offset(let offset): ("offset", .integer(Int64(clamping: offset)))
      case .line(let line): ("line", .integer(Int64(clamping: line)))
      case .index(let index): ("index", .integer(Int64(clamping: index)))
      case .whole: nil
      }
    return .object(
      [("document", .string(part.document))] + [position].compactMap(\.self)
        + [("reason", .string(part.reject.reason))])
  }
}
