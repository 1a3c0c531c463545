import PumpModel

/// The basal side of a synthetic pump; rates in mU/h.
struct BasalState {
  /// The commanded rate.
  var rate = 0
  var isSuspended = false
  /// The running temp rate.
  var temp: (id: UInt16, percent: Int)?
  var nextTemp: UInt16 = 1801
  /// Reservoir, in U.
  var reservoir = 180.0
  /// Rate times seconds since the pump's midnight.
  var daySum = 0
  /// Rate times seconds since the last evidence.
  var openSum = 0
  var accruedAt: Int64
  var hasEvidence = false
  /// By how many seconds the last heartbeat was late.
  var late = 0

  init(at now: Int64) { accruedAt = now }
}

extension SyntheticPump {
  /// The profile's rate at the pump's time of day.
  var profileRate: Int {
    let minute = Int(clock.wall(at: now) % 86_400 / 60)
    let segments = Self.profile
    return segments[segments.lastIndex { $0.minute <= minute } ?? 0].rate
  }

  static let profile: [(minute: Int, rate: Int)] = [
    (0, 800), (270, 950), (480, 1100), (780, 850), (1290, 750),
  ]

  /// Brings the sums up to now.
  mutating func accrue() {
    let sum = basal.rate * Int(now - basal.accruedAt)
    basal.daySum += sum
    basal.openSum += sum
    basal.reservoir -= Double(sum) / 3_600_000
    basal.accruedAt = now
  }

  /// Counts what evidence closes, once it is written.
  mutating func evidence(_ id: UInt16, _ payload: PumpRecord.Payload) {
    guard write(id, payload) else { return }
    if basal.hasEvidence { totals.basalRateSeconds += basal.openSum }
    basal.openSum = 0
    basal.hasEvidence = true
  }

  mutating func heartbeat() {
    accrue()
    basal.rate = wantedRate
    writeHeartbeat()
    decayInsulin()
    // The phase is kept; single heartbeats come a second or two late.
    let late = random.integer(0...2)
    schedule(.heartbeat, after: Int64(300 + late - basal.late))
    basal.late = late
  }

  private mutating func writeHeartbeat() {
    let source: UInt16 =
      if basal.isSuspended { 0 } else if basal.temp != nil {
        options.hasAlgorithm ? 4 : 2
      } else { options.hasAlgorithm ? 3 : 1 }
    let temp = basal.temp.map { profileRate * $0.percent / 100 }
    let isAlgorithmic = options.hasAlgorithm && !basal.isSuspended
    evidence(
      279,
      .basalDelivery(
        commanded: basal.rate, profile: profileRate, temp: temp,
        algorithm: isAlgorithmic ? basal.rate : nil, source: source))
  }

  /// The rate that the pump would command now.
  private var wantedRate: Int {
    guard !basal.isSuspended else { return 0 }
    let base = basal.temp.map { profileRate * $0.percent / 100 } ?? profileRate
    guard options.hasAlgorithm else { return base }
    guard sensor.glucose > 80 else { return 0 }
    return Swift.min(3000, Swift.max(0, base * (70 + sensor.glucose) / 190))
  }

  /// Commands the wanted rate at once and writes [3].
  mutating func changeRate(_ change: PumpEvent.BasalChange) {
    accrue()
    basal.rate = wantedRate
    evidence(
      3, .basalRateChange(commanded: basal.rate, base: profileRate, change: change))
  }

  mutating func segment() {
    if !basal.isSuspended { changeRate(.timedSegment) }
  }

  mutating func suspend(reason: UInt8, minutes: Int) {
    accrue()
    basal.isSuspended = true
    basal.rate = 0
    evidence(11, .suspended(reason: reason, level: level))
    changeRate(.suspended)
    if minutes > 0 { schedule(.resume, after: Int64(minutes) * 60) }
  }

  mutating func resume() {
    accrue()
    basal.isSuspended = false
    evidence(12, .resumed(level: level))
    changeRate(.resumed)
  }

  mutating func startTemp(percent: Int, minutes: Int) {
    let id = basal.nextTemp
    basal.nextTemp &+= 1
    basal.temp = (id, percent)
    write(2, .tempRateStart(percent: percent, minutes: minutes, id: id))
    changeRate(.tempRateStart)
    schedule(.endTemp(id), after: Int64(minutes) * 60)
  }

  mutating func endTemp(_ id: UInt16) {
    guard let temp = basal.temp, temp.id == id else { return }
    basal.temp = nil
    write(15, .tempRateEnd(id: id))
    if !basal.isSuspended { changeRate(.tempRateEnd) }
  }

  mutating func midnight() {
    accrue()
    basal.daySum = 0
    evidence(90, .newDay(commanded: basal.rate))
    write(81, dailyBasal(isFinal: false))
    write(313, PumpRecord.Payload(0x0003_0003))
    planMidnight()
  }

  mutating func dayEnd() {
    accrue()
    write(81, dailyBasal(isFinal: true))
  }

  private func dailyBasal(isFinal: Bool) -> PumpRecord.Payload {
    .dailyBasal(
      total: basal.daySum / 3600, rate: basal.rate, iob: boluses.onBoard, isFinal: isFinal)
  }

  var level: UInt16 { UInt16(Swift.max(0, basal.reservoir)) }
}
