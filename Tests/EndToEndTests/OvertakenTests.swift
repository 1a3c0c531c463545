import Foundation
import TestSupport
import Testing

/// A run that another one overtakes, wherever it is, ends as if it had been alone: between them
/// everything is given, and nothing twice.
@Suite("Runs that are overtaken", .needsBuiltTool)
struct OvertakenTests {
  private static let hasRunPoints: Bool = {
    guard BuiltTool.exists, let nights = try? Nights(.whole) else { return false }
    return (try? nights.run(1, ["PUMPLINE_DIE_AT": "1"]))?.code == 9
  }()

  /// What the other run is.
  enum Other: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case twin = "one that gives the same"
    case stranger = "one that gives something else"
    case failing = "one that gives nothing, since it fails"

    var testDescription: String { rawValue }

    /// Its arguments, from those of the first, and how it ends if it is let.
    func arguments(_ first: [String]) -> (arguments: [String], code: Int32) {
      switch self {
      case .twin: (first + ["--wait", "0"], 0)
      case .stranger:
        (["convert", "first.json", "--ledger", "ledger", "-o", "other.csv", "--wait", "0"], 0)
      case .failing: (first + ["--wait", "0", "missing.json"], 66)
      }
    }
  }

  @Test(
    "At every point, by another run", .enabled(if: hasRunPoints, "a release build has no points"),
    arguments: Other.allCases, [Nights.Outputs.changes, .allChanges])
  func everyPoint(other: Other, outputs: Nights.Outputs) throws {
    let nights = try Nights(outputs, seed: 10)
    let standard = ["--to", "samples", "--output", "-"]
    let (first, second) = (nights.arguments(1) + standard, nights.arguments(2) + standard)
    #expect(try BuiltTool.run(first, in: nights.url).code == 0)
    let start = try nights.saved()
    let alone = try BuiltTool.run(second, in: nights.url)
    #expect(alone.code == 0)
    #expect(lines(alone).count > 20)
    let new = try nights.contents
    var point = 0
    var (overtaken, afterwards) = (0, 0)
    var hasStopped = true
    while hasStopped {
      point += 1
      try nights.restore(start)
      var between: BuiltTool.Outcome?
      let run = try BuiltTool.run(second, in: nights.url, stoppingAt: point) {
        between = try BuiltTool.run(other.arguments(second).arguments, in: nights.url)
      }
      hasStopped = run.hasStopped
      let place = "\(other), \(outputs), point \(point)"
      #expect(run.outcome.code == 0, "\(place): \(run.outcome.errors)")
      let codes = [75, other.arguments(second).code]
      #expect(between.map { codes.contains($0.code) } ?? true, "\(place): \(between?.errors ?? "")")
      let given = lines(run.outcome) + (other == .stranger ? [] : between.map(lines) ?? [])
      #expect(given.sorted() == lines(alone).sorted(), "\(place)")
      #expect(try nights.differing(from: new) == [], "\(place)")
      #expect(try nights.leftovers == [], "\(place)")
      guard let between, between.code != 75 else { continue }
      overtaken += 1
      if lines(run.outcome).isEmpty { afterwards += 1 }
    }
    #expect(overtaken > 4)
    #expect(afterwards > 0 || other != .twin)
  }

  private func lines(_ outcome: BuiltTool.Outcome) -> [Substring] {
    outcome.output.split(separator: "\n")
  }
}
