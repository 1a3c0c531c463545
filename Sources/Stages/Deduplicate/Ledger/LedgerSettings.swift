import Platform
package import PumpModel

/// What a ledger's first run settled for all later ones (N10).
package struct LedgerSettings: Sendable, Equatable {
  /// The zones, in order; the first holds from the beginning.
  package var zones: [Zone]
  /// How pump time becomes instants.
  package var clock: ClockMode
  /// How much insulin a unit is.
  package var concentration: Concentration

  /// Whether glucose samples are made: from the first run on that asks for them.
  package var makesGlucose: Bool
  /// Whether basal is made of rates of exports: the same.
  package var derivesBasal: Bool

  /// Creates settings.
  package init(
    zones: [Zone], clock: ClockMode, concentration: Concentration, makesGlucose: Bool = false,
    derivesBasal: Bool = false
  ) {
    self.zones = zones
    self.clock = clock
    self.concentration = concentration
    self.makesGlucose = makesGlucose
    self.derivesBasal = derivesBasal
  }

  /// A zone and from when it holds.
  package struct Zone: Sendable, Equatable {
    /// The tzdata name.
    package var name: String
    /// Seconds since 1970 on the pump's wall clock; nil: from the beginning.
    package var fromWall: Int64?

    /// Creates a zone.
    package init(name: String, fromWall: Int64?) {
      self.name = name
      self.fromWall = fromWall
    }
  }
}

extension Ledger {
  /// The settings; nil before the first run.
  package func settings() throws(LedgerError) -> LedgerSettings? {
    try run { () throws(SQLiteError) in
      guard
        let clock = try database.text("SELECT value FROM settings WHERE name = 'clock'")
          .flatMap(ClockMode.init),
        let concentration = try database.text("SELECT value FROM settings WHERE name = 'insulin'")
          .flatMap(Concentration.init)
      else { return nil }
      var zones: [LedgerSettings.Zone] = []
      let statement = try database.prepare("SELECT name, from_wall FROM zones ORDER BY position")
      while try statement.step() {
        zones.append(
          LedgerSettings.Zone(
            name: statement.text(0), fromWall: statement.isNull(1) ? nil : statement.int64(1)))
      }
      let glucose = try database.integer("SELECT value FROM settings WHERE name = 'glucose'") ?? 0
      let derived =
        try database.integer("SELECT value FROM settings WHERE name = 'derived'") ?? 0
      return LedgerSettings(
        zones: zones, clock: clock, concentration: concentration, makesGlucose: glucose != 0,
        derivesBasal: derived != 0)
    }
  }

  /// Keeps settings.
  package func keep(_ settings: LedgerSettings) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      try set("clock", text: settings.clock.rawValue)
      try set("insulin", text: settings.concentration.rawValue)
      try set("glucose", integer: settings.makesGlucose ? 1 : 0)
      try set("derived", integer: settings.derivesBasal ? 1 : 0)
      try database.execute("DELETE FROM zones")
      let insert = try database.prepare("INSERT INTO zones VALUES (?, ?, ?)")
      for (position, zone) in settings.zones.enumerated() {
        insert.bind(1, Int64(position))
        insert.bind(2, zone.name)
        insert.bind(3, zone.fromWall)
        try insert.run()
      }
    }
  }
}
