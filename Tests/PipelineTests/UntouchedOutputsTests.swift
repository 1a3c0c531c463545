import Foundation
import Pipeline
import TestSupport
import Testing

/// A run that fails leaves every file as it was, and none half-written.
@Suite("Outputs of a run that fails")
struct UntouchedOutputsTests {
  private let work: Workspace
  private let outputs = ["out.ndjson", "out.csv", "out.xml", "out.zip", "out.db", "report.json"]

  init() throws {
    work = try Workspace()
    try work.write("a.json", Histories.pumpLogs(Histories.meal()))
    try work.write("pumper.json", Histories.pumper())
    try work.write("cut.json", Histories.pumpLogs(Histories.meal()).dropLast(30))
    try work.convert(request(["a.json", "pumper.json"]))
  }

  private func request(_ inputs: [String]) -> ConvertRequest {
    var request = work.request(inputs)
    request.outputs = outputs.dropLast().map {
      OutputRequest(format: nil, target: work.path($0))
    }
    request.report = work.path("report.json")
    request.ledger = work.path("ledger")
    return request
  }

  private var contents: [Data?] {
    outputs.map { FileManager.default.contents(atPath: work.path($0)) }
  }

  private func expectUntouched(
    by request: ConvertRequest, status: Pipeline.ExitStatus,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = contents
    let names = try work.names
    let failure = work.failure(request, sourceLocation: sourceLocation)
    #expect(failure?.exitStatus == status, sourceLocation: sourceLocation)
    #expect(contents == before, sourceLocation: sourceLocation)
    #expect(try work.names == names, sourceLocation: sourceLocation)
  }

  @Test("A damaged input")
  func damagedInput() throws {
    try expectUntouched(by: request(["a.json", "cut.json"]), status: .unreadable)
  }

  @Test("A missing input")
  func missingInput() throws {
    try expectUntouched(by: request(["a.json", "nowhere.json"]), status: .inputMissing)
  }

  @Test("Records of a pump that nothing names")
  func unnamedPump() throws {
    try work.write("records.bin", RecordEncoder.document(Histories.meal(minutes: 90)))
    try expectUntouched(by: request(["records.bin"]), status: .usage)
  }

  @Test("A selector that names no pump")
  func unknownPump() throws {
    var request = request(["a.json"])
    request.selection.pumps = ["90000077"]
    try expectUntouched(by: request, status: .usage)
  }

  @Test("An output that cannot be made")
  func impossibleOutput() throws {
    var request = request(["a.json"])
    request.outputs.append(OutputRequest(format: "csv", target: work.path("missing/out.csv")))
    try expectUntouched(by: request, status: .cannotCreate)
  }

  @Test("What a failed run read leaves no trace in the ledger")
  func ledger() throws {
    try work.write("more.json", Histories.pumpLogs(Histories.meal(minutes: 120)))
    #expect(work.failure(request(["more.json", "cut.json"])) != nil)
    var again = request(["a.json"])
    again.report = work.path("report.json")
    let report = try work.report(again)
    #expect(report.input("a.json")?.duplicates == report.input("a.json")?.records)
    #expect(report.changes.fresh == 0)
    #expect(report.pending.count == 1)
  }
}
