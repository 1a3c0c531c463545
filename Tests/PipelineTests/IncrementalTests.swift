import Deduplicate
import Platform
import PumpModel
import TestSupport
import Testing

@testable import Pipeline

/// What a run normalizes is what its records can have changed, and the result is that of the whole.
@Suite("Normalizing only what changed")
struct IncrementalTests {
  @Test(
    "After every import the ledger holds what normalizing everything from nothing gives",
    arguments: RunSeeds.first(6))
  func everyImport(seed: UInt64) throws {
    var history = try JournalHistory(seed: seed)
    let documents = history.documents()
    let ledger = try JournalHarness(history.settings)
    for count in 1...documents.count {
      try ledger.run([documents[count - 1]])
      let fresh = try JournalHarness(history.settings)
      try fresh.run(Array(documents.prefix(count)))
      let difference = firstDifference(try ledger.content(), try fresh.content())
      #expect(difference == nil, "\(history.describe), import \(count) of \(documents.count)")
      guard difference == nil else { return }
    }
  }

  @Test("Most imports of histories left to chance are normalized in ranges")
  func variety() throws {
    var inRanges = 0
    var whole = 0
    for seed in 1...4 as ClosedRange<UInt64> {
      var history = try JournalHistory(seed: seed)
      let ledger = try JournalHarness(history.settings)
      for document in history.documents() { try ledger.run([document]) }
      inRanges += ledger.inRanges
      whole += ledger.whole
    }
    #expect(inRanges > whole)
  }

  @Test(
    "A history day by day, forwards, backwards, shuffled or overlapping, is the same history",
    arguments: RunSeeds.first(2))
  func dayByDay(seed: UInt64) throws {
    let history = try JournalHistory(seed: 700 + seed, days: 5...6)
    let days = history.dailyDocuments(overlap: 0)
    let fresh = try JournalHarness(history.settings)
    try fresh.run(days)
    let wanted = try fresh.content()
    var random = TestRandom(seed: seed)
    let orders: [(String, [HarnessDocument])] = [
      ("forwards", days), ("backwards", days.reversed()),
      ("shuffled", days.shuffled(using: &random)),
      ("overlapping", history.dailyDocuments(overlap: 50).shuffled(using: &random)),
    ]
    for (name, documents) in orders {
      let ledger = try JournalHarness(history.settings)
      for document in documents { try ledger.run([document]) }
      #expect(
        firstDifference(try ledger.content(), wanted) == nil, "\(history.describe), \(name)")
    }
  }

  @Test("Records that are gone are as if they had never been", arguments: RunSeeds.first(3))
  func gone(seed: UInt64) throws {
    var history = try JournalHistory(seed: 300 + seed)
    let documents = history.documents()
    let folder = try TemporaryFolder()
    let ledger = try JournalHarness(history.settings, at: folder.path + "/ledger")
    try ledger.run(documents)
    try folder.change("DELETE FROM journal; DELETE FROM documents;")
    let rest = Array(documents.dropFirst())
    try ledger.keepOnly(
      rest.map { HarnessDocument(name: $0.name, records: $0.records) },
      losing: documents[0].records)
    let fresh = try JournalHarness(history.settings)
    try fresh.run(rest.map { HarnessDocument(name: $0.name, records: $0.records) })
    #expect(
      firstDifference(try ledger.content(), try fresh.content()) == nil, "\(history.describe)")
  }

  @Test("Sums of most pieces that go on from run to run are those of all pieces from nothing")
  func sums() throws {
    var options = SyntheticPump.Options(days: 8)
    options.hasSensor = false
    var settings = try newYork()
    settings.recordsPerSegment = 4
    let days = try quietDays(options)
    let ledger = try JournalHarness(settings)
    var held: [UInt64] = []
    // The last goes back to where the sums do not reach.
    try ledger.run(Array(days[1...3]))
    for day in [4, 5, 6, 7, 0] {
      try ledger.run([days[day]])
      let sums = try #require(try ledger.ledger.segmentSums(of: 1))
      held.append(sums.until)
      try ledger.addUpFromNothing()
      let anew = try #require(try ledger.ledger.segmentSums(of: 1))
      #expect((sums.until, sums.words, sums.newest) == (anew.until, anew.words, anew.newest))
      #expect(sums.isLate == anew.isLate)
    }
    #expect(ledger.inRanges == 5)
    #expect(Array(held.prefix(4)) == held.prefix(4).sorted() && Set(held).count >= 4)
  }

  @Test("Records dated after now are counted anew when now has moved on")
  func future() throws {
    var options = SyntheticPump.Options(days: 3)
    options.hasSensor = false
    let days = try quietDays(options)
    let settings = try newYork()
    // In the middle of the second day, then after the end.
    let early = Instant(unixSeconds: options.start.unixSeconds + 130_000)
    let ledger = try JournalHarness(settings)
    try ledger.run(Array(days.dropLast()), now: early)
    #expect(try ledger.content().contains { $0.contains("dated after now") })
    try ledger.run([days[2]], now: settings.now)
    #expect(ledger.inRanges == 1)
    let fresh = try JournalHarness(settings)
    try fresh.run(days)
    #expect(firstDifference(try ledger.content(), try fresh.content()) == nil)
  }
}

