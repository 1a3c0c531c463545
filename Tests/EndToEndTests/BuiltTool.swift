import Foundation
import Testing

/// The `pumpline` that was built beside the tests.
enum BuiltTool {
  /// The folder of the package.
  static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Where the tool is: beside the tests, which run from the folder of the build.
  static let url: URL = {
    let beside = URL(filePath: ProcessInfo.processInfo.arguments[0])
      .deletingLastPathComponent().appending(path: "pumpline")
    if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    return package.appending(path: ".build/debug/pumpline")
  }()

  /// Whether it was built.
  static var exists: Bool { FileManager.default.isExecutableFile(atPath: url.path) }

  /// How a program ended and what it said.
  struct Outcome {
    var code: Int32
    var output: String
    var errors: String
  }

  /// Runs the tool in a folder, with variables that differ from the tests' own, and a file for
  /// standard input.
  static func run(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:],
    input: URL? = nil
  ) throws -> Outcome {
    try run(url, arguments, in: folder, environment: environment, input: input)
  }

  /// Runs any program in a folder.
  static func run(
    _ program: URL, _ arguments: [String], in folder: URL, environment: [String: String] = [:],
    input: URL? = nil
  ) throws -> Outcome {
    // Files, since two pipes that are read one after the other may wait for each other.
    let said = FileManager.default.temporaryDirectory
      .appending(path: "pumpline-said-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: said, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: said) }
    let files = [said.appending(path: "output"), said.appending(path: "errors")]
    for file in files { try Data().write(to: file) }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? .nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return Outcome(code: process.terminationStatus, output: texts[0], errors: texts[1])
  }

  /// Runs the tool and kills it after some time, if it has not ended by then.
  static func kill(_ arguments: [String], in folder: URL, after delay: Duration) throws {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let (seconds, attoseconds) = delay.components
    Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// The path of a program that people may have installed; nil if it is not there.
  static func installed(_ name: String) -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests where the tool was not built.
  static var needsBuiltTool: Self {
    .enabled(if: BuiltTool.exists, "pumpline is not built: swift build --product pumpline")
  }

  /// Skips tests of a program that is not installed.
  static func needs(_ program: String) -> Self {
    .enabled(if: BuiltTool.installed(program) != nil, "\(program) is not installed")
  }
}
