import PumpModel
import TestSupport
import Testing

/// A ledger that forgot a document holds what one holds that never read it.
@Suite("Forgetting", .needsBuiltTool)
struct ForgettingTests {
  @Test("Of imports and forgettings the documents that remain decide", arguments: Seeds.first(4))
  func remaining(seed: UInt64) throws {
    var random = TestRandom(seed: 7000 + seed)
    let history = RandomHistory(&random)
    let windows = history.windows(random.integer(2...5), &random).shuffled(using: &random)
    let importer = try Importer(history.options)
    try importer.run([history.account])
    for window in windows { try importer.run([window]) }
    try importer.verify()
    let kept = windows.filter { _ in random.happens(inThousand: 500) }
    for window in windows where !kept.contains(where: { $0.name == window.name }) {
      try importer.forget(window)
    }
    try importer.verify()
    let content = try importer.run([history.account])
    let wanted = try Importer(history.options).run([history.account] + kept)
    expectEqual(content, wanted, "\(random.describe), \(kept.count) of \(windows.count) windows")
    for window in windows.shuffled(using: &random) { try importer.run([window]) }
    expectEqual(
      try importer.run([history.account]),
      try Importer(history.options).run([history.account] + windows), random.describe)
    try importer.verify()
  }
}
