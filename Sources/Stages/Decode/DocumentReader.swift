package import PumpModel

/// Reads one document of pump history, whatever its format, from chunks cut anywhere.
///
/// Formats are told apart by content alone (FORMATS A to E): JSON of the Tandem Source service, the
/// retired service's base64, 26-byte records, Tandem's tables, a browser's capture of any of these,
/// and what pumps send over Bluetooth, as frames, lines of a log, or a capture.
///
/// The consumer is told of records and rejects while the reading goes on, but nothing of it may be
/// used before `end` has said `.whole`. A capture that is damaged takes back every response in it,
/// those that had ended `.whole` included. Calls are the same however the bytes are cut, but for
/// the pieces of `content`.
///
/// Memory is bounded: a chunk, one event of at most 1 MiB, a batch of records.
package final class DocumentReader {
  private enum Mode { case opening, json, records, table, frames, lines, capture }

  /// What is looked through at once for the first character.
  static let longestOpening = 1024

  private let response: Int?
  private var intake: RecordIntake
  private var mode = Mode.opening
  /// The first bytes, until it is known whether they are a mark of two bytes a character.
  private var first: [UInt8]? = []
  /// Makes UTF-8 of a text of two bytes a character that has a mark.
  private var wide: DocumentText?
  private var hasBegun = false
  private var isFinished = false
  private var opening: [UInt8] = []
  /// How many bytes of white space came before that.
  private var blank: UInt64 = 0
  /// How many bytes of a mark stand before a text.
  private var textStart = 0
  private var json: JSONReader?
  private var flow = RecordFlow()
  private var table: TableReader?
  private let forms: CellForms
  /// Whether treatments count that others wrote than the program that reads pumps; set before any byte.
  var takesAllTreatments = false
  private var frames = FrameReader()
  private var lines = HexLineReader()
  private var capture = CaptureReader()
  private var verdict: DocumentVerdict?

  /// Creates a reader for a document of its own: a file, or a member of an archive or folder.
  ///
  /// - Parameters:
  ///   - consumer: is told of what is found.
  ///   - forms: how numbers and dates of tables are written, where that is known.
  package convenience init(consumer: any DocumentConsumer, forms: CellForms = CellForms()) {
    self.init(consumer: consumer, response: nil, forms: forms)
  }

  init(consumer: any DocumentConsumer, response: Int?, forms: CellForms = CellForms()) {
    self.response = response
    self.forms = forms
    intake = RecordIntake(consumer: consumer)
  }

  /// Whether more bytes can change anything: false once the document is damaged or none of ours.
  package var wantsMore: Bool { verdict == nil && !isFinished }

  /// Whether the document ended and held nothing of ours.
  var wasUnrecognised: Bool {
    guard case .unrecognised = verdict ?? .unrecognised else { return false }
    return isFinished
  }

  /// Takes the next bytes, which must be valid during the call only.
  package func feed(_ bytes: RawSpan) {
    guard wantsMore else { return }
    begin()
    guard !bytes.isEmpty else { return }
    intake.consumer.content(bytes)
    if first == nil { unpack(bytes) } else { readFirst(bytes) }
  }

  /// Looks for a mark of two bytes a character.
  private func readFirst(_ bytes: RawSpan) {
    guard var start = first else { return }
    let taken = min(bytes.byteCount, 2 - start.count)
    start.append(bytes, 0..<taken)
    first = start
    guard start.count == 2 || !DocumentText.marks.contains(where: { $0.mark.starts(with: start) })
    else { return }
    endFirst()
    if taken < bytes.byteCount, wantsMore { unpack(bytes.extracting(droppingFirst: taken)) }
  }

  /// Takes the mark off, or hands on what is none.
  private func endFirst() {
    guard let start = first else { return }
    first = nil
    if let mark = DocumentText.marks.first(where: { $0.mark == start }) {
      wide = DocumentText(mark.coding)
    } else if !start.isEmpty {
      unsafe read(start.span.bytes)
    }
  }

  private func unpack(_ bytes: RawSpan) {
    guard var text = wide else { return read(bytes) }
    text.feed(bytes) { part in if wantsMore { read(part) } }
    wide = text
  }

  /// Ends the document.
  ///
  /// - Parameter wasCut: Why the bytes broke off, if their source knows that there were more, or
  ///   that they are damaged; the document then is damaged, if it was recognised.
  package func finish(wasCut: Reject? = nil) {
    guard !isFinished else { return }
    begin()
    endFirst()
    isFinished = true
    if verdict == nil { endReading(wasCut) }
    let result = verdict ?? .unrecognised
    if case .whole = result, wide?.isCut == true {
      intake.consumer.reject(Reject(.whole, "the text ends inside a character"))
    }
    if case .whole = result { intake.flush() }
    intake.consumer.end(result)
  }

  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    intake.consumer.begin(response: response)
  }

  private func read(_ bytes: RawSpan) {
    switch mode {
    case .opening: open(bytes)
    case .json:
      json?.feed(bytes, into: &intake)
      verdict = json?.verdict
    case .records:
      flow.feed(bytes, into: &intake)
      takeJudgement()
    case .table:
      table?.feed(bytes)
      verdict = table?.verdict
    case .frames:
      frames.feed(bytes, into: &intake)
      verdict = frames.verdict
    case .lines:
      lines.feed(bytes, into: &intake)
      verdict = lines.verdict
    case .capture:
      capture.feed(bytes, into: &intake)
      verdict = capture.verdict
    }
  }

  /// Looks for the first character that tells the format.
  private func open(_ bytes: RawSpan) {
    if blank > 0, opening.isEmpty {
      let start = JSONBytes.skipSpace(bytes, 0)
      blank += UInt64(start)
      guard start == 0 else {
        return start < bytes.byteCount ? open(bytes.extracting(droppingFirst: start)) : ()
      }
    }
    let taken = min(bytes.byteCount, Self.longestOpening - opening.count)
    opening.append(bytes, 0..<taken)
    decide(isLast: false)
    guard verdict == nil else { return }
    readOpening()
    guard verdict == nil, taken < bytes.byteCount else { return }
    read(bytes.extracting(taken..<bytes.byteCount))
  }

  /// Reads what was looked through, once it is known what it is.
  private func readOpening() {
    guard mode != .opening else { return }
    let start = opening
    opening = []
    unsafe read(start.span.bytes.extracting(droppingFirst: textStart))
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// What archives and compressed streams begin with.
  private static let archiveMarks: [[UInt8]] = [
    [0x50, 0x4B, 3, 4], [0x1F, 0x8B, 8], [0x28, 0xB5, 0x2F, 0xFD],
    [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0],
    [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C],
  ]
  private static let archiveInside = Reject(
    .whole, "an archive inside a capture, which is not unpacked: save it as a file of its own")

  /// Three bytes if the document begins with a byte-order mark.
  private func markSize(_ bytes: [UInt8]) -> Int {
    blank == 0 && bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
  }

  private func decide(isLast: Bool) {
    if blank == 0, decideTable(isLast: isLast) || decideGlooko(isLast: isLast) { return }
    if !isLast, opening.count < 3, Self.byteOrderMark.starts(with: opening) { return }
    let mark = markSize(opening)
    let start = opening
    let span = start.span
    let bytes = unsafe span.bytes
    let first = JSONBytes.skipSpace(bytes, mark)
    guard first < bytes.byteCount else {
      if isLast {
        verdict = .unrecognised
      } else if bytes.byteCount == Self.longestOpening {
        blank += UInt64(bytes.byteCount)
        opening = []
      }
      return
    }
    switch bytes.byte(at: first) {
    case 0x7B, 0x5B, 0x22:
      // A record may begin with what looks like white space and a quotation mark; text has no
      // control characters.
      let head = min(bytes.byteCount, RecordReader.size)
      let enough = min(first + RecordReader.size, Self.longestOpening)
      if !isLast, bytes.byteCount < enough { return }
      guard !JSONBytes.hasControls(bytes, 0..<head) else {
        if blank > 0 { verdict = .unrecognised } else { mode = .records }
        return
      }
      guard !HexLineReader.beginsWithLabel(bytes, first) else {
        mode = .lines
        return
      }
      mode = .json
      textStart = mark
      json = JSONReader(
        offset: blank + UInt64(mark), isResponse: response != nil, forms: forms)
      json?.takesAllTreatments = takesAllTreatments
    // No records or tables begin with so much white space.
    case _ where blank > 0: verdict = .unrecognised
    default:
      switch JSONPadding.opinion(of: bytes, from: first) {
      case .undecided where !isLast && bytes.byteCount < Self.longestOpening: return
      case .call(let opening):
        (mode, textStart) = (.json, opening)
        json = JSONReader(
          offset: UInt64(opening), isResponse: response != nil, isCalled: true, forms: forms)
        return
      default: break
      }
      if !isLast, bytes.byteCount < RecordReader.size { return }
      guard response == nil || !Self.archiveMarks.contains(where: start.starts(with:)) else {
        verdict = .damaged(.har, Self.archiveInside)
        return
      }
      mode = radioMode(bytes)
    }
  }

  /// Whether the first bytes are a table's, or may be once more of them are there.
  private func decideTable(isLast: Bool) -> Bool {
    switch TableOpening.opinion(of: opening) {
    case .foreign: return false
    case .undecided: return !isLast
    case .table(let coding, let mark):
      mode = .table
      textStart = mark
      table = TableReader(coding, forms: forms, consumer: intake.consumer)
      return true
    }
  }

  /// Whether the first line is of a table of Glooko's, or may be once more of it is there.
  private func decideGlooko(isLast: Bool) -> Bool {
    switch GlookoTable.opinion(of: opening, isLast: isLast) {
    case .foreign: return false
    case .undecided: return !isLast
    case .table(let coding, let mark):
      mode = .table
      textStart = mark
      table = TableReader(coding, isGlooko: true, forms: forms, consumer: intake.consumer)
      return true
    }
  }

  /// How to read what is no JSON.
  private func radioMode(_ bytes: RawSpan) -> Mode {
    if CaptureReader.recognises(bytes) { return .capture }
    if FrameReader.recognises(bytes) { return .frames }
    // What a browser shows is no log.
    return response == nil && HexLineReader.mayBegin(bytes) ? .lines : .records
  }

  private func takeJudgement() {
    switch flow.judgement {
    case .undecided, .records, .littleEndian: break
    case .foreign: verdict = .unrecognised
    case .ambiguous: verdict = RecordFlow.ambiguousVerdict(.records)
    }
  }

  private func endReading(_ wasCut: Reject?) {
    if mode == .opening { endOpening() }
    switch mode {
    case .json:
      if let wasCut { json?.end(wasCut, into: &intake) } else { json?.finish(into: &intake) }
      verdict = json?.verdict
    case .table:
      table?.finish(wasCut: wasCut)
      verdict = table?.verdict
    case .records where verdict == nil:
      flow.finish(into: &intake)
      takeJudgement()
      verdict = verdict ?? wasCut.map { .damaged(flow.format, $0) } ?? .whole(flow.format)
    case .frames:
      frames.finish(into: &intake)
      verdict = Self.ending(frames.verdict, wasCut)
    case .lines:
      lines.finish(into: &intake)
      verdict = Self.ending(lines.verdict, wasCut)
    case .capture:
      capture.finish(into: &intake)
      verdict = Self.ending(capture.verdict, wasCut)
    default: break
    }
  }

  /// The ending of a document whose bytes may have broken off.
  private static func ending(_ verdict: DocumentVerdict?, _ wasCut: Reject?) -> DocumentVerdict? {
    guard let wasCut, case .whole(let format) = verdict else { return verdict }
    return .damaged(format, wasCut)
  }

  /// The document ended before its first bytes told what it is.
  private func endOpening() {
    decide(isLast: true)
    if verdict == nil { readOpening() }
  }
}
