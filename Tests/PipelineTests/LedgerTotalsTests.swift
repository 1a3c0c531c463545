import Deduplicate
import Normalize
import Platform
import PumpModel
import TestSupport
import Testing

@testable import Pipeline

/// The totals that a ledger keeps of days and weeks are what its samples add up to, whatever led to
/// them.
@Suite("Totals of days and weeks")
struct LedgerTotalsTests {
  @Test(
    "After every import, revisions and withdrawals among them, totals are what a recount gives",
    arguments: RunSeeds.first(6))
  func everyImport(seed: UInt64) throws {
    var history = try JournalHistory(seed: 900 + seed)
    let ledger = try JournalHarness(history.settings)
    for document in history.documents() {
      try ledger.run([document])
      try expectRecounted(ledger, history.settings.schedule, history.describe)
    }
  }

  @Test("Rows of exports and derived basal count too", arguments: RunSeeds.first(2))
  func rows(seed: UInt64) throws {
    var history = try RowHistory(seed: 40 + seed)
    let ledger = try JournalHarness(history.settings)
    for document in history.documents() {
      try ledger.run([document])
      try expectRecounted(ledger, history.settings.schedule, history.describe)
    }
  }

  @Test(
    "Records that are gone take their part of the totals with them", arguments: RunSeeds.first(2))
  func gone(seed: UInt64) throws {
    var history = try JournalHistory(seed: 950 + seed)
    let documents = history.documents()
    let folder = try TemporaryFolder()
    let ledger = try JournalHarness(history.settings, at: folder.path + "/ledger")
    try ledger.run(documents)
    try folder.change("DELETE FROM journal; DELETE FROM documents;")
    let rest = documents.dropFirst().map {
      HarnessDocument(name: $0.name, records: $0.records)
    }
    try ledger.keepOnly(rest, losing: documents[0].records)
    try expectRecounted(ledger, history.settings.schedule, history.describe)
  }

  private func expectRecounted(
    _ ledger: JournalHarness, _ schedule: ZoneSchedule, _ history: String
  ) throws {
    let wanted = try Recount(ledger.ledger, schedule)
    var days: [String: [Int64: SampleTotals]] = [:]
    try ledger.ledger.forEachDayOfSamples { pump, day, _, given in
      if given != SampleTotals() { days[pump, default: [:]][day] = given }
    }
    #expect(days == wanted.days, "\(history)")
    var weeks: [String: [Int64: SampleTotals]] = [:]
    try ledger.ledger.forEachWeek { pump, week in
      #expect(CivilTime.weekday(of: week.monday) == 1 && (1...7).contains(week.days))
      if week.given != SampleTotals() { weeks[pump, default: [:]][week.monday] = week.given }
    }
    #expect(weeks == wanted.weeks, "\(history)")
  }
}

/// What the samples of a ledger add up to, counted slowly: minute by minute.
private struct Recount {
  var days: [String: [Int64: SampleTotals]] = [:]
  var weeks: [String: [Int64: SampleTotals]] = [:]

  init(_ ledger: Ledger, _ schedule: ZoneSchedule) throws {
    let pumps = try ledger.pumps()
    let samples = try OrderedSamples(
      ledger, pumps: pumps,
      selection: SampleSelection(
        kinds: [.basal, .bolus, .extended, .carbs], showsDerivedBasal: true), order: .device)
    var batch = OutputBatch()
    while try samples.next(into: &batch) {
      for row in batch.rows { add(row.sample, of: pumps[row.pump].label.name, schedule) }
    }
    for (pump, days) in days {
      for (day, given) in days {
        let monday = day - (CivilTime.weekday(of: day) + 6) % 7
        weeks[pump, default: [:]][monday, default: SampleTotals()] += given
      }
    }
  }

  private mutating func add(_ sample: Sample, of pump: String, _ schedule: ZoneSchedule) {
    let (start, end) = (sample.start.unixSeconds, sample.end.unixSeconds)
    let first = schedule.localDay(at: sample.start).daysSince1970
    var own = days[pump] ?? [:]
    switch sample.identity.kind {
    case .basal:
      own[first, default: SampleTotals()].basalSamples += 1
      var (at, given) = (start, 0 as Int64)
      while at < end {
        let day = schedule.localDay(at: Instant(unixSeconds: at)).daysSince1970
        at = min(end, (at / 60 + 1) * 60)
        let upToHere = sample.amount * (at - start) / (end - start)
        own[day, default: SampleTotals()].basal += upToHere - given
        if sample.identity.scheme != .event {
          own[day, default: SampleTotals()].derivedBasal += upToHere - given
        }
        given = upToHere
      }
    case .bolus, .extended:
      own[first, default: SampleTotals()].bolus += sample.amount
      own[first, default: SampleTotals()].bolusSamples += 1
    case .carbs:
      own[first, default: SampleTotals()].carbohydrate += sample.amount
      own[first, default: SampleTotals()].carbohydrateSamples += 1
    case .cgm, .meter: break
    }
    days[pump] = own
  }
}

extension CivilTime {
  /// The day of the week, Monday as 1 up to Sunday as 7, of a day counted from 1970-01-01.
  fileprivate static func weekday(of day: Int64) -> Int64 {
    // A Monday that anybody can look up: 2026-05-04.
    let monday = CivilTime.days(year: 2026, month: 5, day: 4)
    return ((day - monday) % 7 + 7) % 7 + 1
  }
}

