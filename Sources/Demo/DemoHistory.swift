package import PumpModel

/// The history of a demo: pumps that never were, of one wearer, one after the other.
///
/// The same seed, days and pumps give the same history on every host and at any time. It lies around
/// the beginning of daylight saving in New York in 2026, with a journey to Paris a few days in, so that
/// a fortnight shows both.
package struct DemoHistory: Sendable {
  /// The pumps, in the order in which they were worn.
  package let pumps: [Pump]

  /// A pump with what happens to it.
  package struct Pump: Sendable {
    /// Who it is.
    package var identity: PumpIdentity
    /// What its simulation is to be like.
    package var options: SyntheticPump.Options

    /// Its records, in order.
    package var records: [PumpRecord] { Array(SyntheticPump(options)) }
  }

  /// How many days a history may have.
  package static let days = 1...366
  /// How many pumps it may have; each is worn for a day at least.
  package static let pumps = 1...9
  /// The zone to which the clocks are set, but for journeys.
  package static let zone = LawfulZones.newYork

  /// Where the first day of a fortnight lies; longer histories begin earlier and end with it.
  private static let start = LawfulZones.instant(2026, 3, 5, in: zone)
  private static let fortnight = 14

  /// Plans a history; days are shared out among the pumps.
  ///
  /// Numbers outside `days` and `pumps` are taken as the nearest one inside.
  package init(seed: UInt64, days: Int, pumps count: Int) {
    let days = min(max(days, Self.days.lowerBound), Self.days.upperBound)
    let count = min(max(count, Self.pumps.lowerBound), Self.pumps.upperBound, days)
    var random = SeededRandom(seed: seed)
    let first = -max(0, days - Self.fortnight)
    pumps = (0..<count).map { index in
      Self.pump(
        index + 1, seed: random.next(),
        days: first + days * index / count..<first + days * (index + 1) / count,
        isLast: index == count - 1)
    }
  }

  /// The n-th pump, worn on some days, counted from the first one of the fortnight.
  private static func pump(
    _ ordinal: Int, seed: UInt64, days: Range<Int>, isLast: Bool
  ) -> Pump {
    var options = SyntheticPump.Options(seed: seed, days: days.count, zone: zone)
    options.start = midnight(of: days.lowerBound)
    // Nobody changes pumps in no time, and their clocks differ.
    options.minutes = isLast ? 0 : -30
    options.minutes +=
      Int(midnight(of: days.upperBound).unixSeconds - options.start.unixSeconds) / 60
    options.firstNumber = UInt32(4095 + ordinal * 1000)
    options.clockDelayHours = 1...6
    options.driftSecondsPerDay = 0.5
    options.gapsInHundredDays = 8
    options.incidents = stride(from: 0, to: days.count, by: fortnight).flatMap { incidents(on: $0) }
    options.trips = stride(from: 5, to: days.count, by: 60).flatMap { day in
      [
        SyntheticPump.Trip(day: day, zone: LawfulZones.paris),
        SyntheticPump.Trip(day: day + 3, zone: zone),
      ]
    }
    var identity = PumpIdentity.demo(ordinal)
    let end = midnight(of: days.upperBound)
    identity.firstTime = time(options.start, in: zone)
    identity.lastTime = time(end + -1, in: zone)
    identity.lastUpload = time(end + 3600, in: LawfulZones.utc) + "Z"
    return Pump(identity: identity, options: options)
  }

  /// The local midnight at which a day begins, counted from the first one of the fortnight.
  private static func midnight(of day: Int) -> Instant {
    let wall = start.unixSeconds + zone.offset(at: start) + Int64(day) * 86_400
    return zone.readings(ofWall: wall).earlier(wall: wall)
  }

  /// What happens for certain, from a day on; the simulation adds what it leaves to chance.
  private static func incidents(on day: Int) -> [SyntheticPump.Timed] {
    let certain: [(day: Int, minute: Int, what: SyntheticPump.Incident)] = [
      (0, 650, .correction(milliUnits: 1250)), (0, 945, .suspension(minutes: 25)),
      (0, 1250, .combo(grams: 52, percentNow: 60, minutes: 90)),
      (1, 860, .bolusStopped(grams: 34)),
      (1, 1255, .comboStopped(grams: 60, percentNow: 40, minutes: 120)),
      (2, 630, .gap(minutes: 45)), (2, 905, .tempRate(percent: 60, minutes: 60)),
      (3, 660, .occlusion(minutes: 18)), (3, 1000, .remoteBolus(milliUnits: 1350)),
    ]
    return certain.map { .init((day + $0.day) * 1440 + $0.minute, $0.what) }
  }

  /// An instant as a clock of a zone shows it.
  private static func time(_ instant: Instant, in zone: ZoneRules) -> String {
    var bytes: [UInt8] = []
    let wall = instant.unixSeconds + zone.offset(at: instant)
    JSONText.append(time: UInt32(clamping: wall - PumpTime.epochInUnixSeconds), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
