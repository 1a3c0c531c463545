/// What takes in the content of documents as `Decode` finds it.
///
/// Calls come in this order: `begin`, any mix of the middle ones, `end`. A capture of a browser
/// (HAR) begins and ends documents of its own between its own `begin` and `end`; everything
/// between belongs to the innermost one. What a document gave may only be used once `end` has
/// said `.whole`: a damaged document takes back everything (N2).
package protocol DocumentConsumer: AnyObject {
  /// A document begins; `response` counts a capture's entries from 0, nil for the input itself.
  func begin(response: Int?)

  /// Bytes of the innermost document, in order and without a gap, for its digest.
  ///
  /// The bytes of a capture's response are its decoded body.
  func content(_ bytes: RawSpan)

  /// A reference for the pump with an assignment id; the same id gives the same reference through
  /// the whole run, never 0.
  func pump(assignment: Span<UInt8>) -> UInt32

  /// A reference for the pump with a serial number, as for an assignment id.
  func pump(serial: String) -> UInt32

  /// Rows that passed every check, in the order of the document.
  func rows(_ rows: [ExportRow])

  /// Keeps the properties of a record whose id has no layout and returns the payload that stands
  /// for them.
  func keep(properties: Span<UInt8>) -> PumpRecord.Payload

  /// Records that passed every check, in the order of the document. Valid during the call.
  func records(_ records: Span<PumpRecord>)

  /// Whether it wants to know where in the document each record stands; it never changes its mind.
  var wantsPlaces: Bool { get }

  /// The same as `records(_:)`, with each record's offset in the document if `wantsPlaces`, else
  /// no places; see `Reject.Position.offset`.
  func records(_ records: Span<PumpRecord>, at places: Span<UInt64>)

  /// Something that could not be used; the rest of the document stands.
  func reject(_ reject: Reject)

  /// A record that is sound and not used. Records of unknown and unused ids are counted here and
  /// handed to `records` too: they hold a number and a time.
  func ignore(_ reason: IgnoredReason, eventID: UInt16?)

  /// A column of an export that nobody knows, and that is passed over, by its name: at most 64
  /// bytes without control characters.
  func unknownColumn(_ name: String)

  /// A pump of an account answer.
  func pump(facts: PumpFacts)

  /// Some time of a pump's logs was fetched.
  func fetched(_ statement: FetchedStatement)

  /// `estimatedDateTime` of a record differs from its `pumpDateTime` by so many seconds, not 0.
  func estimatedTime(differsBy seconds: Int64, of record: PumpRecord)

  /// The innermost document says of itself that its data is made up; see `DemoData`.
  func madeUp()

  /// A capture's response without a body.
  func missingBody()

  /// The innermost document ends.
  func end(_ verdict: DocumentVerdict)
}

extension DocumentConsumer {
  /// Columns are rarely asked for.
  package func unknownColumn(_ name: String) {}

  /// Few documents say what was fetched.
  package func fetched(_ statement: FetchedStatement) {}

  /// What becomes of data is rarely asked where it is read.
  package func madeUp() {}

  /// Places are rarely wanted.
  package var wantsPlaces: Bool { false }

  /// Takes the records alone.
  package func records(_ records: Span<PumpRecord>, at places: Span<UInt64>) {
    self.records(records)
  }
}
