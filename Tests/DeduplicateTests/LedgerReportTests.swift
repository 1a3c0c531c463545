@testable import Deduplicate
import Platform
import PumpModel
import Testing

/// What stands beside the samples.
@Suite("What a ledger keeps beside samples")
struct LedgerReportTests {
  private func instant(_ seconds: Int64) -> Instant { Instant(unixSeconds: seconds) }

  private func fill(_ ledger: Ledger) throws {
    try ledger.begin()
    let replacement = try PumpReplacement(ledger, pump: testPump())
    var batch = NormalizedBatch()
    batch.pending = [
      PendingPart(kind: .basal, start: instant(50), number: 9),
      PendingPart(
        kind: .clock, start: nil, number: 3, extent: .init(lastNumber: .max, count: 12)),
    ]
    batch.holes = [
      Hole(start: instant(20), end: nil, reason: .clockUnknown),
      Hole(start: instant(10), end: instant(15), reason: .silence),
    ]
    batch.findings = [Finding(.clockDrift, start: instant(1), end: instant(2), text: "Drift.")]
    batch.incomplete = [IncompleteRequest(bolus: .max, start: instant(7))]
    try replacement.take(batch)
    try replacement.add(Finding(.copiesDiffer, text: "Copies."))
    var day = DayTotals(day: 20_000)
    (day.basal, day.bolus, day.carbohydrate) = (1, 2, 3)
    (day.deliveredSeconds, day.zeroSeconds) = (4, 5)
    (day.suspendedSeconds, day.unknownSeconds) = (6, 7)
    (day.pumpBasal, day.difference) = (8, -9)
    day.active = instant(10)...instant(11)
    try replacement.keep([day, DayTotals(day: -1)])
    try replacement.keep(whole: NormalizedBatch(), clocks: [clock])
    _ = try replacement.finish()
    try ledger.commit()
  }

  private let clock = ClockRow(
    usesRecords: true, opening: .powerLoss, start: Instant(unixSeconds: 1), end: nil,
    offset: -3600, driftMilliseconds: -21_000, records: 77)

  @Test("Everything comes back as it was given, in order")
  func comesBack() throws {
    let ledger = try Ledger.temporary()
    try ledger.database.execute("INSERT INTO pumps (pump, name) VALUES (1, 'P')")
    // A second time in place of the first, not beside it.
    try fill(ledger)
    try fill(ledger)
    var pending: [PendingPart] = []
    try ledger.forEachPending { pending.append($1) }
    #expect(pending.map(\.kind) == [.clock, .basal])
    #expect(pending.first?.extent == .init(lastNumber: .max, count: 12))
    #expect(pending.last == PendingPart(kind: .basal, start: instant(50), number: 9))
    var holes: [Hole] = []
    try ledger.forEachHole { holes.append($1) }
    #expect(
      holes == [
        Hole(start: instant(10), end: instant(15), reason: .silence),
        Hole(start: instant(20), end: nil, reason: .clockUnknown),
      ])
    var findings: [Finding] = []
    try ledger.forEachFinding { findings.append($1) }
    #expect(findings.map(\.code) == [.copiesDiffer, .clockDrift])
    #expect(
      findings.last == Finding(.clockDrift, start: instant(1), end: instant(2), text: "Drift."))
    var incomplete: [IncompleteRequest] = []
    try ledger.forEachIncomplete { incomplete.append($1) }
    #expect(incomplete == [IncompleteRequest(bolus: .max, start: instant(7))])
    var clocks: [ClockRow] = []
    try ledger.forEachClock { clocks.append($1) }
    #expect(clocks == [clock])
    var days: [DayTotals] = []
    try ledger.forEachDay { days.append($1) }
    #expect(days.map(\.day) == [-1, 20_000])
    #expect(days.last?.difference == -9)
    #expect(days.last?.active == instant(10)...instant(11))
    #expect(days.first == DayTotals(day: -1))
  }

  @Test("Two pumps overlap on days on which their times of giving cross")
  func overlaps() throws {
    let ledger = try Ledger.temporary()
    try ledger.database.execute("INSERT INTO pumps (pump, name) VALUES (1, 'Q'), (2, 'P')")
    func keep(_ pump: Int64, _ spans: [(Int64, ClosedRange<Int64>)]) throws {
      let replacement = try PumpReplacement(ledger, pump: testPump(pump))
      let days = spans.map { day, span in
        var totals = DayTotals(day: day)
        totals.active = instant(span.lowerBound)...instant(span.upperBound)
        return totals
      }
      try replacement.keep(days)
      _ = try replacement.finish()
    }
    try keep(1, [(1, 10...20), (2, 100...120), (3, 200...220)])
    try keep(2, [(1, 20...30), (2, 110...130), (3, 190...210)])
    let found = try ledger.overlaps()
    #expect(found.map { "\($0.pump) \($0.other) \($0.days)" } == ["P Q 2"])
    #expect(found.first?.start == instant(110))
    #expect(found.first?.end == instant(210))
  }

  @Test("How estimated times differ is summed up by difference")
  func estimates() throws {
    let ledger = try Ledger.temporary()
    let journal = JournalImport(ledger)
    let records = [record(1, at: 50), record(2, at: 20), record(3, at: 90)]
    try journal.append(records.span, document: 0)
    for record in records {
      journal.note(estimateDiffersBy: record.number == 3 ? 7 : -3600, of: record, document: 0)
    }
    try ledger.begin()
    _ = try journal.finish(
      [
        AcceptedDocument(
          index: 0, digest: [1], format: .pumpLogs, isComplete: false, bytes: 1, records: 3,
          missingBodies: 0)
      ],
      claims: PumpClaims(
        stated: [.assignment("A")], present: [1], hasUnnamed: false, facts: [], serial: nil),
      count: 1)
    try ledger.commit()
    #expect(
      try ledger.estimatedTimes(of: 1).map {
        "\($0.differsBy) \($0.records) \($0.first.seconds)–\($0.last.seconds)"
      } == ["-3600 2 20–50", "7 1 90–90"])
  }
}
