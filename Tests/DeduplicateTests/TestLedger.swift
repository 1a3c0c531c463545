@testable import Deduplicate
import Platform
import PumpModel

/// A document of a test: a name that stands for its digest, and its records.
struct TestDocument {
  var name: String
  var records: [PumpRecord]
  var isComplete = false

  init(_ name: String, _ records: [PumpRecord], isComplete: Bool = false) {
    self.name = name
    self.records = records
    self.isComplete = isComplete
  }
}

/// A record that says little more than its place; pump 1 is the first assignment id of a run.
func record(
  _ number: UInt32, at seconds: UInt32 = 1000, id: UInt16 = 279, saying word: UInt32 = 0,
  form: PumpRecord.Form = .binary, group: UInt32? = nil, pump: UInt32 = 1
) -> PumpRecord {
  var record = PumpRecord(
    number: number, seconds: seconds, eventID: id, payload: .init(word), form: form, pump: pump)
  if let group {
    record.group = group
    record.hasGroup = true
  }
  return record
}

/// Copies differ in their first word; a binary one stands first, then the greater.
let wordRules = CopyRules(
  prefers: { left, right in
    left.form != right.form
      ? left.form == .binary : left.payload.word0 > right.payload.word0
  },
  differ: { $0.payload.word0 != $1.payload.word0 })

extension Ledger {
  /// A ledger of one test.
  static func temporary() throws -> Ledger { try Ledger(.temporary, waitMilliseconds: 0) }

  /// Imports documents in a run of their own.
  @discardableResult
  func importing(
    _ documents: [TestDocument], assignments: [String] = ["A"], facts: [PumpFacts] = [],
    serial: String? = nil
  ) throws -> ImportOutcome {
    let journal = JournalImport(self)
    for (index, document) in documents.enumerated() {
      try journal.append(document.records.span, document: UInt32(index))
    }
    let references = Set(documents.flatMap { $0.records.map(\.pump) })
    try begin()
    do {
      let outcome = try journal.finish(
        documents.enumerated().map { index, document in
          AcceptedDocument(
            index: UInt32(index), digest: Array(document.name.utf8), format: .records,
            isComplete: document.isComplete, bytes: 26 * UInt64(document.records.count),
            records: UInt64(document.records.count), missingBodies: 0)
        },
        claims: PumpClaims(
          stated: assignments.map(StatedPump.assignment), present: references.subtracting([0]),
          hasUnnamed: references.contains(0), facts: facts, serial: serial),
        count: UInt32(documents.count))
      try commit()
      return outcome
    } catch {
      rollback()
      throw error
    }
  }

  /// The pumps with their numbers, as `number:name`, with the pump that each was proven to be.
  func pumpNames() throws -> [String] {
    try pumps().sorted { $0.number < $1.number }.map { pump in
      "\(pump.number):\(pump.label.name)" + (pump.sameAs.map { "=\($0)" } ?? "")
    }
  }

  /// A pump's events in order, as `group/number@seconds:id word`.
  func events(of number: Int64 = 1) throws -> [String] {
    try read(number).records.map { record in
      "\(record.group)/\(record.number)@\(record.seconds):\(record.eventID) \(record.payload.word0)"
    }
  }

  /// A pump's events with the reader that gave them.
  func read(_ number: Int64 = 1) throws -> (records: [PumpRecord], reader: JournalReader) {
    guard let pump = try pumps().first(where: { $0.number == number }) else {
      throw NamingError.serialNeeded
    }
    let reader = try journal(of: pump, rules: wordRules)
    var all: [PumpRecord] = []
    var batch: [PumpRecord] = []
    while try reader.next(into: &batch) { all += batch }
    return (all, reader)
  }

  /// How many entries each row of a pump's journal holds.
  func journalRows(of pump: Int64 = 1) throws -> [Int] {
    let chunks = try JournalChunks(database, pump: pump)
    return try chunks.places().map { try chunks.entries(of: $0.chunk).count / JournalEntry.size }
  }

  /// The documents that hold each entry of a pump's journal, in order.
  func holders(of pump: Int64 = 1) throws -> [[UInt32]] {
    let chunks = try JournalChunks(database, pump: pump)
    let sets = try DocumentSets(database)
    var found: [[UInt32]] = []
    for place in try chunks.places() {
      var entries = StoredEntries(try chunks.entries(of: place.chunk))
      while let entry = entries.next {
        found.append(try sets.documents(of: entry.holder))
        entries.advance()
      }
    }
    return found
  }
}

extension LedgerError {
  /// The case's name.
  var word: String {
    switch self {
    case .busy: "busy"
    case .missing: "missing"
    case .notALedger: "notALedger"
    case .newer(let version): "newer \(version)"
    case .otherKind(let kind): "other kind: \(kind.rawValue)"
    case .mixed(let mixture): "mixed: \(mixture)"
    case .damaged: "damaged"
    case .denied: "denied"
    case .checkFailed: "checkFailed"
    case .noRoom: "noRoom"
    case .failed(let error): "failed \(error)"
    }
  }
}
