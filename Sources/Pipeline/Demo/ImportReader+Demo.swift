import Demo
import PumpModel

extension ImportReader {
  /// Reads the history of a demo as if its archive of the service's answers had been named.
  ///
  /// - Throws: as `read(_:)`.
  func read(_ plan: DemoPlan) throws {
    try plan.check()
    for archive in DemoArchive.all(of: plan.history, as: .pumpLogs) {
      try archive.forEachDocument { name, bytes in
        _ = try read(memory: bytes, named: "demo › \(name)")
      }
    }
  }
}
