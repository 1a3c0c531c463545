import Pipeline
import Platform
import Synchronization
import Testing

@testable import pumpline

/// The line that tells how far a run has come.
@Suite struct ProgressTests {
  private let reading = ProgressLine(
    progress: RunProgress(.reading, done: 412_500_000, total: 960_000_000), perSecond: 85_300_000)

  @Test(arguments: [
    (
      120,
      "reading      ████████████░░░░░░░░░░░░░░░░░░   42 %  412 MB of 960 MB    85 MB/s  0:06 left"
    ),
    (80, "reading      ████████░░░░░░░░░░░   42 %  412 MB of 960 MB    85 MB/s  0:06 left"),
    (70, "reading       42 %  412 MB of 960 MB    85 MB/s  0:06 left"),
    (59, "reading       42 %  412 MB of 960 MB    85 MB/s  0:06 left"),
    (58, "reading       42 %  412 MB of 960 MB  0:06 left"),
    (40, "reading       42 %  0:06 left"), (25, "reading       42 %"), (15, "reading"),
    (5, "read"), (1, ""), (0, ""),
  ])
  func fits(width: Int, expected: String) {
    #expect(reading.text(width: width) == expected)
  }

  @Test func staysWithinAnyWidth() {
    for stage in RunProgress.Stage.allCases {
      for total in [nil, 0, 1, 17, UInt64.max] {
        for done in [0, 999, UInt64.max] as [UInt64] {
          for perSecond in [nil, 0, 0.5, 1e30] {
            let line = ProgressLine(
              progress: RunProgress(stage, done: done, total: total), perSecond: perSecond)
            for width in stride(from: 0, through: 130, by: 13) {
              #expect(line.text(width: width).count <= max(0, width - 1))
            }
          }
        }
      }
    }
  }

  @Test func usesPlainCharactersWhereItMust() {
    var line = reading
    line.isUnicode = false
    #expect(line.text(width: 80).hasPrefix("reading      ########...........   42 %"))
  }

  @Test func sayWhatIsKnown() {
    func text(_ progress: RunProgress, _ perSecond: Double? = nil) -> String {
      ProgressLine(progress: progress, perSecond: perSecond).text(width: 60)
    }
    #expect(text(RunProgress(.merging)) == "merging")
    #expect(text(RunProgress(.reading, done: 1_500_000)) == "reading      1.5 MB")
    #expect(
      text(RunProgress(.normalizing, done: 120_000), 40_000)
        == "normalizing  120,000 records   40,000/s")
    #expect(
      text(RunProgress(.writing, done: 512, total: 2048), 1024)
        .hasSuffix("   25 %    512 of 2,048 samples  0:01 left"))
    #expect(
      text(RunProgress(.writing, done: 1, total: 36_001), 10).hasSuffix("1:00:00 left"))
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9_999, "9.9 kB"), (10_000, "10 kB"),
    (999_999, "999 kB"), (1_000_000, "1.0 MB"), (2_340_000_000, "2.3 GB"),
    (UInt64.max, "18446744 TB"),
  ])
  func bytesHaveUnits(count: UInt64, expected: String) {
    #expect(byteText(count) == expected)
  }

  @Test func paceIsSmoothAndBeginsAnew() {
    var pace = Pace()
    pace.add(0, at: 0)
    #expect(pace.perSecond == nil)
    pace.add(100, at: 1000)
    #expect(pace.perSecond == 100)
    pace.add(100, at: 1000)
    #expect(pace.perSecond == 100)
    pace.add(100, at: 4000)
    #expect(pace.perSecond == 50)
    pace.add(5, at: 5000)
    #expect(pace.perSecond == nil)
  }

  /// A display whose time and width a test sets.
  private final class Screen {
    var now: Int64 = 0
    var width = 80
    private(set) var writes: [String] = []
    private(set) lazy var display = ProgressDisplay(
      isUnicode: false, width: { [unowned self] in width }, clock: { [unowned self] in now }
    ) { [unowned self] in writes.append($0) }

    func show(_ done: UInt64, of stage: RunProgress.Stage = .reading, at time: Int64) {
      now = time
      display.show(RunProgress(stage, done: done, total: 1000))
    }
  }

  @Test func drawsTenTimesASecondAtMost() {
    let screen = Screen()
    for time in 0...2400 { screen.show(UInt64(time) / 3, at: Int64(time)) }
    #expect(screen.writes.count == 21)
    #expect(screen.writes.allSatisfy { $0.hasPrefix("\r\u{1B}[K") && !$0.contains("\n") })
  }

  @Test func shortRunsShowNothing() {
    let screen = Screen()
    for time in 0..<400 { screen.show(1, at: Int64(time)) }
    screen.display.clear()
    #expect(screen.writes.isEmpty)
  }

  @Test func isTakenAwayOnceAndDrawnAgain() {
    let screen = Screen()
    screen.show(1, at: 0)
    screen.show(2, at: 400)
    screen.display.clear()
    screen.display.clear()
    #expect(screen.writes.count == 2 && screen.writes[1] == "\r\u{1B}[K")
    screen.show(3, at: 500)
    #expect(screen.writes.count == 3)
  }

  @Test func aNewStageIsToldAtOnce() {
    let screen = Screen()
    screen.show(1, at: 0)
    screen.show(2, at: 400)
    screen.show(0, of: .merging, at: 401)
    #expect(screen.writes.last?.contains("merging") == true)
    screen.show(1, of: .merging, at: 402)
    #expect(screen.writes.count == 2)
  }

  @Test func aNarrowerWindowIsCleanedOfAllRows() {
    let screen = Screen()
    screen.show(1, at: 0)
    screen.show(2, at: 400)
    let length = screen.writes[0].dropFirst(4).count
    #expect(length > 40)
    screen.width = 20
    screen.show(3, at: 500)
    #expect(screen.writes[1].hasPrefix("\r\u{1B}[\((length - 1) / 20)A\u{1B}[J"))
  }

  @Test(
    arguments: [
      ("xterm", true, "", true), ("xterm", true, " -v", true), ("xterm", true, " --json", true),
      ("xterm", true, " -q", false), ("xterm", false, "", false), ("dumb", true, "", false),
      (nil, true, "", false), ("", true, "", false),
    ] as [(String?, Bool, String, Bool)])
  func isForTerminalsOnly(term: String?, isTerminal: Bool, options: String, expected: Bool) {
    let pipeline = FakePipeline(progress: [RunProgress(.reading), RunProgress(.reading, done: 9)])
    let time = Mutex<Int64>(0)
    let surroundings = Surroundings(
      noColor: "1", terminal: term, error: .init(isInteractive: isTerminal, width: 80),
      errorWidth: { 80 },
      clock: {
        time.withLock {
          $0 += 500; return $0
        }
      })
    let result = run("convert a -o x.csv" + options, pipeline: pipeline, surroundings: surroundings)
    #expect(pipeline.convertRequest?.tellsProgress == expected)
    #expect(result.error.contains("\r") == expected)
    // Whatever follows it begins on a clean line.
    if expected, !options.contains("json") {
      #expect(result.error.contains("\r\u{1B}[Kreading      9 B     18 B/s\r\u{1B}[K"))
    }
    #expect(!result.output.contains("\r"))
  }
}
