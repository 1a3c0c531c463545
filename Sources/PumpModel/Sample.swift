/// A sample that a person can own: a dose of insulin, a meal, a glucose reading.
public struct Sample: Sendable, Equatable {
  /// The raw fields that name the sample within its pump.
  public var identity: SampleIdentity
  /// When it began; equal to `end` for instants.
  public var start: Instant
  /// When it ended; never before `start`.
  public var end: Instant
  /// The amount in the working unit of the kind: µIU, mIU, mg or mg/dL (`SampleKind.unit`).
  public var amount: Int64
  /// What is known beside the amount.
  public var metadata: SampleMetadata

  /// Creates a sample.
  @inlinable
  public init(
    identity: SampleIdentity, start: Instant, end: Instant, amount: Int64,
    metadata: SampleMetadata = SampleMetadata()
  ) {
    self.identity = identity
    self.start = start
    self.end = end
    self.amount = amount
    self.metadata = metadata
  }
}

/// What a sample is, which is also the last word of its external id (N9).
///
/// The raw values are kept in ledgers.
public enum SampleKind: UInt8, Sendable, CaseIterable {
  /// Basal insulin of one opening piece of evidence; µIU.
  case basal = 0
  /// The normal part of a bolus; mIU.
  case bolus = 1
  /// The extended part of a bolus; mIU.
  case extended = 2
  /// A meal; mg.
  case carbs = 3
  /// A sensor's glucose reading; mg/dL.
  case cgm = 4
  /// A fingerstick; mg/dL.
  case meter = 5

  /// The sample's type in CSV, SQLite and NDJSON.
  public var type: SampleType {
    switch self {
    case .basal: .basal
    case .bolus, .extended: .bolus
    case .carbs: .carbohydrates
    case .cgm: .sensorGlucose
    case .meter: .meterGlucose
    }
  }

  /// The last part of the external id.
  public var idSuffix: String {
    switch self {
    case .basal: "basal"
    case .bolus: "bolus"
    case .extended: "extended"
    case .carbs: "carbs"
    case .cgm: "cgm"
    case .meter: "meter"
    }
  }

  /// How many decimal digits the working unit has below the written one.
  public var decimals: Int {
    switch self {
    case .basal: 6
    case .bolus, .extended, .carbs: 3
    case .cgm, .meter: 0
    }
  }
}

/// The type of a sample, as outputs name it.
public enum SampleType: String, Sendable, CaseIterable {
  /// Basal insulin, IU.
  case basal = "insulin.basal"
  /// Bolus insulin, IU.
  case bolus = "insulin.bolus"
  /// Carbohydrate, g.
  case carbohydrates = "nutrition.carbohydrates"
  /// Glucose of a sensor, mg/dL.
  case sensorGlucose = "glucose.cgm"
  /// Glucose of a meter, mg/dL.
  case meterGlucose = "glucose.meter"

  /// The unit that values are written in.
  public var unit: String {
    switch self {
    case .basal, .bolus: "IU"
    case .carbohydrates: "g"
    case .sensorGlucose, .meterGlucose: "mg/dL"
    }
  }
}

/// The raw fields that name a sample within its pump (N9); never resolved time, so that the id is
/// the same for every zone, window and run.
public struct SampleIdentity: Sendable, Hashable {
  /// What the sample is.
  public var kind: SampleKind
  /// How the two numbers are to be read.
  public var scheme: Scheme
  /// 1 for the first sample of an id; the second is written `~2` and so on.
  public var ordinal: UInt16
  /// The defining event's sequence number, or a CSV row's pump seconds.
  public var first: UInt32
  /// The defining event's pump seconds, or a CSV row's count within its second.
  public var second: UInt32
  /// The defining event's sequence group: orders samples of one id, is not part of the id.
  public var group: UInt32
  /// The defining event's id: orders samples of one id, is not part of the id.
  public var eventID: UInt16

  /// Names a sample after its defining event.
  @inlinable
  public init(kind: SampleKind, group: UInt32, number: UInt32, time: PumpTime, eventID: UInt16) {
    self.kind = kind
    self.group = group
    self.eventID = eventID
    scheme = .event
    ordinal = 1
    first = number
    second = time.seconds
  }

  /// Names a sample after a row of an export: its time, and its count within that time.
  package init(kind: SampleKind, scheme: Scheme, row time: PumpTime, ordinal: UInt32) {
    self.init(
      kind: kind, group: 0, number: time.seconds, time: PumpTime(seconds: ordinal),
      eventID: 0)
    self.scheme = scheme
  }

  /// Names a sample after a record with an id of its own, by the digest that stands for it.
  package init(kind: SampleKind, named digest: UInt64) {
    self.init(
      kind: kind, group: 0, number: UInt32(truncatingIfNeeded: digest >> 32),
      time: PumpTime(seconds: UInt32(truncatingIfNeeded: digest)), eventID: 0)
    scheme = .named
  }

  /// The digest of a sample of a named record.
  package var nameDigest: UInt64 { UInt64(first) << 32 | UInt64(second) }

  /// Whether it is of basal that an export tells, not the pump's own records (N5).
  @inlinable
  public var isDerivedBasal: Bool { kind == .basal && scheme != .event }

