import Deduplicate
import Foundation
import Pipeline
import Platform
import PumpModel
import TestSupport
import Testing

/// Pulls from a server that speaks as the service does, into ledgers.
@Suite struct PullTests {
  /// A lively pump of some days.
  private static func pump(
    _ ordinal: Int = 1, days: Int, seed: UInt64 = 7
  ) -> SourceServer.Pump {
    SourceServer.Pump(
      PumpIdentity(ordinal), Array(SyntheticPump(SyntheticPump.Options(seed: seed, days: days))))
  }

  private static func world(_ pumps: [SourceServer.Pump]) -> SourceServer.World {
    var world = SourceServer.World()
    world.pumps = pumps
    return world
  }

  @Test func seventyDaysThroughFaultsEndEqualToTheTruth() throws {
    let pumps = [Self.pump(days: 70), Self.pump(2, days: 40, seed: 8)]
    var world = Self.world(pumps)
    world.faults = [
      (.logs, .status(503)), (.logs, .halfBody), (.pumper, .status(500)), (.logs, .page),
      (.logs, .status(401)), (.logs, .halfAnswer), (.logs, .status(429, [("Retry-After", "3")])),
      (.logs, .hangUp), (.logs, .wrongType),
    ]
    world.mostDays = 20
    let scene = try PullScene(world)
    let summary = try scene.pull()
    #expect(summary.failure == nil)
    #expect(summary.exitStatus == .ok)
    #expect(scene.samples == (try scene.truth(pumps)))
    #expect(try scene.workspace.problems() == [])
    #expect(scene.server.count(.login) == 2)
    #expect(summary.pumps.map(\.name) == ["90000001", "90000002"])
    #expect(summary.requests == scene.server.seen.count)
  }

  @Test func onlyWhatIsMissingIsAskedForNextTime() throws {
    let whole = Self.pump(days: 12)
    let cut = whole.records.count - 300
    var before = whole
    before.records = Array(whole.records[..<cut])
    let scene = try PullScene(Self.world([before]))
    _ = try scene.pull()
    let first = scene.server.windows.count
    #expect(first == 1)
    _ = try scene.pull()
    #expect(scene.server.windows.count == first)
    scene.server.change { $0.pumps[0].records = whole.records }
    let summary = try scene.pull()
    #expect(scene.server.windows.count == first + 1)
    #expect(summary.pumps[0].answers == 1)
    #expect(scene.samples == (try scene.truth([whole])))
  }

  @Test func lateUploadsAreCaught() throws {
    let whole = Self.pump(days: 10)
    // Hours of the seventh day come late, after the tenth was there.
    let late = whole.records.count * 6 / 10..<whole.records.count * 6 / 10 + 40
    var before = whole
    before.records.removeSubrange(late)
    var early = before
    early.records = Array(before.records[..<(whole.records.count * 7 / 10)])
    let scene = try PullScene(Self.world([early]))
    _ = try scene.pull()
    scene.server.change {
      $0.pumps[0] = whole
      $0.pumps[0].lastUpload = "2026-06-02T05:50:12Z"
    }
    var request = scene.request()
    request.lane = .changes
    _ = try scene.pull(request)
    #expect(scene.samples == (try scene.truth([whole])))
    let asked = scene.server.windows.count
    _ = try scene.pull(request)
    #expect(scene.server.windows.count == asked)
  }

  @Test func aFailureKeepsWhatIsCompleteAndTheNextRunGoesOn() throws {
    let pump = Self.pump(days: 70)
    var world = Self.world([pump])
    world.beforeLogs = { world in
      // The second window never passes.
      world.beforeLogs = { world in
        world.beforeLogs = nil
        world.faults = (0..<40).map { _ in (.logs, .status(403)) }
      }
    }
    let scene = try PullScene(world)
    let summary = try scene.pull()
    #expect(summary.failure?.exitStatus == .unavailable)
    #expect(summary.exitStatus == .unavailable)
    #expect(!scene.samples.isEmpty)
    // Blocked is blocked: nothing more was asked.
    #expect(scene.server.count(.logs) == 2)
    scene.server.change { $0.faults = [] }
    #expect(try scene.pull().failure == nil)
    #expect(scene.samples == (try scene.truth([pump])))
  }

