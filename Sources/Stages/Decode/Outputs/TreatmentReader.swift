package import PumpModel

/// Reads treatments of Nightscout, whoever wrote them, as an output that is to be audited.
///
/// They are a list as the service answers, or one treatment a line, in chunks cut anywhere.
/// What tells neither insulin nor carbohydrate nor a basal rate is passed over. Memory is bounded by a
/// chunk and one treatment.
package final class TreatmentReader {
  private let consumer = Consumer()
  private let document: DocumentReader
  private var lines: LineReader?

  /// Creates a reader; `areLines` says that each line is a treatment.
  package init(areLines: Bool) {
    document = DocumentReader(consumer: consumer)
    document.takesAllTreatments = true
    lines = areLines ? LineReader() : nil
  }

  /// Takes the next bytes, and hands on what the treatments that end in them are.
  ///
  /// - Throws: `WrittenFault` if these are no treatments; whatever `body` throws.
  package func feed(_ bytes: RawSpan, _ body: (WrittenEntry) throws -> Void) throws {
    guard var reader = lines else {
      document.feed(bytes)
      return try consumer.handOn(body)
    }
    try reader.feed(bytes) { try take(line: $0, $1, $2, body) }
    lines = reader
  }

  /// Ends the output.
  ///
  /// - Throws: as `feed`; also if it is damaged or breaks off.
  package func finish(_ body: (WrittenEntry) throws -> Void) throws {
    if var reader = lines {
      try reader.finish { try take(line: $0, $1, $2, body) }
      lines = reader
      return
    }
    document.finish()
    try consumer.handOn(body)
    switch consumer.verdict {
    case .whole(.nightscout)?: return
    case .damaged(_, let reject)?:
      throw WrittenFault(at: reject.position.number, reject.reason)
    case .whole?, .unrecognised?, nil: throw WrittenFault("these are no treatments of Nightscout")
    }
  }

  private func take(
    line: UInt64, _ bytes: RawSpan, _ fault: LineFault?, _ body: (WrittenEntry) throws -> Void
  ) throws {
    if let fault { return try body(.fault(WrittenFault(at: line, fault.reason))) }
    let start = JSONBytes.skipSpace(bytes, 0)
    let end = JSONBytes.skipValue(bytes, start, depth: 0)
    guard end >= 0, bytes.byte(at: start) == 0x7B,
      JSONBytes.skipSpace(bytes, end) == bytes.byteCount
    else { return try body(.fault(WrittenFault(at: line, "it is no object of JSON"))) }
    var copy: [UInt8] = []
    copy.append(bytes, start..<end)
    let object = ExportObject(copy, NightscoutTreatment.members)
    switch NightscoutTreatment.outcome(of: object, place: line, isOfAnybody: true) {
    case .row(let row): for sample in row.told { try body(.sample(sample)) }
    case .ignored: break
    case .rejected(let reason): try body(.fault(WrittenFault(at: line, reason)))
    }
  }
}

/// Takes what a document of treatments gives, until it is handed on.
private final class Consumer: DocumentConsumer {
  private var entries: [WrittenEntry] = []
  private(set) var verdict: DocumentVerdict?

  func handOn(_ body: (WrittenEntry) throws -> Void) throws {
    let ready = entries
    entries.removeAll(keepingCapacity: true)
    for entry in ready { try body(entry) }
  }

  func rows(_ rows: [ExportRow]) {
    for row in rows where row.source == .nightscout {
      entries += row.told.map(WrittenEntry.sample)
    }
  }

  func reject(_ reject: Reject) {
    entries.append(.fault(WrittenFault(at: reject.position.number, reject.reason)))
  }

  func end(_ verdict: DocumentVerdict) { self.verdict = verdict }

  // What follows tells nothing of treatments.
  func begin(response: Int?) {}
  func content(_ bytes: RawSpan) {}
  func pump(assignment: Span<UInt8>) -> UInt32 { 1 }
  func pump(serial: String) -> UInt32 { 1 }
  func keep(properties: Span<UInt8>) -> PumpRecord.Payload { PumpRecord.Payload() }
  func records(_ records: Span<PumpRecord>) {}
  func ignore(_ reason: IgnoredReason, eventID: UInt16?) {}
  func pump(facts: PumpFacts) {}
  func estimatedTime(differsBy seconds: Int64, of record: PumpRecord) {}
  func missingBody() {}
}

extension Reject.Position {
  /// The offset, line or index; nil: the whole.
  fileprivate var number: UInt64? {
    switch self {
    case .offset(let number), .line(let number), .index(let number): number
    case .whole: nil
    }
  }
}

extension ExportRow {
  /// The samples that the row tells by itself, without ids: it is another program's.
  fileprivate var told: [WrittenSample] {
    let start = Instant(unixSeconds: time)
    func sample(_ type: SampleType, _ amount: WrittenAmount, for seconds: UInt32 = 0)
      -> WrittenSample
    {
      WrittenSample(
        externalID: nil, type: type, start: start, end: start + Int64(seconds), amount: amount,
        place: place)
    }
    switch content {
    case .bolus(let bolus):
      let doses = [bolus.normal, bolus.extended].compactMap(\.self).filter { $0.amount > 0 }
      let meals = [bolus.carbohydrate].compactMap(\.self).filter { $0 > 0 }
      return doses.map { sample(.bolus, WrittenAmount(Int64($0.amount), decimals: 3)) }
        + meals.map { sample(.carbohydrates, WrittenAmount(Int64($0), decimals: 3)) }
    case .rate(let rate, let seconds):
      let hour = WrittenAmount(Int64(rate), decimals: 3).parts
      let parts = Int128(hour) * Int128(seconds) / 3600
      return [sample(.basal, WrittenAmount(parts: Int64(clamping: parts)), for: seconds)]
    case .meal(let milligrams):
      return milligrams > 0
        ? [sample(.carbohydrates, WrittenAmount(Int64(milligrams), decimals: 3))] : []
    case .reading: return []
    }
  }
}
