import Foundation
import TestSupport
import Testing

/// What `Docs/Filters.md` tells people to type does what it says.
@Suite("The examples of Docs/Filters.md", .needsBuiltTool, .needs("bash"))
struct FiltersPageTests {
  @Test("Every block of shell lines runs, one after the other, in one folder")
  func examples() throws {
    let page = try String(
      contentsOf: BuiltTool.package.appending(path: "Docs/Filters.md"), encoding: .utf8)
    let blocks = page.matches(of: /(?s)```sh\n(.*?)```/).map { String($0.output.1) }
    #expect(blocks.count >= 6)
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path)
    try FileManager.default.createSymbolicLink(
      at: url.appending(path: "Samples"),
      withDestinationURL: BuiltTool.package.appending(path: "Samples"))
    let bash = try #require(BuiltTool.installed("bash"))
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    for block in blocks {
      if let missing = ["jq", "parallel"].first(where: {
        block.contains("\($0) ") && BuiltTool.installed($0) == nil
      }) {
        // The lines of the block that need nothing else are run all the same.
        try run(block.split(separator: "\n").filter { !$0.contains("\(missing) ") })
        continue
      }
      try run(block.split(separator: "\n"))
    }

    func run(_ lines: [Substring]) throws {
      let outcome = try BuiltTool.run(
        bash, ["-e", "-o", "pipefail", "-c", lines.joined(separator: "\n")], in: url,
        environment: ["PATH": BuiltTool.url.deletingLastPathComponent().path + ":" + path])
      #expect(outcome.code == 0, "\(lines): \(outcome.errors)")
    }
  }
}
