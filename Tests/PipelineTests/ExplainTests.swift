import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

@Suite("Explaining samples and moments")
struct ExplainTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.writeOutputs()
  }

  private func explain(
    _ subject: ExplainRequest.Subject, change: (inout ConvertRequest) -> Void = { _ in }
  ) throws -> Explanation {
    var sources = work.sources
    change(&sources)
    return try PumplinePipeline().explain(ExplainRequest(subject: subject, sources: sources)) { _ in
    }
  }

  private func askLedger(_ request: inout ConvertRequest) {
    request = ConvertRequest(inputs: [])
    request.ledger = work.path("ledger")
  }

  /// The external id of the first sample of a kind.
  private func id(of kind: String) throws -> String {
    let line = try #require(
      (work.text("out.ndjson") ?? "").split(separator: "\n").first { $0.contains(":\(kind)\"") })
    let end = try #require(line.firstRange(of: "\",\"type\""))
    return String(line[..<end.lowerBound].dropFirst(#"{"externalId":""#.count))
  }

  @Test("A bolus is told with its events, their fields, clock and places")
  func bolus() throws {
    let id = try id(of: "bolus")
    let explanation = try explain(.sample(id))
    #expect(explanation.exitStatus == .ok)
    #expect(explanation.samples.map(\.sample.externalID) == [id])
    let sample = try #require(explanation.samples.first)
    #expect(sample.rule == "what was delivered, by event 20 BOLUS_COMPLETED")
    let event = try #require(sample.events.first { $0.event.id == 20 })
    #expect(event.event.name == "BOLUS_COMPLETED")
    #expect(event.instant == sample.sample.end)
    // New York in May, by the zone's rules.
    #expect(event.offset == -14_400)
    #expect(!event.isPlacedByRecords)
    let delivered = try #require(event.fields.first { $0.name.lowercased() == "insulindelivered" })
    // The pump's floating-point number, as it is; the sample has it rounded to 0.001 IU.
    let (told, kept) = (Double(delivered.value) ?? 0, Double(sample.sample.amount.text) ?? -1)
    #expect(abs(told - kept) <= 0.0005)
    #expect(event.event.places?.map(\.document) == [work.path("logs-1.json")])
  }

  @Test("A ledger tells the same but for places")
  func ledger() throws {
    let id = try id(of: "extended")
    var own = try explain(.sample(id))
    let held = try explain(.sample(id), change: askLedger)
    for index in own.samples[0].events.indices { own.samples[0].events[index].event.places = nil }
    #expect(own == held)
    #expect(own.samples.count == 1)
  }

  @Test("Basal is told with its rate and time")
  func basal() throws {
    let sample = try #require(try explain(.sample(try id(of: "basal"))).samples.first)
    let rate = try #require(sample.sample.metadata.entries.first { $0.name == "rate" }?.text)
    #expect(sample.arithmetic?.hasPrefix("\(rate) U/h for ") == true)
    #expect(sample.arithmetic?.hasSuffix("is \(sample.sample.amount.text) IU") == true)
  }

  @Test("A moment is told with all that holds then")
  func moment() throws {
    let basal = try #require(try explain(.sample(try id(of: "basal"))).samples.first).sample
    let within = try explain(.moment(basal.start + 1), change: askLedger)
    #expect(within.samples.map(\.sample.externalID).contains(basal.externalID))
    let atEnd = try explain(.moment(basal.end), change: askLedger)
    #expect(!atEnd.samples.map(\.sample.externalID).contains(basal.externalID))
  }

  @Test("A moment in a hole says so")
  func hole() throws {
    let records = Histories.meal(minutes: 120)
    let gone = records.indices.filter { !(records.count / 3..<records.count / 2).contains($0) }
    try work.write("gap.json", Histories.pumpLogs(gone.map { records[$0] }))
    var hole: Instant?
    for minute in 0..<120 {
      let at = Histories.noon + Int64(minute) * 60
      let explanation = try explain(.moment(at)) { $0.inputs = [work.path("gap.json")] }
      if let found = explanation.holes.first {
        #expect(found.hole.start <= at)
        #expect(explanation.exitStatus == .ok)
        hole = at
        break
      }
    }
    #expect(hole != nil)
  }

  @Test("What is not there leads to 1, and what cannot be asked is a failure")
  func nothing() throws {
    #expect(try explain(.sample("tandem:1:1-1:bolus")).exitStatus == .rejects)
    #expect(
      try explain(.moment(Instant(unixSeconds: 0)), change: askLedger).exitStatus == .rejects)
    let missing = #expect(throws: RunFailure.self) {
      try explain(.moment(Instant(unixSeconds: 0))) { request in
        request = ConvertRequest(inputs: [])
        request.ledger = work.path("nothing.ledger")
      }
    }
    #expect(missing?.exitStatus == .inputMissing)
  }
}
