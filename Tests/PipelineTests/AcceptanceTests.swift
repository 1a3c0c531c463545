import Pipeline
import Platform
import PumpModel
import TestSupport
import Testing

@Suite("Accepted findings")
struct AcceptanceTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.writeOutputs()
    // A dose that stands twice, and basal that overlaps, on the first pump.
    try work.tamper("out.csv", to: "bad.csv") { lines in
      let bolus = lines.firstIndex { $0.contains(":bolus,") } ?? 0
      lines.insert(lines[bolus].replacing(":bolus,", with: ":bolus~2,"), at: bolus)
    }
  }

  private func audit(
    _ file: String?, sources: Bool = false, failsOn: Severity = .error
  ) throws -> ComparisonSummary {
    var inputs = work.sources
    if !sources { inputs.inputs = [] }
    var request = AuditRequest(output: work.path("bad.csv"), sources: inputs)
    request.failsOn = failsOn
    if let file {
      try work.write("accepted.yaml", Array(file.utf8))
      request.accepted = work.path("accepted.yaml")
    }
    return try PumplinePipeline().audit(request) { _ in
    } report: { _ in
    }
  }

  private func day(of summary: ComparisonSummary) throws -> LocalDay {
    let start = try #require(summary.findings[.sampleDoubled]?.first.first?.start)
    // The tests' zone is west of UTC, and the doses lie in its day.
    return LocalDay(daysSince1970: (start.unixSeconds - 4 * 3600).flooredDivision(by: 86_400))
  }

  @Test("An accepted finding is counted apart and fails no run")
  func accepted() throws {
    let plain = try audit(nil)
    #expect(plain.exitStatus == .rejects)
    #expect(plain.findings.mapValues(\.count) == [.sampleDoubled: 1])
    let summary = try audit("accept:\n  - code: sample-doubled\n    reason: seen by hand\n")
    #expect(summary.exitStatus == .ok)
    #expect(summary.findings.isEmpty)
    #expect(summary.acceptedCount == 1)
    #expect(summary.accepted.map(\.acceptance.reason) == ["seen by hand"])
    #expect(summary.accepted.map(\.findings.count) == [1])
    #expect(summary.accepted.map(\.isIdle) == [false])
  }

  @Test("By pump and day, only those of that pump and day are accepted")
  func narrow() throws {
    let day = try day(of: audit(nil))
    func accepts(pump: String, day: LocalDay) throws -> Bool {
      let summary = try audit(
        """
        accept:
          - code: sample-doubled
            pump: \(pump)
            day: \(day.text)
            reason: known
        """)
      #expect(summary.acceptedCount + summary.count(of: .error) == 1)
      #expect(summary.accepted[0].isIdle == (summary.acceptedCount == 0))
      #expect((summary.exitStatus == .ok) == (summary.acceptedCount == 1))
      return summary.acceptedCount == 1
    }
    #expect(try accepts(pump: "90000001", day: day))
    #expect(try !accepts(pump: "90000002", day: day))
    #expect(
      try !accepts(pump: "90000001", day: LocalDay(daysSince1970: day.daysSince1970 + 1)))
  }

  @Test("Findings of the sources are accepted too, beyond the first few, and count for --fail-on")
  func ofSources() throws {
    let plain = try audit(nil, sources: true)
    var lines = "accept:\n  - {code: sample-doubled, reason: known}\n"
    let codes = Set(
      plain.sourceFindings.values.flatMap { $0.first.map(\.finding.code) })
    #expect(!codes.isEmpty)
    for code in codes { lines += "  - {code: \(code.rawValue), reason: known}\n" }
    let summary = try audit(lines, sources: true, failsOn: .warning)
    #expect(summary.sourceFindings.values.allSatisfy { $0.count == 0 })
    #expect(
      summary.acceptedCount == 1 + plain.sourceFindings.values.reduce(0) { $0 + $1.count })
    // The doubled dose still differs from what the sources give.
    #expect(summary.differenceCount == 1)
    #expect(summary.exitStatus == .rejects)
  }

  @Test("What matches nothing is said, and what an earlier entry covers is not idle")
  func idle() throws {
    let summary = try audit(
      """
      accept:
        - code: sample-doubled
          reason: all of them
        - code: log-damaged
          reason: long ago
        - code: sample-doubled
          pump: "90000001"
          reason: this one
      """)
    #expect(summary.accepted.map(\.isIdle) == [false, true, false])
    #expect(summary.accepted.map(\.findings.count) == [1, 0, 0])
    #expect(summary.acceptedCount == 1)
    #expect(summary.accepted[1].acceptance.line == 4)
  }

  @Test(
    "What is wrong in the file is said with its line and column",
    arguments: [
      ("accept:\n  - code: sample-dubled\n    reason: x\n", "2:11", "Did you mean sample-doubled?"),
      ("accept:\n  - code: sample-doubled\n", "2:5", "why the finding is accepted"),
      ("accept:\n  - code: sample-doubled\n    reason: \"  \"\n", "3:13", ""),
      ("accept:\n  - reason: x\n", "2:5", "Docs/Findings.md"),
      ("accept:\n  - code: sample-doubled\n    resaon: x\n", "3:5", "Did you mean reason?"),
      (
        "accept:\n  - code: sample-doubled\n    day: 2026-02-30\n    reason: x\n", "3:10",
        "2026-05-04"
      ),
      ("accept:\n  - code: [a]\n    reason: x\n", "2:11", ""),
      ("accept: all\n", "1:9", "dash"),
      ("findings:\n  - x\n", "1:1", "accept"),
      ("- x\n", "1:1", "accept"),
      ("accept:\n  - code: made-up\n    reason: *x\n", "3:13", "Docs/Audit.md"),
      (
        "accept:\n  - {code: made-up, reason: x}\n  - {code: made-up, reason: y}\n", "3:5", ""
      ),
    ])
  func refused(file: String, place: String, next: String) throws {
    let failure = try #require(throws: RunFailure.self) { try audit(file) }
    #expect(failure.exitStatus == .refused)
    #expect(failure.place == work.path("accepted.yaml") + ":" + place)
    #expect(next.isEmpty || failure.next?.contains(next) == true)
  }

  @Test("A file that is not there leads to 66")
  func missing() throws {
    var request = AuditRequest(output: work.path("bad.csv"), sources: ConvertRequest(inputs: []))
    request.accepted = work.path("nothing.yaml")
    let failure = #expect(throws: RunFailure.self) {
      try PumplinePipeline().audit(request) { _ in
      } report: { _ in
      }
    }
    #expect(failure?.exitStatus == .inputMissing)
  }
}
