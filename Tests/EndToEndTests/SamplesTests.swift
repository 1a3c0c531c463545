import Foundation
import Testing

/// Every sample gives what it is recorded to give.
@Suite("Samples", .needsBuiltTool)
struct SamplesTests {
  /// An entry of `Samples/samples.json`.
  struct Sample: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var inputs: [String]
    var arguments: [String]
    var expected: String
    var exit: Int32

    var testDescription: String { name }
  }

  private static let folder = BuiltTool.package.appending(path: "Samples")

  /// The samples whose outputs are recorded.
  private static let recorded: [Sample] = {
    guard let data = try? Data(contentsOf: folder.appending(path: "samples.json")),
      let all = try? JSONDecoder().decode([Sample].self, from: data)
    else { return [] }
    return all.filter {
      FileManager.default.fileExists(atPath: folder.appending(path: $0.expected).path)
    }
  }()

  @Test("A sample gives what is recorded", arguments: recorded)
  func givesWhatIsRecorded(sample: Sample) throws {
    let output = FileManager.default.temporaryDirectory
      .appending(path: "pumpline-sample-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: output) }
    let arguments =
      ["convert"] + sample.inputs + sample.arguments
      + ["--to", "samples", "--output", output.path]
    let outcome = try BuiltTool.run(arguments, in: Self.folder)
    #expect(outcome.code == sample.exit, "\(outcome.errors)")
    let given = try String(contentsOf: output, encoding: .utf8)
    let expected = try String(
      contentsOf: Self.folder.appending(path: sample.expected), encoding: .utf8)
    // Line by line, so that a failure shows the first sample that differs.
    let lines = zip(given.split(separator: "\n"), expected.split(separator: "\n"))
    for (line, wanted) in lines where line != wanted {
      Issue.record("\(line)\nshould be\n\(wanted)")
      return
    }
    #expect(given == expected)
  }
}
