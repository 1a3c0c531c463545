import Foundation
import TestSupport
import Testing

/// A year that is imported once and one that is imported as 365 days end in the same outputs.
@Suite("Day by day", .needsBuiltTool)
struct YearTests {
  /// How many days; `PUMPLINE_DAYS=365` takes the whole year.
  private static let days =
    ProcessInfo.processInfo.environment["PUMPLINE_DAYS"].flatMap(Int.init) ?? 5

  /// In which order days are imported.
  enum Order: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case forwards, backwards, shuffled, overlapping

    var testDescription: String { rawValue }
  }

  @Test("One import and an import for each day end in the same", arguments: Order.allCases)
  func orders(order: Order) throws {
    var random = TestRandom(seed: 365)
    let history = YearHistory(days: Self.days)
    #expect(history.cuts.count >= Self.days)
    // A normal bolus, an extended one, a suspension and a change of the clock cross cuts.
    #expect(history.straddling == [55, 59, 11, 14])
    let wanted = try Importer(history.options).run([history.account, history.whole])
    let days =
      switch order {
      case .forwards: history.days()
      case .backwards: Array(history.days().reversed())
      case .shuffled: history.days().shuffled(using: &random)
      case .overlapping: history.days(overlap: 40).shuffled(using: &random)
      }
    let importer = try Importer(history.options)
    try importer.take([history.account])
    for day in days { try importer.take([day]) }
    expectEqual(try importer.run([history.account]), wanted, "\(order), \(random.describe)")
    try importer.verify()
  }
}
