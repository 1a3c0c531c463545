import Foundation
import Pipeline
import PumpModel
import Testing

@testable import pumpline

/// What a person reads at the end of a run.
@Suite struct ConvertTextTests {
  @Test func aFirstRun() throws {
    var summary = ConvertSummary()
    summary.documents = 3
    summary.pumps = ["90000001"]
    summary.records = counts(read: 12_345, used: 10_200, duplicates: 2100, ignored: 45)
    summary.changes = [
      .basal: ChangeCounts(fresh: 1024), .bolus: ChangeCounts(fresh: 210),
      .carbohydrates: ChangeCounts(fresh: 98),
    ]
    summary.pending = 1
    summary.add(Finding(.clockByZone, text: "No clock change is known."), pump: "90000001")
    summary.outputs = [
      WrittenOutput(format: "apple-health", target: "export.zip", samples: 1332)
    ]
    try expect(summary, "a.zip --zone UTC -o export.zip", "convert-first.txt")
  }

  @Test func aNightlyRunWithEverything() throws {
    try expect(nightly, Self.nightlyLine + " --to samples -o -", "convert-nightly.txt")
  }

  @Test func aDryRunSaysWhatItDidNotDo() throws {
    try expect(nightly, Self.nightlyLine + " --to samples -o - --dry-run", "convert-dry-run.txt")
  }

  @Test func forAProgram() throws {
    let line = "convert " + Self.nightlyLine + " --json"
    let result = run(line, pipeline: FakePipeline(.success(nightly)))
    #expect(result.status == .rejects)
    #expect(!result.error.contains("samples"))
    try expectSnapshot(result.output, snapshotPath("convert.json"))
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    #expect((object as? [String: Any])?["dryRun"] as? Bool == false)
    for key in try #require(object as? [String: Any]).keys {
      #expect(OptionSpec.convertJSON.details.contains(key), "help does not name \(key)")
    }
    let dry = run(line + " -n", pipeline: FakePipeline(.success(nightly)))
    #expect(dry.output.contains("\"dryRun\": true"))
  }

  private static let nightlyLine = "a.zip --ledger pump.ledger --report r.json --to sqlite -o x"

  private var nightly: ConvertSummary {
    var summary = ConvertSummary()
    summary.documents = 1
    summary.pumps = ["90000001", "90000002"]
    summary.records = counts(read: 300, used: 100, duplicates: 190, rejected: 10)
    summary.changes = [
      .basal: ChangeCounts(fresh: 12, unchanged: 100_000, revised: 1),
      .bolus: ChangeCounts(fresh: 3, unchanged: 2000, withdrawn: 1),
    ]
    summary.pending = 2
    summary.holes = 3
    for index in 0..<7 {
      summary.rejects.add(
        RejectedPart(
          document: "a.zip/day.json", reject: Reject(.index(UInt64(index)), "rate is negative")))
      summary.add(
        Finding(.clockDrift, text: "The clock had gained 2 minutes when it was set."), pump: "9")
      summary.add(Finding(.copiesDiffer, text: "Two copies differ."), pump: nil)
    }
    summary.outputs = [
      WrittenOutput(format: "sqlite", target: "my pump.db", samples: 102_016),
      WrittenOutput(format: "samples", target: "-", samples: 102_016),
    ]
    return summary
  }

  @Test func whatMustBeDeletedFirstIsSaidOfEachFile() throws {
    var summary = ConvertSummary()
    summary.outputs = [
      WrittenOutput(
        format: "apple-health", target: "new.zip", samples: 12, holdsChanges: true, superseded: 1),
      WrittenOutput(
        format: "apple-health", target: "new.xml", samples: 1, holdsChanges: true, superseded: 30),
      WrittenOutput(
        format: "csv", target: "new.csv", samples: 0, holdsChanges: true, isUntouched: true),
      WrittenOutput(format: "samples", target: "all.ndjson", samples: 99, isUntouched: true),
      WrittenOutput(format: "samples", target: "-", samples: 99, holdsChanges: true, isCut: true),
    ]
    try expect(
      summary,
      "a.zip --ledger l --changes -o new.zip -o new.xml -o new.csv -o all.ndjson "
        + "--to samples -o -",
      "convert-changes.txt")
  }

  @Test func nextStepsFitTheRun() throws {
    var summary = ConvertSummary()
    #expect(
      try next(summary, "it's.zip -o x.csv")
        == "pumpline inspect 'it'\\''s.zip' shows what it holds")
    summary.changes[.basal] = ChangeCounts(fresh: 1)
    #expect(try next(summary, "a -o x.csv").hasPrefix("add --ledger"))
    #expect(try next(summary, "a -o x.csv --ledger l").hasPrefix("run it again"))
    summary.outputs = [WrittenOutput(format: "sqlite", target: "a b.db", samples: 1)]
    #expect(
      try next(summary, "a -o x.csv") == "sqlite3 'a b.db' 'SELECT * FROM daily_totals'")
    summary.rejects.add(RejectedPart(document: "a", reject: Reject(.whole, "cut")))
    #expect(try next(summary, "a -o x.csv").hasPrefix("add --report"))
  }

  private func counts(
    read: Int, used: Int, duplicates: Int = 0, ignored: Int = 0, rejected: Int = 0
  ) -> RecordCounts {
    var counts = RecordCounts()
    counts.read = read
    counts.used = used
    counts.duplicates = duplicates
    counts.ignored = ignored
    counts.rejected = rejected
    return counts
  }

  private func text(
    _ summary: ConvertSummary, _ line: String, style: TextStyle = TextStyle()
  ) throws -> ConvertText {
    let request = try ConvertArguments(
      ArgumentParser.parse(["convert"] + arguments(line))
    ).request()
    return ConvertText(summary: summary, request: request, style: style)
  }

  private func next(_ summary: ConvertSummary, _ line: String) throws -> String {
    try text(summary, line).next
  }

  private func expect(_ summary: ConvertSummary, _ line: String, _ snapshot: String) throws {
    try expectSnapshot(try text(summary, line).text, snapshotPath(snapshot))
  }
}
