import Demo
package import PumpModel

/// Which history a demo has: the same numbers give the same bytes.
package struct DemoPlan: Sendable, Equatable {
  /// What chance begins with.
  package var seed: UInt64 = 1
  /// How many days it has, one of `DemoRequest.days`.
  package var days = 14
  /// How many pumps were worn, one after the other, one of `DemoRequest.pumps` and no more than days.
  package var pumps = 1

  /// Plans a fortnight with one pump.
  package init() {}
}

/// What `pumpline demo` was asked for: archives of pumps that never were.
package struct DemoRequest: Sendable, Equatable {
  /// The history.
  package var plan = DemoPlan()
  /// The forms in which it is written.
  package var formats: [DocumentFormat] = [.pumpLogs]
  /// The folder for the archives; it is made if it is not there.
  package var folder: String

  /// Creates a request.
  package init(folder: String) { self.folder = folder }
}

extension DemoRequest {
  /// How many days a history may have.
  package static let days = DemoHistory.days
  /// How many pumps it may have.
  package static let pumps = DemoHistory.pumps
  /// The forms that there are.
  package static let formats = DemoArchive.formats
  /// The zone that the pumps' clocks begin and end with.
  package static let zone = DemoHistory.zone.name
}

extension DemoPlan {
  /// The history.
  var history: DemoHistory { DemoHistory(seed: seed, days: days, pumps: pumps) }

  /// Refuses more pumps than days.
  ///
  /// - Throws: `RunFailure` (64).
  func check() throws(RunFailure) {
    guard pumps > days else { return }
    throw RunFailure(
      .usage, what: "\(pumps) pumps cannot be worn in \(days) days, one after the other",
      where: "--pumps", next: "Ask for as many days at least.")
  }
}

extension DemoPlan {
  /// The form of a seed, to end a sentence that begins with "It takes".
  package static let seedForm = "a whole number"
  /// The same of days.
  package static let daysForm = form(DemoRequest.days)
  /// The same of pumps.
  package static let pumpsForm = form(DemoRequest.pumps)

  /// The seed of a text; nil if it is none.
  package static func seed(_ text: String) -> UInt64? { isNumber(text) ? UInt64(text) : nil }

  /// The days of a text; nil if they are none, or too many.
  package static func days(_ text: String) -> Int? { number(text, DemoRequest.days) }

  /// The pumps of a text; nil if they are none, or too many.
  package static func pumps(_ text: String) -> Int? { number(text, DemoRequest.pumps) }

  private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    guard isNumber(text), let number = Int(text), range.contains(number) else { return nil }
    return number
  }

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func form(_ range: ClosedRange<Int>) -> String {
    "a whole number from \(range.lowerBound) to \(range.upperBound)"
  }
}
