import Pipeline
import Platform
import PumpModel
import Testing

@testable import pumpline

/// Who says what on which stream, and how the process ends.
@Suite struct InvocationTests {
  @Test func nothingToDoShowsHelpAsAnError() {
    let result = run("")
    #expect(result.status == .usage)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("Usage: pumpline COMMAND"))
  }

  @Test(arguments: ["help", "--help", "-h", "help convert", "convert -h", "convert --help"])
  func helpIsData(line: String) {
    let result = run(line)
    #expect(result.status == .ok)
    #expect(result.output.contains("Usage:"))
    #expect(result.error.isEmpty)
  }

  @Test func versionIsOneLine() {
    #expect(run("--version").output == "pumpline \(Release.version)\n")
  }

  @Test func summariesGoToStandardError() {
    let result = run("convert a.json -o -")
    #expect(result.status == .ok)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("read      0 documents"))
    #expect(!result.error.contains("reading a.json"))
    #expect(result.error.contains("waiting for another run to finish with pump.ledger"))
  }

  @Test func quietSaysNothingAndVerboseMore() {
    #expect(run("convert a.json -o - -q").error.isEmpty)
    #expect(run("convert a.json -o - -v").error.contains("reading a.json\n"))
    #expect(run("convert a.json -o - -v -q").status == .usage)
  }

  @Test func rejectsEndWithOne() {
    var summary = ConvertSummary()
    summary.rejects.add(RejectedPart(document: "a", reject: Reject(.whole, "cut")))
    #expect(
      run("convert a -o x.csv -q", pipeline: FakePipeline(.success(summary))).status == .rejects)
  }

  @Test func failuresSayWhatWhereAndWhatNext() {
    let failure = RunFailure(
      .busy, what: "another run holds the ledger", where: "pump.ledger", next: "Try again later.")
    let result = run("convert a -o x.csv -q", pipeline: FakePipeline(.failure(failure)))
    #expect(result.status == .busy)
    #expect(
      result.error == """
        error: another run holds the ledger
           at: pump.ledger
         next: Try again later.

        """)
  }

  @Test func namesFromOutsideCannotSteerTheTerminal() {
    let failure = RunFailure(.unreadable, what: "cut", where: "a\u{1B}[2J\n\u{202E}b")
    let result = run("convert a -o x.csv", pipeline: FakePipeline(.failure(failure)))
    #expect(result.error.contains("   at: a\u{FFFD}[2J\u{FFFD}\u{FFFD}b\n"))
  }

  @Test func aReaderThatLeftHasSeenEnough() {
    #expect(run("help", outputResult: .closed).status == .ok)
    let full = run("help", outputResult: .failed("No space left on device"))
    #expect(full.status == .io)
    #expect(full.error.contains("No space left on device"))
  }

  @Test func wordsAreCounted() {
    #expect(run("convert").error.contains("convert needs a word for INPUT"))
    #expect(run("help a b c").error.contains("\"c\" is one word too many for help"))
    #expect(run("completions tcsh").error.contains("Did you mean") == false)
    #expect(run("help convrt").error.contains("Did you mean convert?"))
  }

  @Test func inspectAsksForWhatItWasGiven() {
    let pipeline = FakePipeline()
    #expect(run("inspect a - --json", pipeline: pipeline).status == .ok)
    #expect(pipeline.inspectRequest == InspectRequest(inputs: ["a", "-"], isJSON: true))
  }

  @Test(
    arguments: [
      (nil, nil, "xterm", true, true), (nil, "", "xterm", true, true),
      (nil, "1", "xterm", true, false),
      (nil, nil, "dumb", true, false), (nil, nil, "xterm", false, false),
      ("always", "1", "dumb", false, true), ("never", nil, "xterm", true, false),
      ("auto", nil, "xterm", true, true),
    ] as [(String?, String?, String, Bool, Bool)])
  func coloursWhereTheyAreWelcome(
    option: String?, noColor: String?, term: String, isTerminal: Bool, expected: Bool
  ) {
    let surroundings = Surroundings(noColor: noColor, terminal: term)
    let style = surroundings.style(
      for: .init(isInteractive: isTerminal, width: 120), color: option)
    #expect(style.isColored == expected)
    #expect(style.width == 100)
  }
}
