import PumpModel

/// The bolus side of a synthetic pump; amounts in mIU.
struct BolusState {
  var next: UInt16
  /// The bolus that is being asked for or given.
  var current: SyntheticBolus?
  /// Insulin on board.
  var onBoard = 0

  init(next: UInt16) { self.next = next }
}

/// One bolus from request to end; amounts in mIU.
struct SyntheticBolus {
  var id: UInt16
  var grams = 0
  var glucose = 0
  var food = 0
  var correction = 0
  var percentNow = 100
  var minutes = 0
  /// [65] options, [64] type and [280] source as EVENTS lists them.
  var options: UInt8 = 0
  var type: UInt8 = 0
  var source: UInt8 = 1
  var isOverridden = false
  /// How much of the part under way is given before the user stops it, in percent.
  var stopsAt = 100
  var isRejected = false
  /// What was given until now.
  var delivered = 0
  var laterStartedAt: Int64 = 0

  var total: Int { food + correction }
  var now: Int { total * percentNow / 100 }
  var later: Int { total - now }
}

extension SyntheticPump {
  /// Asks for a bolus; what follows is planned.
  mutating func request(_ change: (inout SyntheticBolus) -> Void) {
    var bolus = SyntheticBolus(id: boluses.next)
    boluses.next &+= 1
    change(&bolus)
    write(
      64,
      .bolusRequest1(
        bolus: bolus.id, type: bolus.type, grams: UInt16(bolus.grams),
        glucose: UInt16(bolus.glucose), iob: boluses.onBoard))
    write(
      65,
      .bolusRequest2(
        bolus: bolus.id, options: bolus.options, percent: UInt8(bolus.percentNow),
        minutes: UInt16(bolus.minutes), override: bolus.isOverridden))
    write(
      66,
      .bolusRequest3(
        bolus: bolus.id, food: bolus.food, correction: bolus.correction, total: bolus.total))
    boluses.current = bolus
    schedule(
      bolus.isRejected ? .endNormal(bolus.id) : .startBolus(bolus.id),
      after: Int64(random.integer(10...18)))
  }

  mutating func startBolus(_ id: UInt16) {
    guard let bolus = boluses.current, bolus.id == id else { return }
    writeProgress(bolus, isStarted: true)
    guard bolus.now > 0 else { return startExtended() }
    write(55, .bolusStarted(bolus: bolus.id, iob: boluses.onBoard, size: bolus.now))
    let stops = bolus.later == 0 ? bolus.stopsAt : 100
    // A unit takes forty seconds.
    schedule(.endNormal(id), after: Int64(Swift.max(4, bolus.now * stops / 100 / 25)))
  }

  mutating func endNormal(of id: UInt16) {
    guard var bolus = boluses.current, bolus.id == id else { return }
    let stops = bolus.later == 0 ? bolus.stopsAt : 100
    let delivered = bolus.isRejected ? 0 : bolus.now * stops / 100
    let status: UInt16 = bolus.isRejected ? 5 : stops == 100 ? 3 : 0
    deliver(delivered, of: &bolus)
    complete(20, bolus, status: status, delivered: delivered, requested: bolus.now)
    bolus.grams = bolus.isRejected ? bolus.grams : 0
    boluses.current = bolus
    if bolus.isRejected || bolus.later == 0 { finish() } else { startExtended() }
  }

  private mutating func startExtended() {
    guard var bolus = boluses.current else { return }
    write(59, .bolusStarted(bolus: bolus.id, iob: boluses.onBoard, size: bolus.later))
    bolus.laterStartedAt = now
    boluses.current = bolus
    schedule(.progress(bolus.id), after: 300)
    schedule(
      .endExtended(bolus.id), after: Int64(bolus.minutes * 60 * bolus.stopsAt / 100))
  }

  mutating func progress(of id: UInt16) {
    guard var bolus = boluses.current, bolus.id == id, bolus.minutes > 0 else { return }
    bolus.delivered += bolus.later * Int(now - bolus.laterStartedAt) / (bolus.minutes * 60)
    writeProgress(bolus, isStarted: true)
    schedule(.progress(id), after: 300)
  }

  mutating func endExtended(of id: UInt16) {
    guard var bolus = boluses.current, bolus.id == id else { return }
    let delivered = bolus.later * bolus.stopsAt / 100
    deliver(delivered, of: &bolus)
    complete(
      21, bolus, status: bolus.stopsAt == 100 ? 3 : 0, delivered: delivered,
      requested: bolus.later)
    boluses.current = bolus
    finish()
  }

  private mutating func finish() {
    guard let bolus = boluses.current else { return }
    if !bolus.isRejected { writeProgress(bolus, isStarted: false) }
    boluses.current = nil
  }

  private mutating func deliver(_ amount: Int, of bolus: inout SyntheticBolus) {
    bolus.delivered += amount
    boluses.onBoard += amount
    basal.reservoir -= Double(amount) / 1000
    sensor.insulinEffect += amount
    sensor.carbEffect += bolus.isRejected ? 0 : bolus.grams
  }

  private mutating func complete(
    _ id: UInt16, _ bolus: SyntheticBolus, status: UInt16, delivered: Int, requested: Int
  ) {
    // A pump's floats carry noise in their last bits: 2.0829997 for 2.083.
    let exact = PumpRecord.Payload.units(delivered)
    let noisy = delivered > 0 && random.happens(inThousand: 300) ? exact.nextDown : exact
    let isSeen = write(
      id,
      .bolusCompleted(
        bolus: bolus.id, status: status, iob: boluses.onBoard, delivered: noisy,
        requested: PumpRecord.Payload.units(requested)))
    guard isSeen, status != 5 else { return }
    totals.bolus += delivered
    totals.carbs += bolus.grams
  }

  private mutating func writeProgress(_ bolus: SyntheticBolus, isStarted: Bool) {
    var progress = BolusProgress(bolus: bolus.id, isStarted: isStarted, source: bolus.source)
    progress.kinds =
      (bolus.now > 0 ? 1 : 0) | (bolus.later > 0 ? 2 : 0) | (bolus.isOverridden ? 4 : 0)
      | (bolus.correction > 0 ? 8 : 0) | (bolus.food > 0 ? 16 : 0)
    progress.requestedNow = bolus.now
    progress.requestedLater = bolus.later
    progress.correction = bolus.correction
    progress.delivered = bolus.delivered
    progress.minutes = bolus.minutes
    write(280, progress.payload)
  }

  /// Lets insulin on board fade, once every five minutes.
  mutating func decayInsulin() { boluses.onBoard -= boluses.onBoard / 40 }
}
