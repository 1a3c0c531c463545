import Foundation
import TestSupport
import Testing

/// Standard input and output, and how the tool ends.
@Suite("Streams and exit codes", .needsBuiltTool)
struct StreamTests {
  private let folder: TemporaryFolder
  private var url: URL { URL(filePath: folder.path) }
  private let day = BuiltTool.package.appending(path: "Samples/combo-bolus/pump-logs.json")

  init() throws { folder = try TemporaryFolder() }

  @Test("Standard input gives what the file gives, and data alone is on standard output")
  func pipe() throws {
    let options = ["--zone", "America/New_York", "--to", "samples", "--output", "-"]
    let file = try BuiltTool.run(["convert", day.path] + options, in: url)
    let stream = try BuiltTool.run(["convert", "-"] + options, in: url, input: day)
    #expect(file.code == 0 && stream.code == 0)
    #expect(stream.output == file.output)
    #expect(file.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"externalId\":") })
    #expect(file.output.contains("insulin.bolus"))
  }

  @Test("A reader that left is no failure, and the summary does not say that all was written")
  func readerLeft() throws {
    let (output, errors) = (Pipe(), Pipe())
    let process = Process()
    process.executableURL = BuiltTool.url
    process.arguments = [
      "convert", day.path, "--zone", "UTC", "--ledger", "ledger", "--changes", "--to", "csv",
      "--output", "-",
    ]
    process.currentDirectoryURL = url
    process.standardOutput = output
    process.standardError = errors
    try output.fileHandleForReading.close()
    try process.run()
    let said = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(said.contains("cut by its reader; all stays owed"))
    let again = try BuiltTool.run(process.arguments ?? [], in: url)
    #expect(again.output.split(whereSeparator: \.isNewline).count > 20)
  }

  @Test("--quiet says nothing")
  func quiet() throws {
    let outcome = try BuiltTool.run(
      ["convert", day.path, "--zone", "UTC", "--quiet", "-o", "out.csv"], in: url)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "" && outcome.output == "")
  }

  @Test(
    "What stops a run has its code, its reason, and a next step",
    arguments: [
      (64, ["convert", "DAY", "-o", "out.csv"]),
      (64, ["convert", "DAY", "--zone", "EST", "-o", "out.csv"]),
      (64, ["convert", "DAY", "--zone", "UTC", "-o", "out.parquet"]),
      (65, ["convert", "foreign.txt", "--zone", "UTC", "-o", "out.csv"]),
      (66, ["convert", "nowhere.json", "--zone", "UTC", "-o", "out.csv"]),
      (73, ["convert", "foreign.txt", "--zone", "UTC", "--to", "csv", "-o", "foreign.txt"]),
      (65, ["inspect", "foreign.txt"]), (66, ["inspect", "nowhere.json"]),
    ] as [(Int32, [String])])
  func failures(code: Int32, arguments: [String]) throws {
    try folder.write("foreign.txt", Array("no pump data".utf8))
    let words = arguments.map { $0 == "DAY" ? day.path : $0 }
    let outcome = try BuiltTool.run(words, in: url)
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("error: "))
    #expect(outcome.errors.contains("next: "))
    #expect(outcome.output == "")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["foreign.txt"])
  }
}
