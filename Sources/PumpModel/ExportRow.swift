/// One row of an export that holds no pump events: a bolus, a reading, a rate.
///
/// Its times are seconds since 1970-01-01T00:00:00: of the pump's wall clock, or of UTC where
/// `ExportSource.tellsInstants`.
package struct ExportRow: Sendable, Equatable {
  /// The run's reference for the pump, from `DocumentConsumer.pump(serial:)`; 0: unnamed.
  package var pump: UInt32
  /// Which kind of export it stands in.
  package var source: ExportSource
  /// Its own time, which names it (N9): of a bolus, when it was completed.
  package var time: Int64
  /// Its place in the document, which orders rows of one time: a line, or the offset of an element
  /// (`ExportSource.countsLines`); no two rows of a document have the same.
  package var place: UInt64
  /// The source's own id, for sources that name their records; else nil.
  package var name: String?
  /// What it says.
  package var content: Content

  /// Creates a row.
  package init(
    source: ExportSource, pump: UInt32, time: Int64, place: UInt64, name: String? = nil,
    content: Content
  ) {
    self.source = source
    self.pump = pump
    self.time = time
    self.place = place
    self.name = name
    self.content = content
  }

  /// What rows say.
  package enum Content: Sendable, Equatable {
    /// A bolus, or a meal that was told with one.
    case bolus(RowBolus)
    /// A glucose reading, in whole mg/dL from 1 to 1000.
    case reading(glucose: UInt16, isManual: Bool)
    /// A basal rate that held from the row's time on, in whole mU/h from 0 to 15 000, for 1 to
    /// 93 600 seconds.
    case rate(milliunitsPerHour: UInt32, seconds: UInt32)
    /// A meal of a bolus that another record tells, in mg, from 1 to less than 65 535 000; the row has
    /// the name of that record, and its time is the meal's.
    case meal(carbohydrate: UInt32)

    /// Which of them it is.
    package var kind: RowKind {
      switch self {
      case .bolus: .bolus
      case .reading(_, false): .sensor
      case .reading(_, true): .meter
      case .rate: .rate
      case .meal: .meal
      }
    }
  }

  /// The highest reading in mg/dL.
  package static let highestGlucose: UInt16 = 1000
  /// The lowest that a meter shows in mg/dL; smaller numbers are in another unit, whatever is said.
  package static let lowestGlucose: UInt16 = 20
  /// The highest that a meter or sensor shows in mmol/L, made mg/dL; greater numbers are in another unit,
  /// whatever is said.
  package static let highestMillimoles: UInt16 = 600
  /// The highest rate of a pump in mU/h.
  package static let highestRate: UInt32 = 15_000
  /// The longest time between two pieces of evidence that a rate may hold for, in seconds (N4).
  package static let longestRate: UInt32 = 26 * 3600
}

/// What a row is about.
///
/// Raw values are words of the lines between stages.
package enum RowKind: String, Sendable, CaseIterable {
  /// A bolus, or a meal that was told with one.
  case bolus
  /// A sensor's reading.
  case sensor
  /// A meter's reading.
  case meter
  /// A basal rate.
  case rate
  /// A meal of a bolus that another record tells.
  case meal
}

