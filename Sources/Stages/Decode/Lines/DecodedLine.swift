package import PumpModel

/// A line of what `pumpline decode` writes: the parts of documents, each on its own.
package enum DecodedLine: Sendable, Equatable {
  /// The version of these lines, in `begin` and `document`; a reader refuses others.
  package static let version: UInt64 = 1

  /// A run of `decode` began to write.
  case begin
  /// A run of `decode` wrote all that it read.
  case end
  /// A document that was read whole.
  case document(DocumentLine)
  /// What an account answer says of a pump.
  case pump(document: LineDigest, PumpFacts)
  /// A record.
  case event(EventLine)
  /// A row of an export.
  case row(RowLine)
  /// Some time of a pump's logs that a document says was fetched.
  case fetched(document: LineDigest, FetchedStatement)
  /// How `estimatedDateTime` differs in a document.
  case estimate(EstimateLine)
  /// Something that could not be used.
  case reject(RejectLine)
  /// What is not used for a reason that has a name, outside of documents that were read.
  case ignored(IgnoredReason, name: String?, count: UInt64)
}

/// The SHA-256 of a document.
package struct LineDigest: Hashable, Sendable {
  /// The 32 bytes as words, most significant first.
  package let words: [UInt32]

  /// The bytes.
  package var bytes: [UInt8] {
    words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
    }
  }
}

/// A document that was read whole; its records or rows follow, or stand anywhere else in the stream.
package struct DocumentLine: Sendable, Equatable {
  /// The SHA-256 of its bytes.
  package var digest: LineDigest
  /// The name for people.
  package var name: String
  /// Its format.
  package var format: DocumentFormat
  /// How many bytes it has.
  package var bytes: UInt64
  /// How many of its records or rows have lines.
  package var records: UInt64
  /// What was passed over and has no line of its own that would tell it again.
  package var ignored: [IgnoredReason: UInt64]
  /// Responses without a body.
  package var missingBodies: UInt64
  /// Whether it was said to be complete.
  package var isComplete: Bool
  /// How many pieces of fetched time have lines, each of them once.
  package var fetched: UInt64 = 0
  /// Whether its data is made up.
  package var isMadeUp = false
}

/// A record of a document.
package struct EventLine: Sendable, Equatable {
  /// The document.
  package var document: LineDigest
  /// The assignment id of its pump as UTF-8; nil if it names none.
  package var assignment: [UInt8]?
  /// The record; its pump is not set.
  package var record: PumpRecord
}

/// A row of a document that is an export.
package struct RowLine: Sendable, Equatable {
  /// The document.
  package var document: LineDigest
  /// The serial number of its pump; nil if it names none.
  package var serial: String?
  /// The row; its pump is not set.
  package var row: ExportRow
}

/// By how much `estimatedDateTime` of some records of one pump differs from their time.
package struct EstimateLine: Sendable, Equatable {
  /// The document.
  package var document: LineDigest
  /// The assignment id of the pump as UTF-8; nil if the records name none.
  package var assignment: [UInt8]?
  /// The difference in seconds, not 0.
  package var differsBy: Int64
  /// How many records there are.
  package var records: UInt64
  /// The earliest pump time among them.
  package var first: UInt32
  /// The latest pump time among them.
  package var last: UInt32
}

/// Something that could not be used.
package struct RejectLine: Sendable, Equatable {
  /// The document; nil if nothing of it can be used.
  package var document: LineDigest?
  /// The name for people of what it stands in.
  package var name: String
  /// The format of a document that was recognised and then was damaged.
  package var format: DocumentFormat?
  /// Where, and why.
  package var reject: Reject
}
