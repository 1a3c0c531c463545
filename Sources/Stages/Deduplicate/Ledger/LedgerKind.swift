import Platform

/// What a ledger keeps; raw values are kept in ledgers and shown to people.
package enum LedgerKind: String, Sendable, CaseIterable {
  /// A journal of pump events and the samples made of it.
  case events
  /// Samples that others made, without the events behind them.
  case samples
}

extension Ledger {
  /// What the ledger keeps; nil before its first run.
  package func kind() throws(LedgerError) -> LedgerKind? {
    try run { () throws(SQLiteError) in
      if let kind = try database.text("SELECT value FROM settings WHERE name = 'kind'") {
        return LedgerKind(rawValue: kind)
      }
      // Ledgers were all of one kind before kinds had names.
      let hasClock = try database.text("SELECT value FROM settings WHERE name = 'clock'") != nil
      return hasClock ? .events : nil
    }
  }

  /// Refuses a ledger that keeps something else; one without a first run is of every kind.
  ///
  /// - Throws: `LedgerError.otherKind`.
  package func check(kind wanted: LedgerKind) throws(LedgerError) {
    if let kind = try kind(), kind != wanted { throw .otherKind(kind) }
  }

  /// Settles what the ledger keeps, once for all; it must be in its transaction.
  ///
  /// - Throws: `LedgerError.otherKind` if it was settled otherwise before.
  package func settle(kind: LedgerKind) throws(LedgerError) {
    try check(kind: kind)
    guard try self.kind() == nil else { return }
    try run { () throws(SQLiteError) in try set("kind", text: kind.rawValue) }
  }
}
