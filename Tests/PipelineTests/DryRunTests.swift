import Foundation
import Pipeline
import Testing

/// A run that keeps nothing.
@Suite("Dry runs")
struct DryRunTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.write("a.json", Histories.pumpLogs(Histories.meal()))
  }

  private func request() -> ConvertRequest {
    var request = work.request(["a.json"])
    request.ledger = work.path("ledger")
    request.report = work.path("report.json")
    request.outputs += [
      OutputRequest(format: "csv", target: "-"),
      OutputRequest(format: "sqlite", target: work.path("out.db")),
    ]
    request.isDryRun = true
    return request
  }

  @Test("A first run makes nothing, and tells what the real one then does")
  func first() throws {
    let dry = try work.convert(request())
    #expect(try work.names == ["a.json"])
    #expect(dry.changes.values.contains { $0.fresh > 0 })
    #expect(dry.outputs.allSatisfy { $0.samples > 0 })
    var real = request()
    real.isDryRun = false
    real.outputs.remove(at: 1)
    var expected = dry
    expected.outputs.remove(at: 1)
    #expect(try work.convert(real) == expected)
  }

  @Test("A ledger, its outputs and its report stay byte for byte what they were")
  func later() throws {
    var real = request()
    real.isDryRun = false
    real.outputs.remove(at: 1)
    try work.convert(real)
    let names = try work.names
    let files = names.map { FileManager.default.contents(atPath: work.path($0)) }
    try work.write("b.json", Histories.pumpLogs(Histories.meal(minutes: 200)))
    var dry = request()
    dry.inputs = [work.path("b.json")]
    let summary = try work.convert(dry)
    #expect(summary.changes.values.contains { $0.fresh > 0 && $0.unchanged > 0 })
    try FileManager.default.removeItem(atPath: work.path("b.json"))
    #expect(try work.names == names)
    for (name, bytes) in zip(names, files) {
      #expect(FileManager.default.contents(atPath: work.path(name)) == bytes, "\(name)")
    }
  }

  @Test("An empty file in the ledger's place stays empty")
  func emptyLedger() throws {
    try work.write("ledger", [])
    try work.convert(request())
    #expect(work.text("ledger") == "")
    #expect(try work.names == ["a.json", "ledger"])
  }

  @Test("What outputs of changes would hold is counted, and stays owed")
  func changes() throws {
    var owed = request()
    owed.outputs = ["new.ndjson", "all.db"].map {
      OutputRequest(format: nil, target: work.path($0), changes: .fresh)
    }
    owed.isDryRun = false
    try work.write("part.json", Histories.pumpLogs(Histories.meal(minutes: 40)))
    var part = owed
    part.inputs = [work.path("part.json")]
    try work.convert(part)
    let before = try work.names
    owed.isDryRun = true
    let dry = try work.convert(owed)
    #expect(try work.names == before)
    owed.isDryRun = false
    let real = try work.convert(owed)
    #expect(dry.outputs == real.outputs)
    #expect(real.outputs.allSatisfy { $0.samples > 0 })
  }

  @Test("What stops a run stops a dry run")
  func refusals() throws {
    var foreign = request()
    try work.write("ledger", Array("no ledger".utf8))
    #expect(work.failure(foreign)?.exitStatus == .refused)
    foreign = request()
    foreign.ledger = work.path("nowhere/ledger")
    let dry = work.failure(foreign)
    foreign.isDryRun = false
    #expect(dry == work.failure(foreign))
    #expect(dry?.exitStatus == .cannotCreate)
    foreign = request()
    foreign.ledger = nil
    foreign.zones = []
    #expect(work.failure(foreign)?.exitStatus == .usage)
  }
}
