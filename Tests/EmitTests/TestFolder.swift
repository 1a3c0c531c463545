import Foundation
import Platform
import Testing

/// A folder of one test, removed with it.
final class TestFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file(name)))
  }

  func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }
}

/// What a process said and how it ended; nil if the program is not installed.
func run(
  _ program: String, _ arguments: [String], environment: [String: String] = [:]
) throws -> (status: Int32, output: String)? {
  let folders = ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"]
  guard
    let path = folders.map({ "\($0)/\(program)" })
      .first(where: FileManager.default.isExecutableFile(atPath:))
  else { return nil }
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return (process.terminationStatus, output)
}

/// Compares a text with the one kept under `Goldens`; with PUMPLINE_RECORD=1 it is kept instead.
func expectGolden(_ name: String, _ text: String) throws {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "Goldens")
  let golden = folder.appending(path: name)
  if ProcessInfo.processInfo.environment["PUMPLINE_RECORD"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: golden)
  }
  let kept = String(decoding: try Data(contentsOf: golden), as: UTF8.self)
  #expect(text == kept, "\(name) differs from the golden; PUMPLINE_RECORD=1 keeps the new text")
}
