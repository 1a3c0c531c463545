import Foundation
import Testing

/// The conformance cases beside the package, if they are there.
@Suite("Conformance cases", .needsBuiltTool)
struct SharedCasesTests {
  private static let folder = BuiltTool.package.deletingLastPathComponent()
    .appending(path: "shared/cases")
  private static let check = folder.appending(path: "check.py")
  private static let exist = FileManager.default.fileExists(atPath: check.path)

  /// The cases whose inputs are all of forms that are read today.
  private static var readable: [String] {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { name in
      let inputs = folder.appending(path: name).appending(path: "input")
      guard let inputs = try? files.contentsOfDirectory(atPath: inputs.path) else { return false }
      return !inputs.contains { $0.hasSuffix(".csv") || needsCSV(name, $0) }
    }.sorted()
  }

  /// Whether an archive holds a table; its names can be read without opening it.
  private static func needsCSV(_ name: String, _ input: String) -> Bool {
    guard input.hasSuffix(".zip") else { return false }
    let file = folder.appending(path: name).appending(path: "input").appending(path: input)
    guard let bytes = try? Data(contentsOf: file) else { return true }
    return bytes.range(of: Data(".csv".utf8)) != nil
  }

  @Test(
    "Every case that needs no tables passes",
    .enabled(if: exist, "there are no cases beside the package"), .needs("python3"))
  func cases() throws {
    let python = try #require(BuiltTool.installed("python3"))
    let cases = Self.readable
    #expect(cases.count > 150)
    let outcome = try BuiltTool.run(
      python, [Self.check.path, BuiltTool.url.path] + cases, in: Self.folder)
    let tail = outcome.output.split(separator: "\n").suffix(40).joined(separator: "\n")
    #expect(outcome.code == 0, "\(tail)")
  }
}
