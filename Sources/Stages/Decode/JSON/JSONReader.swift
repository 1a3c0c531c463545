import PumpModel

/// Reads a JSON document in chunks cut anywhere and finds pump data in it.
///
/// The document is never held. Events, and the pumps of an account answer, are read where they lie
/// in a chunk (`EventParser`); one that a chunk's end cuts is gathered first, up to 1 MiB.
/// Everything else is walked byte by byte, only to check its form and to know the place.
struct JSONReader {
  /// More lists and objects than this, one in another, are refused as malformed.
  static let maximalDepth = 64
  static let malformed = "malformed JSON"
  /// The longest object that is read; longer ones are checked for their form and rejected.
  static let longestElement = 1 << 20
  /// So many elements of another form may stand at the head of a list by itself.
  static let mostLeading = 64

  /// How the document ended; nil while it goes on.
  var verdict: DocumentVerdict?
  /// Which format it is, once that is sure.
  var kind: DocumentFormat?
  /// Which format it would be if it broke off here.
  var presumed: DocumentFormat?
  /// An empty list of ours was seen, which is enough if nothing speaks against it.
  var weak: DocumentFormat?
  /// The same for a list of an export of the older service.
  var weakExport: DocumentFormat?
  /// Values that stand where a list of ours should, with the format that the list would be of.
  var strayValues: [(format: DocumentFormat, reject: Reject)] = []
  /// A name was seen that only the older services' answers have.
  var isForeign = false
  /// The document says of itself that its data is made up.
  var isMadeUp = false

  /// Where the first byte of the chunk stands in the document.
  var offset: UInt64
  var state = State.value
  var places: [Place] = []
  var pending = Key.other
  var isFirstElement = true
  /// Where elements stand at the head of a list by itself that are none of ours.
  var leading: [UInt64] = []
  var isClockChanges = false

  // Strings.
  var role = Role.skip
  var isName = false
  var escape = 0
  var code: UInt32 = 0
  var highSurrogate: UInt32 = 0
  var name: [UInt8] = []
  // Numbers and words.
  var number = NumberState.minus
  var word: StaticString = "null"
  var wordIndex = 0

  // Elements.
  var elements = ElementBuffer()
  var skippedElement: SkippedElement?
  var events = EventParser()

  // What a string holds.
  var base64: Base64Text?
  var response: ResponseBody?
  var responseIndex = -1
  var hasBody = false
  /// Where the text of a response began that would be lost if it is base64.
  var lostBody: UInt64?
  var bodyStart: UInt64 = 0
  var isBase64Body = false
  let isResponse: Bool
  /// How numbers and dates of tables in responses are written, where that is known.
  let forms: CellForms

  // Exports.
  var exports = ExportIntake()
  /// Whether treatments count that others wrote than the program that reads pumps.
  var takesAllTreatments = false
  /// What must or may still follow the document.
  var padding: Padding

  /// Creates a reader whose first byte stands at `offset`; captures inside captures are not read.
  ///
  /// `isCalled`: the document is the argument of a call, whose opening stands before it. `forms`: how
  /// numbers and dates of tables in its responses are written.
  init(offset: UInt64, isResponse: Bool, isCalled: Bool = false, forms: CellForms) {
    self.offset = offset
    self.isResponse = isResponse
    self.forms = forms
    padding = isCalled ? .bracket : .none
    places.reserveCapacity(Self.maximalDepth)
  }

  /// What may come next.
  enum State: UInt8 {
    case value, valueOrEnd, nameOrEnd, name, colon, afterValue, string, number, word, trailing
    case afterTrailing, malformed
  }

  /// Where a list or object stands.
  enum Place: UInt8 {
    case object, list, top, events, pumps, fetched, bareList, log, entries, entry, response, content
    case basal, therapyEvents, rates, suspensions, otherSuspensions, others, treatments
    case tidepool

