import Pipeline
import PumpModel
import Testing

@testable import pumpline

/// The commands of `ledger`: what is typed, and what is shown.
@Suite struct LedgerCommandLineTests {
  private static let digest = String(repeating: "0aB3", count: 16)
  private static let asking: Surroundings = {
    var surroundings = Surroundings(locale: "C.UTF-8")
    surroundings.canAsk = true
    return surroundings
  }()

  @Test func aGroupNeedsAWord() {
    let result = run("ledger")
    #expect(result.status == .usage)
    #expect(result.error.contains("status, totals, verify, export and forget"))
    #expect(run("ledger stauts p.ledger").error.contains("Did you mean ledger status?"))
  }

  @Test func helpTakesNamesOfTwoWords() {
    #expect(run("help ledger forget").output == run("ledger forget --help").output)
    #expect(run("help ledger forget").status == .ok)
    #expect(run("help ledger").status == .usage)
  }

  @Test(arguments: [
    "ledger status -", "ledger totals -", "ledger verify -", "ledger export - -o a.csv",
  ])
  func aLedgerIsAFile(line: String) {
    #expect(run(line).status == .usage)
  }

  @Test func requestsCarryWhatWasTyped() {
    let pipeline = FakePipeline()
    _ = run("ledger status p.ledger --wait 3", pipeline: pipeline)
    var wanted = LedgerRequest(ledger: "p.ledger")
    wanted.waitSeconds = 3
    #expect(pipeline.ledgerRequest == wanted)
    _ = run("ledger forget p.ledger --yes --document \(Self.digest)", pipeline: pipeline)
    let bytes = [[UInt8]](repeating: [0x0A, 0xB3], count: 16).flatMap(\.self)
    #expect(
      pipeline.forgetRequest == ForgetRequest(ledger: "p.ledger", target: .document(bytes)))
    _ = run("ledger export p.ledger --only carbs -o a.csv", pipeline: pipeline)
    #expect(pipeline.convertRequest?.inputs == [])
    #expect(pipeline.convertRequest?.ledger == "p.ledger")
    #expect(pipeline.convertRequest?.selection.only == [.carbs])
    #expect(
      pipeline.convertRequest?.outputs == [OutputRequest(format: nil, target: "a.csv")])
  }

  /// Two pumps over some weeks, with a day of which nothing is known.
  private static func totals(byWeek: Bool) -> FakePipeline {
    var totals = LedgerTotals(isByWeek: byWeek)
    totals.zones = [ZoneArgument(name: "America/New_York")]
    for (index, name) in ["90000001", "Pump\u{1B}[2J"].enumerated() {
      var pump = LedgerTotals.Pump(name: name)
      for number in 0..<(index == 0 ? 33 : 3) as Range<Int64> {
        // 2025-12-29 is the Monday of the first week of 2026.
        let first = LocalDay(daysSince1970: 20_451 + number * (byWeek ? 7 : 1))
        var given = SampleTotals()
        given.basal = 18_250_000 + number * 250_000
        given.bolus = number == 2 ? 0 : 22_500 - number * 125
        given.carbohydrate = 180_000
        if number == 1 { given = SampleTotals() }
        pump.sums.append(
          LedgerTotals.Sum(
            first: first, days: byWeek && number > 0 ? 7 : 1,
            knownSeconds: number == 1 ? 0 : 86_400,
            given: given))
      }
      totals.pumps.append(pump)
    }
    return FakePipeline(totals: totals)
  }

  @Test func totalsAreShownByDayAndByWeek() throws {
    let days = Self.totals(byWeek: false)
    let short = run("ledger totals p.ledger", pipeline: days)
    #expect(days.totalsRequest == LedgerTotalsRequest(ledger: "p.ledger"))
    try expectSnapshot(short.output, snapshotPath("totals-days.txt"))
    let weeks = Self.totals(byWeek: true)
    let long = run("ledger totals p.ledger --weekly -v --wait 3", pipeline: weeks)
    #expect(weeks.totalsRequest?.isByWeek == true && weeks.totalsRequest?.waitSeconds == 3)
    try expectSnapshot(long.output, snapshotPath("totals-weeks.txt"))
    #expect(!long.output.contains("\u{1B}"))
    try expectSnapshot(
      run("ledger totals p.ledger --weekly --json", pipeline: weeks).output,
      snapshotPath("totals-weeks.json"))
    #expect(run("ledger totals p.ledger").output.contains("none of which days are known"))
  }

  @Test func totalsFitTheTerminalAndItsCharacters() {
    for (width, locale) in [(40, "C"), (80, "C.UTF-8"), (120, "C.UTF-8")] {
      let surroundings = Surroundings(
        locale: locale, output: .init(isInteractive: false, width: width))
      let text = run(
        "ledger totals p.ledger -v", pipeline: Self.totals(byWeek: false),
        surroundings: surroundings
      ).output
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= max(width, 52) })
      #expect(text.contains(locale == "C" ? "##" : "██"))
      #expect(locale != "C" || text.allSatisfy { $0.isASCII || $0 == "\u{FFFD}" })
    }
  }

  @Test func anExportNeedsAnOutput() {
    #expect(run("ledger export p.ledger").status == .usage)
    #expect(run("ledger export p.ledger -o p.ledger").status == .usage)
  }

  @Test(arguments: [
    "", "--all --pump 1", "--document 12", "--document \(digest)0",
    "--document \(digest.dropLast())g",
  ])
  func forgettingNeedsOneTarget(options: String) {
    #expect(run("ledger forget p.ledger --yes \(options)").status == .usage)
  }

  @Test func forgettingAsksAPerson() {
    let pipeline = FakePipeline()
    let silent = run("ledger forget p.ledger --all", pipeline: pipeline)
    #expect(silent.status == .usage)
    #expect(silent.error.contains("--yes"))
    #expect(pipeline.forgetRequest == nil)
    let sure = run("ledger forget p.ledger --all", surroundings: Self.asking, typing: "yes")
    #expect(sure.error.contains("[y/N]"))
    #expect(sure.error.contains("forgot"))
    for answer in ["n", "", nil, "yesterday"] {
      let unsure = run("ledger forget p.ledger --all", surroundings: Self.asking, typing: answer)
      #expect(unsure.status == .ok)
      #expect(unsure.error.contains("nothing was forgotten"))
    }
    #expect(run("ledger forget p.ledger --all --yes").error.contains("[y/N]") == false)
  }

  @Test func verificationTellsWhatDiffersAndEndsWithOne() throws {
    var verification = LedgerVerification()
    (verification.pumps, verification.records, verification.samples) = (2, 123_456, 45_678)
    let sound = FakePipeline(verification: verification)
    #expect(run("ledger verify p.ledger", pipeline: sound).status == .ok)
    try expectSnapshot(
      run("ledger verify p.ledger", pipeline: sound).output, snapshotPath("verify-sound.txt"))
    verification.problems = [
      .init(
        area: "samples", pump: "90000001",
        text: "samples that say something else than the journal gives: 3, first at number 4711"),
      .init(area: "documents", pump: nil, text: "digests that are none: 1"),
    ]
    let unsound = FakePipeline(verification: verification)
    let result = run("ledger verify p.ledger", pipeline: unsound)
    #expect(result.status == .rejects)
    try expectSnapshot(result.output, snapshotPath("verify-differs.txt"))
    try expectSnapshot(
      run("ledger verify p.ledger --json", pipeline: unsound).output,
      snapshotPath("verify-differs.json"))
  }

  @Test func statusIsShown() throws {
    var status = LedgerStatus(kind: "events", schema: 2, bytes: 12_345_678)
    status.settings = .init(
      zones: [
        ZoneArgument(name: "America/New_York"),
        ZoneArgument(name: "Europe/Berlin", from: 1_778_428_800),
      ], clock: .auto, insulin: .u100, makesGlucose: false)
    status.documents = [
      .init(format: "pump-logs", documents: 365, records: 1_234_567),
      .init(format: "pumper", documents: 1, records: 0),
    ]
    status.archives = 12
    var pump = LedgerStatus.Pump(name: "90000001")
    pump.serial = "90000001"
    pump.model = "t:slim X2™ Insulin Pump"
    pump.software = "7.8.0.0"
    pump.assignments = ["0ddba115-0000-4000-8000-000090000001"]
    pump.records = 1_100_000
    pump.first = Instant(unixSeconds: 1_746_331_200)
    pump.last = Instant(unixSeconds: 1_777_867_200)
    pump.days = (0..<7).map { index in
      LocalDay(daysSince1970: 20_212 + index * 10)...LocalDay(daysSince1970: 20_218 + index * 10)
    }
    pump.samples = [.basal: 98_765, .bolus: 3210, .carbohydrates: 1234]
    (pump.pending, pump.holes) = (1, 6)
    pump.fetched = [
      WallTime(secondsSince1970: 1_746_316_800)..<WallTime(secondsSince1970: 1_777_852_801)
    ]
    var old = LedgerStatus.Pump(name: "0ddba115-0000-4000-8000-000090000009")
    old.sameAs = "90000001"
    status.pumps = [old, pump]
    status.outputs = [
      .init(
        format: "apple-health", target: "/home/ann/new.zip", isNarrowed: true, fresh: 1288,
        revised: 2, withdrawn: 1),
      .init(
        format: "sqlite", target: "/home/ann/pump.db", isNarrowed: false, fresh: 0, revised: 0,
        withdrawn: 0),
    ]
    status.lastPull = Instant(unixSeconds: 1_777_900_000)
    for seconds in 0..<7 as Range<Int64> {
      status.requests.append(
        RequestNote(
          at: Instant(unixSeconds: 1_777_899_999 - seconds), purpose: "logs",
          status: seconds == 1 ? nil : 200, days: 20_570...20_598, milliseconds: 1532))
    }
    status.requests.append(
      RequestNote(
        at: Instant(unixSeconds: 1_777_899_990), purpose: "login", status: 200, days: nil,
        milliseconds: 240))
    let pipeline = FakePipeline(status: status)
    try expectSnapshot(
      run("ledger status p.ledger", pipeline: pipeline).output, snapshotPath("status.txt"))
    try expectSnapshot(
      run("ledger status -v p.ledger", pipeline: pipeline).output,
      snapshotPath("status-verbose.txt"))
    try expectSnapshot(
      run("ledger status --json p.ledger", pipeline: pipeline).output,
      snapshotPath("status.json"))
    let empty = FakePipeline(status: LedgerStatus(kind: nil, schema: 2, bytes: 8192))
    #expect(run("ledger status p.ledger", pipeline: empty).output.contains("holds nothing yet"))
  }

  @Test func sizesKeepThreeOrFourDigits() {
    #expect(size(0) == "0 bytes")
    #expect(size(9_999) == "9,999 bytes")
    #expect(size(10_000) == "10 kB")
    #expect(size(12_345_678) == "12 MB")
    #expect(size(9_999_499) == "9,999 kB")
  }
}
