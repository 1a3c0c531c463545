import Foundation
import Pipeline
import Testing

@Suite("Docs/Pipelines.md and the keys of pipeline files")
struct PipelinesPageTests {
  @Test("has a row for each key, in the order of the schema, and no other")
  func keys() throws {
    let rows = try Page("Docs/Pipelines.md").prose.filter { $0.hasPrefix("| `") }.map(String.init)
    #expect(rows == PipelineSchema.sections.flatMap { Self.rows($0, "") })
  }

  @Test("has an example for which nothing is to be said")
  func examples() throws {
    let parts = try Page("Docs/Pipelines.md").text.components(separatedBy: "```")
    let examples = parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      .filter { $0.hasPrefix("yaml\n") }.map { $0.dropFirst(5) }
    #expect(!examples.isEmpty)
    let file = FileManager.default.temporaryDirectory
      .appending(path: "pumpline-example-\(UUID().uuidString).yaml")
    defer { try? FileManager.default.removeItem(at: file) }
    for example in examples {
      try Data(example.utf8).write(to: file)
      let summary = try PumplinePipeline().validate(ValidateRequest(paths: [file.path]))
      #expect(summary.pipelines.flatMap(\.problems) == [])
    }
  }

  @Test("has each of the ready pipelines")
  func ready() throws {
    let page = try Page("Docs/Pipelines.md")
    let folder = Page.root.appending(path: "Pipelines")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasSuffix(".yaml") {
      #expect(page.links.contains("../Pipelines/\(name)"), "\(name)")
    }
  }

  private static func rows(_ key: PipelineKey, _ parent: String) -> [String] {
    let name = parent + key.name
    switch key.kind {
    case .keys(let keys): return keys.flatMap { rows($0, name + ".") }
    case .elements(let keys, _): return keys.flatMap { rows($0, name + ".") }
    case .value(let value): return ["| `\(name)` | \(key.summary) | \(value.form) |"]
    }
  }
}
