import Foundation
import Pipeline
import PumpModel
import TestSupport

extension Workspace {
  /// The forms of outputs, by the names of files.
  static let outputNames = ["out.csv", "out.xml", "out.zip", "out.db", "out.ndjson"]

  /// Converts two pumps with all kinds of doses into every form, and into `ledger`.
  func writeOutputs(keepsZeroBasal: Bool = false) throws {
    try write("logs-1.json", Histories.pumpLogs(Self.lively))
    try write("logs-2.json", Histories.pumpLogs(Histories.meal(from: Self.later), pump: 2))
    try write("pumper.json", Histories.pumper(1...2))
    var request = sources
    request.ledger = path("ledger")
    request.selection.keepsZeroBasal = keepsZeroBasal
    request.outputs = Self.outputNames.map { OutputRequest(format: nil, target: path($0)) }
    try convert(request)
  }

  /// What the outputs are made of.
  var sources: ConvertRequest {
    var request = request(["logs-1.json", "logs-2.json", "pumper.json"])
    request.outputs = []
    return request
  }

  private static let later = Histories.noon + 86_400

  private static var lively: [PumpRecord] {
    Histories.records(
      .quiet(
        minutes: 400, from: Histories.noon,
        incidents: [
          .init(10, .meal(grams: 30)), .init(60, .combo(grams: 48, percentNow: 40, minutes: 60)),
          .init(150, .suspension(minutes: 20)), .init(200, .correction(milliUnits: 1250)),
          .init(300, .meal(grams: 60)),
        ]))
  }

  /// Compares two outputs.
  func diff(
    _ first: String, _ second: String, includesGlucose: Bool = false
  ) throws -> Comparison {
    var request = DiffRequest(first: path(first), second: path(second))
    request.selection.includesGlucose = includesGlucose
    var comparison = Comparison()
    comparison.summary = try PumplinePipeline().diff(request) { _ in
    } report: { difference throws(RunFailure) in
      comparison.differences.append(difference)
    }
    return comparison
  }

  /// Compares an output with what its sources give.
  func audit(_ output: String, change: (inout ConvertRequest) -> Void = { _ in }) throws
    -> Comparison
  {
    var sources = self.sources
    change(&sources)
    var comparison = Comparison()
    comparison.summary = try PumplinePipeline().audit(
      AuditRequest(output: path(output), sources: sources)
    ) { _ in
    } report: { difference throws(RunFailure) in
      comparison.differences.append(difference)
    }
    return comparison
  }

  /// The differences that were told, and their sums.
  struct Comparison {
    var differences: [ExplainedDifference] = []
    var summary = ComparisonSummary()

    /// Each difference as its kind and fields.
    var words: [String] {
      differences.map { explained in
        ([explained.difference.kind.rawValue] + explained.difference.fields).joined(separator: " ")
      }
    }
  }

  /// Changes the lines of an output, and writes it under another name.
  func tamper(_ name: String, to other: String, _ change: (inout [String]) -> Void) throws {
    // By bytes: to Swift the two that end a line of CSV are one character.
    var lines = (text(name) ?? "").utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    change(&lines)
    try write(other, Array(lines.joined(separator: "\n").utf8))
  }

  /// Changes a database, and writes it under another name.
  func tamper(_ name: String, to other: String, sql: String) throws {
    try FileManager.default.copyItem(atPath: path(name), toPath: path(other))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", path(other), sql]
    try process.run()
    process.waitUntilExit()
  }
}
