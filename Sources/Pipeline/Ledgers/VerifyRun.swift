import Deduplicate
import Platform
import PumpModel

/// One run of `ledger verify`.
///
/// Reads every row of a ledger, makes everything again from its journal alone, beside it, and
/// compares. The ledger stays as it is.
struct VerifyRun {
  let request: LedgerRequest

  /// Verifies.
  func run() throws -> LedgerVerification {
    let ledger = try Ledger(
      .existing(request.ledger), waitMilliseconds: Int32(clamping: request.waitSeconds * 1000))
    try ledger.check(kind: .events)
    try ledger.beginReading()
    defer { ledger.rollback() }
    var verification = LedgerVerification()
    var check = LedgerRowCheck(ledger)
    verification.add(try check.integrity())
    // Of a damaged file nothing more can be told.
    guard verification.problems.isEmpty else { return verification }
    verification.add(try check.documents() + check.namesAndSinks())
    let fromNothing = try RemadeLedger(of: ledger)
    for pump in try ledger.pumps() {
      let journal = try check.journal(of: pump)
      let samples = try check.samples(of: pump)
      verification.add(journal + samples)
      verification.add(try check.forms(of: pump) + check.pieces(of: pump))
      // What cannot be decoded cannot be compared either.
      guard journal.isEmpty, let fromNothing else { continue }
      verification.pumps += 1
      verification.add(try fromNothing.compare(pump, comparesSamples: samples.isEmpty))
    }
    verification.records = Int(clamping: check.records)
    verification.samples = Int(clamping: check.samples)
    try ledger.commit()
    return verification
  }
}

/// A temporary ledger into which pumps are normalized again.
private struct RemadeLedger {
  let ledger: Ledger
  let temporary: Ledger
  let normalization: PumpNormalization

  /// Prepares one; nil before a ledger's first run, when there is nothing to make.
  init?(of ledger: Ledger) throws {
    guard let held = try ledger.settings() else { return nil }
    let settings = try RunSettings(ConvertRequest(inputs: []), held: held, known: KnownZones())
    self.ledger = ledger
    temporary = try Ledger(.temporary, waitMilliseconds: 0)
    normalization = PumpNormalization(
      ledger: temporary, schedule: settings.schedule, clock: held.clock,
      concentration: held.concentration, makesGlucose: held.makesGlucose,
      derivesBasal: held.derivesBasal,
      now: HostClock.system.now, source: ledger)
  }

  /// Normalizes a pump from nothing and compares it with what the ledger holds.
  func compare(_ pump: LedgerPump, comparesSamples: Bool) throws -> [LedgerProblem] {
    try temporary.begin()
    _ = try normalization.normalizeWhole(pump)
    try temporary.commit()
    let comparison = LedgerComparison(of: pump, in: ledger, with: temporary)
    return (comparesSamples ? try comparison.samples() : []) + (try comparison.others())
      + (try comparison.rules())
  }
}

extension LedgerVerification {
  fileprivate mutating func add(_ found: [LedgerProblem]) {
    problems += found.map { Problem(area: $0.area.rawValue, pump: $0.pump, text: $0.text) }
  }
}
