import Pipeline
import PumpModel
import TestSupport
import Testing

/// Zone schedule, clock mode and concentration are settings of a ledger (N10).
@Suite("Settings of a ledger")
struct RunSettingsTests {
  private let work: Workspace

  /// A ledger that was made for New York.
  init() throws {
    work = try Workspace()
    try work.write("a.json", Histories.pumpLogs(Histories.meal()))
    try work.convert(request(["America/New_York"]))
  }

  private func request(_ zones: [String]) -> ConvertRequest {
    var request = work.request(["a.json"], zones: zones)
    request.ledger = work.path("ledger")
    return request
  }

  /// When the meal's carbohydrate was eaten.
  private var mealTime: Substring? {
    work.samples.first { $0.contains("carbohydrates") }?.split(separator: "\"startAt\":\"")[1]
      .prefix(20)
  }

  @Test("A first run without a zone is refused")
  func noZone() throws {
    let failure = work.failure(work.request(["a.json"], zones: []))
    #expect(failure?.exitStatus == .usage)
  }

  @Test("A first run needs a zone from the beginning")
  func noBeginning() throws {
    let failure = work.failure(work.request(["a.json"], zones: ["Europe/Paris@2026-05-04"]))
    #expect(failure?.exitStatus == .usage)
  }

  @Test(
    "Names that are not exactly the tz database's are refused",
    arguments: ["UTC+11", "EST", "america/new_york", "posix/Europe/Paris", "Europe/Pari"])
  func unknownNames(name: String) throws {
    let failure = work.failure(work.request(["a.json"], zones: [name]))
    #expect(failure?.exitStatus == .usage)
    #expect(failure?.place == "--zone")
  }

  @Test("A refused zone is refused before an input is looked at")
  func zoneComesFirst() throws {
    try work.write("foreign.txt", Array("no pump data".utf8))
    #expect(work.failure(work.request(["foreign.txt"], zones: ["PST"]))?.exitStatus == .usage)
  }

  @Test("A later run may leave the zone out, or name the same")
  func kept() throws {
    try work.convert(request([]))
    #expect(mealTime == "2026-05-04T16:10:00Z")
    try work.convert(request(["America/New_York"]))
    #expect(mealTime == "2026-05-04T16:10:00Z")
  }

  @Test("Another zone is refused, and nothing is written")
  func otherZone() throws {
    let before = work.text("out.ndjson")
    let failure = work.failure(request(["Europe/Paris"]))
    #expect(failure?.exitStatus == .refused)
    #expect(work.text("out.ndjson") == before)
    try work.convert(request([]))
    #expect(mealTime == "2026-05-04T16:10:00Z")
  }

  @Test("--rezone normalizes everything again and keeps the new zone")
  func rezone() throws {
    var request = request(["Europe/Paris"])
    request.rezones = true
    let summary = try work.convert(request)
    #expect(mealTime == "2026-05-04T10:10:00Z")
    #expect(summary.changes[.carbohydrates] == ChangeCounts(revised: 1))
    try work.convert(self.request([]))
    #expect(mealTime == "2026-05-04T10:10:00Z")
    #expect(work.failure(self.request(["America/New_York"]))?.exitStatus == .refused)
  }

  @Test("A longer schedule that begins with the ledger's is kept")
  func longerSchedule() throws {
    try work.convert(request(["America/New_York", "Europe/Paris@2026-05-04T11:00"]))
    #expect(mealTime == "2026-05-04T10:10:00Z")
  }

  @Test("Only the new entries of a schedule may be named")
  func newEntriesOnly() throws {
    try work.convert(request(["Europe/Paris@2026-06-01"]))
    try work.convert(request(["Asia/Tokyo@2026-07-01"]))
    #expect(mealTime == "2026-05-04T16:10:00Z")
    // All three are held now: the whole schedule is the same, a shorter one is another.
    try work.convert(
      request(["America/New_York", "Europe/Paris@2026-06-01", "Asia/Tokyo@2026-07-01"]))
    try work.convert(request(["Asia/Tokyo@2026-07-01"]))
    #expect(work.failure(request(["America/New_York"]))?.exitStatus == .refused)
    let shorter = request(["America/New_York", "Europe/Paris@2026-06-01"])
    #expect(work.failure(shorter)?.exitStatus == .refused)
  }

  @Test(
    "An entry that would change what held is refused",
    arguments: ["Asia/Tokyo@2026-05-20", "Asia/Tokyo@2026-06-01"])
  func earlierEntry(zone: String) throws {
    try work.convert(request(["Europe/Paris@2026-06-01"]))
    #expect(work.failure(request([zone]))?.exitStatus == .refused)
  }

  @Test("--rezone takes the schedule that is given as the whole")
  func rezoneToShorter() throws {
    try work.convert(request(["Europe/Paris@2026-06-01"]))
    var shorter = request(["America/New_York"])
    shorter.rezones = true
    try work.convert(shorter)
    try work.convert(request(["Asia/Tokyo@2026-05-20"]))
    var partial = request(["Asia/Tokyo@2026-05-10"])
    partial.rezones = true
    #expect(work.failure(partial)?.exitStatus == .usage)
  }

  @Test("Another concentration is refused, even with --rezone")
  func concentration() throws {
    for rezones in [false, true] {
      var request = request([])
      request.insulin = .u200
      request.rezones = rezones
      #expect(work.failure(request)?.exitStatus == .refused)
    }
    var same = request([])
    same.insulin = .u100
    try work.convert(same)
  }

  @Test("A concentration is remembered")
  func keptConcentration() throws {
    var first = work.request(["a.json"])
    first.ledger = work.path("u200")
    first.insulin = .u200
    try work.convert(first)
    let amounts = work.samples
    #expect(amounts.contains { $0.contains(#""type":"insulin.bolus","value":"10""#) })
    var later = work.request(["a.json"], zones: [])
    later.ledger = work.path("u200")
    try work.convert(later)
    #expect(work.samples == amounts)
    later.insulin = .u100
    #expect(work.failure(later)?.exitStatus == .refused)
  }

  @Test("Another clock mode is refused, unless --rezone")
  func clockMode() throws {
    var request = request([])
    request.clock = .records
    #expect(work.failure(request)?.exitStatus == .refused)
    request.rezones = true
    try work.convert(request)
    request.rezones = false
    try work.convert(request)
    request.clock = nil
    try work.convert(request)
    request.clock = .auto
    #expect(work.failure(request)?.exitStatus == .refused)
  }

  @Test("A run that fails keeps no settings")
  func failedFirstRun() throws {
    try work.write("foreign.txt", Array("no pump data".utf8))
    var failing = work.request(["foreign.txt"], zones: ["Europe/Paris"])
    failing.ledger = work.path("new")
    #expect(work.failure(failing)?.exitStatus == .unreadable)
    var first = work.request(["a.json"])
    first.ledger = work.path("new")
    try work.convert(first)
    #expect(mealTime == "2026-05-04T16:10:00Z")
  }
}
