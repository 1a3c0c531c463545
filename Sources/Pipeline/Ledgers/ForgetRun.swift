import Deduplicate
import Platform
import PumpModel

/// One run of `ledger forget`: takes documents, a pump or everything out of a ledger, makes what
/// remains anew, and leaves no trace of what went.
struct ForgetRun {
  let request: ForgetRequest
  /// Asks whether it is to be done.
  let confirm: (ForgetSummary) throws(RunFailure) -> Bool

  /// Forgets.
  func run() throws -> ForgetSummary {
    // The ledger is closed in between, so that nothing of this run still reads it.
    let (summary, traces) = try forget()
    guard summary.isDone else { return summary }
    try removeTraces()
    try prove(traces)
    return summary
  }

  private func removeTraces() throws {
    let ledger = try open()
    do throws(LedgerError) {
      try ledger.removeTraces()
    } catch {
      guard case .busy = error else { throw error }
      throw RunFailure(
        .busy,
        what: "it is forgotten, but while another program reads the ledger traces stay in its file",
        where: request.ledger, next: "Type the same command again when that has ended.")
    }
  }

  /// Looks for what was forgotten in all bytes of the ledger's files.
  private func prove(_ traces: [[UInt8]]) throws {
    for path in [request.ledger] + SameFile.sidecars(of: request.ledger)
    where try ByteSearch.holds(any: traces, at: path)
      && ByteSearch.holds(any: withoutParts(traces), at: path)
    {
      throw RunFailure(
        .internal, what: "traces of what was forgotten are left", where: path,
        next: "Please report it; until then, make a new ledger from the archives.")
    }
  }

  /// The traces without those that rightly stand in the file as a part of something longer.
  private func withoutParts(_ traces: [[UInt8]]) throws -> [[UInt8]] {
    let ledger = try open()
    return try traces.filter { try !ledger.holdsOnlyAsPart($0) }
  }

  private func open() throws -> Ledger {
    try Ledger(
      .existing(request.ledger), waitMilliseconds: Int32(clamping: request.waitSeconds * 1000))
  }

  private func forget() throws -> (ForgetSummary, traces: [[UInt8]]) {
    let ledger = try open()
    var summary = ForgetSummary()
    guard let scope = try scope(in: ledger) else {
      // A run that could not remove the traces is finished by the same command.
      guard try ledger.hasTraces() else { throw unknown(try ledger.pumps()) }
      summary.isDone = true
      return (summary, [])
    }
    summary.documents = scope.documentCounts.map(LedgerStatus.Documents.init)
    summary.pumps = scope.pumpNames
    guard try confirm(summary) else { return (summary, []) }
    let forgetting = Forgetting(ledger)
    do {
      try ledger.begin()
      // What an earlier run promised is published or taken back while the ledger still knows it.
      try OutboxRecovery(ledger: ledger).run()
      try takeOut(forgetting, ledger)
      try ledger.forgetOutputs()
      try ledger.commit()
    } catch {
      ledger.rollback()
      throw error
    }
    summary.isDone = true
    return (summary, forgetting.traces)
  }

  /// Takes out what is there once nobody else writes.
  private func takeOut(_ forgetting: Forgetting, _ ledger: Ledger) throws {
    guard request.target != .everything else { return try forgetting.takeOutEverything() }
    guard let scope = try scope(in: ledger) else { return }
    let affected = try forgetting.takeOut(scope)
    guard let held = try ledger.settings() else { return }
    let settings = try RunSettings(ConvertRequest(inputs: []), held: held, known: KnownZones())
    let normalization = PumpNormalization(
      ledger: ledger, schedule: settings.schedule, clock: held.clock,
      concentration: held.concentration, makesGlucose: held.makesGlucose,
      derivesBasal: held.derivesBasal,
      now: request.now ?? HostClock.system.now)
    for pump in try ledger.pumps() where affected.contains(pump.number) {
      _ = try normalization.normalizeWhole(pump)
    }
    try forgetting.dropForgottenSamples(of: affected)
  }

  private func scope(in ledger: Ledger) throws -> ForgetScope? {
    switch request.target {
    case .everything: return ForgetScope()
    case .pump(let name):
      try ledger.check(kind: .events)
      return try ledger.scope(ofPump: name)
    case .document(let digest):
      try ledger.check(kind: .events)
      return try ledger.scope(ofDocument: digest)
    }
  }

  private func unknown(_ pumps: [LedgerPump]) -> RunFailure {
    guard case .pump(let name) = request.target else {
      return RunFailure(
        .usage, what: "the ledger knows no document of that digest", where: "--document",
        next:
          "Reports and pumpline inspect --json print digests as sha256; sha256sum FILE does too.")
    }
    return RunFailure(
      .usage, what: "there is no pump \(name)", where: "--pump",
      next: pumps.isEmpty
        ? "No pump is known yet."
        : "Known: " + pumps.map(\.label.name).joined(separator: ", ") + ".")
  }
}
