import PumpModel

/// What a record says, in working units: mU/h, mIU, g, seconds.
struct What {
  var id: UInt16
  var payload: PumpEvent.Payload

  /// [279] a rate as the pump writes it every five minutes.
  static func heartbeat(_ rate: UInt16, source: UInt16? = 1) -> What {
    What(id: 279, payload: .basalDelivery(commanded: rate, source: source))
  }
  /// [3] a change of the rate.
  static func change(
    _ rate: UInt16, base: UInt16? = nil, _ bits: PumpEvent.BasalChange? = []
  ) -> What {
    What(id: 3, payload: .basalRateChange(commanded: rate, base: base, change: bits))
  }
  /// [90] midnight, with the rate then.
  static func newDay(_ rate: UInt16) -> What { What(id: 90, payload: .newDay(commanded: rate)) }
  /// [11] delivery was suspended.
  static let suspend = What(id: 11, payload: .suspended)
  /// [12] delivery was resumed.
  static let resume = What(id: 12, payload: .resumed)
  /// [2] percent of the scheduled rate.
  static func temp(_ percent: Double) -> What {
    What(id: 2, payload: .tempRateStart(percentHundredths: UInt16((percent * 100).rounded())))
  }
  /// [15], which no rule uses.
  static let tempEnd = What(id: 15, payload: .other)
  /// [5] an alarm with its code.
  static func alarm(_ code: UInt32) -> What { What(id: 5, payload: .alarm(code)) }
  /// [13] the clock was moved by so many seconds; the record carries the new time.
  static func clock(by seconds: Double) -> What {
    What(
      id: 13, payload: .clockChange(shiftMilliseconds: Int64((seconds * 1000).rounded())))
  }
  /// [14] the date was moved by so many days.
  static func date(by days: Int64) -> What {
    What(id: 14, payload: .clockChange(shiftMilliseconds: days * 86_400_000))
  }
  /// A record that no rule uses.
  static let other = What(id: 6, payload: .other)
  /// A record of damage to the log.
  static let damage = What(id: 60, payload: .other)

  /// [64] a request, with its grams.
  static func request(_ bolus: UInt16, grams: UInt16? = nil, type: UInt8? = 0) -> What {
    What(id: 64, payload: .bolusRequest1(bolus: bolus, grams: grams, type: type))
  }
  /// [65] how the bolus was asked for.
  static func options(_ bolus: UInt16, _ options: UInt8?, override: UInt8? = 0) -> What {
    What(id: 65, payload: .bolusRequest2(bolus: bolus, options: options, override: override))
  }
  /// [66] the amounts asked for.
  static func total(_ bolus: UInt16) -> What {
    What(id: 66, payload: .bolusRequest3(bolus: bolus))
  }
  /// [55] the normal part began.
  static func start(_ bolus: UInt16) -> What {
    What(id: 55, payload: .bolusStarted(.normal, bolus: bolus))
  }
  /// [59] the extended part began.
  static func startExtended(_ bolus: UInt16) -> What {
    What(id: 59, payload: .bolusStarted(.extended, bolus: bolus))
  }
  /// [20] mIU.
  static func end(
    _ bolus: UInt16, _ delivered: UInt32, status: UInt16 = 3, requested: UInt32? = nil
  ) -> What {
    What(
      id: 20,
      payload: .bolusCompleted(
        .normal, bolus: bolus, status: status, delivered: delivered, requested: requested))
  }
  /// [21] mIU.
  static func endExtended(
    _ bolus: UInt16, _ delivered: UInt32, status: UInt16 = 3, requested: UInt32? = nil
  ) -> What {
    What(
      id: 21,
      payload: .bolusCompleted(
        .extended, bolus: bolus, status: status, delivered: delivered, requested: requested))
  }
  /// [280] progress, with what delivers the bolus.
  static func progress(_ bolus: UInt16, started: Bool = true, source: UInt8? = 1) -> What {
    What(id: 280, payload: .bolusProgress(bolus: bolus, isStarted: started, source: source))
  }
  /// [48] g.
  static func carbs(_ grams: Double) -> What {
    What(id: 48, payload: .carbsEntered(milligrams: UInt32((grams * 1000).rounded())))
  }
  /// [399] a sensor's reading, taken at a time of the pump's clock.
  static func reading(_ glucose: UInt16, takenAt time: String) -> What {
    What(id: 399, payload: .sensorReading(glucose: glucose, takenAt: WallText.pumpTime(time)))
  }
  /// [16] a fingerstick.
  static func fingerstick(_ glucose: UInt16, isManual: Bool = true) -> What {
    What(id: 16, payload: .meterReading(glucose: glucose, isManual: isManual))
  }
  /// [81] the pump's own basal total of the day, mIU.
  static func dayTotal(_ total: UInt32, isFinal: Bool = true) -> What {
    What(id: 81, payload: .dailyBasal(total: total, isFinal: isFinal))
  }
}
