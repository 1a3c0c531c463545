import Audit
import Emit
import Platform
import PumpModel

/// The zones in which an audit counts local days: those that were given, else those that the output's
/// samples tell, else UTC.
enum AuditDays {
  /// The schedule for an output that lies in a store.
  ///
  /// - Throws: `RunFailure` if a zone that was given is refused, `AuditError` if the store fails.
  static func schedule(of request: ConvertRequest, _ store: SampleStore, _ side: SampleSide) throws
    -> ZoneSchedule
  {
    let known = KnownZones()
    guard request.zones.isEmpty else {
      return try RunSettings(request, held: nil, known: known).schedule
    }
    var entries: [ZoneSchedule.Entry] = []
    for (start, name) in try store.zones(of: side) {
      // Other programs may tell names that are none.
      guard let rules = try? known.rules(named: name) else { continue }
      let wall = start.unixSeconds + Int64(rules.span(at: start).offset)
      if entries.isEmpty {
        entries = [ZoneSchedule.Entry(rules: rules, from: nil)]
      } else if wall > entries.last?.from ?? .min {
        entries.append(ZoneSchedule.Entry(rules: rules, from: wall))
      }
    }
    return ZoneSchedule(entries) ?? .utc
  }
}

extension ZoneSchedule {
  /// The local day of an instant.
  func localDay(at instant: Instant) -> LocalDay {
    let wall = instant.unixSeconds + span(at: instant).offset
    return LocalDay(daysSince1970: wall.flooredDivision(by: 86_400))
  }
}
