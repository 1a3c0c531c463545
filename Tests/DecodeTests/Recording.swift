import Decode
import PumpModel

/// A consumer that writes down what it is told.
final class Recording: DocumentConsumer {
  /// One call, `content` aside, which depends on how the bytes are cut.
  enum Call: Equatable {
    case begin(Int?)
    case pump(String)
    case keep(String)
    case record(PumpRecord)
    case serial(String)
    case row(ExportRow)
    case unknownColumn(String)
    case reject(Reject)
    case ignore(IgnoredReason, UInt16?)
    case facts(PumpFacts)
    case fetched(FetchedStatement)
    case estimated(Int64)
    case madeUp
    case missingBody
    case end(DocumentVerdict)
  }

  var calls: [Call] = []
  var content: [UInt8] = []
  /// Ids that were asked for: asking again says nothing, and may depend on the cuts.
  private var assignments: Set<String> = []

  var records: [PumpRecord] {
    calls.compactMap { if case .record(let record) = $0 { record } else { nil } }
  }
  var rows: [ExportRow] {
    calls.compactMap { if case .row(let row) = $0 { row } else { nil } }
  }
  var rejects: [Reject] {
    calls.compactMap { if case .reject(let reject) = $0 { reject } else { nil } }
  }
  var facts: [PumpFacts] {
    calls.compactMap { if case .facts(let facts) = $0 { facts } else { nil } }
  }
  var fetched: [FetchedStatement] {
    calls.compactMap { if case .fetched(let statement) = $0 { statement } else { nil } }
  }
  var verdicts: [DocumentVerdict] {
    calls.compactMap { if case .end(let verdict) = $0 { verdict } else { nil } }
  }
  var verdict: DocumentVerdict? { verdicts.last }

  /// Reads a document in pieces of a size, or as a whole.
  static func of(
    _ bytes: [UInt8], pieces: Int? = nil, forms: CellForms = CellForms()
  ) -> Recording {
    let recording = Recording()
    let reader = DocumentReader(consumer: recording, forms: forms)
    var position = 0
    while position < bytes.count {
      let end = min(bytes.count, position + (pieces ?? bytes.count))
      unsafe reader.feed(bytes.span.bytes.extracting(position..<end))
      position = end
    }
    reader.finish()
    return recording
  }

  /// Reads a document cut once.
  static func of(_ bytes: [UInt8], cutAt cut: Int) -> Recording {
    let recording = Recording()
    let reader = DocumentReader(consumer: recording)
    unsafe reader.feed(bytes.span.bytes.extracting(0..<cut))
    unsafe reader.feed(bytes.span.bytes.extracting(cut..<bytes.count))
    reader.finish()
    return recording
  }

  static func of(_ text: String, pieces: Int? = nil) -> Recording {
    of(Array(text.utf8), pieces: pieces)
  }

  func begin(response: Int?) { calls.append(.begin(response)) }
  func content(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe content.append(contentsOf: $0) }
  }
  func pump(assignment: Span<UInt8>) -> UInt32 {
    let text = Self.text(assignment)
    if assignments.insert(text).inserted { calls.append(.pump(text)) }
    return Self.reference(text)
  }
  /// The reference of a pump by what names it.
  static func reference(_ name: String) -> UInt32 {
    UInt32(name.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF }) + 1
  }
  func pump(serial: String) -> UInt32 {
    if assignments.insert(serial).inserted { calls.append(.serial(serial)) }
    return Self.reference(serial)
  }
  func rows(_ rows: [ExportRow]) { calls += rows.map(Call.row) }
  func unknownColumn(_ name: String) { calls.append(.unknownColumn(name)) }
  func keep(properties: Span<UInt8>) -> PumpRecord.Payload {
    let text = Self.text(properties)
    calls.append(.keep(text))
    return PumpRecord.Payload(UInt32(text.utf8.count), 1, 2, 3)
  }
  func records(_ records: Span<PumpRecord>) {
    for index in records.indices { calls.append(.record(records[index])) }
  }
  func reject(_ reject: Reject) { calls.append(.reject(reject)) }
  func ignore(_ reason: IgnoredReason, eventID: UInt16?) { calls.append(.ignore(reason, eventID)) }
  func pump(facts: PumpFacts) { calls.append(.facts(facts)) }
  func fetched(_ statement: FetchedStatement) { calls.append(.fetched(statement)) }
  func estimatedTime(differsBy seconds: Int64, of record: PumpRecord) {
    calls.append(.estimated(seconds))
  }
  func madeUp() { calls.append(.madeUp) }
  func missingBody() { calls.append(.missingBody) }
  func end(_ verdict: DocumentVerdict) { calls.append(.end(verdict)) }

  private static func text(_ bytes: Span<UInt8>) -> String {
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}
