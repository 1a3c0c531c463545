import Foundation
import TestSupport
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
    let process = Process()
    let said = try Said()
    try start(process, program, arguments, in: folder, environment: environment, input: input, said)
    process.waitUntilExit()
    return try said.outcome(process.terminationStatus)
  }

  private static func start(
    _ process: Process, _ program: URL, _ arguments: [String], in folder: URL,
    environment: [String: String], input: URL? = nil, _ said: Said
  ) throws {
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? .nullDevice
    process.standardOutput = try FileHandle(forWritingTo: said.output)
    process.standardError = try FileHandle(forWritingTo: said.errors)
    try process.run()
  }

  /// Where a program's words go: files, since two pipes that are read one after the other may wait
  /// for each other.
  private final class Said {
    private let folder: TemporaryFolder
    let output: URL
    let errors: URL

    init() throws {
      folder = try TemporaryFolder()
      output = URL(filePath: try folder.write("output", []))
      errors = URL(filePath: try folder.write("errors", []))
    }

    func outcome(_ code: Int32) throws -> Outcome {
      let texts = try [output, errors].map {
        String(decoding: try Data(contentsOf: $0), as: UTF8.self)
      }
      return Outcome(code: code, output: texts[0], errors: texts[1])
    }
  }

  /// Runs the tool until it stops by itself, does something meanwhile, and lets it go on.
  ///
  /// - Returns: how it ended, and whether it stopped.
  static func run(
    _ arguments: [String], in folder: URL, stoppingAt point: Int, meanwhile body: () throws -> Void
  ) throws -> (outcome: Outcome, hasStopped: Bool) {
    let process = Process()
    let said = try Said()
    try start(
      process, url, arguments, in: folder, environment: ["PUMPLINE_STOP_AT": "\(point)"], said)
    var information = unsafe siginfo_t()
    // It is only looked at: that it has ended is for Foundation to take note of.
    let isSeen = unsafe waitid(
      P_PID, id_t(process.processIdentifier), &information, WSTOPPED | WEXITED | WNOWAIT)
    let code = unsafe Int(information.si_code)
    let hasStopped = isSeen == 0 && code == Int(CLD_STOPPED)
    defer { if process.isRunning { Foundation.kill(process.processIdentifier, SIGCONT) } }
    if hasStopped {
      try body()
      Foundation.kill(process.processIdentifier, SIGCONT)
    }
    process.waitUntilExit()
    return (try said.outcome(process.terminationStatus), hasStopped)
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
