package import PumpModel

/// What inputs hold, as `pumpline inspect` tells it: no zone, no amounts, no person's name.
package struct InspectSummary: Sendable, Equatable {
  /// The documents, in the order in which they were read.
  package var documents: [Document] = []
  /// How many documents inside archives, folders or captures are no pump data.
  package var unrecognised = 0
  /// The pumps, ordered by name.
  package var pumps: [InspectedPump] = []
  /// The names of event ids, such as `BASAL_DELIVERY`; an id that is missing is unknown.
  package var eventNames: [UInt16: String] = [:]
  /// What could not be read.
  package var rejects = Shortlist<RejectedPart>()

  /// Creates the summary of nothing.
  package init() {}

  /// Clean, or with rejects.
  package var exitStatus: ExitStatus { rejects.count == 0 ? .ok : .rejects }

  /// One document.
  package struct Document: Sendable, Equatable {
    /// Its name: a path, with the member's after it.
    package var name: String
    /// What it is.
    package var format: DocumentFormat
    /// How many records it gave.
    package var records: Int
    /// How many pieces of it could not be used.
    package var rejected: Int
    /// The SHA-256 of its bytes in hexadecimal digits, by which ledgers know it.
    package var sha256: String?

    /// Whether it says of itself that its data is made up.
    package var isMadeUp = false
    /// How many parts of it are sound and not used, by reason.
    package var ignored: [IgnoredReason: Int] = [:]
    /// Columns of an export that nobody knows, the first of them.
    package var unknownColumns: [String] = []
    /// Responses of a capture without a body.
    package var missingBodies = 0

    /// Creates a document.
    package init(name: String, format: DocumentFormat, records: Int, rejected: Int) {
      self.name = name
      self.format = format
      self.records = records
      self.rejected = rejected
    }
  }
}
