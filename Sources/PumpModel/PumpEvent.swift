/// One record of a pump, decoded and checked, as the rules see it.
public struct PumpEvent: Sendable, Equatable {
  /// The sequence group: 0 if no copy of the record names one.
  public var group: UInt32
  /// The sequence number.
  public var number: UInt32
  /// The pump's clock when the record was written.
  public var time: PumpTime
  /// The event id, 12 bits.
  public var id: UInt16
  /// What the record says.
  public var payload: Payload

  /// Creates an event.
  @inlinable
  public init(group: UInt32, number: UInt32, time: PumpTime, id: UInt16, payload: Payload) {
    self.group = group
    self.number = number
    self.time = time
    self.id = id
    self.payload = payload
  }

  /// The fields that the rules use, in working units: rates in mU/h, insulin in mIU of the pump,
  /// carbohydrate in mg.
  ///
  /// Optional fields are nil when the record does not say.
  public enum Payload: Sendable, Equatable {
    /// [2] percent in hundredths of a percent, 0 to 25 000.
    case tempRateStart(percentHundredths: UInt16)
    /// [3] rates in mU/h, at most 15 000.
    case basalRateChange(commanded: UInt16, base: UInt16?, change: BasalChange?)
    /// [5] the alarm's code.
    case alarm(UInt32)
    /// [11]
    case suspended
    /// [12]
    case resumed
    /// [13, 14] what the clock was moved by, in milliseconds; the record carries the new time.
    case clockChange(shiftMilliseconds: Int64)
    /// [16] mg/dL; entered by hand if `isManual`.
    case meterReading(glucose: UInt16, isManual: Bool)
    /// [20, 21] amounts in mIU, at most 80 000.
    case bolusCompleted(
      BolusPart, bolus: UInt16, status: UInt16, delivered: UInt32, requested: UInt32?)
    /// [48] mg, less than 65 535 000.
    case carbsEntered(milligrams: UInt32)
    /// [55, 59]
    case bolusStarted(BolusPart, bolus: UInt16)
    /// [64] grams, less than 65 535.
    case bolusRequest1(bolus: UInt16, grams: UInt16?, type: UInt8?)
    /// [65]
    case bolusRequest2(bolus: UInt16, options: UInt8?, override: UInt8?)
    /// [66]
    case bolusRequest3(bolus: UInt16)
    /// [81] the pump's own basal total since its midnight, in mIU.
    case dailyBasal(total: UInt32, isFinal: Bool)
    /// [90] mU/h, at most 15 000.
    case newDay(commanded: UInt16)
    /// [256, 372, 399, 480] a sensor reading of the pump's clock time `takenAt`, mg/dL; only
    /// readings of status 0 with a value above zero, others are `.other`.
    case sensorReading(glucose: UInt16, takenAt: PumpTime)
    /// [279] mU/h, at most 15 000; the source is 0 suspended, 1 profile, 2 temp rate, 3 algorithm,
    /// 4 temp rate and algorithm.
    case basalDelivery(commanded: UInt16, source: UInt16?)
    /// [280]
    case bolusProgress(bolus: UInt16, isStarted: Bool, source: UInt8?)
    /// A record that no rule uses; it still holds its number and its time.
    case other
  }

  /// Which part of a bolus a record speaks of.
  public enum BolusPart: UInt8, Sendable {
    /// The part delivered now: [55] to [20].
    case normal = 0
    /// The part delivered over time: [59] to [21].
    case extended = 1
  }

  /// The cause bits of a basal rate change [3].
  public struct BasalChange: OptionSet, Sendable, Hashable {
    /// The bits as the pump writes them.
    public let rawValue: UInt8

    /// Creates the set from the pump's bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A timed segment of the profile began.
    public static let timedSegment = BasalChange(rawValue: 1 << 0)
    /// Another profile was chosen.
    public static let newProfile = BasalChange(rawValue: 1 << 1)
    /// A temp rate began.
    public static let tempRateStart = BasalChange(rawValue: 1 << 2)
    /// A temp rate ended.
    public static let tempRateEnd = BasalChange(rawValue: 1 << 3)
    /// Delivery was suspended.
    public static let suspended = BasalChange(rawValue: 1 << 4)
    /// Delivery was resumed.
    public static let resumed = BasalChange(rawValue: 1 << 5)
    /// The pump was shut down.
    public static let shutDown = BasalChange(rawValue: 1 << 6)
  }
}

extension PumpEvent.Payload {
  /// Whether the record is a clock change, of whatever shift.
  @inlinable
  public var isClockChange: Bool {
    if case .clockChange = self { true } else { false }
  }
}
