import Foundation
import TestSupport
import Testing

/// A run that dies at any instant loses, doubles and half-writes nothing: every output is whole or
/// the old one, and the next run gives what an uninterrupted one would have.
@Suite("Runs that die", .needsBuiltTool)
struct CrashTests {
  /// SIGKILL, as the shell and Foundation count it.
  private static let killed: Int32 = 9

  /// Whether the tool knows the points at which a test can end it.
  private static let hasRunPoints: Bool = {
    guard BuiltTool.exists, let nights = try? Nights(.whole) else { return false }
    return (try? nights.run(1, ["PUMPLINE_DIE_AT": "1"]))?.code == killed
  }()

  @Test(
    "At every point of the second night",
    .enabled(if: hasRunPoints, "a release build has no points"),
    arguments: Nights.Outputs.allCases)
  func everyPoint(outputs: Nights.Outputs) throws {
    let nights = try Nights(outputs)
    try nights.succeed(1)
    let (old, start) = (try nights.contents, try nights.saved())
    try nights.succeed(2)
    let new = try nights.contents
    #expect(try nights.changes().values.allSatisfy { $0 > 0 }, "the history shows nothing")
    var point = 0
    while true {
      point += 1
      try nights.restore(start)
      let outcome = try nights.run(2, ["PUMPLINE_DIE_AT": "\(point)"])
      guard outcome.code == Self.killed else {
        #expect(outcome.code == 0)
        break
      }
      #expect(try nights.broken(old, new) == [], "point \(point)")
      try nights.succeed(2)
      #expect(try nights.differing(from: new) == [], "point \(point)")
      #expect(try nights.leftovers == [], "point \(point)")
    }
    #expect(point > 20)
  }

  @Test(
    "At every point of the first night", .enabled(if: hasRunPoints, "a release build has no points")
  )
  func everyPointOfTheFirst() throws {
    let nights = try Nights(.changes, seed: 2)
    let start = try nights.saved()
    try nights.succeed(1)
    let new = try nights.contents
    var point = 0
    while true {
      point += 1
      try nights.restore(start)
      guard try nights.run(1, ["PUMPLINE_DIE_AT": "\(point)"]).code == Self.killed else { break }
      #expect(try nights.broken([:], new) == [], "point \(point)")
      try nights.succeed(1)
      // Another ledger counts in the same way, so even databases are equal.
      #expect(try nights.differing(from: new) == [], "point \(point)")
      #expect(try nights.leftovers == [], "point \(point)")
    }
    #expect(point > 20)
  }

  @Test(
    "Twice: the run that is to recover dies too",
    .enabled(if: hasRunPoints, "a release build has no points"), arguments: Seeds.first(1))
  func twice(seed: UInt64) throws {
    var random = TestRandom(seed: 7700 + seed)
    let nights = try Nights(.changes, seed: seed)
    try nights.succeed(1)
    let (old, start) = (try nights.contents, try nights.saved())
    try nights.succeed(2)
    let new = try nights.contents
    for _ in 0..<12 {
      try nights.restore(start)
      let points = [random.integer(14...25), random.integer(1...25), random.integer(1...25)]
      for point in points {
        try nights.run(2, ["PUMPLINE_DIE_AT": "\(point)"])
        #expect(try nights.broken(old, new) == [], "\(random.describe), points \(points)")
      }
      try nights.succeed(2)
      #expect(try nights.differing(from: new) == [], "\(random.describe), points \(points)")
      #expect(try nights.leftovers == [], "\(random.describe), points \(points)")
    }
  }

  /// How many runs are killed at random times; `PUMPLINE_KILLS=200` kills more than usual.
  private static let kills =
    ProcessInfo.processInfo.environment["PUMPLINE_KILLS"].flatMap(Int.init) ?? 12

  @Test("At random times", arguments: Nights.Outputs.allCases)
  func randomTimes(outputs: Nights.Outputs) throws {
    var random = TestRandom(seed: 4400)
    let nights = try Nights(outputs, seed: 3)
    try nights.succeed(1)
    let (old, start) = (try nights.contents, try nights.saved())
    let clock = ContinuousClock()
    let usual = try clock.measure { try nights.succeed(2) }
    let new = try nights.contents
    for kill in 0..<(Self.kills + 2) / 3 {
      try nights.restore(start)
      // A run that is faster than usual ends by itself; that is a case too.
      let delay = usual * random.integer(0...1000) / 1000
      try BuiltTool.kill(nights.arguments(2), in: nights.url, after: delay)
      let broken = try nights.broken(old, new)
      #expect(broken == [], "kill \(kill) after \(delay)")
      try nights.succeed(2)
      let differing = try nights.differing(from: new)
      #expect(differing == [], "kill \(kill) after \(delay)")
      #expect(try nights.leftovers == [], "kill \(kill) after \(delay)")
    }
  }

  @Test(
    "SIGINT at every point ends with 130, with nothing changed or all of it",
    .enabled(if: hasRunPoints, "a release build has no points"))
  func interrupted() throws {
    let nights = try Nights(.changes)
    try nights.succeed(1)
    let (old, start) = (try nights.contents, try nights.saved())
    try nights.succeed(2)
    let new = try nights.contents
    var point = 0
    var states: Set<Bool> = []
    while true {
      point += 1
      try nights.restore(start)
      let outcome = try nights.run(2, ["PUMPLINE_INTERRUPT_AT": "\(point)"])
      if outcome.code == 0 { break }
      #expect(outcome.code == 130, "point \(point): \(outcome.errors)")
      let isOld = try nights.contents == old
      #expect(try isOld || nights.contents == new, "point \(point)")
      #expect(outcome.errors.contains("nothing was changed") == isOld)
      states.insert(isOld)
      #expect(try nights.leftovers == [], "point \(point)")
      try nights.succeed(2)
      #expect(try nights.differing(from: new) == [], "point \(point)")
    }
    #expect(states == [true, false])
  }
}