    /// Whether it is a list, not an object.
    var isList: Bool {
      switch self {
      case .list, .events, .pumps, .fetched, .bareList, .entries: true
      case .therapyEvents, .rates, .suspensions, .otherSuspensions, .others, .treatments, .tidepool:
        true
      default: false
      }
    }

    /// Whether its elements are read as a whole.
    var holdsElements: Bool {
      self == .events || self == .pumps || self == .fetched || self == .bareList || isOfExport
    }
  }

  /// Names that matter somewhere.
  enum Key: CaseIterable {
    case other, events, clockChanges, pumps, pumplineFetched, log, entries, response, content, text,
      encoding
    case result
    case basal, suspensionDeliveryEvents, event, basalSuspension, softwareUpdates, pumpFeatures
    case dataSource
    case profileRates, tempDeliveryEvents, algorithmDeliveryEvents, profileDeliveryEvents

    static let texts = allCases.map { "\($0)".utf8.map(ASCII.lowercased) }
  }

  /// What a string is read for.
  enum Role: UInt8 { case skip, name, base64, body, encoding, dataSource }

  /// Where in a number the reading is.
  enum NumberState: UInt8 { case minus, zero, whole, point, fraction, exponent, sign, power }

  /// What follows a document that is the argument of a call.
  enum Padding: UInt8 { case none, bracket, semicolon }

  /// An element that is walked because it cannot be read, and why.
  struct SkippedElement {
    let start: UInt64
    let depth: Int
  }

  /// Reads on, until a verdict is there.
  mutating func feed(_ bytes: RawSpan, into intake: inout RecordIntake) {
    var position = elements.isEmpty ? 0 : continueElement(bytes, into: &intake)
    position = walk(bytes, position, into: &intake)
    offset &+= UInt64(bytes.byteCount)
  }

  /// Walks a chunk from a position to its end, to a verdict, or to an element that is cut.
  mutating func walk(
    _ bytes: RawSpan, _ start: Int, into intake: inout RecordIntake
  ) -> Int {
    var position = start
    while position < bytes.byteCount, verdict == nil {
      switch state {
      case .string: position = walkString(bytes, position, into: &intake)
      case .number: position = walkNumber(bytes, position)
      case .word: position = walkWord(bytes, position)
      case .afterTrailing: return bytes.byteCount
      default:
        let byte = bytes.byte(at: position)
        if JSONBytes.isSpace(byte) {
          position += 1
        } else {
          position = walkStructure(byte, bytes, position, into: &intake)
        }
      }
    }
    return position
  }

  /// Ends the reading: the verdict is there afterwards.
  mutating func finish(into intake: inout RecordIntake) {
    if verdict == nil, !elements.isEmpty { walkCutElement(into: &intake) }
    if verdict == nil, state != .trailing, state != .afterTrailing {
      fail(at: offset, "the document is cut", into: &intake)
    }
    if verdict == nil, padding == .bracket {
      fail(at: offset, "the document is cut", into: &intake)
    }
    guard verdict == nil else { return }
    let format = kind ?? weakExport ?? (isForeign ? nil : weak)
    for value in strayValues where value.format == format {
      intake.consumer.reject(value.reject)
    }
    if format != nil {
      exports.finish(intake.consumer)
      if isMadeUp { intake.consumer.madeUp() }
    }
    verdict = format.map(DocumentVerdict.whole) ?? .unrecognised
  }

  /// Ends the document as damaged, or as none of ours if it had not been recognised.
  mutating func fail(at position: UInt64, _ reason: String, into intake: inout RecordIntake) {
    guard verdict == nil else { return }
    end(Reject(.offset(position), reason), into: &intake)
  }

  /// Ends the document as damaged for a reason that the caller found.
  mutating func end(_ reject: Reject, into intake: inout RecordIntake) {
    if var text = base64 {
      base64 = nil
      if text.isPlausible(into: &intake) { presumed = .pumpEvents }
    }
    response?.cut(reject)
    response = nil
    if let format = kind ?? presumed {
      verdict = .damaged(format, reject)
    } else {
      verdict = .unrecognised
    }
  }
}
