import Pipeline
import TestSupport
import Testing

/// Archives that a ledger knows are not read again, and everything is said as before.
@Suite("A known archive")
struct KnownArchiveTests {
  private let work: Workspace

  init() throws { work = try Workspace() }

  private func archive(_ members: [(String, [UInt8])]) -> [UInt8] {
    ArchiveBuilder.archive(.zip, members.map { .file($0.0, $0.1) })
  }

  private func request() -> ConvertRequest {
    var request = work.request(["a.zip"])
    request.ledger = work.path("ledger")
    return request
  }

  @Test("tells the same counts, and its records are all known")
  func counts() throws {
    let records = Histories.meal()
    try work.write(
      "a.zip",
      archive([("note.txt", Array("hello".utf8)), ("log.json", Histories.pumpLogs(records))]))
    let first = try work.report(request())
    let samples = work.samples
    let second = try work.report(request())
    #expect(second.inputs.map(\.records) == first.inputs.map(\.records))
    #expect(second.inputs.map(\.duplicates) == [records.count])
    #expect(second.ignored == first.ignored)
    #expect(second.changes.unchanged == first.changes.fresh)
    #expect(work.samples == samples)
    #expect(!samples.isEmpty)
  }

  @Test("is read again if something of it was rejected, and says so again")
  func rejects() throws {
    var bytes = Histories.pumpLogs(Histories.meal())
    bytes.append(contentsOf: Array("stray".utf8))
    try work.write("a.zip", archive([("log.json", bytes)]))
    #expect(try work.report(request()).rejects.count == 1)
    #expect(try work.report(request()).rejects.count == 1)
  }

  @Test("is read if a byte of it differs")
  func changed() throws {
    let records = Histories.meal()
    try work.write("a.zip", archive([("log.json", Histories.pumpLogs(records.dropLast(3)))]))
    _ = try work.report(request())
    try work.write("a.zip", archive([("log.json", Histories.pumpLogs(records))]))
    let report = try work.report(request())
    #expect(report.inputs.first?.duplicates == records.count - 3)
    #expect(report.inputs.first?.records == records.count)
  }

  @Test("counts for what is said with it")
  func complete() throws {
    try work.write("a.zip", archive([("log.json", Histories.pumpLogs(Histories.meal()))]))
    _ = try work.report(request())
    var again = request()
    again.isComplete = true
    let report = try work.report(again)
    #expect(report.changes.fresh == 0)
    #expect(report.changes.withdrawn == 0)
  }
}
