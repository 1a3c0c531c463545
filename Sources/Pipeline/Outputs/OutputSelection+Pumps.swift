import Deduplicate
import PumpModel

extension OutputSelection {
  /// The pumps that outputs show, of those that a ledger has.
  ///
  /// - Throws: `RunFailure`, 64, if one that was named is not there.
  func selected(_ pumps: [LedgerPump]) throws(RunFailure) -> [LedgerPump] {
    let current = pumps.filter { $0.sameAs == nil }
    guard !self.pumps.isEmpty else { return current }
    for name in self.pumps
    where !current.contains(where: { $0.label.name == name || $0.serial == name }) {
      throw RunFailure(
        .usage, what: "there is no pump \(name)", where: "--pump",
        next: current.isEmpty
          ? "No pump is known yet."
          : "Known: " + current.map(\.label.name).joined(separator: ", ") + ".")
    }
    return current.filter {
      self.pumps.contains($0.label.name) || $0.serial.map(self.pumps.contains) ?? false
    }
  }
}