/// Where rows come from: how they are named, and how their times are to be read.
///
/// Raw values are kept in ledgers.
package enum ExportSource: UInt8, Sendable, CaseIterable {
  /// CSV of Tandem Source, or of the older site.
  case csv = 0
  /// JSON of the older site.
  case legacy = 1
  /// Glooko's CSV.
  case glooko = 2
  /// Tidepool's JSON.
  case tidepool = 3
  /// Nightscout treatments.
  case nightscout = 4

  /// The source with a word; nil if it is none's.
  package init?(word: String) {
    guard let source = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = source
  }

  /// The word of reports and of lines.
  package var word: String {
    switch self {
    case .csv: "csv"
    case .legacy: "legacy"
    case .glooko: "glooko"
    case .tidepool: "tidepool"
    case .nightscout: "nightscout"
    }
  }

  /// The flag of samples that a third party tells; none for what the pump's maker told.
  package var flag: SampleMetadata.Flags {
    switch self {
    case .csv, .legacy: []
    case .glooko: .glooko
    case .tidepool: .tidepool
    case .nightscout: .nightscout
    }
  }

  /// The third party whose flag is among others; nil if none is.
  package static func thirdParty(_ flags: SampleMetadata.Flags) -> ExportSource? {
    allCases.first { !$0.flag.isEmpty && flags.contains($0.flag) }
  }

  /// Whether the times of boluses are known to be those of their ends.
  package var tellsEnds: Bool { self != .glooko && self != .tidepool }
  /// Whether the places of rows are lines; else they are offsets in bytes.
  package var countsLines: Bool { self == .csv || self == .glooko }
  /// Whether times are instants, not times of the pump's clock.
  package var tellsInstants: Bool { self == .tidepool || self == .nightscout }
  /// Whether records carry ids of their own.
  package var namesRecords: Bool { tellsInstants }
  /// Whether the meal of a bolus is a record of its own, which names that of the bolus.
  package var tellsMealsApart: Bool { self == .tidepool }
  /// How samples of its rows are named.
  package var scheme: SampleIdentity.Scheme { self == .legacy ? .legacy : .csv }
  /// Whether the name of a row's sample is made of its own time, so that it tells the piece that the
  /// row is in, and no row of another source has it.
  package var namesTimes: Bool { self == .csv || self == .legacy }
}

/// A bolus as a row tells it (N5, N10): it has a part with insulin, or carbohydrate.
package struct RowBolus: Sendable, Equatable {
  /// What was delivered at once, completed at the row's time; nil: the row does not say.
  package var normal: RowDose?
  /// What was delivered over time; nil: there was none.
  package var extended: RowDose?
  /// When the extended part began and ended; the beginning is not after the end.
  package var span: ClosedRange<Int64>?
  /// Carbohydrate in mg, less than 65 535 000; nil: none told.
  package var carbohydrate: UInt32?
  /// When it was asked for, if the row says: the time of its carbohydrate.
  package var requestTime: Int64?
  /// The number that the pump's log gave the end of the dose, if the row tells it.
  package var number: UInt32?
  /// Whether the pump's algorithm gave it.
  package var isAutomatic: Bool
  /// Whether the user overrode the calculator.
  package var isOverride: Bool

  /// The span of a part whose beginning and end a row tells by the pump's clock: the end alone where the
  /// clock was set back in between (N3), nil where none can have been set back by so much.
  package static func span(from start: Int64, until end: Int64) -> ClosedRange<Int64>? {
    start - end <= mostClockShift ? min(start, end)...end : nil
  }

  /// By how many seconds a journey sets a clock at most: zones are 26 hours apart.
  package static let mostClockShift: Int64 = 26 * 3600
  /// More carbohydrate than any meal has, in mg.
  package static let tooMuchCarbohydrate: UInt32 = 65_535_000

  /// Creates a bolus that says nothing.
  package init() {
    isAutomatic = false
    isOverride = false
  }
}

extension RowDose {
  /// How far amounts that others than the pump's maker tell may be from the pump's own, in mIU (N10).
  package static let foreignTolerance: UInt32 = 5
  /// The same of a dose that they name by its number in the pump's log: half a hundredth where it was
  /// rounded, a whole one where it was cut.
  package static let numberedTolerance: UInt32 = 10
  /// The greatest dose of a pump, in mIU.
  package static let greatest: UInt32 = 80_000
  /// The most digits behind a cell's decimal separator that count.
  package static let mostDecimals: UInt8 = 9

  /// Whether a text may be the word for how a dose ended.
  package static func isStatus(_ text: String) -> Bool {
    text.utf8.count <= 100
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}

/// An amount of insulin that a row tells.
package struct RowDose: Sendable, Equatable {
  /// Delivered insulin in mIU of the pump, at most 80 000: the cell rounded to 0.001 IU.
  package var amount: UInt32
  /// How many digits the cell has behind its decimal separator, at most 9.
  package var decimals: UInt8
  /// How it ended, as the row says it: `completed` for the word of a whole delivery, `rejected`
  /// where the pump refused it, other words as they stand; at most 100 bytes without control
  /// characters, nil where the row does not say.
  package var status: String?

  /// Creates a dose.
  package init(amount: UInt32, decimals: UInt8, status: String? = nil) {
    self.amount = amount
    self.decimals = decimals
    self.status = status
  }
}
