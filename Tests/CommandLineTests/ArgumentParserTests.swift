import Pipeline
import Testing

@testable import pumpline

/// The grammar of command lines.
@Suite struct ArgumentParserTests {
  @Test(arguments: [
    "convert a --zone UTC b", "convert --zone=UTC a b", "convert a b --zone UTC",
    "--color=never convert a --zone UTC -- b",
  ])
  func optionsStandAnywhere(line: String) throws {
    let parsed = try ArgumentParser.parse(arguments(line))
    #expect(parsed.command?.name == "convert")
    #expect(parsed.operands == ["a", "b"])
    #expect(parsed.value(.zone) == "UTC")
  }

  @Test func lettersJoinAndTakeValues() throws {
    let parsed = try ArgumentParser.parse(["convert", "-qvofile", "-o", "other", "-o", "-"])
    #expect(parsed.has(.quiet))
    #expect(parsed.has(.verbose))
    #expect(parsed.values(.output) == ["file", "other", "-"])
  }

  @Test func afterTwoDashesEverythingIsAWord() throws {
    let parsed = try ArgumentParser.parse(["convert", "--", "--zone", "-o", "-", "--"])
    #expect(parsed.operands == ["--zone", "-o", "-", "--"])
    #expect(parsed.occurrences.isEmpty)
  }

  @Test func valuesMayLookLikeNumbersOrHoldEqualSigns() throws {
    let parsed = try ArgumentParser.parse([
      "convert", "--offset", "-0500", "--report=a=b", "--ledger=-x",
    ])
    #expect(parsed.value(.offset) == "-0500")
    #expect(parsed.value(.report) == "a=b")
    #expect(parsed.value(.ledger) == "-x")
  }

  @Test func listsAreTakenApart() throws {
    let parsed = try ArgumentParser.parse(["convert", "--only", "basal,carbs"])
    #expect(parsed.words(.only) == ["basal", "carbs"])
  }

  @Test(arguments: [
    ("convrt a", "convrt is no command", "Did you mean convert?"),
    ("frobnicate", "frobnicate is no command", "The commands are"),
    ("convert --zoen UTC", "--zoen is no option of convert", "Did you mean --zone?"),
    ("convert --comp", "--comp is no option of convert", "Did you mean --complete?"),
    ("convert --xyzzy", "--xyzzy is no option of convert", "pumpline convert -h"),
    ("convert -x", "-x is no option of convert", "pumpline convert -h"),
    ("inspect --zone UTC a", "--zone is no option of inspect", "pumpline inspect -h"),
    ("--zone UTC convert", "--zone is no option before a command", "pumpline -h"),
    ("convert --zone", "--zone has no value", "a tzdata name"),
    ("convert --ledger --to csv", "--ledger has no value", "--ledger=--to"),
    ("convert --ledger=", "--ledger has an empty value", "a path"),
    ("convert --complete=yes", "--complete takes no value", "--complete alone"),
    ("convert --ledger a --ledger b", "--ledger is given twice", "Keep one"),
    ("convert --changes=some", "--changes cannot be \"some\"", "fresh or all"),
    ("convert --changes --changes=all", "--changes is given twice", "Keep one"),
    ("convert --clock record", "--clock cannot be \"record\"", "Did you mean records?"),
    ("convert --only basal,meals", "--only cannot be \"meals\"", "joined by commas"),
    ("convert --only basal,", "--only cannot be \"\"", "joined by commas"),
    ("convert --to cvs", "--to cannot be \"cvs\"", "Did you mean csv?"),
  ])
  func saysWhatIsWrongAndWhatToDo(line: String, what: String, next: String) throws {
    let failure = try #require(throws: RunFailure.self) {
      try ArgumentParser.parse(arguments(line))
    }
    #expect(failure.exitStatus == .usage)
    #expect(failure.what == what)
    #expect(failure.next?.contains(next) == true)
  }

  @Test func onceHelpIsAskedNothingElseMatters() throws {
    let parsed = try ArgumentParser.parse(arguments("convert -h --zoen UTC"))
    #expect(parsed.has(.help))
    #expect(parsed.command?.name == "convert")
  }

  @Test(arguments: [
    ("zone", "zone", 0), ("zoen", "zone", 1), ("zon", "zone", 1), ("ozne", "zone", 1),
    ("", "ab", 2), ("kitten", "sitting", 3),
  ])
  func countsSlips(left: String, right: String, distance: Int) {
    #expect(NearestName.distance(left, right) == distance)
    #expect(NearestName.distance(right, left) == distance)
  }

  @Test func aShortNameIsNotNearToEverything() {
    #expect(NearestName.of("--xy", in: ["--to"]) == nil)
    #expect(NearestName.of("--ot", in: ["--to"]) == "--to")
  }
}
