import PumpModel

/// The fields of an event as the web service names them, in the service's order.
///
/// Written apart from the decoder's table, so that in tests the two check each other.
struct EventLayout {
  var fields: [Field]

  /// A field of the payload.
  struct Field {
    /// `"name":`, ready to be written.
    var key: [UInt8]
    var kind: Kind
    var offset: Int
  }

  /// How a field is written.
  enum Kind {
    case u8
    case i8
    case u16
    case u32
    case f32
    /// Masks are lists of the bits that are set.
    case bits8
    case bits16
    case bits32
    /// A reserved field that the service writes and no table explains.
    case zero
  }

  init(_ fields: (String, Kind, Int)...) {
    self.fields = fields.map { name, kind, offset in
      Field(key: Array("\"\(name)\":".utf8), kind: kind, offset: offset)
    }
  }

  /// The layout of an event id; without one, the service's names for a record nobody knows.
  static func of(_ id: UInt16) -> EventLayout { table[id] ?? unknown }

  private static let unknown = EventLayout(
    ("ibc", .u32, 0), ("abc", .u32, 4), ("iob", .u32, 8), ("insulin", .u32, 12))

  private static let table: [UInt16: EventLayout] = [
    2: EventLayout(("percent", .f32, 0), ("duration", .f32, 4), ("tempRateId", .u16, 8)),
    3: EventLayout(
      ("commandedBasalRate", .f32, 0), ("baseBasalRate", .f32, 4), ("maxBasalRate", .f32, 8),
      ("idp", .u16, 14), ("changeType", .bits8, 13)),
    4: EventLayout(
      ("alertId", .u32, 0), ("faultLocatorData", .u32, 4), ("param1", .u32, 8),
      ("param2", .f32, 12)),
    5: EventLayout(
      ("alarmId", .u32, 0), ("faultLocatorData", .u32, 4), ("param1", .u32, 8),
      ("param2", .f32, 12)),
    11: EventLayout(
      ("preSuspendState", .u32, 0), ("insulinAmount", .u16, 6), ("suspendReason", .u8, 5),
      ("rpaTimeout", .u8, 4)),
    12: EventLayout(("preResumeState", .u32, 0), ("insulinAmount", .u16, 6)),
    13: EventLayout(("timePrior", .u32, 0), ("timeAfter", .u32, 4), ("rawRtcTime", .u32, 8)),
    14: EventLayout(("datePrior", .u32, 0), ("dateAfter", .u32, 4), ("rawRtcTime", .u32, 8)),
    15: EventLayout(("tempRateId", .u16, 0), ("timeLeft", .u32, 4)),
    16: EventLayout(
      ("bg", .u16, 2), ("cgmCalibration", .u8, 1), ("bgEntryType", .u8, 0), ("iob", .f32, 4),
      ("targetBg", .u16, 10), ("isf", .u16, 8), ("selectedIob", .u8, 15),
      ("bgSourceType", .u8, 14)),
    20: completion, 21: completion,
    26: EventLayout(("alertId", .u32, 0), ("faultLocatorData", .u32, 4)),
    28: EventLayout(("alarmId", .u32, 0)),
    33: EventLayout(("insulinVolume", .u32, 0), ("v2Volume", .f32, 4)),
    48: EventLayout(("carbs", .f32, 0)),
    55: EventLayout(
      ("bolusId", .u16, 2), ("selectedIob", .u8, 1), ("spareA3", .zero, 0), ("iob", .f32, 4),
      ("bolusSize", .f32, 8)),
    59: EventLayout(
      ("bolusId", .u16, 2), ("selectedIob", .u8, 1), ("spareA3", .zero, 0), ("iob", .f32, 4),
      ("bolexSize", .f32, 8)),
    61: EventLayout(
      ("primeSize", .f32, 0), ("completionStatus", .u32, 4), ("infusionSetType", .zero, 0)),
    63: EventLayout(
      ("primeSize", .f32, 0), ("completionStatus", .u32, 4), ("position", .u32, 8)),
    64: EventLayout(
      ("bolusId", .u16, 2), ("bolusType", .u8, 1), ("correctionBolusIncluded", .u8, 0),
      ("carbAmount", .u16, 6), ("bg", .u16, 4), ("iob", .f32, 8), ("carbRatio", .u32, 12)),
    65: EventLayout(
      ("bolusId", .u16, 2), ("options", .u8, 1), ("standardPercent", .u8, 0),
      ("duration", .u16, 6), ("spareB6", .zero, 0), ("isf", .u16, 10), ("targetBg", .u16, 8),
      ("userOverride", .u8, 15), ("declinedCorrection", .u8, 14), ("selectedIob", .u8, 13)),
    66: EventLayout(
      ("bolusId", .u16, 2), ("spareA2", .zero, 0), ("foodBolusSize", .f32, 4),
      ("correctionBolusSize", .f32, 8), ("totalBolusSize", .f32, 12)),
    81: EventLayout(
      ("dailyTotalBasal", .f32, 0), ("lastBasalRate", .f32, 4), ("iob", .f32, 8),
      ("lipoMv", .u16, 12), ("actualBatteryCharge", .u8, 14), ("finalEventForDay", .u8, 15)),
    90: EventLayout(
      ("commandedBasalRate", .f32, 0), ("featuresBitmask", .bits32, 4),
      ("featureBitmaskIndex", .bits32, 8)),
    229: EventLayout(
      ("currentUserMode", .u8, 3), ("previousUserMode", .u8, 2), ("requestedAction", .u8, 1),
      ("sleepStartedByGui", .u8, 7), ("activeSleepSchedule", .bits8, 6),
      ("exerciseStoppedByTimer", .u8, 11), ("exerciseChoice", .u8, 10),
      ("exerciseTime", .u16, 8), ("eatingSoonStoppedByTimer", .u8, 15)),
    230: EventLayout(
      ("currentPcm", .u8, 3), ("previousPcm", .u8, 2), ("pumpSuspended", .u8, 1),
      ("calculationAvailable", .u8, 0), ("cgmAvailable", .u8, 7),
      ("closedLoopPreferred", .u8, 6), ("sufficientClosedLoopParams", .u8, 5)),
    279: EventLayout(
      ("commandedRateSource", .u16, 2), ("reservedA2", .zero, 0), ("spareA3", .zero, 0),
      ("commandedRate", .u16, 6), ("profileBasalRate", .u16, 4), ("algorithmRate", .u16, 10),
      ("tempRate", .u16, 8)),
    280: EventLayout(
      ("bolusId", .u16, 2), ("bolusDeliveryStatus", .u8, 1), ("bolusType", .bits8, 0),
      ("bolusSource", .u8, 7), ("remoteId", .u8, 6), ("requestedNow", .u16, 4),
      ("correction", .u16, 8), ("requestedLater", .u16, 10),
      ("extendedDurationRequested", .u16, 14), ("deliveredTotal", .u16, 12)),
    313: EventLayout(
      ("pumpControlState", .u8, 3), ("usermode", .u8, 2), ("sensorType", .u8, 1),
      ("weightUnit", .zero, 0), ("weight", .zero, 0), ("currentTdIpop", .zero, 0)),
    369: EventLayout(
      ("dalertId", .u8, 3), ("sensorType", .u8, 2), ("spareA2", .zero, 0),
      ("faultLocatorData", .u32, 4), ("param1", .u32, 8), ("param2", .f32, 12)),
    370: EventLayout(("dalertId", .u8, 3), ("sensorType", .u8, 2)),
    371: EventLayout(
      ("dalertId", .u8, 3), ("sensorType", .u8, 2), ("spareA2", .zero, 0),
      ("ackSource", .u32, 4)),
    399: EventLayout(
      ("glucoseValueStatus", .u16, 2), ("cgmDataType", .bits8, 1), ("rate", .i8, 0),
      ("algorithmState", .u8, 7), ("rssi", .i8, 6), ("currentGlucoseDisplayValue", .u16, 4),
      ("egvTimeStamp", .u32, 8), ("egvInfoBitmask", .bits16, 14), ("interval", .u8, 13),
      ("reservedD15", .zero, 0)),
  ]

  private static let completion = EventLayout(
    ("bolusId", .u16, 0), ("completionStatus", .u16, 2), ("insulinDelivered", .f32, 8),
    ("insulinRequested", .f32, 12), ("iob", .f32, 4))
}
