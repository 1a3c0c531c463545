import Foundation
import Testing

/// Compares a text with a committed file.
///
/// With `PUMPLINE_RECORD` set the file is written anew and the test fails, so that nobody records
/// without looking.
func expectSnapshot(
  _ text: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = packageFolder.appending(path: path)
  guard ProcessInfo.processInfo.environment["PUMPLINE_RECORD"] == nil else {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    Issue.record("recorded \(path)", sourceLocation: sourceLocation)
    return
  }
  let committed = try? String(contentsOf: file, encoding: .utf8)
  let hint: Comment = "differs from \(path); PUMPLINE_RECORD=1 records it anew"
  #expect(
    committed?.components(separatedBy: "\n") == text.components(separatedBy: "\n"), hint,
    sourceLocation: sourceLocation)
}

/// The folder of Package.swift.
let packageFolder = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The snapshot of a name beside these tests.
func snapshotPath(_ name: String) -> String { "Tests/CommandLineTests/Snapshots/\(name)" }
