import Pipeline
import PumpModel

/// What a run did, for programs; keys are added in later versions, never renamed.
enum ConvertJSON {
  /// The whole answer.
  static func value(of summary: ConvertSummary, _ request: ConvertRequest) -> JSONValue {
    .object([
      ("dryRun", .boolean(request.isDryRun)),
      ("documents", .count(summary.documents)),
      ("pumps", .array(summary.pumps.map { .string($0) })),
      ("records", records(summary.records)),
      ("samples", samples(summary.changes)),
      ("pending", .count(summary.pending)),
      ("holes", .count(summary.holes)),
      ("findings", findings(summary.findings)),
      ("rejected", .count(summary.rejects.count)),
      ("rejects", .array(summary.rejects.first.map(InspectJSON.reject))),
      ("outputs", .array(summary.outputs.map(output))),
      ("report", .text(request.report)),
      ("ledger", .text(request.ledger)),
    ])
  }

  private static func records(_ counts: RecordCounts) -> JSONValue {
    .object([
      ("read", .count(counts.read)), ("used", .count(counts.used)),
      ("duplicates", .count(counts.duplicates)), ("ignored", .count(counts.ignored)),
      ("rejected", .count(counts.rejected)),
    ])
  }

  private static func samples(_ changes: [SampleType: ChangeCounts]) -> JSONValue {
    .object(
      SampleType.allCases.compactMap { type in
        guard let counts = changes[type] else { return nil }
        return (
          type.rawValue,
          .object([
            ("fresh", .count(counts.fresh)), ("unchanged", .count(counts.unchanged)),
            ("revised", .count(counts.revised)), ("withdrawn", .count(counts.withdrawn)),
          ])
        )
      })
  }

  /// Findings by their weight.
  static func findings(_ findings: [Severity: Shortlist<PumpFinding>]) -> JSONValue {
    .object(
      Severity.allCases.compactMap { weight in
        guard let list = findings[weight] else { return nil }
        return (
          weight.rawValue,
          .object([("count", .count(list.count)), ("first", .array(list.first.map(finding)))])
        )
      })
  }

  private static func finding(_ finding: PumpFinding) -> JSONValue {
    .object([
      ("code", .string(finding.finding.code.rawValue)), ("pump", .text(finding.pump)),
      ("text", .string(finding.finding.text)),
    ])
  }

  private static func output(_ output: WrittenOutput) -> JSONValue {
    .object([
      ("format", .string(output.format)), ("target", .string(output.target)),
      ("samples", .count(output.samples)), ("holdsChanges", .boolean(output.holdsChanges)),
      ("superseded", .count(output.superseded)), ("untouched", .boolean(output.isUntouched)),
    ])
  }
}
