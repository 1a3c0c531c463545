package import PumpModel

/// A pump that never was: a deterministic simulation whose history log comes out record by record.
///
/// Time runs from one planned action to the next; the same options give the same records, and
/// memory does not grow with the days. Rates change only where the log shows evidence of it, so
/// `totals` is what a correct reader must find, as long as nothing is lost (gaps, power losses).
package struct SyntheticPump: Sequence, IteratorProtocol {
  /// What the simulation was asked for.
  package let options: Options
  /// What the records so far amount to.
  package internal(set) var totals = Totals()

  var random: SeededRandom
  /// The true time, in Unix seconds; pumps do not know it.
  var now: Int64
  var clock: PumpClock
  /// The zone that the wearer is in.
  var zone: ZoneRules
  var basal: BasalState
  var boluses: BolusState
  var sensor = SensorState()
  var plannedClock: Int64?
  /// Until when the pump is without power; nil while it runs.
  var offUntil: Int64?
  /// Until when records are lost: their numbers are spent, they are never seen.
  var gapUntil = Int64.min

  private var agenda = Agenda()
  private var number: UInt32
  private var ready: [PumpRecord] = []
  private var taken = 0
  private let end: Int64

  /// Starts a simulation.
  package init(_ options: Options) {
    self.options = options
    random = SeededRandom(seed: options.seed)
    zone = options.zone
    now = options.start.unixSeconds
    end = now + Int64(options.minutes) * 60
    number = options.firstNumber
    clock = PumpClock(at: now, offset: options.zone.offset(at: options.start))
    clock.driftSecondsPerDay = options.driftSecondsPerDay
    basal = BasalState(at: now)
    boluses = BolusState(next: options.firstBolus)
    basal.rate = profileRate
    schedule(.heartbeat, after: 2)
    if options.hasSensor || options.isLively { schedule(.reading, after: 137) }
    if clock.wall(at: now) % 86_400 == 0 {
      schedule(.midnight, after: 0)
    } else {
      planMidnight()
    }
    schedule(.planDay(0), after: 0)
    for incident in options.incidents {
      schedule(.incident(incident.what), after: Int64(incident.minute) * 60)
    }
  }

  /// What the records of a pump amount to.
  package struct Totals: Sendable, Equatable {
    /// Records given out.
    package var records = 0
    /// Records whose numbers were spent and that nobody sees.
    package var lost = 0
    /// Bolus insulin delivered, in mIU, both parts.
    package var bolus = 0
    /// Carbohydrate of boluses that finished, in g.
    package var carbs = 0
    /// The commanded rate, mU/h, times its seconds, from the first to the last evidence.
    package var basalRateSeconds = 0
  }

  /// The next record, or nil at the end of the time asked for.
  package mutating func next() -> PumpRecord? {
    while taken == ready.count {
      ready.removeAll(keepingCapacity: true)
      taken = 0
      guard let (at, action) = agenda.next(before: end) else { return nil }
      now = at
      perform(action)
    }
    taken += 1
    totals.records += 1
    return ready[taken - 1]
  }

  /// Writes a record with the pump's time of now.
  ///
  /// Returns whether anybody will ever see it.
  @discardableResult
  mutating func write(_ id: UInt16, _ payload: PumpRecord.Payload) -> Bool {
    write(id, payload, at: pumpSeconds)
  }

  /// Writes a record with a pump time of its own.
  @discardableResult
  mutating func write(_ id: UInt16, _ payload: PumpRecord.Payload, at seconds: UInt32) -> Bool {
    number &+= 1
    guard now >= gapUntil else {
      totals.lost += 1
      return false
    }
    var record = PumpRecord(
      number: number, seconds: seconds, eventID: id, payload: payload, form: .binary)
    record.group = options.group
    ready.append(record)
    return true
  }

  /// The pump's clock as records carry it.
  var pumpSeconds: UInt32 {
    UInt32(clamping: clock.wall(at: now) - PumpTime.epochInUnixSeconds)
  }

  /// Plans something so many seconds from now.
  mutating func schedule(_ action: Action, after seconds: Int64) {
    agenda.add(action, at: now + seconds)
  }

  /// Plans the next midnight of the pump's clock anew, after the clock was moved.
  mutating func planMidnight() {
    agenda.remove { $0 == .midnight || $0 == .dayEnd }
    let left = 86_400 - clock.wall(at: now) % 86_400
    schedule(.midnight, after: left)
    if left > 120 { schedule(.dayEnd, after: left - 60 - Int64(random.integer(0...59))) }
  }

  private mutating func perform(_ action: Action) {
    if let offUntil, action != .powerUp {
      // Without power nothing happens; what recurs goes on afterwards, the rest is put off.
      switch action {
      case .heartbeat: schedule(action, after: 300)
      case .reading: schedule(action, after: 300)
      case .planDay: planDay(action)
      case .midnight, .dayEnd, .segment: break
      default: schedule(action, after: offUntil - now + 1800)
      }
      return
    }
    switch action {
    case .heartbeat: heartbeat()
    case .segment: segment()
    case .reading: reading()
    case .midnight: midnight()
    case .dayEnd: dayEnd()
    case .planDay: planDay(action)
    case .incident(let incident): begin(incident)
    case .startBolus(let bolus): startBolus(bolus)
    case .endNormal(let bolus): endNormal(of: bolus)
    case .progress(let bolus): progress(of: bolus)
    case .endExtended(let bolus): endExtended(of: bolus)
    case .resume: resume()
    case .record(let id, let payload): write(id, payload)
    case .endTemp(let id): endTemp(id)
    case .setClock(let instant): setClock(plannedFor: instant)
    case .powerUp: powerUp()
    }
  }
}
