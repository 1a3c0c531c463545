import Pipeline
import PumpModel
import Testing

@testable import pumpline

/// What `login` and `pull` make of what was typed, and what they say.
@Suite struct PullArgumentsTests {
  private func request(_ line: String) throws -> PullRequest {
    let pipeline = FakePipeline()
    let result = run("pull " + line, pipeline: pipeline)
    #expect(result.status == .ok, "\(result.error)")
    return try #require(pipeline.pullRequest)
  }

  @Test func aPullAsksForWhatWasTyped() throws {
    let request = try request(
      """
      --credentials c --region eu --endpoints e.json --lane backfill --since 2021-06-01 \
      --available-days 90 --if-stale --save-raw raw --ledger l --zone UTC --pump 9 \
      --from 2026-05-01 -o x.csv --now 2026-06-01T00:00:00Z
      """)
    var convert = ConvertRequest(inputs: [])
    convert.ledger = "l"
    convert.zones = [ZoneArgument(name: "UTC")]
    convert.selection.pumps = ["9"]
    convert.selection.from = SelectionBound(text: "2026-05-01")
    convert.outputs = [OutputRequest(format: nil, target: "x.csv")]
    convert.now = Instant(rfc3339: "2026-06-01T00:00:00Z")
    var login = LoginRequest(credentials: .file("c"))
    login.region = .eu
    login.endpoints = "e.json"
    var expected = PullRequest(convert: convert, login: login)
    expected.lane = .backfill
    expected.since = LocalDay(text: "2021-06-01")
    expected.availableDays = 90
    expected.onlyIfStale = true
    expected.rawFolder = "raw"
    #expect(request == expected)
  }

  @Test(arguments: [
    "pull --credentials c --zone UTC -o x.csv", "pull --credentials c --ledger l --since yesterday",
    "pull --credentials c --ledger l --available-days 0",
    "pull --credentials c --ledger l --lane all",
    "login --credentials c --credentials-fd 3", "login --credentials-fd -1",
    "login --credentials-fd x", "login --region uk --credentials c", "login c --credentials c",
    "login --password sesame", "login --credentials c --dry-run",
  ])
  func whatMakesNoSenseIsSaid(line: String) {
    #expect(run(line).status == .usage)
  }

  @Test func whoeverSitsAtATerminalIsAsked() {
    let pipeline = FakePipeline()
    var surroundings = Surroundings(locale: "C.UTF-8")
    surroundings.canAsk = true
    let result = run(
      "login", pipeline: pipeline, surroundings: surroundings, typing: "a@b.c", secretly: "sesame")
    #expect(result.status == .ok)
    #expect(pipeline.loginRequest?.credentials == .typed(email: "a@b.c", password: "sesame"))
    #expect(result.error == "E-mail of the Tandem account: Password: ")
    #expect(run("login", surroundings: surroundings, typing: "a@b.c").status == .usage)
    #expect(run("login", typing: "a@b.c", secretly: "sesame").status == .usage)
  }

  private static let days =
    LocalDay(daysSince1970: 20_577)...LocalDay(daysSince1970: 20_602)

  private static var summary: PullSummary {
    var summary = PullSummary()
    var first = PullSummary.Pump(name: "90000001")
    first.days = days
    first.answers = 2
    first.records = 12_345
    first.lost = [LocalDay(daysSince1970: 20_500)...LocalDay(daysSince1970: 20_576)]
    var second = PullSummary.Pump(name: "90000002")
    second.days = days
    var third = PullSummary.Pump(name: "90000003")
    third.hasUploads = false
    summary.pumps = [first, second, third]
    summary.requests = 11
    summary.convert.documents = 3
    summary.convert.records.read = 12_345
    summary.convert.records.used = 12_345
    return summary
  }