/// `ledger totals`, and what a run does for it.
@Suite("Showing totals of a ledger")
struct ShownTotalsTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    // From Sunday evening to Monday morning, which is another day and another week.
    let evening = TestZones.instant(2026, 5, 3, 19, in: TestZones.newYork)
    let night = Histories.records(
      .quiet(
        minutes: 700, from: evening,
        incidents: [
          .init(60, .meal(grams: 45)), .init(200, .combo(grams: 48, percentNow: 40, minutes: 180)),
          .init(400, .suspension(minutes: 30)), .init(500, .correction(milliUnits: 1250)),
        ]))
    try work.write("logs-1.json", Histories.pumpLogs(night))
    try work.write(
      "logs-2.json", Histories.pumpLogs(Histories.meal(from: evening + 86_400), pump: 2))
    try work.write("pumper.json", Histories.pumper(1...2))
    var request = work.request(["logs-1.json", "logs-2.json", "pumper.json"])
    request.ledger = work.path("ledger")
    request.outputs = [OutputRequest(format: nil, target: work.path("out.db"))]
    try work.convert(request)
  }

  private func totals(byWeek: Bool = false) throws -> LedgerTotals {
    var request = LedgerTotalsRequest(ledger: work.path("ledger"))
    request.isByWeek = byWeek
    return try PumplinePipeline().ledgerTotals(request)
  }

  @Test("They are the daily totals of a SQLite output, and weeks are the sums of their days")
  func daily() throws {
    let days = try totals()
    let database = try SQLiteConnection(.file(work.path("out.db")))
    let rows = try database.prepare(
      """
      SELECT device, day, CAST(round(basal_iu * 1000000) AS INTEGER),
        CAST(round(bolus_iu * 1000) AS INTEGER), CAST(round(carbs_g * 1000) AS INTEGER)
      FROM daily_totals ORDER BY device, day
      """)
    var lines: [String] = []
    while try rows.step() { lines.append((0..<5).map { rows.text($0) }.joined(separator: " ")) }
    let own = days.pumps.flatMap { pump in
      pump.sums.filter { $0.given != SampleTotals() }.map {
        "\(pump.name) \($0.first.text) \($0.given.basal) \($0.given.bolus) \($0.given.carbohydrate)"
      }
    }
    #expect(own == lines && own.count >= 3)
    let weeks = try totals(byWeek: true)
    #expect(weeks.zones.map(\.name) == ["America/New_York"])
    for (pump, sums) in zip(weeks.pumps, days.pumps) {
      var given = SampleTotals()
      for sum in sums.sums { given += sum.given }
      var weekly = SampleTotals()
      for sum in pump.sums { weekly += sum.given }
      #expect(weekly == given && pump.sums.map(\.days).reduce(0, +) == sums.sums.count)
    }
  }

  @Test(
    "In a ledger of an older version they are added up by the next run, or when they are asked for")
  func older() throws {
    let (days, weeks) = (try totals(), try totals(byWeek: true))
    let forget = """
      UPDATE days SET given_basal = NULL, derived_basal = NULL, basal_samples = NULL,
        bolus_samples = NULL, carbohydrate_samples = NULL;
      DELETE FROM weeks;
      INSERT INTO settings VALUES ('lacks_totals', 1);
      """
    let database = try SQLiteConnection(.file(work.path("ledger")))
    try database.execute(forget)
    #expect(try work.problems() == [])
    #expect(try totals() == days)
    try database.execute(forget)
    try work.importing([])
    #expect(try database.integer("SELECT count(*) FROM weeks") == 3)
    #expect(try totals(byWeek: true) == weeks)
    #expect(try work.problems() == [])
  }

  @Test("A run that changes nothing leaves them, and forgetting a pump takes its own")
  func forgotten() throws {
    let days = try totals()
    try work.importing(["logs-1.json"])
    #expect(try totals() == days)
    try work.forget(.pump(days.pumps[0].name))
    #expect(try totals().pumps == [days.pumps[1]])
    #expect(try totals(byWeek: true).pumps.map(\.name) == [days.pumps[1].name])
  }

  @Test("Another zone has other days")
  func rezoned() throws {
    let days = try totals()
    var request = work.request([], zones: ["Asia/Tokyo"])
    request.ledger = work.path("ledger")
    request.rezones = true
    try work.convert(request)
    #expect(try totals() != days)
    #expect(try work.problems() == [])
  }

  @Test(
    "An audit of the ledger counts its samples, and finds totals that are not their sums",
    arguments: [
      ("UPDATE days SET basal_samples = basal_samples + 1", 1),
      ("UPDATE weeks SET bolus = bolus + 1 WHERE pump = 2", 1), ("DELETE FROM weeks", 1),
      ("DELETE FROM days", 1), ("UPDATE settings SET value = value", 0),
    ])
  func audited(change: String, found: Int) throws {
    try SQLiteConnection(.file(work.path("ledger"))).execute(change)
    let request = AuditRequest(
      output: work.path("ledger"), sources: ConvertRequest(inputs: []))
    let summary = try PumplinePipeline().audit(request) { _ in
    } report: { _ in
    }
    #expect(summary.findings[.databaseDamaged]?.count ?? 0 == found)
  }
}
