import Deduplicate
import Normalize
import Platform
import PumpModel

/// Says why a run that was to hold moves kept nothing, and which zone entry would explain them.
struct HeldMoves {
  let normalization: PumpNormalization
  let ledger: String?

  /// The failure that ends the run.
  func failure(of held: PumpMoves) throws -> RunFailure {
    let distances = held.moves.prefix(3).map { PumpMoves.distance($0.shiftSeconds) }
    let more = held.moves.count > distances.count ? ", …" : ""
    return RunFailure(
      .refused,
      what: "samples of pump \(held.pump.label.name) that were given before would move by "
        + distances.joined(separator: ", ") + more + " (\(held.count)), so nothing was kept",
      where: ledger, next: try advice(held))
  }

  private func advice(_ held: PumpMoves) throws -> String {
    let otherwise = "To let them move, run it again without --hold-moves."
    // One entry moves a whole history by one distance.
    guard held.moves.count == 1, let move = held.moves.first,
      let entry = try entry(of: held.pump, takingBack: move.shiftSeconds), let from = entry.from
    else {
      return "No zone entry explains it: the pump's clock was set by something else than the "
        + "difference of two zones, or the earlier history was placed otherwise. \(otherwise)"
    }
    let offset = entry.rules.readings(ofWall: from).earlier(wall: from)
    return "If the pump went to another zone then, say so: --zone "
      + "\(entry.rules.name)@\(WallTime(secondsSince1970: from).text), or another zone that was at "
      + "\(Self.utc(from - offset.unixSeconds)). \(otherwise)"
  }

  private func entry(
    of pump: LedgerPump, takingBack seconds: Int64
  ) throws -> ZoneSchedule.Entry? {
    let timeline = try normalization.timeline(of: pump)
    // Most journeys end where the pump has been before.
    let known = normalization.schedule.entries.map(\.rules).reversed()
    if let entry = timeline.entry(takingBack: seconds, zones: Array(known)) { return entry }
    let database = ZoneDatabase()
    for names in [Self.largeZones, database.allNames] {
      for name in names {
        guard let rules = try? database.rules(named: name) else { continue }
        if let entry = timeline.entry(takingBack: seconds, zones: [rules]) { return entry }
      }
    }
    return nil
  }

  /// A zone that many people live in for each offset, so that a name is one that a person knows.
  private static let largeZones = [
    "Europe/Berlin", "Europe/London", "America/New_York", "America/Chicago", "America/Denver",
    "America/Los_Angeles", "Europe/Athens", "Europe/Istanbul", "Asia/Dubai", "Asia/Karachi",
    "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo",
    "Australia/Adelaide", "Australia/Sydney", "Pacific/Auckland", "Pacific/Honolulu",
    "America/Anchorage", "America/Halifax", "America/Sao_Paulo", "America/St_Johns",
    "America/Phoenix", "Africa/Lagos", "Africa/Johannesburg", "Australia/Perth",
    "Australia/Brisbane", "Asia/Kathmandu", "Asia/Tehran", "Asia/Kabul", "Asia/Yangon", "UTC",
  ]

  /// An offset as a person reads it, such as UTC+05:30.
  private static func utc(_ seconds: Int64) -> String {
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = (seconds.magnitude / 60)
    return "UTC" + (seconds < 0 ? "-" : "+") + padded(Int64(minutes / 60)) + ":"
      + padded(Int64(minutes % 60))
  }
}
