import Decode
import Emit
import Platform
import PumpModel

/// The output of `decode`: documents wait until nothing of them can be taken back, then their lines
/// are written, in the order in which the documents began.
final class DecodedStream: ImportTap {
  private unowned let reader: ImportReader
  private let file: any OutputFile
  private let waiting: WaitingRecords
  private let isComplete: Bool
  private var writer = DecodedLineWriter(version: DecodedLine.version)
  private var buffer = ByteBuffer()
  private var rowLine = ByteBuffer()
  private var estimates: [UInt32: [EstimateKey: Estimate]] = [:]
  /// The place of the first document without lines.
  private var next = 0
  private var specialFiles: UInt64 = 0
  /// The pumps' ids as JSON, by reference less one.
  private var quotedPumps: [UInt32: [UInt8]] = [:]
  /// What was written.
  private(set) var summary = FilterSummary()

  /// As many differences are told for each document as a journal takes.
  private static let mostEstimates = 256

  private struct EstimateKey: Hashable {
    var reference: UInt32
    var seconds: Int64
  }

  private struct Estimate {
    var records: UInt64 = 0
    var first = UInt32.max
    var last: UInt32 = 0
  }

  init(
    reader: ImportReader, file: any OutputFile, waiting: WaitingRecords, isComplete: Bool
  ) {
    self.reader = reader
    self.file = file
    self.waiting = waiting
    self.isComplete = isComplete
  }

  func take(_ records: Span<PumpRecord>, at places: Span<UInt64>, of document: UInt32) throws {
    try waiting.add(records, at: places, of: document)
  }

  func take(rows: [ExportRow], of document: UInt32) throws {
    for row in rows {
      rowLine.removeAll()
      writer.appendRest(of: row, serial: reader.serial(of: row.pump), to: &rowLine)
      try rowLine.withBytes { bytes in try waiting.add(row: bytes, of: document) }
    }
  }

  func take(properties: Span<UInt8>, of document: UInt32) throws {
    try waiting.add(text: properties, of: document)
  }

  func take(estimateDiffersBy seconds: Int64, of record: PumpRecord, of document: UInt32) {
    let key = EstimateKey(reference: record.pump, seconds: seconds)
    var own = estimates[document, default: [:]]
    if own[key] == nil, own.count >= Self.mostEstimates { return }
    var estimate = own[key] ?? Estimate()
    estimate.records += 1
    estimate.first = min(estimate.first, record.seconds)
    estimate.last = max(estimate.last, record.seconds)
    own[key] = estimate
    estimates[document] = own
  }

  /// Begins the output.
  func begin() throws { writer.appendBegin(to: &buffer) }

  /// Writes the lines of all documents that began since the last time.
  func write() throws {
    let documents = reader.documents
    while next < documents.count {
      try write(documents[next])
      next += 1
    }
    try waiting.removeAll()
    estimates.removeAll()
  }

  /// Ends the output.
  func end() throws {
    if reader.specialFiles > 0 {
      writer.append(.specialFile, name: nil, count: reader.specialFiles, to: &buffer)
    }
    writer.appendEnd(to: &buffer)
    try buffer.flush(to: file)
    try file.seal()
    try file.publish()
  }

  /// Takes back what was not published.
  func discard() { file.discard() }

  private func write(_ document: RunDocument) throws {
    let isWhole = document.isWhole && document.format != nil
    let name = try reader.name(of: document.index)
    if isWhole {
      try writeWhole(document, named: name)
    } else if document.format == nil, document.rejected == 0 {
      writer.append(.unrecognisedDocument, name: name, count: 1, to: &buffer)
    }
    try reader.rejects.forEach(of: document.index) { reject in
      writer.append(
        reject, in: name, of: isWhole ? document.content.digest : nil,
        format: document.format, to: &buffer)
      try buffer.drain(to: file)
      summary.rejects.add(RejectedPart(document: name, reject: reject))
    }
    try reader.rejects.removeAll(of: document.index)
    try buffer.drain(to: file)
  }

  private func writeWhole(_ document: RunDocument, named name: String) throws {
    guard let format = document.format else { return }
    var line = DecodedDocument(
      digest: document.content.digest, name: name, format: format, bytes: document.bytes,
      records: document.accepted, ignored: document.content.ignored,
      missingBodies: document.content.missingBodies, isComplete: isComplete)
    // Once each, so that one that is missing cannot hide behind one that comes twice.
    let fetched = document.content.fetched.unique
    line.fetched = UInt64(fetched.count)
    line.isMadeUp = document.content.isMadeUp
    line.unknownColumns = document.content.unknownColumns
    writer.append(line, to: &buffer)
    for facts in document.content.facts {
      writer.append(facts, of: document.content.digest, to: &buffer)
      try buffer.drain(to: file)
    }
    for statement in fetched {
      writer.append(statement, of: document.content.digest, to: &buffer)
      try buffer.drain(to: file)
    }
    try waiting.forEach(of: document.index) { record, place, text in
      writer.append(
        record, at: place, of: document.content.digest, pump: quotedPump(record.pump),
        content: content(of: record, text), to: &buffer)
      summary.written += 1
      try buffer.drain(to: file)
    }
    try waiting.forEachRow(of: document.index) { line in
      writer.append(row: line, of: document.content.digest, to: &buffer)
      summary.written += 1
      try buffer.drain(to: file)
    }
    summary.read += Int(clamping: document.accepted)
    for (key, estimate) in (estimates[document.index] ?? [:]).sorted(by: {
      ($0.key.reference, $0.key.seconds) < ($1.key.reference, $1.key.seconds)
    }) {
      writer.append(
        DecodedEstimate(
          digest: document.content.digest,
          pump: reader.assignment(of: key.reference),
          differsBy: key.seconds, records: estimate.records, first: estimate.first,
          last: estimate.last),
        to: &buffer)
      try buffer.drain(to: file)
    }
  }

  private func quotedPump(_ reference: UInt32) -> [UInt8]? {
    if let quoted = quotedPumps[reference] { return quoted }
    guard let assignment = reader.assignment(of: reference) else { return nil }
    let quoted = DecodedLineWriter.quoted(assignment)
    quotedPumps[reference] = quoted
    return quoted
  }

  private func content(of record: PumpRecord, _ text: [UInt8]?) -> DecodedContent {
    DecodedContent(
      name: EventCatalogue.name(of: record.eventID),
      detail: text.map { .properties($0) } ?? .fields(EventCatalogue.details(of: record)))
  }
}

extension [FetchedStatement] {
  /// Each of them once, in their order.
  var unique: [FetchedStatement] {
    var seen: Set<FetchedStatement> = []
    return filter { seen.insert($0).inserted }
  }
}
