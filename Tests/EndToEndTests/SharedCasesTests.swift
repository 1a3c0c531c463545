import Foundation
import Testing

/// The conformance cases beside the package, if they are there.
@Suite("Conformance cases", .needsBuiltTool)
struct SharedCasesTests {
  private static let folder = BuiltTool.package.deletingLastPathComponent()
    .appending(path: "shared/cases")
  private static let check = folder.appending(path: "check.py")
  private static let exist = FileManager.default.fileExists(atPath: check.path)

  private static var all: [String] {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { name in
      files.fileExists(atPath: folder.appending(path: name).appending(path: "input").path)
    }.sorted()
  }

  @Test(
    "Every case passes",
    .enabled(if: exist, "there are no cases beside the package"), .needs("python3"))
  func cases() throws {
    let python = try #require(BuiltTool.installed("python3"))
    let cases = Self.all
    #expect(cases.count > 170)
    let outcome = try BuiltTool.run(
      python, [Self.check.path, BuiltTool.url.path] + cases, in: Self.folder)
    let tail = outcome.output.split(separator: "\n").suffix(40).joined(separator: "\n")
    #expect(outcome.code == 0, "\(tail)")
  }
}