  @Test func refusedCredentialsEndWith77AndMakeNoLedger() throws {
    var world = Self.world([Self.pump(days: 1)])
    world.password = "another"
    let scene = try PullScene(world)
    #expect(scene.failure(scene.request())?.exitStatus == .credentials)
    #expect(scene.server.count(.login) == 1)
    #expect(try scene.workspace.names == ["credentials", "endpoints.json"])
  }

  @Test func aMissingZoneIsSaidBeforeAnybodyIsAsked() throws {
    let scene = try PullScene(Self.world([]))
    var request = scene.request()
    request.convert.zones = []
    #expect(scene.failure(request)?.exitStatus == .usage)
    #expect(scene.server.seen.isEmpty)
  }

  @Test func credentialsThatOthersCanReadAreRefused() throws {
    let scene = try PullScene(Self.world([]))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: scene.workspace.path("credentials"))
    let failure = scene.failure(scene.request())
    #expect(failure?.exitStatus == .credentials)
    #expect(failure?.next?.contains("chmod 600") == true)
    #expect(scene.server.seen.isEmpty)
  }

  @Test func aTimeThatIsAskedForIsFetchedWithADayMoreOnBothSides() throws {
    let pump = Self.pump(days: 30)
    let scene = try PullScene(Self.world([pump]))
    var request = scene.request()
    request.convert.selection.from = SelectionBound(text: "2026-05-10")
    request.convert.selection.until = SelectionBound(text: "2026-05-12")
    let summary = try scene.pull(request)
    #expect(scene.server.windows == ["2026-05-09…2026-05-12"])
    #expect(summary.pumps[0].days?.lowerBound.text == "2026-05-10")
    #expect(summary.pumps[0].days?.upperBound.text == "2026-05-11")
    #expect(!scene.samples.isEmpty)
  }

  @Test func historyThatIsGoneIsSaidOnce() throws {
    var pump = Self.pump(days: 20)
    pump.firstDay = CivilTime.days(year: 2026, month: 5, day: 10)
    let scene = try PullScene(Self.world([pump]))
    var request = scene.request()
    request.since = LocalDay(text: "2026-05-01")
    #expect(
      try scene.pull(request).pumps[0].lost.map { "\($0.lowerBound.text) \($0.upperBound.text)" }
        == ["2026-05-01 2026-05-09"])
    #expect(try scene.pull(request).pumps[0].lost.isEmpty)
  }

  @Test func pumpsThatNeverUploadedAreNamedAndNotAskedFor() throws {
    var idle = Self.pump(2, days: 1)
    idle.lastUpload = nil
    let scene = try PullScene(Self.world([Self.pump(days: 2), idle]))
    let summary = try scene.pull()
    #expect(summary.pumps.map(\.hasUploads) == [true, false])
    #expect(scene.server.windows.count == 1)
  }

  @Test func anAccountWithoutPumpsIsAValidEmptyAnswer() throws {
    let scene = try PullScene(Self.world([]))
    let summary = try scene.pull()
    #expect(summary.exitStatus == .ok)
    #expect(scene.workspace.text("out.ndjson") == "")
  }

  @Test func oneOfSeveralPumpsCanBeAskedFor() throws {
    let scene = try PullScene(Self.world([Self.pump(days: 2), Self.pump(2, days: 2, seed: 9)]))
    var request = scene.request()
    request.convert.selection.pumps = ["90000002"]
    #expect(try scene.pull(request).pumps.map(\.name) == ["90000002"])
    request.convert.selection.pumps = ["90000003"]
    #expect(scene.failure(request)?.exitStatus == .usage)
  }

  @Test func aPumpWhoseNewestWeeksAreEmptyCanBeAskedFor() throws {
    var pump = Self.pump(days: 3)
    pump.newest = "2026-07-20T00:00:00"
    let scene = try PullScene(Self.world([pump, Self.pump(2, days: 2, seed: 9)]))
    var request = scene.request()
    request.convert.selection.pumps = ["90000001"]
    #expect(try scene.pull(request).failure == nil)
    #expect(scene.samples == (try scene.truth([pump])))
  }

  @Test func aFreshLedgerIsLeftInPeace() throws {
    let scene = try PullScene(Self.world([Self.pump(days: 2)]))
    _ = try scene.pull()
    let asked = scene.server.seen.count
    var request = scene.request()
    request.onlyIfStale = true
    #expect(try scene.pull(request).freshSince != nil)
    #expect(scene.server.seen.count == asked)
    request.convert.now = PullScene.now + 4 * 3600 + 1
    #expect(try scene.pull(request).freshSince == nil)
    #expect(scene.server.seen.count > asked)
  }

  @Test func keptAnswersConvertToTheSameSamples() throws {
    let pumps = [Self.pump(days: 40), Self.pump(2, days: 3, seed: 9)]
    let scene = try PullScene(Self.world(pumps))
    var request = scene.request()
    request.rawFolder = scene.workspace.path("raw")
    _ = try scene.pull(request)
    _ = try scene.pull(request)
    let pulled = scene.samples
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.workspace.path("raw"))
    // The account, three windows, and what each of them proved.
    #expect(names.count == 7)
    for name in names {
      let path = scene.workspace.path("raw/" + name)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    try scene.workspace.convert(scene.workspace.request(["raw"]))
    #expect(scene.samples == pulled)
    #expect(pulled == (try scene.truth(pumps)))
  }

  @Test func theReportListsAllThatThePullRead() throws {
    var broken = Self.pump(days: 60)
    // An impossible amount in the first window, and one in the last.
    for index in [10, broken.records.count - 10] {
      broken.records[index] = PumpRecord(
        number: broken.records[index].number, seconds: broken.records[index].seconds, eventID: 3,
        payload: .basalRateChange(commanded: 900_000, base: 0, change: .newProfile), form: .json)
    }
    let scene = try PullScene(Self.world([broken]))
    var request = scene.request()
    request.convert.report = scene.workspace.path("report.json")
    let summary = try scene.pull(request)
    let report = try ReportDocument(scene.workspace.text("report.json") ?? "")
    #expect(report.inputs.count { $0.format == "pumper" } == 1)
    let logs = report.inputs.filter { $0.format == "pump-logs" }
    #expect(logs.count == summary.pumps[0].answers && logs.count == 3)
    #expect(report.inputs.count == summary.convert.documents)
    #expect(logs.reduce(0) { $0 + $1.records } == summary.convert.records.read)
    #expect(logs.reduce(0) { $0 + $1.used } == summary.convert.records.used)
    #expect(logs.allSatisfy { $0.pumps == ["90000001"] && $0.sha256 != nil })
    #expect(report.rejects.count == summary.convert.rejects.count && report.rejects.count >= 2)
    #expect(Set(report.rejects.map(\.document)).count == 2)
    #expect(report.changes.fresh == summary.convert.changes.values.reduce(0) { $0 + $1.fresh })
    // The next one reads the account alone.
    try scene.pull(request)
    let next = try ReportDocument(scene.workspace.text("report.json") ?? "")
    #expect(next.inputs.map(\.format) == ["pumper"])
  }

  @Test func aDryPullTellsItsWindowsAndAsksForNone() throws {
    let pumps = [Self.pump(days: 60), Self.pump(2, days: 3, seed: 8)]
    let scene = try PullScene(Self.world(pumps))
    var dry = scene.request()
    dry.convert.isDryRun = true
    dry.rawFolder = scene.workspace.path("raw")
    dry.convert.report = scene.workspace.path("report.json")
    let names = try scene.workspace.names
    let summary = try scene.pull(dry)
    #expect(summary.exitStatus == .ok)
    #expect(scene.server.count(.pumper) == 1 && scene.server.count(.logs) == 0)
    #expect(try scene.workspace.names == names)
    #expect(summary.requests == scene.server.seen.count)
    #expect(summary.planned.map(\.pump) == ["90000001", "90000002", "90000001", "90000001"])
    #expect(summary.planned.map(\.lane) == [.recent, .recent, .backfill, .backfill])
    #expect(summary.pumps.allSatisfy { !$0.walksOn })

    // It is what a run then asks for, with a day more on both sides.
    _ = try scene.pull()
    let asked = summary.planned.map { window in
      let days = window.days.lowerBound.daysSince1970 - 1...window.days.upperBound.daysSince1970 + 1
      return "\(LocalDay(daysSince1970: days.lowerBound).text)…"
        + LocalDay(daysSince1970: days.upperBound).text
    }
    #expect(scene.server.windows == asked)
    let held = try scene.workspace.ledgerBytes()
    #expect(try scene.pull(dry).planned.isEmpty)
    #expect(try scene.workspace.ledgerBytes() == held)

    scene.server.change { $0.pumps[0].tellsRange = false }
    dry.convert.ledger = scene.workspace.path("other")
    let open = try scene.pull(dry)
    #expect(open.pumps.map(\.walksOn) == [true, false])
    #expect(open.planned.count > 4)
    dry.since = LocalDay(text: "2026-05-04")
    #expect(try scene.pull(dry).pumps.allSatisfy { !$0.walksOn })
  }

  @Test func aDryPullThatFailsKeepsNothingEither() throws {
    let scene = try PullScene(Self.world([Self.pump(days: 2)]))
    _ = try scene.pull()
    let held = try scene.workspace.ledgerBytes()
    scene.server.change { $0.faults = [(.pumper, .status(403))] }
    var dry = scene.request()
    dry.convert.isDryRun = true
    #expect(scene.failure(dry)?.exitStatus == .unavailable)
    #expect(try scene.workspace.ledgerBytes() == held)
  }

  @Test func nothingSecretIsKept() throws {
    let scene = try PullScene(Self.world([Self.pump(days: 3)]))
    var request = scene.request()
    request.rawFolder = scene.workspace.path("raw")
    request.convert.report = scene.workspace.path("report.json")
    _ = try scene.pull(request)
    _ = try scene.pull(request)
    var bytes = try scene.workspace.ledgerBytes()
    let raw = try FileManager.default.contentsOfDirectory(atPath: scene.workspace.path("raw"))
    for name in raw.map({ "raw/" + $0 }) + ["report.json", "out.ndjson"] {
      bytes += FileManager.default.contents(atPath: scene.workspace.path(name)) ?? Data()
    }
    #expect(bytes.range(of: Data("90000001".utf8)) != nil)
    for secret in ["p#a$s", "secret", "someone@example.com", "eyJ", "Bearer"] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
    let ledger = try scene.workspace.ledgerBytes()
    for personal in ["Invented", "1990-01-01", "127.0.0.1", SourceServer.pumper] {
      #expect(ledger.range(of: Data(personal.utf8)) == nil, "\(personal)")
    }
  }

  @Test func requestsAreLoggedWithoutAnythingPersonal() throws {
    let scene = try PullScene(Self.world([Self.pump(days: 2)]))
    let summary = try scene.pull()
    let notes = try scene.ledger().requests()
    #expect(notes.count == summary.requests)
    #expect(notes.last?.purpose == "logs")
    #expect(notes.last?.status == 200)
    #expect(notes.last?.days != nil)
  }

  @Test func theStatusOfALedgerTellsWhatWasFetchedAndAsked() throws {
    let scene = try PullScene(Self.world([Self.pump(days: 3)]))
    let summary = try scene.pull()
    let status = try scene.workspace.status()
    #expect(status.lastPull == PullScene.now)
    #expect(status.requests.count == summary.requests)
    #expect(status.requests.contains { $0.purpose == "logs" && $0.status == 200 && $0.days != nil })
    let fetched = try #require(status.pumps.first?.fetched.first)
    let start = CivilTime.days(year: 2026, month: 5, day: 4) * 86_400
    #expect(fetched.lowerBound.secondsSince1970 <= start)
    #expect(fetched.upperBound.secondsSince1970 > start + 2 * 86_400)
  }

  @Test func whatIsForgottenIsFetchedAgain() throws {
    let pump = Self.pump(days: 3)
    let scene = try PullScene(Self.world([pump, Self.pump(2, days: 3, seed: 9)]))
    _ = try scene.pull()
    try scene.workspace.forget(.pump("90000001"))
    #expect(
      try scene.workspace.ledgerBytes().range(of: Data(pump.identity.assignment.utf8)) == nil)
    let asked = scene.server.windows.count
    _ = try scene.pull()
    #expect(scene.server.windows.count == asked + 1)
    #expect(try scene.workspace.problems() == [])
  }

  @Test func aDamagedAnswerIsNotTakenForFetched() throws {
    var world = Self.world([Self.pump(days: 2)])
    world.faults = [(.logs, .emptyObject)]
    let scene = try PullScene(world)
    #expect(try scene.pull().exitStatus == .unavailable)
    let summary = try scene.pull()
    #expect(summary.failure == nil)
    #expect(summary.pumps[0].answers == 1)
  }

  @Test func aLoginListsTheAccount() throws {
    let scene = try PullScene(Self.world([Self.pump(days: 2)]))
    let summary = try PumplinePipeline().logIn(scene.request().login)
    #expect(summary.pumps.map(\.name) == ["90000001"])
    #expect(summary.pumps[0].days?.lowerBound.text == "2026-05-04")
    #expect(scene.server.windows.isEmpty)
  }
}
