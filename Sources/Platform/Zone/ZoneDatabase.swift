#if canImport(FoundationInternationalization)
import FoundationEssentials
import FoundationInternationalization
#else
import Foundation
#endif
package import PumpModel

/// Turns zone names that people type into rules.
///
/// Accepted are exact tzdata names with a `/`, and `UTC` (N3). The answer never depends on the
/// host's zone or locale.
package struct ZoneDatabase: Sendable {
  private let names: ZoneNames

  /// A database of the system's zones.
  package init() { names = ZoneNames(folder: "/usr/share/zoneinfo") }

  init(names: ZoneNames) { self.names = names }

  /// The rules of a zone.
  ///
  /// Costs a tenth of a millisecond and more the first time: callers keep what they get.
  ///
  /// - Throws: `ZoneError` with the nearest names if the name is not accepted.
  package func rules(named name: String) throws(ZoneError) -> ZoneRules {
    guard names.accept(name), let zone = TimeZone(identifier: name) else {
      throw ZoneError(name: name, nearest: names.nearest(to: name))
    }
    return Self.sample(zone, name)
  }

  /// Every accepted name, in order.
  package var allNames: [String] { names.all() }

  /// Whether the system's zone data work at all.
  ///
  /// They do not in a process without Foundation's zone data; every name would be refused then.
  package var isUsable: Bool {
    let winter = Date(timeIntervalSince1970: 1_767_225_600)
    return TimeZone(identifier: "America/New_York")?.secondsFromGMT(for: winter) == -18_000
  }

  /// From 2007-12-01: a month before pump time begins.
  private static let firstSecond: Int64 = 1_196_467_200
  /// To 2146-01-01: past the end of pump time.
  private static let lastSecond: Int64 = 5_554_051_200

  private static func sample(_ zone: TimeZone, _ name: String) -> ZoneRules {
    func offset(_ date: Date) -> Int32 { Int32(zone.secondsFromGMT(for: date)) }
    var date = Date(timeIntervalSince1970: TimeInterval(firstSecond))
    let end = Date(timeIntervalSince1970: TimeInterval(lastSecond))
    let first = offset(date)
    var transitions: [ZoneRules.Transition] = []
    var held = first
    // Foundation tells every change of the rules, also those that leave the offset as it was.
    while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next <= end {
      let found = offset(next)
      if found != held {
        let second = Int64(next.timeIntervalSince1970)
        transitions.append(.init(at: Instant(unixSeconds: second), offset: found))
        held = found
      }
      date = next
    }
    return ZoneRules(name: name, firstOffset: first, transitions: transitions)
  }
}

/// A zone name that is not accepted.
package struct ZoneError: Error, Equatable, Sendable {
  /// The name as it was typed.
  package let name: String
  /// Up to three names that may have been meant, the likeliest first.
  package let nearest: [String]
}
