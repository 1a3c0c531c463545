import Pipeline
import PumpModel
import Testing

@testable import pumpline

/// What `convert` makes of its options.
@Suite struct ConvertArgumentsTests {
  @Test func defaultsAreLeftToThePipeline() throws {
    var expected = ConvertRequest(inputs: ["a.zip"])
    expected.outputs = [OutputRequest(format: nil, target: "export.zip")]
    #expect(try request("a.zip -o export.zip") == expected)
    #expect(expected.waitSeconds == 10)
  }

  @Test func everyOptionArrives() throws {
    let request = try request(
      """
      a - --zone America/New_York --serial 90000001 --clock zone --complete --keep-going --rezone \
      --insulin u200 --include glucose --only bolus,carbs --pump 1 --pump 2 --zero-basal keep \
      --from 2026-05-04 --until 2026-05-06T00:00:00Z --now 2026-06-01T00:00:00Z --ledger l \
      --to csv --output - --report r.json --offset -0430 --export-date 2026-05-05T00:00:00+02:00 \
      --wait 0 --dry-run --decimal comma --date-order mdy
      """)
    var expected = ConvertRequest(inputs: ["a", "-"])
    expected.zones = [ZoneArgument(name: "America/New_York")]
    expected.serial = "90000001"
    expected.forms = CellForms(decimal: .comma, dates: .mdy)
    expected.clock = .zone
    expected.isComplete = true
    expected.keepsGoing = true
    expected.rezones = true
    expected.insulin = .u200
    expected.outputs = [OutputRequest(format: "csv", target: "-")]
    expected.selection = OutputSelection(
      pumps: ["1", "2"], only: [.bolus, .carbs], includesGlucose: true, keepsZeroBasal: true,
      from: .day(LocalDay(daysSince1970: 20_577)),
      until: .instant(Instant(unixSeconds: 1_778_025_600)))
    expected.now = Instant(unixSeconds: 1_780_272_000)
    expected.ledger = "l"
    expected.report = "r.json"
    expected.appleHealth = AppleHealthOptions(
      offsetMinutes: -270, exportDate: Instant(unixSeconds: 1_777_932_000))
    expected.waitSeconds = 0
    expected.isDryRun = true
    #expect(request == expected)
  }

  @Test func eachFormatBelongsToTheNextOutput() throws {
    let outputs = try request("a -o x.csv --to sqlite -o y --to samples --output -").outputs
    #expect(
      outputs == [
        OutputRequest(format: nil, target: "x.csv"), OutputRequest(format: "sqlite", target: "y"),
        OutputRequest(format: "samples", target: "-"),
      ])
  }

  @Test(arguments: [
    ("--changes", OutputChanges.fresh), ("--changes=fresh", .fresh), ("--changes=all", .all),
  ])
  func changesAreAskedOfEveryOutput(option: String, changes: OutputChanges) throws {
    let request = try request("a -o x.csv \(option) --ledger l --to samples -o -")
    #expect(
      request.outputs == [
        OutputRequest(format: nil, target: "x.csv", changes: changes),
        OutputRequest(format: "samples", target: "-", changes: changes),
      ])
    #expect(request.inputs == ["a"])
  }

  @Test func aSinglePairMayStandInAnyOrder() throws {
    #expect(
      try request("a -o x --to csv").outputs == [OutputRequest(format: "csv", target: "x")])
  }

  @Test func zonesAreOrderedByTime() throws {
    let zones = try request(
      "a -o x.csv --zone Asia/Tokyo@2026-05-10T16:00 --zone UTC --zone Europe/Oslo@2026-05-09"
    ).zones
    #expect(zones.map(\.name) == ["UTC", "Europe/Oslo", "Asia/Tokyo"])
    #expect(zones.map(\.from) == [nil, 1_778_284_800, 1_778_428_800])
  }

  @Test(arguments: [
    ("a", "nothing is to be written"),
    ("a -o x --to csv -o y --to samples", "--to samples has no --output after it"),
    ("a --to csv", "--to csv has no --output after it"),
    ("a --to csv --to samples -o x", "--to csv has no --output after it"),
    ("a -o x.csv --report x.csv", "two things would be written to one place"),
    ("a -o - -o -", "two things would be written to one place"),
    ("a -o x.csv --ledger x.csv", "two things would be written to one place"),
    ("a -o - --json", "the JSON summary and an output cannot both be standard output"),
    ("a -o x.csv --report - --json", "the JSON summary and an output cannot both be"),
    ("a --ledger -", "a ledger cannot be standard output"),
    ("- - -o x.csv", "standard input is named twice"),
    ("a -o x.csv --zone UTC --zone Asia/Tokyo", "two zones hold from the beginning"),
    ("a -o x.csv --zone UTC@", "--zone cannot be \"UTC@\""),
    ("a -o x.csv --zone UTC@2026-02-30", "--zone cannot be \"UTC@2026-02-30\""),
    ("a -o x.csv --zone @2026-02-03", "--zone cannot be \"@2026-02-03\""),
    ("a -o x.csv --from yesterday", "--from cannot be \"yesterday\""),
    ("a -o x.csv --from 2026-05-04 --until 2026-05-04", "--until is not after --from"),
    ("a -o x.csv --now 2026-05-04", "--now cannot be \"2026-05-04\""),
    ("a -o x.csv --offset +5", "--offset cannot be \"+5\""),
    ("a -o x.csv --wait 1.5", "--wait cannot be \"1.5\""),
    ("a -o x.csv --wait 99999", "--wait cannot be \"99999\""),
    ("a -o x.csv --serial 1:2", "--serial cannot be \"1:2\""),
  ])
  func refuses(line: String, what: String) throws {
    let failure = try #require(throws: RunFailure.self) { try request(line) }
    #expect(failure.exitStatus == .usage)
    #expect(failure.what.hasPrefix(what))
    #expect(failure.next?.isEmpty == false)
  }

  private func request(_ line: String) throws -> ConvertRequest {
    try ConvertArguments(ArgumentParser.parse(["convert"] + arguments(line))).request()
  }
}
