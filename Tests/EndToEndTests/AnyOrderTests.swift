import PumpModel
import TestSupport
import Testing

/// Samples depend on the set of what was read, and on nothing else.
@Suite("Any order, any cut", .needsBuiltTool)
struct AnyOrderTests {
  private static func whole(_ history: RandomHistory) throws -> LedgerContent {
    try Importer(history.options).run([history.account, history.wholeAnswer])
  }

  @Test(
    "The order of documents and of the events in them does not matter", arguments: Seeds.first(4))
  func permutation(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let history = RandomHistory(&random)
    let wanted = try Self.whole(history)
    let shuffled = Document(
      "shuffled.json", history.pumpLogs(history.records.shuffled(using: &random)))
    let documents = (history.windows(3, &random) + [shuffled, history.account])
      .shuffled(using: &random)
    let content = try Importer(history.options).run(documents)
    expectEqual(content, wanted, random.describe)
  }

  @Test("A history cut into windows that overlap is the same history", arguments: Seeds.first(4))
  func windowsInOneRun(seed: UInt64) throws {
    var random = TestRandom(seed: 1000 + seed)
    let history = RandomHistory(&random)
    let count = random.integer(1...12)
    let documents = [history.account] + history.windows(count, &random).shuffled(using: &random)
    let content = try Importer(history.options).run(documents)
    expectEqual(content, try Self.whole(history), "\(random.describe), \(count) windows")
  }

  @Test(
    "Imports one after the other, in any order, end where one import ends",
    arguments: Seeds.first(6))
  func windowsRunByRun(seed: UInt64) throws {
    var random = TestRandom(seed: 2000 + seed)
    let history = RandomHistory(&random)
    let wanted = try Self.whole(history)
    let count = random.integer(2...8)
    let importer = try Importer(history.options)
    // The account comes first: a name that a ledger gave is never changed.
    try importer.run([history.account])
    var content: LedgerContent?
    for document in history.windows(count, &random).shuffled(using: &random) {
      content = try importer.run([document])
    }
    expectEqual(try #require(content), wanted, "\(random.describe), \(count) runs")
  }

  @Test("Two pumps do not change each other, whichever came first", arguments: Seeds.first(2))
  func twoPumps(seed: UInt64) throws {
    var random = TestRandom(seed: 3000 + seed)
    let first = RandomHistory(pump: 1, &random)
    let second = RandomHistory(pump: 2, &random)
    let account = Document("account.json", PumperDocument.bytes([first.pump, second.pump]))
    let windows = first.windows(2, &random) + second.windows(2, &random)
    let wanted = try Importer(first.options).run([account] + windows)
    let importer = try Importer(first.options)
    try importer.run([account])
    var content: LedgerContent?
    for document in windows.shuffled(using: &random) { content = try importer.run([document]) }
    expectEqual(try #require(content), wanted, random.describe)
  }

  @Test("Importing again changes nothing", arguments: Seeds.first(1))
  func again(seed: UInt64) throws {
    var random = TestRandom(seed: 4000 + seed)
    let history = RandomHistory(&random)
    let importer = try Importer(history.options)
    let first = try importer.run([history.account, history.wholeAnswer])
    let second = try importer.run(history.windows(3, &random) + [history.account])
    expectEqual(second, first, random.describe)
  }

  @Test("Glucose, when asked for, obeys the same law", arguments: Seeds.first(1))
  func glucose(seed: UInt64) throws {
    var random = TestRandom(seed: 5000 + seed)
    let history = RandomHistory(&random)
    let options = ["--include", "glucose"]
    let wanted = try Importer(history.options + options)
      .run([history.account, history.wholeAnswer])
    let content = try Importer(history.options + options)
      .run([history.account] + history.windows(5, &random))
    expectEqual(content, wanted, random.describe)
  }
}
