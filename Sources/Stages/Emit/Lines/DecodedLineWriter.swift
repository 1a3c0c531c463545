package import Platform
package import PumpModel

/// Writes the lines of `pumpline decode`: records, rows of exports and what stands around them, a JSON
/// object a line.
///
/// Every line says of which document it is, so that lines can be split, joined and put in any
/// order. Keys stand in one order.
package struct DecodedLineWriter {
  /// The version that the lines carry.
  private let version: UInt64
  private var time = TimeText()

  /// Creates a writer of lines of a version.
  package init(version: UInt64) { self.version = version }

  /// Appends the first line of a run.
  package func appendBegin(to buffer: inout ByteBuffer) {
    buffer.append(#"{"record":"begin","version":"#)
    buffer.append(decimal: version)
    buffer.append("}\n")
  }

  /// Appends the last line of a run that wrote all that it read.
  package func appendEnd(to buffer: inout ByteBuffer) { buffer.append("{\"record\":\"end\"}\n") }

  /// Appends a document that was read whole.
  package func append(_ document: DecodedDocument, to buffer: inout ByteBuffer) {
    buffer.append(#"{"record":"document","version":"#)
    buffer.append(decimal: version)
    Self.append(digest: document.digest, to: &buffer)
    Self.append(#","name":"#, document.name, to: &buffer)
    Self.append(#","format":"#, document.format.rawValue, to: &buffer)
    buffer.append(#","bytes":"#)
    buffer.append(decimal: document.bytes)
    buffer.append(#","records":"#)
    buffer.append(decimal: document.records)
    buffer.append(#","ignored":{"#)
    for reason in IgnoredReason.allCases {
      guard let count = document.ignored[reason] else { continue }
      if buffer.last != UInt8(ascii: "{") { buffer.append(UInt8(ascii: ",")) }
      buffer.append(JSONText.quoted(reason.rawValue))
      buffer.append(UInt8(ascii: ":"))
      buffer.append(decimal: count)
    }
    buffer.append(UInt8(ascii: "}"))
    if !document.unknownColumns.isEmpty {
      buffer.append(#","unknownColumns":["#)
      for (index, name) in document.unknownColumns.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        buffer.append(JSONText.quoted(name))
      }
      buffer.append(UInt8(ascii: "]"))
    }
    if document.missingBodies > 0 {
      buffer.append(#","missingBodies":"#)
      buffer.append(decimal: document.missingBodies)
    }
    if document.fetched > 0 { Self.append(#","fetched":"#, document.fetched, to: &buffer) }
    if document.isComplete { buffer.append(#","complete":true"#) }
    if document.isMadeUp { Self.append(#","dataSource":"#, DemoData.label, to: &buffer) }
    buffer.append("}\n")
  }

  /// Appends what an account answer says of a pump.
  package func append(
    _ facts: PumpFacts, of digest: [UInt8], to buffer: inout ByteBuffer
  ) {
    buffer.append(#"{"record":"pump""#)
    Self.append(digest: digest, to: &buffer)
    Self.append(#","pump":"#, facts.assignment, to: &buffer)
    Self.append(#","serial":"#, facts.serial, to: &buffer)
    if let name = facts.modelName { Self.append(#","modelName":"#, name, to: &buffer) }
    if let number = facts.modelNumber { Self.append(#","modelNumber":"#, number, to: &buffer) }
    if let version = facts.softwareVersion {
      Self.append(#","softwareVersion":"#, version, to: &buffer)
    }
    buffer.append("}\n")
  }

  /// Appends some time that a document says was fetched, which must begin in 2008 or later.
  package mutating func append(
    _ statement: FetchedStatement, of digest: [UInt8], to buffer: inout ByteBuffer
  ) {
    buffer.append(#"{"record":"fetched""#)
    Self.append(digest: digest, to: &buffer)
    Self.append(#","pump":"#, statement.assignment, to: &buffer)
    let seconds = statement.range.seconds
    Self.append(#","from":"#, seconds: seconds.lowerBound, to: &buffer)
    Self.append(#","until":"#, seconds: seconds.upperBound, to: &buffer)
    Self.append(#","state":"#, statement.range.state.text, to: &buffer)
    buffer.append(#","time":""#)
    time.appendWallTime(wallSeconds: seconds.lowerBound, to: &buffer)
    buffer.append("\"}\n")
  }

  /// Appends a record, whose reference of the pump is not looked at.
  ///
  /// `place` is its offset in the document of the SHA-256 `digest`, `pump` the pump's assignment id
  /// as a JSON string (`quoted`), nil if the record names none.
  package mutating func append(
    _ record: PumpRecord, at place: UInt64, of digest: [UInt8], pump: [UInt8]?,
    content: DecodedContent, to buffer: inout ByteBuffer
  ) {
    buffer.append(#"{"record":"event""#)
    Self.append(digest: digest, to: &buffer)
    buffer.append(#","offset":"#)
    buffer.append(decimal: place)
    if let pump {
      buffer.append(#","pump":"#)
      buffer.append(pump)
    }
    if record.hasGroup {
      buffer.append(#","group":"#)
      buffer.append(decimal: UInt64(record.group))
    }
    buffer.append(#","number":"#)
    buffer.append(decimal: UInt64(record.number))
    buffer.append(#","seconds":"#)
    buffer.append(decimal: UInt64(record.seconds))
    buffer.append(#","time":""#)
    time.appendWallTime(PumpTime(seconds: record.seconds), to: &buffer)
    buffer.append(#"","id":"#)
    buffer.append(decimal: UInt64(record.eventID))
    if let name = content.name { Self.append(#","name":"#, name, to: &buffer) }
    if record.isFromClockChanges { buffer.append(#","clockChanges":true"#) }
    Self.appendPayload(of: record, to: &buffer)
    switch content.detail {
    case .fields(let fields): Self.append(fields, to: &buffer)
    case .properties(let text):
      buffer.append(#","properties":"#)
      CompactJSON.append(text, to: &buffer)
    }
    buffer.append("}\n")
  }

  private static func appendPayload(of record: PumpRecord, to buffer: inout ByteBuffer) {
    switch record.form {
    case .binary: buffer.append(#","form":"binary""#)
    case .json: buffer.append(#","form":"json""#)
    }
    if record.form == .json, !record.hasText {
      buffer.append(#","present":"#)
      buffer.append(decimal: UInt64(record.present))
    }
    buffer.append(#","payload":""#)
    for index in 0..<4 { append(hex: record.payload[word: index], to: &buffer) }
    buffer.append(UInt8(ascii: "\""))
  }

  private static func append(_ fields: [PumpEventRow.Detail], to buffer: inout ByteBuffer) {
    guard !fields.isEmpty else { return }
    buffer.append(#","fields":{"#)
    for (index, field) in fields.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      buffer.append(JSONText.quoted(field.name))
      buffer.append(UInt8(ascii: ":"))
      buffer.append(JSONText.quoted(field.value))
    }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Appends a row of an export, whose document is not known yet: all of its line behind that, for
  /// `append(row:of:to:)`.
  ///
  /// The row's reference of the pump is not looked at; `serial` is the pump's number, nil if the row
  /// names none.
  package mutating func appendRest(
    of row: ExportRow, serial: String?, to buffer: inout ByteBuffer
  ) {
    Self.append(row.source.countsLines ? #","line":"# : #","offset":"#, row.place, to: &buffer)
    Self.append(#","source":"#, row.source.word, to: &buffer)
    if let name = row.name { Self.append(#","recordId":"#, name, to: &buffer) }
    if let serial { Self.append(#","serial":"#, serial, to: &buffer) }
    Self.append(#","seconds":"#, seconds: row.time, to: &buffer)
    buffer.append(#","time":""#)
    if row.source.tellsInstants {
      time.appendUTC(Instant(unixSeconds: row.time), to: &buffer)
    } else {
      let seconds = UInt32(clamping: row.time - PumpTime.epochInUnixSeconds)
      time.appendWallTime(PumpTime(seconds: seconds), to: &buffer)
    }
    buffer.append(UInt8(ascii: "\""))
    Self.append(#","kind":"#, row.content.kind.rawValue, to: &buffer)
    switch row.content {
    case .reading(let glucose, _): Self.append(#","glucose":"#, UInt64(glucose), to: &buffer)
    case .rate(let rate, let seconds):
      Self.append(#","milliunitsPerHour":"#, UInt64(rate), to: &buffer)
      Self.append(#","duration":"#, UInt64(seconds), to: &buffer)
    case .bolus(let bolus): Self.append(bolus, to: &buffer)
    case .meal(let carbohydrate):
      Self.append(#","carbMilligrams":"#, UInt64(carbohydrate), to: &buffer)
    }
    buffer.append("}\n")
  }

  private static func append(_ bolus: RowBolus, to buffer: inout ByteBuffer) {
    if let normal = bolus.normal {
      append(#","normal":{"milliunits":"#, normal, to: &buffer)
      buffer.append(UInt8(ascii: "}"))
    }
    if let extended = bolus.extended {
      append(#","extended":{"milliunits":"#, extended, to: &buffer)
      if let span = bolus.span {
        append(#","from":"#, seconds: span.lowerBound, to: &buffer)
        append(#","until":"#, seconds: span.upperBound, to: &buffer)
      }
      buffer.append(UInt8(ascii: "}"))
    }
    if let carbohydrate = bolus.carbohydrate {
      append(#","carbMilligrams":"#, UInt64(carbohydrate), to: &buffer)
    }
    if let time = bolus.requestTime { append(#","requested":"#, seconds: time, to: &buffer) }
    if let number = bolus.number { append(#","number":"#, UInt64(number), to: &buffer) }
    if bolus.isAutomatic { buffer.append(#","automatic":true"#) }
    if bolus.isOverride { buffer.append(#","override":true"#) }
  }

  private static func append(
    _ key: StaticString, _ dose: RowDose, to buffer: inout ByteBuffer
  ) {
    append(key, UInt64(dose.amount), to: &buffer)
    append(#","decimals":"#, UInt64(dose.decimals), to: &buffer)
    if let status = dose.status { append(#","status":"#, status, to: &buffer) }
  }

  /// Appends a row of an export: what `appendRest(of:serial:to:)` wrote of it.
  package func append(
    row rest: Span<UInt8>, of digest: [UInt8], to buffer: inout ByteBuffer
  ) {
    buffer.append(#"{"record":"row""#)
    Self.append(digest: digest, to: &buffer)
    buffer.append(rest)
  }

  /// Appends how `estimatedDateTime` of some records of a pump differs from their time.
  package func append(_ estimate: DecodedEstimate, to buffer: inout ByteBuffer) {
    buffer.append(#"{"record":"estimate""#)
    Self.append(digest: estimate.digest, to: &buffer)
    if let pump = estimate.pump { Self.append(#","pump":"#, pump, to: &buffer) }
    buffer.append(#","differsBy":"#)
    DecimalText.append(estimate.differsBy, decimals: 0, to: &buffer)
    buffer.append(#","records":"#)
    buffer.append(decimal: estimate.records)
    buffer.append(#","first":"#)
    buffer.append(decimal: UInt64(estimate.first))
    buffer.append(#","last":"#)
    buffer.append(decimal: UInt64(estimate.last))
    buffer.append("}\n")
  }

  /// Appends something that could not be used.
  ///
  /// `digest` is the SHA-256 of the document that it stands in, nil if nothing of that is used;
  /// `format` is written only then.
  package func append(
    _ reject: Reject, in name: String, of digest: [UInt8]?, format: DocumentFormat?,
    to buffer: inout ByteBuffer
  ) {
    buffer.append(#"{"record":"reject""#)
    if let digest { Self.append(digest: digest, to: &buffer) }
    Self.append(#","name":"#, name, to: &buffer)
    if digest == nil, let format { Self.append(#","format":"#, format.rawValue, to: &buffer) }
    switch reject.position {
    case .offset(let offset): Self.append(#","offset":"#, offset, to: &buffer)
    case .line(let line): Self.append(#","line":"#, line, to: &buffer)
    case .index(let index): Self.append(#","index":"#, index, to: &buffer)
    case .whole: break
    }
    Self.append(#","reason":"#, reject.reason, to: &buffer)
    buffer.append("}\n")
  }

  /// Appends what is not used for a reason that has a name.
  package func append(
    _ reason: IgnoredReason, name: String?, count: UInt64, to buffer: inout ByteBuffer
  ) {
    buffer.append(#"{"record":"ignored""#)
    if let name { Self.append(#","name":"#, name, to: &buffer) }
    Self.append(#","reason":"#, reason.rawValue, to: &buffer)
    Self.append(#","count":"#, count, to: &buffer)
    buffer.append("}\n")
  }

  /// An assignment id as `append(_:at:of:pump:content:to:)` takes it, made once a pump.
  package static func quoted(_ assignment: String) -> [UInt8] { JSONText.quoted(assignment) }
}

extension DecodedLineWriter {
  private static func append(digest: [UInt8], to buffer: inout ByteBuffer) {
    buffer.append(#","document":""#)
    for byte in digest { append(byte, to: &buffer) }
    buffer.append(UInt8(ascii: "\""))
  }

  private static func append(_ key: StaticString, _ text: String, to buffer: inout ByteBuffer) {
    buffer.append(key)
    buffer.append(JSONText.quoted(text))
  }

  private static func append(_ key: StaticString, _ number: UInt64, to buffer: inout ByteBuffer) {
    buffer.append(key)
    buffer.append(decimal: number)
  }

  /// Appends seconds since 2008 of a time since 1970.
  private static func append(
    _ key: StaticString, seconds time: Int64, to buffer: inout ByteBuffer
  ) {
    buffer.append(key)
    DecimalText.append(time - PumpTime.epochInUnixSeconds, decimals: 0, to: &buffer)
  }

  private static func append(hex word: UInt32, to buffer: inout ByteBuffer) {
    for shift in [24, 16, 8, 0] as [UInt32] {
      append(UInt8(truncatingIfNeeded: word >> shift), to: &buffer)
    }
  }

  private static func append(_ byte: UInt8, to buffer: inout ByteBuffer) {
    buffer.append(JSONText.hexDigit(byte >> 4))
    buffer.append(JSONText.hexDigit(byte & 0xF))
  }
}

/// A document as `DecodedLineWriter` writes it.
package struct DecodedDocument {
  /// The SHA-256 of its bytes.
  package var digest: [UInt8]
  /// The name for people.
  package var name: String
  /// Its format.
  package var format: DocumentFormat
  /// How many bytes it has.
  package var bytes: UInt64
  /// How many of its records or rows have lines.
  package var records: UInt64
  /// What of it is not used, by reason.
  package var ignored: [IgnoredReason: UInt64]
  /// Responses without a body.
  package var missingBodies: UInt64
  /// Whether it is said to be complete.
  package var isComplete: Bool
  /// How many pieces of fetched time have lines.
  package var fetched: UInt64 = 0
  /// Columns that nobody knows, the first of them.
  package var unknownColumns: [String] = []
  /// Whether its data is made up.
  package var isMadeUp = false

  /// Creates a document.
  package init(
    digest: [UInt8], name: String, format: DocumentFormat, bytes: UInt64, records: UInt64,
    ignored: [IgnoredReason: UInt64], missingBodies: UInt64, isComplete: Bool
  ) {
    self.digest = digest
    self.name = name
    self.format = format
    self.bytes = bytes
    self.records = records
    self.ignored = ignored
    self.missingBodies = missingBodies
    self.isComplete = isComplete
  }
}

/// What a record's line says beside its raw fields.
package struct DecodedContent {
  /// The event's name; nil if the id is not known.
  package var name: String?
  /// The fields or the properties.
  package var detail: Detail

  /// What a record holds.
  package enum Detail {
    /// Fields by the id's layout.
    case fields([PumpEventRow.Detail])
    /// The JSON of properties that have no layout, as it was read.
    case properties([UInt8])
  }

  /// Creates content.
  package init(name: String?, detail: Detail) {
    self.name = name
    self.detail = detail
  }
}

/// How `estimatedDateTime` differs, as `DecodedLineWriter` writes it.
package struct DecodedEstimate {
  /// The SHA-256 of the document.
  package var digest: [UInt8]
  /// The assignment id of the pump; nil if the records name none.
  package var pump: String?
  /// The difference in seconds.
  package var differsBy: Int64
  /// How many records there are.
  package var records: UInt64
  /// The earliest pump time among them.
  package var first: UInt32
  /// The latest pump time among them.
  package var last: UInt32

  /// Creates an estimate.
  package init(
    digest: [UInt8], pump: String?, differsBy: Int64, records: UInt64, first: UInt32, last: UInt32
  ) {
    self.digest = digest
    self.pump = pump
    self.differsBy = differsBy
    self.records = records
    self.first = first
    self.last = last
  }
}
