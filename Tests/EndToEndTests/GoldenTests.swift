import Foundation
import TestSupport
import Testing

/// What people see, word for word.
///
/// With `PUMPLINE_RECORD` set the files are written anew and the tests fail, so that nobody records
/// without looking.
@Suite("What people see", .needsBuiltTool)
struct GoldenTests {
  private static let folder = BuiltTool.package.appending(path: "Tests/EndToEndTests/Goldens")

  static func expect(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = folder.appending(path: name)
    guard ProcessInfo.processInfo.environment["PUMPLINE_RECORD"] == nil else {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(name)", sourceLocation: sourceLocation)
      return
    }
    let committed = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let hint: Comment = "differs from \(name); PUMPLINE_RECORD=1 records it anew"
    #expect(
      text.components(separatedBy: "\n") == committed.components(separatedBy: "\n"), hint,
      sourceLocation: sourceLocation)
  }

  /// Runs the tool in a folder that holds a copy of the samples.
  private static func run(_ arguments: [String]) throws -> (BuiltTool.Outcome, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path)
    try FileManager.default.copyItem(
      at: BuiltTool.package.appending(path: "Samples"), to: url.appending(path: "Samples"))
    let environment = ["COLUMNS": "80", "NO_COLOR": "1", "LANG": "C.UTF-8", "TZ": "UTC"]
    return (try BuiltTool.run(arguments, in: url, environment: environment), folder)
  }

  @Test("The summary of a day, and its report")
  func convertDay() throws {
    let (outcome, folder) = try Self.run([
      "convert", "Samples/one-day", "--zone", "America/New_York", "-o", "export.zip",
      "--report", "report.json",
    ])
    #expect(outcome.code == 0)
    #expect(outcome.output == "")
    try Self.expect(outcome.errors, "convert-one-day.txt")
    let report = try Data(contentsOf: URL(filePath: folder.path).appending(path: "report.json"))
    try Self.expect(String(decoding: report, as: UTF8.self), "report-one-day.json")
  }

  @Test("The summary of an archive with a damaged member")
  func convertDamaged() throws {
    let (outcome, _) = try Self.run([
      "convert", "Samples/damaged-member.zip", "--zone", "America/New_York", "-o", "out.csv",
    ])
    #expect(outcome.code == 1)
    try Self.expect(outcome.errors, "convert-damaged-member.txt")
  }

  @Test("A look into a day")
  func inspectDay() throws {
    let (outcome, _) = try Self.run(["inspect", "Samples/one-day"])
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    try Self.expect(outcome.output, "inspect-one-day.txt")
  }

  @Test("A look into a day, for machines")
  func inspectJSON() throws {
    let (outcome, _) = try Self.run(["inspect", "Samples/clock-change", "--json"])
    #expect(outcome.code == 0)
    try Self.expect(outcome.output, "inspect-clock-change.json")
  }
}
