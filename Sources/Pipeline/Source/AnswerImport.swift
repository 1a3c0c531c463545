import Deduplicate
import Extract
import PumpModel

/// Answers of a service that a run reads from memory, and what is kept in the same transaction.
struct AnswerImport {
  /// The answers with names for people.
  var documents: [(name: String, bytes: [UInt8])]
  /// Is given every record that passes, with the assignment id that it states.
  var onRecord: ((PumpRecord, _ assignment: String?) -> Void)?
  /// Keeps what belongs to the answers; the ledger is in its transaction and knows the documents,
  /// whose SHA-256 are given in their order.
  var keep: (Ledger, _ digests: [[UInt8]], ImportReader) throws -> Void = { _, _, _ in }

  /// What earlier runs of the same pull read, for the report.
  var before: PulledDocuments?
  /// Is given the report of the run once the ledger has committed.
  var onCommitted: (RunReport) throws -> Void = { _ in }

  private let findings = Findings()

  /// What came to light while the answers were read.
  private final class Findings {
    var places: [Int] = []
    var failure: SourceFailure?
  }

  /// Why an answer cannot be used, once the run has ended over it.
  var failure: SourceFailure? { findings.failure }

  init(documents: [(name: String, bytes: [UInt8])]) { self.documents = documents }

  /// Reads the answers.
  ///
  /// - Throws: `SourceFailure.unexpected` if one is not whole, or no answer of a known form; and as
  ///   `ImportReader.read`.
  func read(by reader: ImportReader) throws {
    if let onRecord {
      var known: [UInt32: String?] = [:]
      reader.onRecord = { record, _ in
        if known[record.pump] == nil {
          known[record.pump] = .some(reader.assignment(of: record.pump))
        }
        onRecord(record, known[record.pump] ?? nil)
      }
    }
    defer { reader.onRecord = nil }
    for document in documents {
      let place = try reader.read(memory: document.bytes, named: document.name)
      guard reader.documents.indices.contains(place), reader.documents[place].isWhole else {
        let failure = SourceFailure.unexpected(step: "logs", what: "an answer that is damaged")
        findings.failure = failure
        throw failure
      }
      findings.places.append(place)
    }
  }

  /// Keeps what belongs to them.
  func keep(_ ledger: Ledger, _ reader: ImportReader) throws {
    try keep(ledger, findings.places.map { reader.documents[$0].content.digest }, reader)
  }
}
