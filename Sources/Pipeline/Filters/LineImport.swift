import Decode
import Deduplicate
import PumpModel

/// Reads the lines of `decode` as an `ImportReader` reads documents, so that all that follows is
/// one code path.
///
/// Lines may come in any order. A document counts only if all its lines came: what a cut stream or
/// a filter took away would be missing doses.
final class LineImport {
  private let reader: ImportReader
  private let journal: JournalImport
  /// The documents of which lines came, by digest.
  private var parts: [LineDigest: Part] = [:]
  private var last: (digest: LineDigest, index: Int)?
  private var records: [PumpRecord] = []
  private var recordsDocument: UInt32 = 0
  private var rows: [ExportRow] = []
  private var rowsDocument: UInt32 = 0
  /// Runs of `decode` that began less those that ended.
  private var unended = 0
  /// The place of the input whose lines cannot be used, by its name.
  private var damagedInputs: [String: Int] = [:]

  /// As many as an input may have entries (N2).
  private static let mostDocuments = 100_000
  private static let batchSize = 4096

  private struct Part {
    var index: Int
    /// How many records its document lines promise; nil before the first.
    var promised: UInt64?
    /// How many records the first of them promises.
    var records: UInt64 = 0
    /// How many lines of records and rows came.
    var came: UInt64 = 0
    /// Whether some of them are rows.
    var hasRows = false
    /// How many pieces of fetched time its document lines promise, and the first of them.
    var fetched: (promised: UInt64, first: UInt64) = (0, 0)
    /// How many lines of them came.
    var fetchedCame: UInt64 = 0
  }

  init(_ reader: ImportReader, _ journal: JournalImport) {
    self.reader = reader
    self.journal = journal
  }

  /// Reads lines of inputs to their end.
  func read(_ inputs: [String], events: @escaping (RunEvent) -> Void) throws {
    let input = LineInput(events: events) { [self] name, number, bytes, fault in
      switch Self.parse(bytes, fault) {
      case .success(let line): try take(line, at: number, of: name)
      case .failure(let fault): try reject(Reject(.line(number), fault.reason), of: name)
      }
    }
    try input.read(inputs)
    try flush()
    try flushRows()
    guard unended == 0 else {
      throw RunFailure(
        .unreadable, what: "the first or the last line of a run of decode is missing",
        where: inputs.count == 1 && inputs[0] != "-" ? inputs[0] : nil,
        next: "Run decode again, and see that it ends; in a script: set -o pipefail")
    }
    try settle()
  }

  private static func parse(_ bytes: RawSpan, _ fault: LineFault?) -> Result<DecodedLine, LineFault>
  {
    if let fault { return .failure(fault) }
    return Result { () throws(LineFault) in try DecodedLineParser.parse(bytes) }
  }

  private func take(_ line: DecodedLine, at number: UInt64, of input: String) throws {
    switch line {
    case .begin: unended += 1
    case .end: unended -= 1
    case .event(let event): try take(event, at: number, of: input)
    case .row(let row): try take(row)
    case .document(let document): try take(document)
    case .pump(let digest, let facts):
      let index = try index(of: digest)
      reader.documents[index].content.facts.append(facts)
    case .fetched(let digest, let statement): try take(statement, of: digest)
    case .estimate(let estimate):
      journal.note(
        estimateDiffersBy: estimate.differsBy, records: Int64(clamping: estimate.records),
        from: estimate.first, until: estimate.last, reference: reference(estimate.assignment),
        document: UInt32(try index(of: estimate.document)))
    case .reject(let line): try take(line)
    case .ignored(let reason, let name, let count): try take(reason, name, count)
    }
  }

  private func take(_ line: EventLine, at number: UInt64, of input: String) throws {
    let index = try index(of: line.document)
    parts[line.document]?.came += 1
    var record = line.record
    record.pump = reference(line.assignment)
    switch EventDecoder.decode(record) {
    case .event(_, let remark): note(remark, record, index)
    case .rejected(let fault):
      return try reject(Reject(.line(number), fault.reason), of: input)
    }
    reader.documents[index].accepted += 1
    reader.documents[index].content.references.insert(record.pump)
    if recordsDocument != UInt32(index) || records.count >= Self.batchSize {
      try flush()
      recordsDocument = UInt32(index)
    }
    records.append(record)
  }

  private func take(_ line: RowLine) throws {
    let index = try index(of: line.document)
    parts[line.document]?.came += 1
    parts[line.document]?.hasRows = true
    var row = line.row
    row.pump = line.serial.map { reader.pump(serial: $0) } ?? 0
    reader.documents[index].accepted += 1
    reader.documents[index].content.references.insert(row.pump)
    if rowsDocument != UInt32(index) || rows.count >= Self.batchSize {
      try flushRows()
      rowsDocument = UInt32(index)
    }
    rows.append(row)
  }

  private func note(_ remark: EventDecoder.Remark, _ record: PumpRecord, _ index: Int) {
    let reason: IgnoredReason
    switch remark {
    // What is wrong with its carbohydrate has a line of its own.
    case .none, .carbsUnusable: return
    case .glucoseNotShown: reason = .glucoseNotShown
    case .noRule: reason = .noRule
    case .unknownEvent:
      reason = .unknownEvent
      reader.documents[index].content.unknownIDs[record.eventID, default: 0] += 1
    }
    reader.documents[index].content.ignored[reason, default: 0] += 1
  }

  private func flush() throws {
    guard !records.isEmpty else { return }
    let batch = records
    try journal.append(batch.span, document: recordsDocument)
    records.removeAll(keepingCapacity: true)
  }