  @Test func aPullSaysWhatItFetched() throws {
    let result = run(
      "pull --credentials c --ledger l", pipeline: FakePipeline(pulling: Self.summary))
    #expect(result.status == .ok)
    try expectSnapshot(result.error, snapshotPath("pull.txt"))
    let json = run(
      "pull --credentials c --ledger l --json", pipeline: FakePipeline(pulling: Self.summary))
    try expectSnapshot(json.output, snapshotPath("pull.json"))
  }

  @Test func aDryPullSaysWhatItWouldAskFor() throws {
    var summary = Self.summary
    summary.planned = [
      .init(pump: "90000001", lane: .recent, days: Self.days),
      .init(
        pump: "90000001", lane: .backfill,
        days: LocalDay(daysSince1970: 20_570)...LocalDay(daysSince1970: 20_576)),
    ]
    summary.pumps[0].walksOn = true
    let line = "pull --credentials c --ledger l --dry-run"
    let pipeline = FakePipeline(pulling: summary)
    let result = run(line, pipeline: pipeline)
    #expect(result.status == .ok)
    #expect(pipeline.pullRequest?.convert.isDryRun == true)
    try expectSnapshot(result.error, snapshotPath("pull-dry-run.txt"))
    let json = run(line + " --json", pipeline: FakePipeline(pulling: summary))
    try expectSnapshot(json.output, snapshotPath("pull-dry-run.json"))
  }

  @Test func aFailureIsSaidAfterWhatIsKept() throws {
    var summary = Self.summary
    summary.failure = RunFailure(.unavailable, what: "it asks to come back later")
    let result = run("pull --credentials c --ledger l", pipeline: FakePipeline(pulling: summary))
    #expect(result.status == .unavailable)
    #expect(result.error.hasSuffix("error: it asks to come back later\n"))
    #expect(result.error.contains("2 answers with 12,345 records"))
  }

  @Test func aFreshLedgerNeedsNoPull() {
    var summary = PullSummary()
    summary.freshSince = Instant(unixSeconds: 1_800_000_000)
    let result = run(
      "pull --credentials c --ledger l --if-stale", pipeline: FakePipeline(pulling: summary))
    #expect(result.status == .ok)
    #expect(result.error.contains("the last pull ended at 2027-01-15T08:00:00Z"))
  }

  @Test func anAccountIsALineAPump() throws {
    let account = LoginSummary(pumps: [
      .init(name: "90000001", model: "Mobi", days: Self.days, hasUploads: true),
      .init(name: "90000002", model: nil, days: nil, hasUploads: false),
    ])
    let result = run("login --credentials c", pipeline: FakePipeline(account: account))
    try expectSnapshot(result.output, snapshotPath("login.txt"))
    let json = run("login --credentials c --json", pipeline: FakePipeline(account: account))
    try expectSnapshot(json.output, snapshotPath("login.json"))
  }

  @Test func aPipelineFileMayNameAnAccount() throws {
    var convert = ConvertRequest(inputs: [])
    convert.ledger = "l"
    var login = LoginRequest(credentials: .file("c"))
    login.region = .eu
    var pull = PullRequest(convert: convert, login: login)
    pull.lane = .recent
    let pipeline = FakePipeline(definition: PipelineDefinition(request: convert, pull: pull))
    #expect(run("run p.yaml --lane changes -o x.csv --zone UTC", pipeline: pipeline).status == .ok)
    let asked = try #require(pipeline.pullRequest)
    #expect(asked.lane == .changes)
    #expect(asked.login == login)
    #expect(asked.convert.outputs.map(\.target) == ["x.csv"])
    #expect(!asked.convert.isDryRun)
    #expect(run("run p.yaml --dry-run", pipeline: pipeline).status == .ok)
    #expect(pipeline.pullRequest?.convert.isDryRun == true)
    #expect(run("run p.yaml --input a -o x.csv", pipeline: pipeline).status == .ok)
    #expect(pipeline.convertRequest?.inputs == ["a"])
  }
}