/// A nightly run looks at some days, and what it looks at it checks.
@Suite("A nightly run")
struct NightlyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A ledger of some days, without the last of them.
  private func ledger(
    of days: [HarnessDocument], recordsPerSegment: Int
  ) throws -> JournalHarness {
    var settings = try newYork()
    settings.recordsPerSegment = recordsPerSegment
    let ledger = try JournalHarness(settings, at: folder.path + "/ledger")
    try ledger.run(Array(days.dropLast()))
    return ledger
  }

  private func days(_ count: Int) throws -> [HarnessDocument] {
    var options = SyntheticPump.Options(days: count)
    options.hasSensor = false
    return try quietDays(options)
  }

  @Test("What is older than some days is not read, and the result is that of the whole")
  func oldRowsAreNotRead() throws {
    let days = try days(24)
    let ledger = try ledger(of: days, recordsPerSegment: 300)
    let marks = try ledger.ledger.segmentMarks(of: 1, from: 0)
    let first = marks[marks.count - 16].start
    let old = Int64(bitPattern: first ^ 1 << 63)
    let firstBolus = Int64.min + 1 << 58
    try folder.change(
      """
      UPDATE journal SET checksum = 1
        WHERE high < (SELECT max(high) FROM journal WHERE high < \(old));
      UPDATE samples SET checksum = 1 WHERE high < \(firstBolus)
        AND newest_end < (SELECT max(newest_end) FROM samples) - 9 * 86400;
      """)
    try ledger.run([days[23]])
    #expect(ledger.inRanges == 1)
    // Whatever reads all of it finds the damage.
    #expect(throws: LedgerError.self) { try ledger.normalizeWhole() }
    try folder.change("UPDATE journal SET checksum = NULL; UPDATE samples SET checksum = NULL;")
    let content = try ledger.content()
    try ledger.normalizeWhole()
    #expect(firstDifference(content, try ledger.content()) == nil)
  }

  @Test(
    "What does not have its checksum, or is not what comes out again, stops the run",
    arguments: [
      "UPDATE journal SET checksum = checksum + 1",
      "UPDATE samples SET checksum = checksum + 1",
      "UPDATE segments SET digest = digest + 1 WHERE records > 0",
      "UPDATE segment_sums SET checksum = checksum + 1",
      "UPDATE day_parts SET bolus = bolus + 1",
    ])
  func damage(sql: String) throws {
    let days = try days(6)
    let ledger = try ledger(of: days, recordsPerSegment: 20)
    let before = try ledger.content()
    try folder.change(sql)
    do {
      try ledger.run([days[5]])
      Issue.record("the run did not fail")
    } catch {
      let failure = RunFailure(sorting: error, ledger: "ledger")
      #expect(failure.exitStatus == .internal)
    }
    try folder.change("UPDATE journal SET checksum = NULL; UPDATE samples SET checksum = NULL;")
    #expect(firstDifference(try ledger.content(), before) == nil)
  }
}

/// The days of a pump that does nothing unusual, as documents.
func quietDays(_ options: SyntheticPump.Options) throws -> [HarnessDocument] {
  let start = options.start.unixSeconds
  var days: [[PumpRecord]] = []
  for var record in SyntheticPump(options) {
    record.pump = 1
    let zone = options.zone.offset(at: options.start)
    let day = (PumpTime(seconds: record.seconds).wallSeconds - Int64(zone) - start) / 86_400
    while days.count <= Int(day) { days.append([]) }
    days[Int(day)].append(record)
  }
  return days.enumerated().map { HarnessDocument(name: "day \($0)", records: $1) }
}

func newYork() throws -> HarnessSettings {
  guard let schedule = ZoneSchedule([.init(rules: TestZones.newYork, from: nil)]) else {
    throw JournalHistory.HistoryError.noSchedule
  }
  return HarnessSettings(schedule: schedule)
}

extension TemporaryFolder {
  /// Changes the ledger in the folder behind its owner's back.
  func change(_ sql: String) throws {
    try SQLiteConnection(.file(path + "/ledger")).execute(sql)
  }
}