  private func flushRows() throws {
    guard !rows.isEmpty else { return }
    try journal.append(rows: rows, document: rowsDocument)
    rows.removeAll(keepingCapacity: true)
  }

  private func take(_ line: DocumentLine) throws {
    let index = try index(of: line.digest)
    let promised = parts[line.digest]?.promised
    parts[line.digest]?.promised = (promised ?? 0).addingClamped(line.records)
    var document = reader.documents[index]
    parts[line.digest]?.fetched.promised.addClamped(line.fetched)
    if promised == nil {
      parts[line.digest]?.records = line.records
      parts[line.digest]?.fetched.first = line.fetched
      try reader.names.set(line.name, of: index)
      document.format = line.format
      document.bytes = line.bytes
      document.content.missingBodies = line.missingBodies
      document.content.ignored.merge(line.ignored, uniquingKeysWith: +)
    }
    document.isComplete = document.isComplete || line.isComplete
    document.content.isMadeUp = document.content.isMadeUp || line.isMadeUp
    reader.documents[index] = document
  }

  private func take(_ statement: FetchedStatement, of digest: LineDigest) throws {
    let index = try index(of: digest)
    parts[digest]?.fetchedCame += 1
    reader.documents[index].content.fetched.append(statement)
    // Copies of a document tell the same again; and no document has more than so many.
    let most = RunDocument.mostFetched
    guard let came = parts[digest]?.fetchedCame, came.isMultiple(of: UInt64(most)) else { return }
    reader.documents[index].content.fetched = Array(
      reader.documents[index].content.fetched.unique.prefix(most + 1))
  }

  private func take(_ line: RejectLine) throws {
    let index: Int
    if let digest = line.document {
      index = try self.index(of: digest)
    } else {
      index = try add(line.name)
      reader.documents[index].format = line.format
    }
    reader.documents[index].rejected += 1
    try reader.rejects.add(line.reject, of: UInt32(index))
  }

  private func take(_ reason: IgnoredReason, _ name: String?, _ count: UInt64) throws {
    switch reason {
    case .specialFile: reader.specialFiles = reader.specialFiles.addingClamped(count)
    case .unrecognisedDocument: for _ in 0..<count { _ = try add(name ?? "?") }
    case .erasedFlash, .noHistory, .unknownEvent, .noRule, .glucoseNotShown, .basalRow,
      .insulinOnBoardRow, .incompleteRow, .otherRow, .otherOrigin, .suspensionRow, .repeatedRow,
      .unknownColumn:
      break
    }
  }
}

extension LineImport {
  /// The place of a document in the reader's list.
  private func index(of digest: LineDigest) throws -> Int {
    if let last, last.digest == digest { return last.index }
    let index: Int
    if let part = parts[digest] {
      index = part.index
    } else {
      index = try add("document " + hex(digest.bytes.prefix(6)))
      reader.documents[index].content.digest = digest.bytes
      parts[digest] = Part(index: index)
    }
    last = (digest, index)
    return index
  }

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func add(_ name: String) throws -> Int {
    guard reader.documents.count < Self.mostDocuments else {
      throw RunFailure(
        .unreadable, what: "the lines are of more than \(Self.mostDocuments) documents",
        next: "Normalize them in parts, into one ledger, with convert --ledger.")
    }
    let index = reader.begin(named: name, parent: nil)
    if let failure = reader.failure { throw failure }
    return index
  }

  /// The run's reference of a pump; 0 is a pump without any name.
  private func reference(_ assignment: [UInt8]?) -> UInt32 {
    assignment.map { reader.pump(assignment: $0.span) } ?? 0
  }

  /// Notes a line that cannot be used.
  private func reject(_ reject: Reject, of input: String) throws {
    let index: Int
    if let known = damagedInputs[input] {
      index = known
    } else {
      index = try add(input)
      damagedInputs[input] = index
    }
    reader.documents[index].rejected += 1
    try reader.rejects.add(reject, of: UInt32(index))
  }

  /// Lets the documents count of which every line came.
  private func settle() throws {
    for part in parts.values.sorted(by: { $0.index < $1.index }) {
      guard let reason = try fault(of: part) else {
        reader.documents[part.index].isWhole = true
        continue
      }
      try reader.clear(part.index)
      reader.documents[part.index].rejected = 1
      try reader.rejects.add(Reject(.whole, reason), of: UInt32(part.index))
    }
  }

  /// Why a document cannot count; nil if it can.
  private func fault(of part: Part) throws -> String? {
    guard let promised = part.promised else {
      return "the line of the document itself is missing"
    }
    guard promised == part.came else { return "\(part.came) of its \(promised) records came" }
    // A run that knows less of what was fetched closes basal that another would leave open.
    let fetched = reader.documents[part.index].content.fetched.unique
    guard part.fetched.promised == part.fetchedCame, part.fetched.first == UInt64(fetched.count)
    else { return "\(fetched.count) of its \(part.fetched.first) pieces of fetched time came" }
    reader.documents[part.index].content.fetched = fetched
    // A record that came twice is one by its number; a row that came twice would be two doses.
    guard part.hasRows else { return nil }
    let rows = try journal.uniteRows(of: UInt32(part.index))
    guard rows == part.records else { return "\(rows) of its \(part.records) rows came" }
    return nil
  }
}

extension UInt64 {
  /// A sum; the greatest number there is where it would be more.
  fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }

  fileprivate mutating func addClamped(_ other: UInt64) { self = addingClamped(other) }
}
