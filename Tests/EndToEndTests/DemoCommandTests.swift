import Foundation
import TestSupport
import Testing

/// `demo` and the stages, as a person runs them one after the other.
@Suite("The demo, run by the tool", .needsBuiltTool)
struct DemoCommandTests {
  private let work: ToolFolder
  private static let settings = ["--zone", "America/New_York", "--now", "2026-12-01T00:00:00Z"]
  private static let label = #""dataSource":"syntheticDemo""#

  init() throws { work = try ToolFolder() }

  @Test("Archives become samples, by convert and by the filters, with the label in each")
  func filters() throws {
    let written = try work.run(["demo", "--seed", "3", "--days", "2", "-o", "made-up"])
    #expect(written.code == 0, "\(written.errors)")
    #expect(written.output.isEmpty)
    let converted = try work.run(
      ["convert", "made-up", "--to", "samples", "-o", "-"] + Self.settings, into: "a.ndjson")
    #expect(converted.code == 0, "\(converted.errors)")
    #expect(converted.errors.contains("made-up"))
    let lines = converted.output.split(separator: "\n")
    #expect(lines.count > 100 && lines.allSatisfy { $0.contains(Self.label) })

    let decoded = try work.run(["decode", "made-up"], into: "a.lines")
    let documents = decoded.output.split(separator: "\n").filter {
      $0.hasPrefix(#"{"record":"document""#)
    }
    #expect(documents.count == 2 && documents.allSatisfy { $0.contains(Self.label) })
    #expect(
      try work.run(["normalize"] + Self.settings, reading: "a.lines").output == converted.output)
    #expect(try work.run(["deduplicate"], reading: "a.ndjson").output == converted.output)
    let table = try work.run(
      ["emit", "a.ndjson", "--to", "csv", "-o", "-"] + Self.settings.prefix(2)
    ).output.split(separator: "\r\n")
    #expect(table.count == lines.count + 1)
    #expect(table.dropFirst().allSatisfy { $0.hasSuffix(",syntheticDemo") })
  }

  @Test("Lines whose document says that it is made up are so, whatever their pump is called")
  func markedLines() throws {
    let records = SyntheticPump(
      .quiet(minutes: 60, from: TestZones.instant(2026, 5, 4, 12, in: TestZones.newYork)))
    let document = PumpLogsEncoder.document(records, of: PumpIdentity(1))
    try work.write("a.json", Array("{\(Self.label),".utf8) + document.dropFirst())
    try work.run(["decode", "a.json"], into: "a.lines")
    let samples = try work.run(["normalize"] + Self.settings, reading: "a.lines").output
    #expect(samples.split(separator: "\n").allSatisfy { $0.contains(Self.label) })
    #expect(samples.contains(Self.label))
  }

  @Test("Lines of samples that are made up and lines that are not are refused together, and apart")
  func mixedLines() throws {
    let history = Array(
      SyntheticPump(
        .quiet(minutes: 60, from: TestZones.instant(2026, 5, 4, 12, in: TestZones.newYork))))
    for (name, pump) in [("real", PumpIdentity(1)), ("demo", PumpIdentity.demo(1))] {
      try work.write("\(name).json", PumpLogsEncoder.document(history, of: pump))
      try work.run(
        ["convert", "\(name).json", "--to", "samples", "-o", "\(name).ndjson"] + Self.settings)
    }
    // A line that lost its label is made up by its pump's name.
    let text = try String(contentsOf: work.url.appending(path: "demo.ndjson"), encoding: .utf8)
    #expect(text.contains(Self.label))
    try work.write("bare.ndjson", Array(text.replacing(Self.label + ",", with: "").utf8))
    let bare = try work.run(["deduplicate", "bare.ndjson"])
    #expect(bare.output == text)

    for inputs in [["real.ndjson", "demo.ndjson"], ["bare.ndjson", "real.ndjson"]] {
      #expect(try work.run(["deduplicate"] + inputs).code == 78)
      #expect(try work.run(["emit"] + inputs + ["--to", "samples", "-o", "-"]).code == 78)
    }
    #expect(try work.run(["deduplicate", "real.ndjson", "--ledger", "l"]).code == 0)
    let refused = try work.run(["deduplicate", "demo.ndjson", "--ledger", "l"])
    #expect(refused.code == 78 && refused.output.isEmpty)
    #expect(
      try work.run(["deduplicate", "real.ndjson", "--ledger", "l", "--all"]).output.contains("\n"))
  }

  @Test("The ready pipeline makes up what it reads")
  func pipeline() throws {
    try FileManager.default.copyItem(
      at: BuiltTool.package.appending(path: "Pipelines/demo.yaml"),
      to: work.url.appending(path: "demo.yaml"))
    let outcome = try work.run(["run", "demo.yaml", "--now", "2026-12-01T00:00:00Z"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let table = try String(contentsOf: work.url.appending(path: "demo.csv"), encoding: .utf8)
    let rows = table.split(separator: "\r\n").dropFirst()
    #expect(rows.count > 2000 && rows.allSatisfy { $0.hasSuffix(",syntheticDemo") })
    let report = try String(
      contentsOf: work.url.appending(path: "demo-report.json"), encoding: .utf8)
    #expect(report.contains("\"made-up\""))
  }
}