  /// What the two numbers of an identity are.
  public enum Scheme: UInt8, Sendable {
    /// `<sequence number>-<pump seconds>` of an event.
    case event = 0
    /// `csv-<pump seconds>-<n>` of a CSV row.
    case csv = 1
    /// `legacy-<pump seconds>-<n>` of the older site's JSON.
    case legacy = 2
    /// A digest of what the id begins with, `tidepool:<id>` or `nightscout:<_id>`.
    case named = 3
  }
}

/// What is known of a sample beside its amount (N4, N5).
///
/// Absent fields are nil or off.
public struct SampleMetadata: Sendable, Hashable {
  /// Basal: the rate in mU/h of real insulin (concentration applied).
  public var rate: UInt32?
  /// Bolus: what was asked for, in mIU of real insulin (concentration applied).
  public var requested: UInt32?
  /// Bolus: how it ended, as the pump's code (see `BolusStatus`).
  public var status: UInt16?
  /// Basal: where the rate came from.
  public var rateSource: RateSource?
  /// Bolus: what gave it.
  public var deliveredBy: DeliverySource?
  /// The yes-or-no facts.
  public var flags: Flags

  /// Creates metadata that says nothing.
  @inlinable
  public init() { flags = [] }

  /// Yes-or-no facts of a sample.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// The bits, as ledgers keep them.
    public let rawValue: UInt8

    /// Creates flags from kept bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A start, end or rate was concluded, not recorded.
    public static let inferred = Flags(rawValue: 1 << 0)
    /// The pump's algorithm gave the bolus.
    public static let automatic = Flags(rawValue: 1 << 1)
    /// The user overrode the calculator.
    public static let override = Flags(rawValue: 1 << 2)
    /// The data is made up (`syntheticDemo`).
    public static let demo = Flags(rawValue: 1 << 3)
    /// The basal was made of a rate that an export tells (N5).
    public static let derived = Flags(rawValue: 1 << 4)
    /// A treatment of Nightscout tells it.
    public static let nightscout = Flags(rawValue: 1 << 5)
    /// A table of Glooko tells it.
    public static let glooko = Flags(rawValue: 1 << 6)
    /// A record of Tidepool tells it.
    public static let tidepool = Flags(rawValue: 1 << 7)
  }
}

/// Where a basal rate came from; raw values are kept in ledgers.
public enum RateSource: UInt8, Sendable, CaseIterable {
  /// The profile.
  case profile = 1
  /// A temp rate.
  case temp = 2
  /// The algorithm.
  case algorithm = 3
  /// A temp rate and the algorithm together.
  case tempAlgorithm = 4

  /// The metadata value.
  public var text: String {
    switch self {
    case .profile: "profile"
    case .temp: "temp"
    case .algorithm: "algorithm"
    case .tempAlgorithm: "tempAlgorithm"
    }
  }
}

/// What gave a bolus: `bolusSource` of [280] (EVENTS); raw values are the pump's codes.
public enum DeliverySource: UInt8, Sendable, CaseIterable {
  /// The quick-bolus button.
  case pumpButton = 0
  /// The pump's screen.
  case pumpScreen = 1
  /// A remote.
  case remote = 5
  /// The algorithm.
  case algorithm = 7
  /// A phone over Bluetooth.
  case ble = 8
  /// The algorithm's eating-soon bolus.
  case eatingSoon = 9

  /// The metadata value.
  public var text: String {
    switch self {
    case .pumpButton: "pumpButton"
    case .pumpScreen: "pumpScreen"
    case .remote: "remote"
    case .algorithm: "algorithm"
    case .ble: "ble"
    case .eatingSoon: "eatingSoon"
    }
  }
}

/// How a bolus part ended: `completionStatus` of [20, 21] (EVENTS).
public enum BolusStatus {
  /// The part was rejected; it gives nothing at all.
  public static let rejected: UInt16 = 5

  /// The metadata value of a code: a word, or the number itself where none is known.
  public static func text(_ code: UInt16) -> String {
    switch code {
    case 0: "userAborted"
    case 1: "alarm"
    case 2: "malfunction"
    case 3: "completed"
    case 6: "plgs"
    default: String(code)
    }
  }

  /// The code of a metadata value; nil if no code is written so.
  public static func code(_ text: String) -> UInt16? {
    let words: [UInt16] = [0, 1, 2, 3, 6]
    if let code = words.first(where: { self.text($0) == text }) { return code }
    guard let code = UInt16(text), self.text(code) == text else { return nil }
    return code
  }
}

/// One event that a sample rests on, as `<number>-<pump seconds>` in outputs.
public struct EventReference: Sendable, Hashable {
  /// The event's sequence number.
  public var number: UInt32
  /// The event's pump seconds.
  public var seconds: UInt32

  /// Creates a reference from raw fields.
  @inlinable
  public init(number: UInt32, seconds: UInt32) {
    self.number = number
    self.seconds = seconds
  }
}

extension PumpEvent {
  /// The reference that a sample's lineage keeps of this event.
  @inlinable
  public var reference: EventReference {
    EventReference(number: number, seconds: time.seconds)
  }
}
