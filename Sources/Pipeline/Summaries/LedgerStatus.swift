package import PumpModel

/// What a ledger holds, as `pumpline ledger status` tells it: counts and times, no amounts.
package struct LedgerStatus: Sendable, Equatable {
  /// What it keeps, `events` or `samples`; nil before its first run.
  package var kind: String?
  /// Whether everything in it is made up.
  package var isDemo = false
  /// How many steps led to its tables.
  package var schema: Int
  /// How many bytes its file takes.
  package var bytes: Int
  /// What its first run settled; nil before it, and for a ledger of samples.
  package var settings: Settings?
  /// The documents that were read, by format.
  package var documents: [Documents] = []
  /// How many archives are known.
  package var archives = 0
  /// The pumps, by name.
  package var pumps: [Pump] = []
  /// The outputs that are given changes only, or kept current in their place, by path.
  package var outputs: [Output] = []
  /// When the last pull ended that got all it asked for; nil: never.
  package var lastPull: Instant?
  /// What pulls asked the service, the newest first.
  package var requests: [RequestNote] = []

  /// Creates the status of a ledger that holds nothing.
  package init(kind: String?, schema: Int, bytes: Int) {
    self.kind = kind
    self.schema = schema
    self.bytes = bytes
  }

  /// What a ledger was settled to.
  package struct Settings: Sendable, Equatable {
    /// The zones, those from the beginning first.
    package var zones: [ZoneArgument]
    /// How pump time becomes instants.
    package var clock: ClockMode
    /// How much insulin a unit is.
    package var insulin: Concentration
    /// Whether glucose samples are made.
    package var makesGlucose: Bool
    /// Whether basal is made of rates that exports tell.
    package var derivesBasal: Bool

    /// Creates settings.
    package init(
      zones: [ZoneArgument], clock: ClockMode, insulin: Concentration, makesGlucose: Bool,
      derivesBasal: Bool = false
    ) {
      self.zones = zones
      self.clock = clock
      self.insulin = insulin
      self.makesGlucose = makesGlucose
      self.derivesBasal = derivesBasal
    }
  }

  /// Documents of one format.
  package struct Documents: Sendable, Equatable {
    /// The format's name.
    package var format: String
    /// How many there are.
    package var documents: Int
    /// How many records they hold, each document for itself.
    package var records: Int

    /// Creates a count.
    package init(format: String, documents: Int, records: Int) {
      self.format = format
      self.documents = documents
      self.records = records
    }
  }

  /// An output with a mark of its own, and the samples that it has not been given yet.
  package struct Output: Sendable, Equatable {
    /// The format's name.
    package var format: String
    /// Its absolute path, the name that a pipeline gave it, or `-` for standard output.
    package var target: String
    /// Whether it shows only some pumps, some kinds of insulin and carbs, or some time.
    package var isNarrowed: Bool
    /// Samples that it was never given.
    package var fresh: Int
    /// Samples that it was given otherwise.
    package var revised: Int
    /// Samples that it was given and that are no more.
    package var withdrawn: Int

    /// Creates an output.
    package init(
      format: String, target: String, isNarrowed: Bool, fresh: Int, revised: Int, withdrawn: Int
    ) {
      self.format = format
      self.target = target
      self.isNarrowed = isNarrowed
      self.fresh = fresh
      self.revised = revised
      self.withdrawn = withdrawn
    }
  }

  /// One pump.
  package struct Pump: Sendable, Equatable {
    /// The name that its samples carry.
    package var name: String
    /// Its serial number, if one is known.
    package var serial: String?
    /// The model's name, if it is known.
    package var model: String?
    /// The version of its software, if it is known.
    package var software: String?
    /// The name of the pump that it was proven to be.
    package var sameAs: String?
    /// The assignment ids that lead to it.
    package var assignments: [String] = []
    /// The copies of records in its journal.
    package var records = 0
    /// Its first record, if that has a known time.
    package var first: Instant?
    /// Its last record, if that has a known time.
    package var last: Instant?
    /// The stretches of days of which delivery is known.
    package var days: [ClosedRange<LocalDay>] = []
    /// The time of its clock that pulls fetched, up to its end.
    package var fetched: [Range<WallTime>] = []
    /// Its samples that are not withdrawn, by type.
    package var samples: [SampleType: Int] = [:]
    /// What would still become a sample.
    package var pending = 0
    /// Where delivery is not known.
    package var holes = 0

    /// Creates a pump without records.
    package init(name: String) { self.name = name }
  }
}
