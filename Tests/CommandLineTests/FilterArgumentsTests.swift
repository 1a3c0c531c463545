import Pipeline
import PumpModel
import Testing

@testable import pumpline

/// What the words of filters ask for.
@Suite struct FilterArgumentsTests {
  private static func requests(_ line: String) throws -> FakePipeline {
    let pipeline = FakePipeline()
    let outcome = run(line, pipeline: pipeline)
    #expect(outcome.status == .ok, "\(outcome.error)")
    #expect(outcome.output == "")
    return pipeline
  }

  @Test func decodeReadsStandardInputUnlessToldOtherwise() throws {
    #expect(try Self.requests("decode").filterRequests.decode == DecodeRequest(inputs: ["-"]))
    var request = DecodeRequest(inputs: ["a", "b"])
    request.isComplete = true
    request.output = "c"
    request.forms = CellForms(decimal: .comma, dates: .dmy)
    let line = "decode a b --complete -o c --decimal comma --date-order dmy"
    #expect(try Self.requests(line).filterRequests.decode == request)
  }

  @Test func normalizeIsConvertOfLines() throws {
    let request = try #require(
      try Self.requests(
        "normalize --zone UTC --serial 7 --include glucose --report r"
      ).convertRequest)
    #expect(request.readsLines)
    #expect(request.inputs == ["-"])
    #expect(request.outputs == [OutputRequest(format: "samples", target: "-")])
    #expect(request.zones == [ZoneArgument(name: "UTC")])
    #expect(request.serial == "7" && request.report == "r" && request.ledger == nil)
    #expect(request.selection.includesGlucose)
    let named = try #require(try Self.requests("normalize a --zone UTC -o b").convertRequest)
    #expect(named.inputs == ["a"])
    #expect(named.outputs == [OutputRequest(format: "samples", target: "b")])
    #expect(try Self.requests("convert a --zone UTC -o b.csv").convertRequest?.readsLines == false)
  }

  @Test func deduplicateTakesItsLedger() throws {
    var request = DeduplicateRequest(inputs: ["-"])
    #expect(try Self.requests("deduplicate").filterRequests.deduplicate == request)
    request.ledger = "l"
    request.writesAll = true
    request.waitSeconds = 3
    request.report = "r"
    #expect(
      try Self.requests("deduplicate --ledger l --all --wait 3 --report r").filterRequests
        .deduplicate == request)
  }

  @Test func emitTakesZonesOutputsAndAccounts() throws {
    let request = try #require(
      try Self.requests(
        "emit a --zone UTC --account p.json --account q.json -o e.zip --to csv -o - --from 2026-05-04"
      ).filterRequests.emit)
    #expect(request.inputs == ["a"])
    #expect(request.accounts == ["p.json", "q.json"])
    #expect(
      request.outputs == [
        OutputRequest(format: nil, target: "e.zip"), OutputRequest(format: "csv", target: "-"),
      ])
    #expect(request.selection.includesGlucose && request.selection.from != nil)
    let bolus = try Self.requests("emit --only bolus --to csv -o -").filterRequests.emit
    #expect(bolus?.selection.includesGlucose == false)
    #expect(bolus?.inputs == ["-"])
  }

  @Test(arguments: [
    ("emit a", "nothing is to be written"), ("emit - --account - -o a.csv", "named twice"),
    ("deduplicate a --ledger -", "a ledger cannot be standard output"),
    ("deduplicate a --ledger l -o l", "two things would be written to one place"),
    ("normalize a --zone UTC --report -", "two things would be written to one place"),
    ("normalize a --ledger l", "--ledger is no option of normalize"),
    ("deduplicate a --wait x", "--wait cannot be"),
  ])
  func refusals(line: String, what: String) {
    let outcome = run(line)
    #expect(outcome.status == .usage)
    #expect(outcome.error.contains(what), "\(outcome.error)")
  }

  @Test func theSummarySaysWhatBecameOfTheLines() {
    var summary = FilterSummary()
    summary.documents = 2
    summary.read = 1234
    summary.superseded = 1
    summary.changes = [.bolus: ChangeCounts(fresh: 2, revised: 1)]
    summary.rejects.add(
      RejectedPart(document: "a\u{1B}[1m", reject: Reject(.line(3), "why")))
    summary.outputs = [WrittenOutput(format: "samples", target: "-", samples: 3)]
    let outcome = run("deduplicate", pipeline: FakePipeline(filtering: summary))
    #expect(outcome.status == .rejects)
    #expect(
      outcome.error == """
        read      2 documents with 1,234 samples
        samples   2 fresh: 2 bolus
                  1 revised: 1 bolus
        set aside 1 sample, since another of the same id counts
        rejected  1 part of the input
                    a\u{FFFD}[1m, line 3: why
        wrote     standard output (3 samples)

        """)
  }
}
