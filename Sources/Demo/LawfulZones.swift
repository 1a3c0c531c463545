package import PumpModel

/// Zone rules computed from the law's own words, without any zone data.
///
/// The check on what Platform reads from the system, and the zones of synthetic pumps. They hold
/// for the years 2008 to 2043.
package enum LawfulZones {
  /// Coordinated universal time.
  package static let utc = ZoneRules(name: "UTC", firstOffset: 0, transitions: [])
  /// Eastern time: second Sunday of March to first Sunday of November, 02:00 local.
  package static let newYork = american("America/New_York", standard: -5)
  /// Pacific time, by the same law.
  package static let losAngeles = american("America/Los_Angeles", standard: -8)
  /// Central European time: last Sundays of March and October, 01:00 UTC.
  package static let paris = european("Europe/Paris", standard: 1)
  /// Nine hours ahead, no daylight saving.
  package static let tokyo = ZoneRules(name: "Asia/Tokyo", firstOffset: 32_400, transitions: [])

  /// All of them.
  package static let all = [utc, newYork, losAngeles, paris, tokyo]

  /// The instant at which a zone's wall clock shows a time, the earlier of two.
  package static func instant(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0,
    in zone: ZoneRules
  ) -> Instant {
    let days = CivilTime.days(year: year, month: month, day: day)
    let wall = days * 86_400 + Int64(hour * 3600 + minute * 60)
    return zone.readings(ofWall: wall).earlier(wall: wall)
  }

  private static let years = 2008...2043

  private static func american(_ name: String, standard: Int64) -> ZoneRules {
    let offset = Int32(standard * 3600)
    let transitions = years.flatMap { year in
      [
        ZoneRules.Transition(
          at: Instant(unixSeconds: sunday(2, of: 3, in: year) * 86_400 + (2 - standard) * 3600),
          offset: offset + 3600),
        ZoneRules.Transition(
          at: Instant(unixSeconds: sunday(1, of: 11, in: year) * 86_400 + (1 - standard) * 3600),
          offset: offset),
      ]
    }
    return ZoneRules(name: name, firstOffset: offset, transitions: transitions)
  }

  private static func european(_ name: String, standard: Int64) -> ZoneRules {
    let offset = Int32(standard * 3600)
    let transitions = years.flatMap { year in
      [
        ZoneRules.Transition(
          at: Instant(unixSeconds: lastSunday(of: 3, in: year) * 86_400 + 3600),
          offset: offset + 3600),
        ZoneRules.Transition(
          at: Instant(unixSeconds: lastSunday(of: 10, in: year) * 86_400 + 3600), offset: offset),
      ]
    }
    return ZoneRules(name: name, firstOffset: offset, transitions: transitions)
  }

  /// The day, from 1970, of a month's n-th Sunday; 1970-01-01 was a Thursday.
  private static func sunday(_ count: Int64, of month: Int, in year: Int) -> Int64 {
    let first = CivilTime.days(year: year, month: month, day: 1)
    return first + (3 - first % 7 + 7) % 7 + (count - 1) * 7
  }

  /// The day, from 1970, of a 31-day month's last Sunday.
  private static func lastSunday(of month: Int, in year: Int) -> Int64 {
    let last = CivilTime.days(year: year, month: month, day: 31)
    return last - (last % 7 + 4) % 7
  }
}
