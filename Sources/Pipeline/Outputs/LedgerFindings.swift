import Deduplicate
import PumpModel

/// All findings of a ledger: those of each pump's history, and those that only the ledger as a
/// whole shows.
struct LedgerFindings {
  let ledger: Ledger

  /// Gives every finding: the ledger's own first, then pump by pump.
  func forEach(_ body: (_ pump: String?, Finding) throws -> Void) throws {
    if try ledger.isDemo() {
      try body(
        nil,
        Finding(
          .madeUp,
          text: "This is made-up data of a simulated pump, labelled \(DemoData.label) in every "
            + "output. Nobody got this insulin."))
    }
    let missing = try ledger.missingBodies()
    if missing > 0 {
      try body(
        nil,
        Finding(
          .bodyMissing,
          text: "Responses without a body in browser captures: \(missing). Browsers drop large "
            + "ones, so save such answers one by one."))
    }
    let exports = try ledger.documents(of: [.sourceCSV, .timelineCSV])
    if exports > 0 {
      try body(
        nil,
        Finding(
          .exportWithoutBasal,
          text: "CSV exports that were read: \(exports). They hold no basal that samples can be "
            + "made of, so days known from them alone have none."))
    }
    for pump in try ledger.pumps() {
      if let other = pump.sameAs {
        try body(
          pump.label.name,
          Finding(
            .pumpRenamed,
            text: "This name and \(other) are one pump; its samples are given as \(other)."))
      } else if pump.serial == nil {
        try body(
          pump.label.name,
          Finding(
            .pumpWithoutSerial,
            text: "No serial number is known, so the pump is named by its assignment id."))
      }
    }
    try forEachOverlap(body)
    try forEachLeftOut(body)
    try forEachMealAlone(body)
    try ledger.forEachFinding { pump, finding in try body(pump, finding) }
  }

  private func pumpNames() throws -> [Int64: String] {
    Dictionary(
      try ledger.pumps().map { ($0.number, $0.label.name) }, uniquingKeysWith: { first, _ in first }
    )
  }

  private func forEachMealAlone(_ body: (_ pump: String?, Finding) throws -> Void) throws {
    let names = try pumpNames()
    for rows in try ledger.rowAccounts() where rows.account.mealsAlone > 0 {
      try body(
        names[rows.pump],
        Finding(
          .mealWithoutBolus,
          text: "Meals of \(rows.source.word) exports whose bolus no document tells: "
            + "\(rows.account.mealsAlone). They give no samples until one does."))
    }
  }

  private func forEachLeftOut(_ body: (_ pump: String?, Finding) throws -> Void) throws {
    guard try ledger.settings()?.derivesBasal == false else { return }
    let names = try pumpNames()
    for rows in try ledger.rowAccounts() where rows.source != .csv && rows.account.rates > 0 {
      try body(
        names[rows.pump],
        Finding(
          .basalLeftOut,
          text: "Basal rates of \(rows.source.word) exports: \(rows.account.rates). They were left "
            + "out; --include derived-basal makes basal of them where records tell nothing."))
    }
  }

  private func forEachOverlap(_ body: (_ pump: String?, Finding) throws -> Void) throws {
    for overlap in try ledger.overlaps() {
      try body(
        overlap.pump,
        Finding(
          .pumpsOverlap, start: overlap.start, end: overlap.end,
          text: "This pump and \(overlap.other) both gave insulin at the same time; days: "
            + "\(overlap.days)."))
    }
  }
}
