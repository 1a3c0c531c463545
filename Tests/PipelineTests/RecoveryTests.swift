import Foundation
import Pipeline
import Platform
import TestSupport
import Testing

/// What a start makes of what dead runs left, and what it leaves alone.
@Suite("Recovery")
struct RecoveryTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.write("a.json", Histories.pumpLogs(Histories.meal()))
    try work.write("pumper.json", Histories.pumper())
    try work.convert(request("first.ndjson"))
  }

  private func request(_ output: String) -> ConvertRequest {
    var request = work.request(["a.json", "pumper.json"])
    request.ledger = work.path("ledger")
    request.outputs = [OutputRequest(format: "samples", target: work.path(output))]
    request.waitSeconds = 0
    return request
  }

  /// Runs SQL on the ledger and gives the first text.
  @discardableResult
  private func ledger(_ sql: String) throws -> String? {
    try SQLiteConnection(.file(work.path("ledger"))).text(sql)
  }

  /// The name of a file that a run of the ledger staged.
  private func stagedName(_ number: Int = 1, owner: String? = nil) throws -> String {
    let id = try owner ?? #require(try ledger("SELECT value FROM settings WHERE name = 'id'"))
    return ".pumpline-\(id)-\(number).partial"
  }

  /// Stages a file as a run would that died after its commit.
  private func promise(
    _ text: String, to target: String, name: String, digestOf promised: String? = nil
  ) throws {
    try work.write(name, Array(text.utf8))
    let digest = Digest256()
    let bytes = Array((promised ?? text).utf8)
    digest.update(unsafe bytes.span.bytes)
    try ledger(
      """
      INSERT INTO outbox (target, staged, digest)
      VALUES ('\(work.path(target))', '\(work.path(name))', x'\(digest.finish().hex)')
      """)
  }

  private func expectSettled(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try ledger("SELECT count(*) FROM outbox") == "0", sourceLocation: sourceLocation)
  }

  @Test("A promised file takes its place")
  func published() throws {
    let name = try stagedName()
    try promise("promised", to: "late.txt", name: name)
    try work.convert(request("second.ndjson"))
    #expect(work.text("late.txt") == "promised")
    #expect(work.text(name) == nil)
    try expectSettled()
  }

  @Test("It does so even if the run that finds it fails")
  func publishedByFailingRun() throws {
    try promise("promised", to: "late.txt", name: stagedName())
    var failing = request("second.ndjson")
    failing.inputs.append(work.path("missing.json"))
    #expect(work.failure(failing)?.exitStatus == .inputMissing)
    #expect(work.text("late.txt") == "promised")
    try expectSettled()
  }

  @Test("A file that is not the promised one is removed, and its target left")
  func damaged() throws {
    let name = try stagedName()
    try work.write("late.txt", Array("old".utf8))
    try promise("half", to: "late.txt", name: name, digestOf: "whole")
    try work.convert(request("second.ndjson"))
    #expect(work.text("late.txt") == "old")
    #expect(work.text(name) == nil)
    try expectSettled()
  }

  @Test("A file that already took its place is left there")
  func confirmed() throws {
    let name = try stagedName()
    try promise("promised", to: "late.txt", name: name)
    try FileManager.default.moveItem(atPath: work.path(name), toPath: work.path("late.txt"))
    try work.convert(request("second.ndjson"))
    #expect(work.text("late.txt") == "promised")
    try expectSettled()
  }

  @Test("A promise of a file that no run of this ledger staged is not kept, and the file left")
  func foreign() throws {
    for name in ["precious.txt", try stagedName(owner: "0123")] {
      try promise("precious", to: "late.txt", name: name)
      try work.convert(request("second.ndjson"))
      #expect(work.text(name) == "precious")
      #expect(work.text("late.txt") == nil)
      try expectSettled()
    }
  }

  @Test("Where it cannot be published, a promise waits and hinders nobody")
  func waits() throws {
    let name = try stagedName()
    try promise("promised", to: "late.txt", name: name)
    try FileManager.default.createDirectory(
      atPath: work.path("late.txt"), withIntermediateDirectories: false)
    try work.convert(request("second.ndjson"))
    #expect(work.text(name) == "promised")
    try FileManager.default.removeItem(atPath: work.path("late.txt"))
    try work.convert(request("second.ndjson"))
    #expect(work.text("late.txt") == "promised")
    try expectSettled()
  }

  @Test("What dead runs staged is removed wherever the ledger was used; files of others stay")
  func leftovers() throws {
    let own = try stagedName(7)
    let other = try stagedName(7, owner: "00000000000000000000000000000000")
    let nobodys = ".pumpline-5.partial"
    for name in [own, other, nobodys] { try work.write(name, Array("x".utf8)) }
    let folder = try TemporaryFolder()
    var elsewhere = request("second.ndjson")
    elsewhere.outputs[0].target = folder.path + "/out.ndjson"
    try work.convert(elsewhere)
    #expect(work.text(own) == nil)
    #expect(work.text(other) == "x")
    #expect(work.text(nobodys) == "x")
  }

  @Test("While another run holds the ledger, a run is busy and changes nothing")
  func busy() throws {
    let holder = try SQLiteConnection(.file(work.path("ledger")))
    try holder.execute("BEGIN IMMEDIATE")
    let names = try work.names
    #expect(work.failure(request("second.ndjson"))?.exitStatus == .busy)
    #expect(try work.names == names)
    try holder.execute("ROLLBACK")
    try work.convert(request("second.ndjson"))
    #expect(work.text("second.ndjson") == work.text("first.ndjson"))
  }

  @Test("A database that another program holds is owed what it lacks; other outputs get theirs")
  func heldDatabase() throws {
    var both = request("second.ndjson")
    both.outputs.append(OutputRequest(format: nil, target: work.path("all.db")))
    try work.convert(both)
    try work.write("a.json", Histories.pumpLogs(Histories.meal(minutes: 200)))
    let before = work.text("second.ndjson")
    let holder = try SQLiteConnection(.file(work.path("all.db")))
    try holder.execute("BEGIN IMMEDIATE")
    #expect(work.failure(both)?.exitStatus == .busy)
    #expect(work.text("second.ndjson") != before)
    try holder.execute("ROLLBACK")
    try work.convert(both)
    let count = try SQLiteConnection(.readOnlyFile(work.path("all.db")))
      .integer("SELECT count(*) FROM samples")
    #expect(count == (work.text("second.ndjson")?.split(separator: "\n").count).map(Int64.init))
  }

  @Test("A ledger in a folder of inputs is not read")
  func ledgerAmongInputs() throws {
    var request = request("second.ndjson")
    try FileManager.default.createDirectory(
      atPath: work.path("data"), withIntermediateDirectories: false)
    for name in ["a.json", "pumper.json", "ledger"] {
      try FileManager.default.moveItem(
        atPath: work.path(name), toPath: work.path("data/" + name))
    }
    request.inputs = [work.path("data")]
    request.ledger = work.path("data/ledger")
    let report = try work.report(request)
    #expect(report.ignored["unrecognisedDocument"] == nil)
    #expect((report.ignored["specialFile"] ?? 0) >= 1)
    #expect(report.inputs.count == 2)
  }
}
