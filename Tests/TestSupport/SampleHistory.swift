import PumpModel

/// The short histories behind `Samples/`, each named for what it shows.
package enum SampleHistory: String, CaseIterable, Sendable {
  /// A whole day: meals, corrections, an adjusted basal rate, a site change.
  case oneDay = "one-day"
  /// A bolus of which a part is given over an hour, and one that is stopped.
  case comboBolus = "combo-bolus"
  /// Delivery stopped by hand, then by an occlusion.
  case suspension
  /// Daylight saving ends; the clock is set two hours later.
  case clockChange = "clock-change"
  /// A flight from New York to Paris.
  case travel
  /// Two pumps of one account, one after the other.
  case twoPumps = "two-pumps"

  /// The pumps of the history with what happens to each.
  package var pumps: [(pump: PumpIdentity, options: SyntheticPump.Options)] {
    switch self {
    case .oneDay: [(PumpIdentity(1), Self.day)]
    case .comboBolus:
      [
        (
          PumpIdentity(1),
          .quiet(
            minutes: 150, from: Self.noon,
            incidents: [
              .init(10, .combo(grams: 60, percentNow: 40, minutes: 60)),
              .init(90, .comboStopped(grams: 48, percentNow: 30, minutes: 60)),
            ])
        )
      ]
    case .suspension:
      [
        (
          PumpIdentity(1),
          .quiet(
            minutes: 200, from: Self.noon,
            incidents: [
              .init(31, .suspension(minutes: 33)), .init(122, .occlusion(minutes: 17)),
            ])
        )
      ]
    case .clockChange:
      [
        (
          PumpIdentity(1),
          .quiet(
            minutes: 300, from: TestZones.instant(2026, 11, 1, 0, 10, in: TestZones.newYork),
            incidents: [.init(95, .correction(milliUnits: 1250)), .init(229, .setClock)])
        )
      ]
    case .travel:
      [
        (
          PumpIdentity(1),
          .quiet(
            minutes: 300, from: Self.noon,
            incidents: [
              .init(40, .meal(grams: 45)), .init(140, .travel(TestZones.paris)),
              .init(200, .meal(grams: 30)),
            ])
        )
      ]
    case .twoPumps:
      [
        (
          PumpIdentity(2),
          .quiet(minutes: 130, from: Self.noon, incidents: [.init(20, .meal(grams: 50))])
        ),
        (
          PumpIdentity(3),
          .quiet(
            minutes: 130, from: Self.noon + 10_800,
            incidents: [.init(20, .remoteBolus(milliUnits: 1350))])
        ),
      ]
    }
  }

  private static let noon = TestZones.instant(2026, 5, 4, 12, 0, in: TestZones.newYork)

  /// A lively day without sensor readings, which would treble the file and give no sample.
  private static var day: SyntheticPump.Options {
    var options = SyntheticPump.Options(seed: 11)
    options.hasSensor = false
    options.incidents = [.init(1010, .siteChange)]
    return options
  }
}
