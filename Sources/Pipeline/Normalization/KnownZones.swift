import Platform
import PumpModel

/// The rules of zones that a run has asked for: each is looked up once.
final class KnownZones {
  private let database = ZoneDatabase()
  private var known: [String: ZoneRules] = [:]

  /// Whether the system's zone data work at all.
  var areUsable: Bool { database.isUsable }

  /// The rules of a zone.
  ///
  /// - Throws: `ZoneError` with the nearest names if the name is not accepted.
  func rules(named name: String) throws(ZoneError) -> ZoneRules {
    if let rules = known[name] { return rules }
    let rules = try database.rules(named: name)
    known[name] = rules
    return rules
  }
}
