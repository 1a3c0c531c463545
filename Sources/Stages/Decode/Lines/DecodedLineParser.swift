import PumpModel

/// Reads the lines of `pumpline decode`.
///
/// Keys may stand in any order, and those that are not known are passed over: people may add their
/// own. What is there for people only (`time`, `name` of an event, `fields`) is not looked at.
package enum DecodedLineParser {
  /// Keys of which at least one kind of line makes use.
  enum Key: UInt64, LineKey {
    case record, version, document, name, format, bytes, records, complete, ignored
    case missingBodies, pump, serial, modelName, modelNumber, softwareVersion, offset, line, index
    case reason, group, number, seconds, id, form, payload, present, clockChanges, properties
    case differsBy, first, last, count, dataSource, fetched, from, until, state

    static let names = LineNames<Key>()
  }

  private static let longestName = 4096
  /// As long as an assignment id may be in a document (see `EventParser`), escapes resolved.
  private static let longestAssignment = 1024
  /// More than any document has; sums of so many never overflow.
  private static let mostThings: UInt64 = 1 << 40

  /// Reads a line, which must be UTF-8.
  package static func parse(_ bytes: RawSpan) throws(LineFault) -> DecodedLine {
    let values = try LineValues<Key>(line: bytes)
    let record = try values.required(.record) { LineJSON.characters(bytes, $0) }
    func isRecord(_ name: StaticString) -> Bool { LineJSON.isText(bytes, record, name) }
    if isRecord("event") { return .event(try event(bytes, values)) }
    if isRecord("row") { return .row(try RowLineParser.parse(bytes)) }
    if isRecord("document") { return .document(try document(bytes, values)) }
    if isRecord("reject") { return .reject(try reject(bytes, values)) }
    if isRecord("pump") {
      return .pump(document: try digest(bytes, values), try facts(bytes, values))
    }
    if isRecord("fetched") {
      return .fetched(document: try digest(bytes, values), try fetched(bytes, values))
    }
    if isRecord("estimate") { return .estimate(try estimate(bytes, values)) }
    if isRecord("ignored") {
      return .ignored(
        try values.required(.reason) { text(bytes, $0).flatMap(IgnoredReason.init) },
        name: try values.optional(.name) { text(bytes, $0) },
        count: try values.required(.count) { LineJSON.whole(bytes, $0, upTo: mostThings) })
    }
    if isRecord("begin") {
      try checkVersion(bytes, values)
      return .begin
    }
    if isRecord("end") { return .end }
    throw .unknown("this kind of record")
  }

  private static func event(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> EventLine {
    func word(_ key: Key) throws(LineFault) -> UInt32 {
      try values.required(key) { LineJSON.whole(bytes, $0, upTo: UInt64(UInt32.max)) }
        .truncated()
    }
    let payload = try values.required(.payload) { LineJSON.words(bytes, $0, count: 4) }
    let form = try values.required(.form) { recordForm(bytes, $0) }
    var record = PumpRecord(
      number: try word(.number), seconds: try word(.seconds),
      eventID: try values.required(.id) { LineJSON.whole(bytes, $0, upTo: 4095) }.truncated(),
      payload: .init(payload[0], payload[1], payload[2], payload[3]), form: form)
    if form == .json {
      record.hasText = values[.properties] != nil
      record.present =
        record.hasText
        ? 0
        : try values.required(.present) { LineJSON.whole(bytes, $0, upTo: 65_535) }.truncated()
    }
    if values[.group] != nil {
      record.hasGroup = true
      record.group = try word(.group)
    }
    record.isFromClockChanges =
      try values.optional(.clockChanges) { LineJSON.bool(bytes, $0) } ?? false
    return EventLine(
      document: try digest(bytes, values), assignment: try assignment(bytes, values),
      record: record)
  }

  private static func document(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> DocumentLine {
    try checkVersion(bytes, values)
    func count(_ key: Key) throws(LineFault) -> UInt64? {
      try values.optional(key) { LineJSON.whole(bytes, $0, upTo: mostThings) }
    }
    let format = try values.required(.format) { self.format(bytes, $0) }
    var line = DocumentLine(
      digest: try digest(bytes, values), name: try values.required(.name) { text(bytes, $0) },
      format: format,
      bytes: try values.required(.bytes) { LineJSON.whole(bytes, $0, upTo: mostThings) },
      records: try values.required(.records) { LineJSON.whole(bytes, $0, upTo: mostThings) },
      ignored: try ignored(bytes, values, format), missingBodies: try count(.missingBodies) ?? 0,
      isComplete: try values.optional(.complete) { LineJSON.bool(bytes, $0) } ?? false)
    line.fetched = try count(.fetched) ?? 0
    line.isMadeUp = try values.optional(.dataSource) { text(bytes, $0) } == DemoData.label
    return line
  }

  /// What is not derived from the lines of records again.
  private static func ignored(
    _ bytes: RawSpan, _ values: LineValues<Key>, _ format: DocumentFormat
  ) throws(LineFault) -> [IgnoredReason: UInt64] {
    guard let range = values[.ignored] else { return [:] }
    var counts: [IgnoredReason: UInt64] = [:]
    let end = try LineJSON.members(bytes, at: range.lowerBound) {
      name, value throws(LineFault) in
      let quoted = name.lowerBound - 1..<name.upperBound + 1
      guard let reason = text(bytes, quoted).flatMap(IgnoredReason.init),
        !isTold(reason, byRecordsOf: format)
      else { return }
      guard let number = LineJSON.whole(bytes, value, upTo: mostThings) else {
        throw .unusable("ignored")
      }
      if number > 0 { counts[reason] = number }
    }
    guard end >= 0 else { throw .unusable("ignored") }
    return counts
  }

  /// Whether lines of records tell again for what reason they are not used, or whether no document
  /// has anything of the kind.
  private static func isTold(
    _ reason: IgnoredReason, byRecordsOf format: DocumentFormat
  ) -> Bool {
    switch reason {
    case .unknownEvent, .noRule, .unrecognisedDocument, .specialFile: true
    case .glucoseNotShown: !format.holdsRows
    case .erasedFlash, .noHistory, .basalRow, .insulinOnBoardRow, .incompleteRow, .otherOrigin,
      .suspensionRow, .repeatedRow, .otherRow, .unknownColumn:
      false
    }
  }

  private static func facts(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> PumpFacts {
    PumpFacts(
      assignment: try values.required(.pump) { text(bytes, $0) },
      serial: try values.required(.serial) { text(bytes, $0) },
      modelName: try values.optional(.modelName) { text(bytes, $0) },
      modelNumber: try values.optional(.modelNumber) { text(bytes, $0) },
      softwareVersion: try values.optional(.softwareVersion) { text(bytes, $0) })
  }

  private static func fetched(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> FetchedStatement {
    func time(_ key: Key) throws(LineFault) -> Int64 {
      let seconds: UInt32 = try values.required(key) {
        LineJSON.whole(bytes, $0, upTo: UInt64(UInt32.max))
      }.truncated()
      return PumpTime(seconds: seconds).wallSeconds
    }
    let assignment = try values.required(.pump) { text(bytes, $0) }
    guard !assignment.isEmpty else { throw .unusable("pump") }
    let (from, until) = (try time(.from), try time(.until))
    guard from < until else { throw .contradiction("from", "until") }
    let state = try values.required(.state) {
      text(bytes, $0).flatMap { FetchedRange.State(text: $0) }
    }
    return FetchedStatement(assignment: assignment, range: FetchedRange(from..<until, state))
  }

  private static func estimate(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> EstimateLine {
    func seconds(_ key: Key) throws(LineFault) -> UInt32 {
      try values.required(key) { LineJSON.whole(bytes, $0, upTo: UInt64(UInt32.max)) }
        .truncated()
    }
    return EstimateLine(
      document: try digest(bytes, values), assignment: try assignment(bytes, values),
      differsBy: try values.required(.differsBy) { LineJSON.signed(bytes, $0) },
      records: try values.required(.records) { LineJSON.whole(bytes, $0, upTo: mostThings) },
      first: try seconds(.first), last: try seconds(.last))
  }

  private static func reject(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> RejectLine {
    func place(_ key: Key) throws(LineFault) -> UInt64? {
      try values.optional(key) { LineJSON.whole(bytes, $0, upTo: UInt64(Int64.max)) }
    }
    var position = Reject.Position.whole
    if let offset = try place(.offset) { position = .offset(offset) }
    if let line = try place(.line) { position = .line(line) }
    if let index = try place(.index) { position = .index(index) }
    return RejectLine(
      document: try values[.document] == nil ? nil : digest(bytes, values),
      name: try values.required(.name) { text(bytes, $0) },
      format: try values.optional(.format) { format(bytes, $0) },
      reject: Reject(position, try values.required(.reason) { text(bytes, $0) }))
  }
}

extension DecodedLineParser {
  private static func checkVersion(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) {
    let version = try values.required(.version) { LineJSON.whole(bytes, $0, upTo: mostThings) }
    guard version == DecodedLine.version else { throw .unknown("the version of the line") }
  }

  private static func digest(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> LineDigest {
    LineDigest(words: try values.required(.document) { LineJSON.words(bytes, $0, count: 8) })
  }

  private static func assignment(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> [UInt8]? {
    try values.optional(.pump) { LineJSON.text(bytes, $0, limit: longestAssignment) }
  }

  private static func text(_ bytes: RawSpan, _ range: Range<Int>) -> String? {
    LineJSON.text(bytes, range, limit: longestName).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func format(_ bytes: RawSpan, _ range: Range<Int>) -> DocumentFormat? {
    text(bytes, range).flatMap(DocumentFormat.init)
  }

  private static func recordForm(_ bytes: RawSpan, _ range: Range<Int>) -> PumpRecord.Form? {
    guard let characters = LineJSON.characters(bytes, range) else { return nil }
    if LineJSON.isText(bytes, characters, "json") { return .json }
    return LineJSON.isText(bytes, characters, "binary") ? .binary : nil
  }
}

extension UInt64 {
  /// The low bits, of a number that is known to fit.
  fileprivate func truncated<Number: FixedWidthInteger>() -> Number {
    Number(truncatingIfNeeded: self)
  }
}
