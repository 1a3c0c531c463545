import Foundation
import TestSupport

/// A folder in which a test runs the tool, with files as standard input and for standard output.
struct ToolFolder {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var url: URL { URL(filePath: folder.path) }

  /// Runs the tool with the text of a file as standard input, and keeps what it writes as a file.
  @discardableResult
  func run(
    _ arguments: [String], reading input: String? = nil, into output: String? = nil
  ) throws -> BuiltTool.Outcome {
    let outcome = try BuiltTool.run(
      arguments, in: url, input: input.map { url.appending(path: $0) })
    if let output { try write(output, Array(outcome.output.utf8)) }
    return outcome
  }

  /// The text of a file.
  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
  }

  /// The lines of a file.
  func lines(_ name: String) throws -> [String] {
    try text(name).split(separator: "\n").map(String.init)
  }

  /// Writes a file.
  func write(_ name: String, _ bytes: [UInt8]) throws { try folder.write(name, bytes) }

  /// Writes a file of lines.
  func write(_ name: String, _ lines: [String]) throws {
    try write(name, Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}
