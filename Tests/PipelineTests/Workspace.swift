import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

/// A folder in which a test converts invented history, through the pipeline's own interface.
final class Workspace {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The path of a file of the folder.
  func path(_ name: String) -> String { folder.path + "/" + name }

  /// Writes an input and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String { try folder.write(name, bytes) }

  /// A file's text; nil if there is none.
  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in the folder, in order.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// A request that reads inputs of New York and writes `out.ndjson`.
  func request(_ inputs: [String], zones: [String] = ["America/New_York"]) -> ConvertRequest {
    var request = ConvertRequest(inputs: inputs.map(path))
    request.zones = zones.compactMap(ZoneArgument.init(text:))
    request.outputs = [OutputRequest(format: "samples", target: path("out.ndjson"))]
    request.now = Instant(unixSeconds: 1_800_000_000)
    return request
  }

  /// Converts and returns the summary.
  @discardableResult
  func convert(_ request: ConvertRequest) throws -> ConvertSummary {
    try PumplinePipeline().convert(request) { _ in }
  }

  /// Converts and reads the report.
  func report(_ request: ConvertRequest) throws -> ReportDocument {
    var request = request
    request.report = path("report.json")
    try convert(request)
    return try ReportDocument(text("report.json") ?? "")
  }

  /// Converts what must fail, and returns the failure.
  func failure(
    _ request: ConvertRequest, sourceLocation: SourceLocation = #_sourceLocation
  ) -> RunFailure? {
    do {
      _ = try PumplinePipeline().convert(request) { _ in }
    } catch {
      return error
    }
    Issue.record("the run did not fail", sourceLocation: sourceLocation)
    return nil
  }

  /// The samples of `out.ndjson`, line by line.
  var samples: [String] {
    (text("out.ndjson") ?? "").split(separator: "\n").map(String.init)
  }
}
