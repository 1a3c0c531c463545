/// What `pumpline ledger verify` looked at and found.
package struct LedgerVerification: Sendable, Equatable {
  /// How many pumps were made again from nothing.
  package var pumps = 0
  /// How many copies of records were looked at.
  package var records = 0
  /// How many samples were looked at, withdrawn ones included.
  package var samples = 0
  /// What is not as it must be; empty in a sound ledger.
  package var problems: [Problem] = []

  /// Creates the verification of nothing.
  package init() {}

  /// Clean, or with differences.
  package var exitStatus: ExitStatus { problems.isEmpty ? .ok : .rejects }

  /// Something that is not as it must be.
  package struct Problem: Sendable, Equatable {
    /// The part of the ledger, such as `journal`.
    package var area: String
    /// The pump's name; nil if it is about none.
    package var pump: String?
    /// A clause for a person, without amounts.
    package var text: String

    /// Creates a problem.
    package init(area: String, pump: String?, text: String) {
      self.area = area
      self.pump = pump
      self.text = text
    }
  }
}
