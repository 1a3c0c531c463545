import Foundation

/// Real captures that lie beside the package; tests that need them are skipped without.
enum SharedFiles {
  private static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["PUMPLINE_SHARED"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")
  }()

  static let areThere = bytes("data/history-log-vectors.jsonl") != nil

  static func bytes(_ path: String) -> [UInt8]? {
    (try? Data(contentsOf: folder.appendingPathComponent(path))).map(Array.init)
  }

  static func json(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes))
  }

  /// The input files of a conformance case, by their place in `shared/cases`.
  static func caseInputs(_ name: String) -> [[UInt8]] {
    let inputs = folder.appendingPathComponent("cases/\(name)/input")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: inputs.path)) ?? []
    return files.sorted().compactMap { bytes("cases/\(name)/input/\($0)") }
  }
}
