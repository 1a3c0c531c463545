import Pipeline
import Platform
import PumpModel
import Testing

@testable import pumpline

/// What `run` and `validate` make of a pipeline file and of what was typed beside it.
@Suite struct RunArgumentsTests {
  private var definition: PipelineDefinition {
    var request = ConvertRequest(inputs: ["saved"])
    request.zones = [ZoneArgument(name: "UTC"), ZoneArgument(name: "Asia/Tokyo", from: 9)]
    request.serial = "1"
    request.forms = CellForms(decimal: .comma, dates: .ymd)
    request.clock = .zone
    request.isComplete = true
    request.keepsGoing = true
    request.insulin = .u200
    request.ledger = "pump.ledger"
    request.waitSeconds = 60
    request.report = "r.json"
    request.outputs = [OutputRequest(format: "csv", target: "x.csv")]
    request.selection = OutputSelection(
      pumps: ["1"], only: [.basal], includesGlucose: true, keepsZeroBasal: true,
      from: .day(LocalDay(daysSince1970: 20_000)), until: .day(LocalDay(daysSince1970: 20_577)))
    request.appleHealth = AppleHealthOptions(
      offsetMinutes: 60, exportDate: Instant(unixSeconds: 5))
    return PipelineDefinition(request: request)
  }

  private func request(_ line: String) throws -> ConvertRequest {
    let pipeline = FakePipeline(definition: definition)
    let result = run("run p.yaml " + line, pipeline: pipeline)
    #expect(result.status == .ok, "\(result.error)")
    #expect(pipeline.definitionPath == "p.yaml")
    return try #require(pipeline.convertRequest)
  }

  @Test func withoutOptionsTheFileIsDone() throws {
    #expect(try request("") == definition.request)
  }

  @Test func whatIsTypedTakesThePlaceOfWhatTheFileSays() throws {
    let request = try request(
      """
      --input a --input b --zone Europe/Oslo --serial 2 --clock auto --insulin u100 --ledger l \
      --wait 0 --report - --to samples --output y --pump 9 --only bolus --zero-basal drop \
      --from 2025-01-01 --until 2026-01-01 --offset +0000 --export-date 2026-05-05T00:00:00Z \
      --rezone --now 2026-06-01T00:00:00Z --dry-run --decimal point
      """)
    var expected = ConvertRequest(inputs: ["a", "b"])
    expected.zones = [ZoneArgument(name: "Europe/Oslo")]
    expected.serial = "2"
    expected.forms = CellForms(decimal: .point, dates: .ymd)
    expected.clock = .auto
    expected.isComplete = true
    expected.keepsGoing = true
    expected.insulin = .u100
    expected.ledger = "l"
    expected.waitSeconds = 0
    expected.report = "-"
    expected.outputs = [OutputRequest(format: "samples", target: "y")]
    expected.selection = OutputSelection(
      pumps: ["9"], only: [.bolus], includesGlucose: true, keepsZeroBasal: false,
      from: SelectionBound(text: "2025-01-01"), until: SelectionBound(text: "2026-01-01"))
    expected.appleHealth = AppleHealthOptions(
      offsetMinutes: 0, exportDate: Instant(unixSeconds: 1_777_939_200))
    expected.rezones = true
    expected.now = Instant(unixSeconds: 1_780_272_000)
    expected.isDryRun = true
    #expect(request == expected)
  }

  @Test func halfOfAWindowIsCheckedAgainstTheOtherHalf() {
    let result = run("run p.yaml --from 2026-12-01", pipeline: FakePipeline(definition: definition))
    #expect(result.status == .usage)
    #expect(result.error.contains("--until is not after --from"))
  }

  @Test func inputsMustComeFromSomewhere() {
    let empty = PipelineDefinition(request: ConvertRequest(inputs: []))
    let result = run("run p.yaml -o x.csv", pipeline: FakePipeline(definition: empty))
    #expect(result.status == .usage)
    #expect(result.error.contains("the pipeline names no inputs"))
    #expect(result.error.contains("--input"))
  }

  @Test func outputsMustComeFromSomewhere() {
    let bare = PipelineDefinition(request: ConvertRequest(inputs: ["a"]))
    #expect(run("run p.yaml", pipeline: FakePipeline(definition: bare)).status == .usage)
  }

  @Test func validateTellsPlacesLikeACompiler() {
    let pipeline = FakePipeline(validation: Self.validation)
    let result = run("validate a.yaml b.yaml", pipeline: pipeline)
    #expect(result.status == .refused)
    #expect(pipeline.validateRequest == ValidateRequest(paths: ["a.yaml", "b.yaml"]))
    #expect(
      result.output == """
        a.yaml: ok
        b.yaml:7:9: error: there is no key cvs
          Did you mean csv?
        b.yaml:8:1: error: cut\u{FFFD}[2J

        """)
    #expect(result.error.isEmpty)
    #expect(run("validate a.yaml -q", pipeline: pipeline).output.hasPrefix("b.yaml:7:9"))
  }

  @Test func validateAnswersPrograms() {
    let result = run("validate --json a.yaml", pipeline: FakePipeline(validation: Self.validation))
    #expect(result.status == .refused)
    #expect(
      result.output.contains(
        """
        {"line": 7, "column": 9, "what": "there is no key cvs", "next": "Did you mean csv?"}
        """))
    #expect(result.output.hasPrefix("{\n  \"valid\": false,"))
    let clean = run("validate --json a.yaml", pipeline: FakePipeline())
    #expect(clean.status == .ok)
    #expect(clean.output.contains("\"valid\": true"))
  }

  private static let validation = ValidateSummary(pipelines: [
    CheckedPipeline(path: "a.yaml"),
    CheckedPipeline(
      path: "b.yaml",
      problems: [
        PipelineProblem(
          "there is no key cvs", at: .init(line: 7, column: 9), next: "Did you mean csv?"),
        PipelineProblem("cut\u{1B}[2J", at: .init(line: 8, column: 1)),
      ]),
  ])
}
