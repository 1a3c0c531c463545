import Foundation

/// The `pumpline` that was built beside the tests.
enum BuiltTool {
  /// The folder of the package.
  static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Where the tool is; the tests run from the folder of the build.
  static var url: URL {
    let beside = URL(filePath: ProcessInfo.processInfo.arguments[0])
      .deletingLastPathComponent().appending(path: "pumpline")
    if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    return package.appending(path: ".build/debug/pumpline")
  }

  /// Runs the tool in a folder; gives its exit code and what it said on standard error.
  static func run(_ arguments: [String], in folder: URL) throws -> (code: Int32, errors: String) {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
  }
}
