import Foundation
import Pipeline
import TestSupport
import Testing

/// The definitions in `Pipelines/` do what they say, run by the tool over the samples that their
/// `tests:` name.
@Suite("Ready pipelines", .needsBuiltTool)
struct ReadyPipelinesTests {
  /// A pipeline with one of the samples that it names.
  struct Case: Sendable, CustomTestStringConvertible {
    var pipeline: String
    var sample: String

    var testDescription: String { "\(pipeline) over \(sample)" }
  }

  private static let folder = BuiltTool.package.appending(path: "Pipelines")

  private static let names: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
  }()

  private static func definition(_ name: String) throws -> PipelineDefinition {
    try PumplinePipeline().definition(at: folder.appending(path: name).path)
  }

  private static let cases: [Case] = names.flatMap { name in
    ((try? definition(name))?.tests ?? []).map { Case(pipeline: name, sample: $0) }
  }

  @Test("are the ones that are promised, without a mistake, each with tests and a comment")
  func promised() throws {
    #expect(
      Self.names == [
        "archive-to-health.yaml", "archive-to-sqlite.yaml", "audit.yaml", "backfill.yaml",
        "demo.yaml", "nightly.yaml", "pull.yaml",
      ])
    let outcome = try BuiltTool.run(["validate", "Pipelines"], in: BuiltTool.package)
    #expect(outcome.code == 0)
    #expect(outcome.output == Self.names.map { "Pipelines/\($0): ok\n" }.joined())
    for name in Self.names {
      #expect(try !Self.definition(name).tests.isEmpty, "\(name)")
      let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      #expect(text.hasPrefix("# "), "\(name)")
    }
  }

  @Test("give what the sample must give", arguments: cases)
  func give(_ test: Case) throws {
    let bench = try Bench(test)
    let first = try bench.run()
    #expect(first.code == bench.sample.exit, "\(first.errors)")
    let summary = try JSONDecoder().decode(Summary.self, from: Data(first.output.utf8))
    let expected = try bench.expected()
    #expect(summary.outputs.count == bench.definition.request.outputs.count)
    for output in summary.outputs {
      // Rows of no basal come on top where they are asked for.
      let isWhole = !bench.definition.request.selection.keepsZeroBasal
      #expect(
        isWhole ? output.samples == expected.count : output.samples >= expected.count,
        "\(output.target)")
      #expect(try bench.size(of: output.target) > 0)
    }
    if let report = summary.report { #expect(try bench.size(of: report) > 0) }
    if summary.ledger != nil { #expect(summary.samples.values.allSatisfy { $0.unchanged == 0 }) }
    // Once more into a form that can be compared; with a ledger nothing is new then.
    let second = try bench.run(["--to", "samples", "--output", "out.ndjson"])
    #expect(second.code == bench.sample.exit)
    let again = try JSONDecoder().decode(Summary.self, from: Data(second.output.utf8))
    if summary.ledger != nil { #expect(again.samples.values.allSatisfy { $0.fresh == 0 }) }
    #expect(try bench.lines("out.ndjson") == expected)
  }

  @Test("change nothing in a dry run", arguments: names)
  func dryRun(name: String) throws {
    let sample = try #require(Self.definition(name).tests.first)
    let bench = try Bench(Case(pipeline: name, sample: sample))
    let before = try bench.files()
    let outcome = try bench.run(["--dry-run"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("\"dryRun\": true"))
    #expect(try bench.files() == before)
    let real = try bench.run()
    let dry = outcome.output.replacing("\"dryRun\": true", with: "\"dryRun\": false")
    #expect(real.output == dry)
  }

  /// What is read of `--json`.
  private struct Summary: Decodable {
    struct Output: Decodable {
      var target: String
      var samples: Int
    }
    struct Changes: Decodable {
      var fresh: Int
      var unchanged: Int
    }
    var samples: [String: Changes]
    var outputs: [Output]
    var report: String?
    var ledger: String?
  }

  /// A folder with copies of the pipelines and the samples, the sample in the place of the inputs
  /// that the pipeline names.
  private struct Bench {
    let definition: PipelineDefinition
    let sample: SamplesTests.Sample
    private let test: Case
    private let folder: TemporaryFolder
    private var url: URL { URL(filePath: folder.path) }

    init(_ test: Case) throws {
      self.test = test
      folder = try TemporaryFolder()
      let package = BuiltTool.package
      let samples = package.appending(path: "Samples")
      let list = try JSONDecoder().decode(
        [SamplesTests.Sample].self,
        from: Data(contentsOf: samples.appending(path: "samples.json")))
      sample = try #require(list.first { $0.name == test.sample }, "no sample \(test.sample)")
      let url = URL(filePath: folder.path)
      try FileManager.default.copyItem(at: samples, to: url.appending(path: "Samples"))
      let pipelines = url.appending(path: "Pipelines")
      try FileManager.default.createDirectory(at: pipelines, withIntermediateDirectories: false)
      let file = pipelines.appending(path: test.pipeline)
      try FileManager.default.copyItem(
        at: ReadyPipelinesTests.folder.appending(path: test.pipeline), to: file)
      definition = try PumplinePipeline().definition(at: file.path)
      for input in definition.request.inputs
      where !FileManager.default.fileExists(atPath: input) {
        let place = URL(filePath: input)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        for name in sample.inputs {
          try FileManager.default.copyItem(
            at: samples.appending(path: name), to: place.appending(path: name))
        }
      }
    }

    /// Runs the pipeline from the folder above it.
    func run(_ options: [String] = []) throws -> BuiltTool.Outcome {
      let inputs =
        definition.request.inputs.isEmpty
        ? sample.inputs.flatMap { ["--input", "Samples/\($0)"] } : []
      let now = ["--now", "2026-12-01T00:00:00Z", "--json"]
      return try BuiltTool.run(
        ["run", "Pipelines/\(test.pipeline)"] + inputs + sample.arguments + now + options, in: url)
    }

    func expected() throws -> [Substring] { try lines("Samples/\(sample.expected)") }

    func lines(_ name: String) throws -> [Substring] {
      try String(contentsOf: url.appending(path: name), encoding: .utf8).split(separator: "\n")
    }

    func size(of name: String) throws -> Int {
      try Data(contentsOf: url.appending(path: name)).count
    }

    /// Every file with its bytes.
    func files() throws -> [String: Data] {
      let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String]
      var files: [String: Data] = [:]
      for name in names ?? [] {
        files[name] = FileManager.default.contents(atPath: url.appending(path: name).path)
      }
      return files
    }
  }
}
