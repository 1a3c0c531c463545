import Foundation
import Pipeline
import PumpModel
import Testing

@testable import pumpline

/// What is typed for `explain`, and what is shown.
@Suite struct ExplainTests {
  @Test func theWordIsAnIDOrAnInstant() {
    let pipeline = FakePipeline()
    _ = run("explain tandem:1:2-3:bolus --source a.zip b --zone UTC", pipeline: pipeline)
    #expect(pipeline.explainRequest?.subject == .sample("tandem:1:2-3:bolus"))
    #expect(pipeline.explainRequest?.sources.inputs == ["a.zip", "b"])
    _ = run("explain 2-3 --ledger p.ledger", pipeline: pipeline)
    #expect(pipeline.explainRequest?.subject == .event(EventReference(number: 2, seconds: 3)))
    _ = run("explain 2026-05-04T08:00:00-04:00 --ledger p.ledger", pipeline: pipeline)
    #expect(
      pipeline.explainRequest?.subject == .moment(Instant(unixSeconds: 1_777_896_000)))
    #expect(pipeline.explainRequest?.sources.ledger == "p.ledger")
    #expect(pipeline.explainRequest?.sources.inputs == [])
  }

  @Test(arguments: [
    "explain", "explain bolus --ledger a", "explain 2026-05-04 --ledger a",
    "explain 2026-05-04T08:00:00 --ledger a", "explain 4294967296-1 --ledger a",
    "explain 1-2-3 --ledger a", "explain +1-2 --ledger a", "explain 1- --ledger a",
    "explain tandem:1:2-3:bolus", "explain tandem:1:2-3:bolus --ledger a --source b",
  ])
  func whatIsMissingIsRefused(line: String) {
    #expect(run(line).status == .usage)
  }

  @Test func forAPerson() throws {
    let result = run("explain tandem:1:2-3:bolus --ledger a", pipeline: Self.pipeline)
    #expect(result.status == .ok)
    try expectSnapshot(result.output, snapshotPath("explain.txt"))
    let nothing = run("explain tandem:1:2-3:bolus --ledger a")
    #expect(nothing.status == .rejects)
    #expect(nothing.output == "result    there is no sample of this id\n")
  }

  @Test func forAProgram() throws {
    let result = run("explain tandem:1:2-3:bolus --ledger a --json", pipeline: Self.pipeline)
    try expectSnapshot(result.output, snapshotPath("explain.json"))
    _ = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
  }

  private static let pipeline: FakePipeline = {
    let start = Instant(unixSeconds: 1_777_896_000)
    let sample = WrittenSample(
      externalID: "tandem:90000001:4120-578750400:basal", type: .basal, device: "90000001",
      start: start, end: start + 300, amount: WrittenAmount(67_109, decimals: 6), zone: "UTC",
      metadata: WrittenMetadata([("rate", "0.805"), ("rateSource", "algorithm")]))
    var explained = ExplainedSample(
      sample: sample,
      rule: "the rate that was commanded by event 279 BASAL_DELIVERY, until the next evidence")
    explained.arithmetic = "0.805 U/h for 300 s is 0.067109 IU"
    var event = LocatedEvent(EventReference(number: 4120, seconds: 578_750_400))
    (event.id, event.name) = (279, "BASAL_DELIVERY")
    event.places = [.init(document: "a.zip/logs.json", .offset(9183))]
    var placed = ExplainedEvent(
      event: event, wallTime: WallTime(secondsSince1970: 1_777_896_000 - 14_390))
    placed.instant = start
    placed.isPlacedByRecords = true
    placed.fields = [
      .init(name: "commandedRate", value: "805"), .init(name: "profileBasalRate", value: "800"),
    ]
    let lost = ExplainedEvent(
      event: LocatedEvent(EventReference(number: 4121, seconds: 0)),
      wallTime: WallTime(secondsSince1970: 1_199_145_600))
    explained.events = [placed, lost]
    var explanation = Explanation()
    var bolus = ExplainedSample(
      sample: WrittenSample(
        externalID: "tandem:90000001:csv-578750400-0:bolus", type: .bolus, device: "90000001",
        start: start, end: start, amount: WrittenAmount(2350, decimals: 3)),
      rule: "what was delivered, by a row of a table of the pump's maker")
    bolus.note = "outputs leave it out"
    let reference = RowReference(
      source: .csv, kind: .bolus, name: .time(seconds: 578_750_400, ordinal: 0))
    bolus.row = ExplainedRow(LocatedRow(reference))
    bolus.row?.row.places = [.init(document: "a.csv", .line(12))]
    bolus.row?.fields = [.init(name: "insulin", value: "2.35 U")]
    bolus.row?.wallTime = WallTime(secondsSince1970: 1_777_896_000 - 14_400)
    bolus.row?.instant = start
    explanation.samples = [explained, bolus]
    explanation.silentEvents = [
      SilentEvent(pump: "90000001", event: lost, reason: "nothing was delivered")
    ]
    var treatment = ExplainedRow(
      LocatedRow(RowReference(source: .nightscout, kind: .bolus, name: .own("62d9f1"))))
    treatment.instant = start
    explanation.silentRows = [
      SilentRow(pump: "90000001", row: treatment, reason: "others tell the same")
    ]
    var around = SilentPlace(pump: "90000002", reason: "it lies in a stretch without data")
    (around.before, around.after) = (placed, lost)
    explanation.surroundings = [around]
    explanation.hidden = 1
    explanation.holes = [
      PumpHole(
        pump: "90000002", hole: Hole(start: start, end: nil, reason: .heartbeatsMissing))
    ]
    return FakePipeline(explanation: explanation)
  }()
}
