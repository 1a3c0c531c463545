import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

/// What is told of events that gave no sample, kind by kind.
@Suite("Why there is no sample")
struct SilentEventTests {
  private let work: Workspace
  private static let noon = UInt32(
    Histories.noon.unixSeconds - PumpTime.epochInUnixSeconds - 14_400)

  init() throws { work = try Workspace() }

  private func record(
    _ number: UInt32, _ seconds: UInt32, _ id: UInt16, _ payload: PumpRecord.Payload
  ) -> PumpRecord {
    PumpRecord(
      number: number, seconds: Self.noon + seconds, eventID: id, payload: payload, form: .binary)
  }

  private func heartbeat(_ number: UInt32, _ seconds: UInt32, rate: Int = 800) -> PumpRecord {
    record(
      number, seconds, 279,
      .basalDelivery(commanded: rate, profile: rate, temp: nil, algorithm: nil, source: 1))
  }

  private func completed(
    _ number: UInt32, _ seconds: UInt32, bolus: UInt16, status: UInt16 = 3, delivered: Float
  ) -> PumpRecord {
    record(
      number, seconds, 20,
      .bolusCompleted(
        bolus: bolus, status: status, iob: 0, delivered: delivered, requested: delivered))
  }

  private func request(_ number: UInt32, _ seconds: UInt32, bolus: UInt16, grams: UInt16 = 0)
    -> PumpRecord
  {
    record(
      number, seconds, 64,
      .bolusRequest1(bolus: bolus, type: 0, grams: grams, glucose: 0, iob: 0))
  }

  private func explain(
    _ subject: ExplainRequest.Subject, _ records: [PumpRecord],
    change: (inout ConvertRequest) -> Void = { _ in }
  ) throws -> Explanation {
    try work.write("logs.json", Histories.pumpLogs(records))
    try work.write("pumper.json", Histories.pumper())
    var request = work.request(["logs.json", "pumper.json"])
    request.outputs = []
    change(&request)
    return try PumplinePipeline().explain(ExplainRequest(subject: subject, sources: request)) {
      _ in
    }
  }

  /// Why the event of a number gave nothing; also checks what is told of every such event.
  private func reason(_ number: UInt32, _ records: [PumpRecord]) throws -> String {
    let record = try #require(records.first { $0.number == number })
    let reference = EventReference(number: number, seconds: record.seconds)
    let explanation = try explain(.event(reference), records)
    #expect(explanation.exitStatus == .ok)
    let silent = try #require(explanation.silentEvents.first)
    #expect(explanation.silentEvents.count == 1)
    #expect(silent.event.event.reference == reference)
    #expect(silent.event.event.id == record.eventID)
    #expect(silent.event.event.places?.map(\.document) == [work.path("logs.json")])
    #expect(silent.event.wallTime == PumpTime(seconds: record.seconds).wallTime)
    // By an id that outputs could have had the answer is the same.
    let id = "\(silent.pump):\(number)-\(record.seconds)"
    let byID = try explain(.sample("tandem:\(id):bolus"), records)
    #expect(byID.silentEvents == explanation.silentEvents)
    return silent.reason
  }

  @Test("A dose of nothing, a refused bolus, and what asked for them")
  func boluses() throws {
    let records = [
      request(1, 0, bolus: 7), completed(2, 60, bolus: 7, delivered: 0),
      request(3, 600, bolus: 8), completed(4, 660, bolus: 8, status: 5, delivered: 1),
      request(5, 900, bolus: 9),
      request(6, 1200, bolus: 10),
      record(7, 1210, 55, .bolusStarted(bolus: 10, iob: 0, size: 1000)),
    ]
    #expect(try reason(2, records).hasPrefix("nothing was delivered"))
    #expect(try reason(1, records).contains("ended before anything was delivered, by event 2-"))
    #expect(try reason(4, records).hasPrefix("the pump refused the bolus"))
    #expect(try reason(3, records).contains("refused its bolus, by event 4-"))
    #expect(try reason(5, records).contains("cancelled, or what followed was not read"))
    #expect(try reason(6, records).hasSuffix("it is pending"))
    #expect(try reason(7, records).hasSuffix("it is pending"))
  }

  @Test("A meal of nothing, and one that a bolus tells too")
  func meals() throws {
    let records = [
      request(1, 0, bolus: 7, grams: 30), completed(2, 60, bolus: 7, delivered: 1),
      record(3, 100, 48, .init(Float(30).bitPattern)),
      record(4, 5000, 48, .init(Float(0).bitPattern)),
    ]
    #expect(try reason(3, records).contains("by event 1-"))
    #expect(try reason(4, records).hasPrefix("nothing was entered"))
  }

  @Test("An event of a sample shows the sample, and names no reason")
  func told() throws {
    let records = [request(1, 0, bolus: 7, grams: 30), completed(2, 60, bolus: 7, delivered: 1)]
    for record in records {
      let explanation = try explain(
        .event(EventReference(number: record.number, seconds: record.seconds)), records)
      #expect(explanation.samples.count == 2)
      #expect(explanation.silentEvents.isEmpty && explanation.surroundings.isEmpty)
    }
  }

  @Test("Rates: what holds for no time, what is pending, what rounds to nothing")
  func rates() throws {
    let records = [
      heartbeat(1, 0), heartbeat(2, 0, rate: 900), heartbeat(3, 300, rate: 1), heartbeat(4, 301),
      record(5, 400, 12, .resumed(level: 90)), heartbeat(6, 600),
    ]
    #expect(try reason(1, records).contains("tells the rate of the same second"))
    #expect(try reason(3, records).contains("in 1 s") && reason(3, records).hasSuffix("to nothing"))
    #expect(try reason(5, records).hasPrefix("it tells that delivery went on"))
    #expect(try reason(6, records).hasSuffix("it is pending"))
    #expect(try reason(6, records.dropLast() + [heartbeat(6, 600, rate: 0)]).contains("zero"))
  }

