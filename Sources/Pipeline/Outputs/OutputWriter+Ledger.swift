import Deduplicate
import Platform
import PumpModel

extension OutputWriter {
  /// Creates what writes a ledger's samples as they are now, with the settings that hold now.
  ///
  /// - Throws: `RunFailure.overtaken` if the ledger holds nothing any more.
  init(of ledger: Ledger, request: ConvertRequest, owner: String?) throws {
    guard let held = try ledger.settings() else { throw RunFailure.overtaken }
    let settings = try RunSettings(ConvertRequest(inputs: []), held: held, known: KnownZones())
    self.init(
      ledger: ledger, schedule: settings.schedule,
      pumps: try request.selection.selected(try ledger.pumps()), request: request,
      normalization: PumpNormalization(
        ledger: ledger, schedule: settings.schedule, clock: held.clock,
        concentration: held.concentration, makesGlucose: held.makesGlucose,
        now: request.now ?? HostClock.system.now),
      owner: owner)
  }

  /// Writes outputs by the method that each was assigned, and seals them.
  func writeAsAssigned(_ outputs: [PlannedOutput]) throws {
    var whole: [PlannedOutput] = []
    for output in outputs {
      switch output.method {
      case .whole, .database: whole.append(output)
      case .owed(let owed, _):
        try ChangesWriter(writer: self, request: request).write(output, owed)
      case .update: break
      }
    }
    try write(whole)
  }
}

extension RunFailure {
  /// A run that was overtaken and cannot give what it owes by now.
  static let overtaken = RunFailure(
    .busy, what: "another run came between, and not all that was to be written can be",
    next: "All that was read is kept; run it again for what is still owed.")
}
