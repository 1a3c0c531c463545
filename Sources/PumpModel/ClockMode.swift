/// How pump time becomes instants (N3).
package enum ClockMode: String, Sendable, CaseIterable {
  /// By clock-change records where a pump has any, else by the zone's rules.
  case auto
  /// By clock-change records; without any, one stretch with the zone's offset at its newest event.
  case records
  /// By the zone's rules, date by date.
  case zone
}
