import Deduplicate
import Platform
import PumpModel

/// The settings of a run: what was asked for, joined with what the ledger was settled to (N10).
struct RunSettings {
  /// The settings to keep.
  let kept: LedgerSettings
  /// The zones with their rules.
  let schedule: ZoneSchedule
  /// Whether they differ from the ledger's, so that all is to be normalized again.
  let areNew: Bool

  /// Joins a request with a ledger's settings, nil before its first run; `known` gives the rules
  /// of zones.
  ///
  /// - Throws: `RunFailure`: 64 if no zone is known or one is refused, 78 if the ledger refuses.
  init(
    _ request: ConvertRequest, held: LedgerSettings?, known: KnownZones
  ) throws(RunFailure) {
    guard known.areUsable else {
      throw RunFailure(
        .internal, what: "the time zone data of this system cannot be used",
        next: "Install the package tzdata.")
    }
    for zone in request.zones { _ = try Self.rules(zone.name, known) }
    let zones = try Self.zones(request, held)
    let clock = request.clock ?? held?.clock ?? .auto
    if let held, held.clock != clock, !request.rezones {
      throw Self.refusal("another clock mode, \(held.clock.rawValue)")
    }
    let insulin = request.insulin ?? held?.concentration ?? .u100
    if let held, held.concentration != insulin {
      throw RunFailure(
        .refused,
        what: "the ledger was made for \(held.concentration.rawValue) insulin, "
          + "and amounts of two concentrations must not be mixed",
        next: "Leave --insulin out, or use another ledger.")
    }
    let settings = LedgerSettings(
      zones: zones, clock: clock, concentration: insulin,
      makesGlucose: request.selection.includesGlucose || held?.makesGlucose ?? false,
      derivesBasal: request.selection.includesDerivedBasal || held?.derivesBasal ?? false)
    kept = settings
    areNew = held != settings
    var entries: [ZoneSchedule.Entry] = []
    for zone in zones {
      entries.append(
        ZoneSchedule.Entry(rules: try Self.rules(zone.name, known), from: zone.fromWall))
    }
    guard let schedule = ZoneSchedule(entries) else { throw Self.noBeginning }
    self.schedule = schedule
  }

  /// The zones of a run: the ledger's, those given, or the ledger's with later ones added.
  private static func zones(
    _ request: ConvertRequest, _ held: LedgerSettings?
  ) throws(RunFailure) -> [LedgerSettings.Zone] {
    let given = request.zones.map { LedgerSettings.Zone(name: $0.name, fromWall: $0.from) }
    guard let held = held?.zones, !held.isEmpty else {
      guard given.first?.fromWall == nil, !given.isEmpty else { throw noBeginning }
      return given
    }
    guard !given.isEmpty else { return held }
    if given.first?.fromWall == nil {
      if given.starts(with: held) { return given }
    } else if let joined = joined(held, given) {
      return joined
    }
    guard request.rezones else { throw refusal("other zones") }
    guard given.first?.fromWall == nil else { throw noBeginning }
    return given
  }

  /// The ledger's zones with new entries after them; nil if an entry would change what held.
  private static func joined(
    _ held: [LedgerSettings.Zone], _ given: [LedgerSettings.Zone]
  ) -> [LedgerSettings.Zone]? {
    var joined = held
    for zone in given where !held.contains(zone) {
      guard let from = zone.fromWall, from > joined.last?.fromWall ?? .min else { return nil }
      joined.append(zone)
    }
    return joined
  }

  private static func rules(
    _ name: String, _ known: KnownZones
  ) throws(RunFailure) -> ZoneRules {
    do {
      return try known.rules(named: name)
    } catch {
      let nearest = error.nearest.joined(separator: ", ")
      throw RunFailure(
        .usage, what: "this is not a time zone's name in the tz database: \(error.name)",
        where: "--zone",
        next: nearest.isEmpty
          ? "Give a name such as Europe/Berlin or America/New_York."
          : "Did you mean \(nearest)?")
    }
  }

  private static let noBeginning = RunFailure(
    .usage, what: "no time zone is given that holds from the beginning",
    where: "--zone",
    next: "A pump shows local time and knows no zone: name the one it was in, "
      + "such as --zone America/New_York.")

  private static func refusal(_ what: String) -> RunFailure {
    RunFailure(
      .refused, what: "the ledger was made with \(what)",
      next: "Leave the option out, or normalize everything again with --rezone.")
  }
}
