package import PumpModel

extension SyntheticPump {
  /// What a simulation is to be like.
  package struct Options: Sendable {
    /// The seed of everything that is left to chance.
    package var seed: UInt64
    /// The true time at which the log begins.
    package var start: Instant
    /// How long the log runs.
    package var minutes: Int
    /// The zone in which the wearer lives.
    package var zone: ZoneRules
    /// Journeys: from such a day on, counted from 0, the wearer is in another zone.
    package var trips: [Trip] = []
    /// What happens at set minutes, beside what is left to chance.
    package var incidents: [Timed] = []
    /// Whether days are lived: meals, corrections, site changes, alarms.
    ///
    /// If not, only heartbeats, midnights and `incidents` are written.
    package var isLively = true
    /// Whether a sensor's reading is written every five minutes; a lively pump's algorithm sees
    /// glucose all the same.
    package var hasSensor = true
    /// Whether the pump adjusts basal by itself; if not, the profile's segments show as [3].
    package var hasAlgorithm = true
    /// The number before that of the first record.
    package var firstNumber: UInt32 = 4095
    /// The number of the first bolus.
    package var firstBolus: UInt16 = 1401
    /// The sequence group.
    package var group: UInt32 = 0
    /// Whether the wearer sets the clock when it has become wrong.
    package var setsClock = true
    /// Hours from a daylight-saving change, or a landing, until the wearer sets the clock.
    package var clockDelayHours = 1...30
    /// By how much the clock runs fast.
    package var driftSecondsPerDay = 0.0
    /// How many times in a hundred days a piece of the log is lost.
    package var gapsInHundredDays = 0
    /// How many times in a hundred days the pump loses power and forgets the date.
    package var powerLossesInHundredDays = 0

    /// So many days from the start of 2026-05-04 in New York, unless said otherwise.
    package init(seed: UInt64 = 1, days: Int = 1, zone: ZoneRules = LawfulZones.newYork) {
      self.seed = seed
      self.zone = zone
      minutes = days * 1440
      start = LawfulZones.instant(2026, 5, 4, in: zone)
    }

    /// A log of so many minutes with nothing but heartbeats and the incidents given.
    package static func quiet(
      minutes: Int, from start: Instant, zone: ZoneRules = LawfulZones.newYork,
      incidents: [Timed] = []
    ) -> Options {
      var options = Options(zone: zone)
      options.start = start
      options.minutes = minutes
      options.incidents = incidents
      options.isLively = false
      options.hasSensor = false
      options.setsClock = false
      return options
    }
  }

  /// A journey.
  package struct Trip: Sendable {
    /// The day, counted from 0; the wearer lands around its noon.
    package var day: Int
    /// Where to.
    package var zone: ZoneRules

    /// Plans a journey.
    package init(day: Int, zone: ZoneRules) {
      self.day = day
      self.zone = zone
    }
  }

  /// Something that happens at a set minute.
  package struct Timed: Sendable {
    /// Minutes from the start.
    package var minute: Int
    /// What happens.
    package var what: Incident

    /// Plans something.
    package init(_ minute: Int, _ what: Incident) {
      self.minute = minute
      self.what = what
    }
  }

  /// What can happen to a pump and its wearer.
  package enum Incident: Sendable, Equatable {
    /// A meal with a bolus all at once.
    case meal(grams: Int)
    /// A meal with a bolus of which a part is given over time.
    case combo(grams: Int, percentNow: Int, minutes: Int)
    /// The same, stopped by the user after some of the later part.
    case comboStopped(grams: Int, percentNow: Int, minutes: Int)
    /// A bolus without carbohydrate, on the pump's screen.
    case correction(milliUnits: Int)
    /// The same, by the algorithm.
    case automaticCorrection(milliUnits: Int)
    /// A bolus from a phone, of another size than the calculator said.
    case remoteBolus(milliUnits: Int)
    /// A bolus that the user stops after a part.
    case bolusStopped(grams: Int)
    /// A request that is never followed by anything.
    case requestOnly(grams: Int)
    /// A request that the pump rejects.
    case rejected(grams: Int)
    /// Delivery stopped by the user.
    case suspension(minutes: Int)
    /// Delivery stopped by an occlusion alarm.
    case occlusion(minutes: Int)
    /// Cartridge, tubing and cannula.
    case siteChange
    /// A temporary rate, in percent of the profile.
    case tempRate(percent: Int, minutes: Int)
    /// A fingerstick.
    case fingerstick(Int)
    /// Sleep begins or ends.
    case sleep(Bool)
    /// An alert that clears itself.
    case alert(UInt32)
    /// A sensor alert, seen and cleared.
    case sensorAlert
    /// A record of an id that no list explains.
    case unknown
    /// A piece of the log is lost.
    case gap(minutes: Int)
    /// The pump loses power and starts again in 2008.
    case powerLoss(minutes: Int)
    /// The wearer is in another zone and sets the clock at once.
    case travel(ZoneRules)
    /// The wearer sets the clock to the zone's time.
    case setClock
  }
}
