import Pipeline
import PumpModel
import TestSupport
import Testing

/// Nothing is silently dropped: every record is counted as one thing.
@Suite("Counts of records")
struct RecordCountsTests {
  private let work: Workspace
  private static let records = Histories.meal()

  init() throws { work = try Workspace() }

  private func expectCounts(
    _ input: ReportDocument.Input?, records: Int, used: Int, duplicates: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(input?.records == records, sourceLocation: sourceLocation)
    #expect(input?.used == used, sourceLocation: sourceLocation)
    #expect(input?.duplicates == duplicates, sourceLocation: sourceLocation)
    #expect(input?.rejected == 0, sourceLocation: sourceLocation)
  }

  @Test("Of windows that overlap in one run, the later one brings duplicates")
  func overlap() throws {
    try work.write("a.json", Histories.pumpLogs(Self.records.prefix(16)))
    try work.write("b.json", Histories.pumpLogs(Self.records.dropFirst(10)))
    let report = try work.report(work.request(["a.json", "b.json"]))
    let rest = Self.records.count - 10
    expectCounts(report.input("a.json"), records: 16, used: 16, duplicates: 0)
    expectCounts(report.input("b.json"), records: rest, used: rest - 6, duplicates: 6)
  }

  @Test("A document that the ledger knows brings duplicates only, and changes nothing")
  func knownDocument() throws {
    try work.write("a.json", Histories.pumpLogs(Self.records))
    var request = work.request(["a.json"])
    request.ledger = work.path("ledger")
    let first = try work.report(request)
    let samples = work.samples
    let second = try work.report(request)
    let count = Self.records.count
    expectCounts(first.input("a.json"), records: count, used: count, duplicates: 0)
    expectCounts(second.input("a.json"), records: count, used: 0, duplicates: count)
    #expect(second.changes.fresh == 0)
    #expect(second.changes.revised == 0)
    #expect(second.changes.withdrawn == 0)
    #expect(work.samples == samples)
  }

  @Test("A bad record of a known document is reported again")
  func knownRejects() throws {
    var bytes = RecordEncoder.document(Self.records)
    bytes.append(contentsOf: [1, 2, 3])
    try work.write("a.bin", bytes)
    var request = work.request(["a.bin"])
    request.serial = "90000001"
    request.ledger = work.path("ledger")
    let first = try work.report(request)
    #expect(first.rejects.count == 1)
    #expect(first.input("a.bin")?.pumps == ["90000001"])
    request.serial = nil
    let second = try work.report(request)
    #expect(second.rejects.count == 1)
    #expect(second.input("a.bin")?.pumps == ["90000001"])
    #expect(try work.convert(request).pumps == ["90000001"])
  }

  @Test("Unknown ids are counted by id, and rows that no rule uses are ignored by name")
  func ignored() throws {
    let records = Histories.records(
      .quiet(
        minutes: 60, from: Histories.noon,
        incidents: [.init(5, .unknown), .init(9, .siteChange), .init(40, .alert(12))]))
    try work.write("a.json", Histories.pumpLogs(records))
    let report = try work.report(work.request(["a.json"]))
    #expect(report.unknownIds.values.reduce(0, +) == report.ignored["unknownEvent"])
    #expect(report.ignored["noRule", default: 0] > 0)
    let input = try #require(report.input("a.json"))
    let ignored = report.ignored.values.reduce(0, +)
    #expect(input.records == input.used + input.duplicates + input.rejected + ignored)
  }

  @Test("The summary counts what the report counts")
  func summary() throws {
    try work.write("a.json", Histories.pumpLogs(Self.records.prefix(16)))
    try work.write("b.json", Histories.pumpLogs(Self.records.dropFirst(10)))
    let request = work.request(["a.json", "b.json"])
    let report = try work.report(request)
    let records = try work.convert(request).records
    #expect(records.used == report.inputs.map(\.used).reduce(0, +))
    #expect(records.duplicates == report.inputs.map(\.duplicates).reduce(0, +))
    #expect(records.read == report.inputs.map(\.records).reduce(0, +))
  }
}
