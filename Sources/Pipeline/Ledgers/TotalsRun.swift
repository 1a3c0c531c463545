import Deduplicate
import Platform
import PumpModel

/// One run of `ledger totals`: tells what the samples of a ledger add up to, which it keeps.
struct TotalsRun {
  let request: LedgerTotalsRequest

  /// Looks; a ledger that an older version made is brought up to date first.
  func run() throws -> LedgerTotals {
    let ledger = try Ledger(
      .existing(request.ledger), waitMilliseconds: Int32(clamping: request.waitSeconds * 1000))
    try ledger.check(kind: .events)
    if try ledger.lacksTotals() { try addUp(in: ledger) }
    try ledger.beginReading()
    defer { ledger.rollback() }
    var totals = LedgerTotals(isByWeek: request.isByWeek)
    totals.isDemo = try ledger.isDemo()
    totals.zones =
      try ledger.settings()?.zones.map { ZoneArgument(name: $0.name, from: $0.fromWall) } ?? []
    if request.isByWeek {
      try ledger.forEachWeek { pump, week in
        totals.add(
          LedgerTotals.Sum(
            first: LocalDay(daysSince1970: week.monday), days: Int(clamping: week.days),
            knownSeconds: Int(clamping: week.knownSeconds), given: week.given), of: pump)
      }
    } else {
      try ledger.forEachDayOfSamples { pump, day, known, given in
        totals.add(
          LedgerTotals.Sum(
            first: LocalDay(daysSince1970: day), days: 1, knownSeconds: Int(clamping: known),
            given: given), of: pump)
      }
    }
    try ledger.commit()
    return totals
  }

  private func addUp(in ledger: Ledger) throws {
    guard let normalization = try PumpNormalization(of: ledger, now: HostClock.system.now) else {
      return
    }
    try ledger.begin()
    do {
      try normalization.addUpDaysIfLacking()
      try ledger.commit()
    } catch {
      ledger.rollback()
      throw error
    }
  }
}

extension PumpNormalization {
  /// A normalization by the settings that a ledger keeps; nil before its first run.
  init?(of ledger: Ledger, now: Instant) throws {
    guard let held = try ledger.settings() else { return nil }
    let settings = try RunSettings(ConvertRequest(inputs: []), held: held, known: KnownZones())
    self.init(
      ledger: ledger, schedule: settings.schedule, clock: held.clock,
      concentration: held.concentration, makesGlucose: held.makesGlucose,
      derivesBasal: held.derivesBasal, now: now)
  }
}

extension LedgerTotals {
  fileprivate mutating func add(_ sum: Sum, of pump: String) {
    if pumps.last?.name != pump { pumps.append(Pump(name: pump)) }
    pumps[pumps.count - 1].sums.append(sum)
  }
}
