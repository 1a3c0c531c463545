import Foundation
import Pipeline
import Platform
import PumpModel
import Testing

/// What pipeline files say, and what is said of those that are wrong.
@Suite("Pipeline files")
struct PipelineFileTests {
  private let work: Workspace

  init() throws { work = try Workspace() }

  /// Writes a file `p.yaml` and reads it for a run.
  private func definition(_ text: String) throws -> PipelineDefinition {
    try PumplinePipeline().definition(at: try work.write("p.yaml", Array(text.utf8)))
  }

  /// Writes a file `p.yaml` and says what is wrong in it, a line for each.
  private func problems(_ text: String) throws -> [String] {
    let path = try work.write("p.yaml", Array(text.utf8))
    let summary = try PumplinePipeline().validate(ValidateRequest(paths: [path]))
    #expect(summary.exitStatus == (summary.pipelines[0].problems.isEmpty ? .ok : .refused))
    return summary.pipelines[0].problems.map { problem in
      "\(problem.mark.line):\(problem.mark.column): \(problem.what)"
        + (problem.next.map { " | \($0)" } ?? "")
    }
  }

  @Test("No run may write over the file that describes it")
  func ownFile() throws {
    for text in [
      "emit:\n  outputs:\n    - file: p.yaml\n      format: csv\n", "ledger:\n  file: ./p.yaml\n",
      "audit:\n  report: p.yaml\n",
    ] {
      #expect(
        try problems(text).map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
          == ["a run would write over the pipeline file itself | Name another file."])
    }
  }

  @Test("A name of an output is a word and no path", arguments: ["a/b", "\"-\"", "\"\"", "a b"])
  func noName(name: String) throws {
    let found = try problems("emit:\n  outputs:\n    - file: a.csv\n      name: \(name)\n")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("4:13: name ") == true)
  }

  @Test("Every key arrives in the request")
  func everyKey() throws {
    let definition = try definition(
      """
      source:
        inputs: [a, "-", /b]
        serial: "90000001"
        decimal: comma
        date-order: dmy
        complete: true
        keep-going: true
      normalize:
        zones:
          - Europe/Berlin@2026-05-10T16:00
          - America/New_York
        clock: zone
        insulin: u200
      ledger:
        file: pump.ledger
        wait: 60
      emit:
        outputs:
          - file: out/x
            format: csv
          - file: "-"
            format: samples
            name: to-the_pipe
        pumps: ["1", "2"]
        only: [bolus, carbs]
        include: glucose
        zero-basal: keep
        from: 2026-05-04
        until: 2026-05-06T00:00:00Z
        offset: "-0430"
        export-date: 2026-05-05T00:00:00+02:00
      audit:
        report: r.json
      tests: [one-day]
      """)
    var expected = ConvertRequest(inputs: [work.path("a"), "-", "/b"])
    expected.serial = "90000001"
    expected.forms = CellForms(decimal: .comma, dates: .dmy)
    expected.isComplete = true
    expected.keepsGoing = true
    expected.zones = [
      ZoneArgument(name: "America/New_York"),
      ZoneArgument(name: "Europe/Berlin", from: 1_778_428_800),
    ]
    expected.clock = .zone
    expected.insulin = .u200
    expected.ledger = work.path("pump.ledger")
    expected.waitSeconds = 60
    expected.outputs = [
      OutputRequest(format: "csv", target: work.path("out/x")),
      OutputRequest(format: "samples", target: "-", sinkName: "to-the_pipe"),
    ]
    expected.selection = OutputSelection(
      pumps: ["1", "2"], only: [.bolus, .carbs], includesGlucose: true, keepsZeroBasal: true,
      from: .day(LocalDay(daysSince1970: 20_577)),
      until: .instant(Instant(unixSeconds: 1_778_025_600)))
    expected.appleHealth = AppleHealthOptions(
      offsetMinutes: -270, exportDate: Instant(unixSeconds: 1_777_932_000))
    expected.report = work.path("r.json")
    #expect(definition.request == expected)
    #expect(definition.tests == ["one-day"])
  }

  @Test("What a file leaves out is left to the command line and the defaults")
  func defaults() throws {
    let definition = try definition("source: {inputs: a}\n")
    #expect(definition.request == ConvertRequest(inputs: [work.path("a")]))
    #expect(definition.tests == [])
    #expect(try problems("emit: {outputs: [{file: x.csv}]}") == [])
  }

  @Test("A relative path counts from the folder of the file, whatever its spelling")
  func relativePaths() throws {
    let path = try work.write("inner/p.yaml", Array("ledger: {file: ../l}".utf8))
    let definition = try PumplinePipeline().definition(at: path)
    #expect(definition.request.ledger == work.path("inner/../l"))
  }

  @Test(
    "What is wrong is told with its place and with what was probably meant",
    arguments: [
      ("sorce: {}", ["1:1: there is no key sorce | Did you mean source?"]),
      (
        "source:\n  intputs: a", ["2:3: there is no key intputs in source | Did you mean inputs?"]
      ),
      (
        "source:\n  zone: UTC",
        ["2:3: there is no key zone in source | Did you mean zones, which stands in normalize?"]
      ),
      (
        "emit:\n  outputs:\n    - flie: x.csv",
        [
          "3:7: there is no key flie in outputs | Did you mean file?",
          "3:7: an output has no file | Add file: with a path, or - for standard output.",
        ]
      ),
      (
        "audit:\n  frobnicate: 1",
        ["2:3: there is no key frobnicate in audit | The keys are report."]
      ),
      (
        "normalize:\n  clock: record",
        ["2:10: clock cannot be \"record\" | Did you mean records? It takes auto, records or zone."]
      ),
      (
        "source:\n  complete: yes",
        ["2:13: complete cannot be \"yes\" | It takes true or false."]
      ),
      (
        "ledger:\n  wait: 1.5",
        ["2:9: wait cannot be \"1.5\" | It takes whole seconds, at most a day."]
      ),
      (
        "ledger: pump.ledger",
        [
          "1:9: ledger takes keys, not a value | They are file, wait, hold-moves; each begins a line of its own."
        ]
      ),
      (
        "just a text",
        [
          "1:1: the file has no sections | They are source, normalize, ledger, emit, audit, tests; "
            + "each begins a line of its own."
        ]
      ),
      (
        "emit:\n  outputs: x.csv",
        ["2:12: outputs takes a list | Begin each with a dash: - file: …"]
      ),
      (
        "normalize:\n  clock: [auto]",
        ["2:10: clock takes one value, not a list | It takes auto, records or zone."]
      ),
      (
        "ledger:\n  file: {a: b}", ["2:9: file takes no keys | It takes a path."]
      ),
      (
        "tests: [[a]]",
        [
          "1:9: tests takes no lists or keys in its list | It takes the name of a sample, or a list "
            + "of them."
        ]
      ),
      ("ledger:\n  file:", ["2:8: file has no value | It takes a path."]),
      (
        "normalize:\n  zones: Europe/Berlni",
        [
          "2:10: Europe/Berlni is no time zone of the tz database | Did you mean Europe/Berlin?"
        ]
      ),
      (
        "normalize:\n  zones: [UTC, Asia/Tokyo]",
        [
          "2:16: two zones hold from the beginning | For a trip, say from when: "
            + "Asia/Tokyo@2026-05-10T16:00"
        ]
      ),
      (
        "emit:\n  from: 2026-05-04\n  until: 2026-05-04",
        ["3:10: until is not after from, so nothing would be shown"]
      ),
      (
        "emit:\n  outputs:\n    - file: x.parquet",
        [
          "3:7: the file's name does not tell the format | Add format: and one of apple-health, csv, "
            + "sqlite, samples."
        ]
      ),
      (
        "ledger: {file: x.csv}\nemit:\n  outputs:\n    - file: x.csv",
        [
          "4:13: two things would be written to one place | Give each output, the report and the "
            + "ledger a place of its own."
        ]
      ),
      (
        "a: &b c",
        [
          "1:4: anchors (&) are not read | Docs/Pipelines.md tells how such a file is written."
        ]
      ),
    ] as [(String, [String])])
  func wrong(text: String, expected: [String]) throws {
    #expect(try problems(text) == expected)
  }

  @Test("Paths that only a shell understands, and a ledger on a stream, are refused")
  func paths() throws {
    #expect(try problems("ledger: {file: ~/l}").first?.hasPrefix("1:16: file cannot be") == true)
    #expect(try problems("source: {inputs: [~]}").first?.hasPrefix("1:19: inputs cannot") == true)
    #expect(try problems("ledger: {file: \"-\"}").first?.hasPrefix("1:16: file cannot be") == true)
  }

  @Test("Credentials are refused by their key, and their value is not repeated")
  func credentials() throws {
    for key in ["password", "Email", "token", "credentials"] {
      let found = try problems("source:\n  \(key): hunter2")
      #expect(found.count == 1)
      #expect(found[0].hasPrefix("2:3: a pipeline holds no credentials"))
      #expect(!found[0].contains("hunter2"))
    }
  }

  @Test("An account needs credentials, a ledger, and no inputs")
  func account() throws {
    let whole = """
      source:
        tandem-source:
          credentials: c
          region: eu
          since: 2021-06-01
      ledger: {file: l}
      """
    #expect(try problems(whole) == [])
    let found = try problems(
      "source:\n  inputs: a\n  tandem-source: {region: eu, lane: recnt, available-days: 0}")
    #expect(
      found.map { $0.components(separatedBy: " | ")[0] } == [
        "3:27: tandem-source has no credentials",
        "3:27: a pipeline reads inputs or pulls from tandem-source, not both",
        "3:27: a pull needs a ledger, which remembers what was fetched",
        "3:37: lane cannot be \"recnt\"", "3:60: available-days cannot be \"0\"",
      ])
  }

  @Test("Everything that is wrong is told at once, in the order of the file")
  func all() throws {
    let found = try problems("emit: {from: x}\nsorce: 1\nnormalize:\n  clock: x\n  insulin: x")
    #expect(found.map { $0.prefix(4) } == ["1:14", "2:1:", "4:10", "5:12"])
  }

  @Test("A run ends with 78 at the first thing that is wrong, and says where to see the others")
  func refusedRun() throws {
    let failure = try #require(throws: RunFailure.self) {
      try definition("sorce: 1\nemitt: 2")
    }
    #expect(failure.exitStatus == .refused)
    #expect(failure.place == work.path("p.yaml") + ":1:1")
    #expect(
      failure.next
        == "Did you mean source? All 2 problems: pumpline validate \(work.path("p.yaml"))")
  }

  @Test("A folder stands for the files in it, in the order of their names")
  func folder() throws {
    try work.write("all/b.yaml", Array("sorce: 1".utf8))
    try work.write("all/a.yml", Array("source: {inputs: a}".utf8))
    try work.write("all/c.txt", Array("nothing".utf8))
    try work.write("all/inner/d.yaml", Array("nothing".utf8))
    let summary = try PumplinePipeline().validate(ValidateRequest(paths: [work.path("all")]))
    #expect(
      summary.pipelines.map(\.path) == [work.path("all/a.yml"), work.path("all/b.yaml")])
    #expect(summary.pipelines.map(\.problems.count) == [0, 1])
  }

  @Test("What is not there, and a folder without pipelines, are missing")
  func missing() throws {
    try work.write("empty/c.txt", [])
    for path in ["nowhere.yaml", "empty"] {
      let failure = try #require(throws: RunFailure.self) {
        try PumplinePipeline().validate(ValidateRequest(paths: [work.path(path)]))
      }
      #expect(failure.exitStatus == .inputMissing)
    }
    let failure = try #require(throws: RunFailure.self) {
      try PumplinePipeline().definition(at: work.path("empty"))
    }
    #expect(failure.exitStatus == .inputMissing)
  }
}