  @Test("A rate at the edge of a hole names the hole; so does a moment in it")
  func holes() throws {
    let records = [heartbeat(1, 0), heartbeat(2, 300), heartbeat(40, 9300), heartbeat(41, 9600)]
    let words = try reason(2, records)
    #expect(words.hasPrefix("what was delivered after it is not known until 2026-05-04T"))
    let moment = try explain(.moment(Histories.noon + 4000), records)
    let around = try #require(moment.surroundings.first)
    #expect(moment.holes.count == 1 && moment.exitStatus == .ok)
    #expect(around.reason.hasPrefix("it lies in a stretch without data: "))
    #expect(around.before?.event.reference.number == 2)
    #expect(around.after?.event.reference.number == 40)
    #expect(around.before?.event.places?.count == 1)
    // An event that would stand in it.
    let missing = try explain(.sample("tandem:90000001:20-\(Self.noon + 4000):bolus"), records)
    #expect(missing.surroundings.first?.reason.contains("37 numbers are missing") == true)
    #expect(missing.exitStatus == .ok)
  }

  @Test("Moments outside the history, and while a rate is pending")
  func outside() throws {
    let records = [heartbeat(1, 0), heartbeat(2, 300), record(3, 400, 5, .init(99))]
    let before = try explain(.moment(Histories.noon + -10), records)
    #expect(
      before.surroundings.first?.reason == "it lies before the first event whose time is known")
    #expect(before.exitStatus == .rejects)
    let pending = try explain(.moment(Histories.noon + 350), records)
    #expect(pending.surroundings.first?.reason.hasSuffix("it is pending") == true)
    #expect(pending.exitStatus == .ok)
    let zero = [heartbeat(1, 0), heartbeat(2, 300, rate: 0)]
    let after = try explain(.moment(Histories.noon + 9000), zero)
    #expect(after.surroundings.first?.reason == "it lies after the last event that was read")
    #expect(after.exitStatus == .rejects)
  }

  @Test("While delivery is suspended there is a rate of zero, which outputs leave out")
  func suspended() throws {
    let records = [
      heartbeat(1, 0), record(2, 100, 11, .suspended(reason: 0, level: 90)),
      record(3, 1000, 12, .resumed(level: 90)), heartbeat(4, 1200), heartbeat(5, 1500),
    ]
    let within = try explain(.moment(Histories.noon + 500), records)
    #expect(within.samples.map(\.sample.amount.text) == ["0"])
    #expect(within.samples.first?.note?.contains("--zero-basal") == true)
    #expect(within.samples.first?.rule.contains("event 11 ") == true)
    let resumed = try explain(.moment(Histories.noon + 1100), records)
    #expect(
      resumed.surroundings.first?.reason.hasPrefix("delivery had gone on, by event 3-") == true)
  }

  @Test("Unknown ids, the clock, totals, alarms, and readings that were not shown")
  func others() throws {
    let records = [
      heartbeat(1, 0), record(2, 10, 4000, .init(1, 2, 3, 4)),
      record(3, 20, 81, .dailyBasal(total: 100, rate: 800, iob: 0, isFinal: false)),
      record(4, 30, 5, .init(99)),
      record(
        5, 40, 399, .sensorReading(glucose: 40, status: 2, trend: 0, takenAt: Self.noon + 40)),
      record(6, 50, 61, .init()), heartbeat(7, 300),
      record(
        8, 400, 13,
        .timeChanged(
          prior: (Self.noon % 86_400 + 390) * 1000, after: (Self.noon % 86_400 + 400) * 1000,
          clock: 0)),
    ]
    #expect(try reason(2, records).hasPrefix("events of id 4000 are unknown"))
    #expect(try reason(3, records).hasPrefix("the pump's own total"))
    #expect(try reason(4, records) == "an alarm tells no dose")
    #expect(try reason(5, records).hasPrefix("the pump did not show this reading"))
    #expect(try reason(6, records) == "no rule makes a sample of such events")
    #expect(try reason(8, records).hasPrefix("it sets the pump's clock"))
  }

  @Test("Events of a pump that lost power have no known time")
  func untimed() throws {
    let lost = PumpRecord(
      number: 3, seconds: 60, eventID: 20,
      payload: .bolusCompleted(bolus: 1, status: 3, iob: 0, delivered: 1, requested: 1),
      form: .binary)
    let records = [heartbeat(1, 0), heartbeat(2, 300), lost]
    #expect(try reason(3, records).hasPrefix("when it was is not known"))
    let moment = try explain(.moment(Histories.noon + 9000), records)
    #expect(moment.holes.map(\.hole.reason) == [.clockUnknown])
    #expect(moment.surroundings.first?.reason.hasSuffix("it is not known when they were") == true)
  }

  @Test("What is in no log says so")
  func nothing() throws {
    let records = [heartbeat(5, 0), heartbeat(6, 300)]
    let later = try explain(.event(EventReference(number: 9, seconds: Self.noon)), records)
    #expect(later.exitStatus == .rejects)
    #expect(later.surroundings.first?.reason.hasSuffix("what was read ends before") == true)
    let other = try explain(.event(EventReference(number: 5, seconds: 1)), records)
    #expect(other.surroundings.first?.reason.hasSuffix("on an event of another time") == true)
  }
}
