package import PumpModel

/// A document of a run whose records go into the journal.
package struct AcceptedDocument: Sendable {
  /// The run's count of the document.
  package var index: UInt32
  /// The SHA-256 of its bytes.
  package var digest: [UInt8]
  /// Its format.
  package var format: DocumentFormat
  /// Whether it was said to be complete.
  package var isComplete: Bool
  /// How many bytes it has.
  package var bytes: UInt64
  /// How many records were read in it.
  package var records: UInt64
  /// How many responses without a body it has, if it is a browser's capture.
  package var missingBodies: UInt64
  /// The references to pumps that its records hold.
  package var references: Set<UInt32> = []
  /// What it says of pumps, if it is an account answer.
  package var facts: [PumpFacts] = []
  /// Whether it says of itself that its data is made up.
  package var isMadeUp = false
  /// The run's count of the capture that it lies in, if it does.
  package var parent: UInt32?

  /// Creates a document.
  package init(
    index: UInt32, digest: [UInt8], format: DocumentFormat, isComplete: Bool, bytes: UInt64,
    records: UInt64, missingBodies: UInt64
  ) {
    self.index = index
    self.digest = digest
    self.format = format
    self.isComplete = isComplete
    self.bytes = bytes
    self.records = records
    self.missingBodies = missingBodies
  }
}

/// What taking a run's records into the journal did.
package struct ImportOutcome: Sendable {
  /// Pumps of which something was read that was not known before.
  package var changedPumps: Set<Int64> = []
  /// Which records of these pumps are new or have new copies; none for a pump of which only what
  /// documents say as a whole is new.
  package var touched: [Int64: TouchedRecords] = [:]
  /// Which rows of exports of these pumps are new.
  package var touchedRows: [Int64: TouchedRows] = [:]
  /// Copies that each of the run's documents brought and another had already.
  package var duplicates: [UInt32: UInt64] = [:]
  /// The pump of each reference of the run.
  package var pumps: [UInt32: Int64] = [:]
  /// The pumps of the run's documents whose records carry no pump, if the ledger knew them.
  package var unnamedPumps: [UInt32: Set<Int64>] = [:]
  /// The run's documents that the ledger knew.
  package var known: Set<UInt32> = []
}
