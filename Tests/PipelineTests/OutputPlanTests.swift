import Foundation
import Pipeline
import TestSupport
import Testing

/// What is refused before any work starts.
@Suite("Plan of outputs")
struct OutputPlanTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.write("a.json", Histories.pumpLogs(Histories.meal()))
  }

  private func failure(
    _ format: String?, _ target: String, ledger: String? = nil, report: String? = nil
  ) -> RunFailure? {
    var request = work.request(["a.json"])
    request.outputs = [OutputRequest(format: format, target: work.path(target))]
    request.ledger = ledger.map(work.path)
    request.report = report.map(work.path)
    return work.failure(request)
  }

  @Test("An output that is also an input is refused, by whatever name")
  func outputIsInput() throws {
    let before = work.text("a.json")
    #expect(failure("samples", "a.json")?.exitStatus == .cannotCreate)
    #expect(failure("samples", "./a.json")?.exitStatus == .cannotCreate)
    try FileManager.default.linkItem(atPath: work.path("a.json"), toPath: work.path("b.ndjson"))
    #expect(failure("samples", "b.ndjson")?.exitStatus == .cannotCreate)
    #expect(work.text("a.json") == before)
  }

  @Test("Two outputs that would meet in one file are refused, however they are spelled")
  func outputsMeet() {
    var request = work.request(["a.json"])
    request.outputs = [
      OutputRequest(format: "samples", target: work.path("b")),
      OutputRequest(format: "csv", target: work.path("./b")),
    ]
    #expect(work.failure(request)?.exitStatus == .cannotCreate)
    #expect(work.text("b") == nil)
  }

  @Test("An output in the place of the ledger's journals, or over another ledger, is refused")
  func besideLedger() throws {
    #expect(failure("samples", "l-wal", ledger: "l")?.exitStatus == .cannotCreate)
    var request = work.request(["a.json"])
    request.ledger = work.path("other")
    try work.convert(request)
    #expect(failure("samples", "other")?.exitStatus == .cannotCreate)
    #expect(failure("samples", "x.ndjson", report: "other")?.exitStatus == .cannotCreate)
  }

  @Test("A ledger that is also an input is refused")
  func ledgerIsInput() {
    #expect(failure("samples", "x.ndjson", ledger: "a.json")?.exitStatus == .cannotCreate)
  }

  @Test("A report that is also an input is refused")
  func reportIsInput() {
    #expect(failure("samples", "out.ndjson", report: "a.json")?.exitStatus == .cannotCreate)
  }

  @Test("An output that is the ledger is refused")
  func outputIsLedger() throws {
    var first = work.request(["a.json"])
    first.ledger = work.path("ledger")
    try work.convert(first)
    #expect(failure("sqlite", "ledger", ledger: "ledger")?.exitStatus == .cannotCreate)
  }

  @Test("A format that is not known, and a name that tells none, are usage errors")
  func unknownFormat() throws {
    #expect(failure("parquet", "out.parquet")?.exitStatus == .usage)
    #expect(failure(nil, "out.parquet")?.exitStatus == .usage)
    #expect(failure(nil, "out")?.exitStatus == .usage)
    #expect(try work.names == ["a.json"])
  }

  @Test("What is no regular file is refused")
  func notAFile() throws {
    try work.write("folder/inner.txt", [])
    #expect(failure("samples", "folder")?.exitStatus == .cannotCreate)
    #expect(failure("samples", "missing/out.ndjson")?.exitStatus == .cannotCreate)
  }

  @Test("A database that is not ours is refused and left alone")
  func foreignDatabase() throws {
    try work.write("db.sqlite", Array("not a database at all".utf8))
    #expect(failure("sqlite", "db.sqlite")?.exitStatus == .cannotCreate)
    #expect(work.text("db.sqlite") == "not a database at all")
  }

  @Test("Every format is told by its usual name")
  func formatsByName() throws {
    var request = work.request(["a.json"])
    request.outputs = ["o.zip", "o.xml", "o.csv", "o.db", "o.ndjson"].map {
      OutputRequest(format: nil, target: work.path($0))
    }
    let summary = try work.convert(request)
    #expect(
      summary.outputs.map(\.format) == ["apple-health", "apple-health", "csv", "sqlite", "samples"])
    #expect(Set(summary.outputs.map(\.samples)).count == 1)
  }
}
