import Decode
import Deduplicate
import Extract
import Platform
import PumpModel

/// Reads the inputs of a run into a journal's import: every document is recognised, decoded,
/// digested and counted; nothing is used before the run knows which documents are whole.
final class ImportReader {
  let journal: JournalImport?
  private let keepsGoing: Bool
  private let events: (RunEvent) -> Void
  private var reader: DocumentReader?
  private var place: DocumentPlace?

  /// The documents of the run, in the order in which they began.
  var documents: [RunDocument] = []
  /// Their names for people: a path, with the member's or response's name after it.
  let names = DocumentNames()
  /// The documents that are being read, the innermost last.
  var open: [OpenDocument] = []
  /// How the last input that was read to its end turned out.
  var verdict: DocumentVerdict?
  /// What went wrong in a call that could not throw.
  var failure: (any Error)?
  /// The references by assignment id, and the one asked for last.
  var references: [[UInt8]: UInt32] = [:]
  var lastReference: (text: [UInt8], reference: UInt32) = ([], 0)
  /// The references by serial number.
  var serialReferences: [String: UInt32] = [:]
  let propertiesDigest = Digest256()

  /// The pumps as documents state them, by reference less one.
  var statedPumps: [StatedPump] = []
  /// Links, pipes, devices and sockets in folders.
  var specialFiles: UInt64 = 0
  /// The rejects of the run.
  let rejects = RejectList()
  /// Takes records as they pass, with the place of their document in `documents`, for who wants to
  /// look at them.
  var onRecord: ((PumpRecord, _ document: Int) -> Void)?
  /// Takes rows of exports in the same way.
  var onRow: ((ExportRow, _ document: Int) -> Void)?
  /// Is told when nothing of what passed so far can be taken back any more.
  var onSettled: (() throws -> Void)?
  /// How numbers and dates of tables are written, where that was said.
  var forms = CellForms()
  /// Takes what passes with all that was said of it; set before anything is read.
  var tap: (any ImportTap)?

  /// A document that is being read.
  struct OpenDocument {
    var document: RunDocument
    let digest: any ContentDigest
  }

  /// The key of digests that nobody is told of and no ledger keeps; nil: documents are known by SHA-256.
  var privateKey: PrivateDigest.Key?

  /// Looks an archive up by its digest; nil if archives are not remembered.
  var knownArchive: (([UInt8]) throws -> [ArchivedDocument]?)?
  /// The archives on disk that were opened.
  var archives: [OpenedArchive] = []
  private let archiveBuffer = ReadBuffer()
  /// The ledger that is open, which no folder's walk may touch.
  var ledger: String?

  /// An archive on disk, and which documents lie in it.
  struct OpenedArchive {
    let name: String
    let digest: [UInt8]
    let firstDocument: Int
    var count = 0
    /// Whether all that lies in it could be read.
    var isSound = true
  }

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - journal: where records go; nil to look at them only.
  ///   - keepsGoing: whether an unreadable input is one reject rather than the end of the run.
  ///   - events: is told what is being read.
  init(journal: JournalImport?, keepsGoing: Bool, events: @escaping (RunEvent) -> Void) {
    self.journal = journal
    self.keepsGoing = keepsGoing
    self.events = events
  }

  /// Whether it is told, chunk by chunk, how much of the inputs was read.
  var tellsProgress = false
  /// How many bytes the inputs have, if that is known.
  private var progressTotal: UInt64?
  private var walker: InputWalker?

  private func tellProgress() {
    guard tellsProgress, let walker else { return }
    events(
      .progress(RunProgress(.reading, done: walker.bytesPassed, total: progressTotal)))
  }

  /// Reads inputs, in order.
  ///
  /// - Throws: `RunFailure`, `LedgerError`, `ExtractError`, `SQLiteError`.
  func read(_ inputs: [String]) throws {
    let walker = InputWalker(visitor: self)
    if let ledger { walker.passesOver = { SameFile.belongs($0, to: ledger) } }
    self.walker = walker
    progressTotal = tellsProgress ? InputSize.bytes(of: inputs) : nil
    defer {
      self.walker = nil
      // The reader of a document that was left half-way holds on to this object.
      reader = nil
    }
    for input in inputs { try walker.walk(input) }
  }

  /// Reads a document that is in memory.
  ///
  /// - Returns: its place in `documents`.
  /// - Throws: as `read(_:)`.
  func read(memory bytes: [UInt8], named name: String) throws -> Int {
    defer { reader = nil }
    let place = documents.count
    try InputWalker(visitor: self).walk(memory: bytes, named: name)
    return place
  }

  /// Documents inside containers that are no pump data.
  var unrecognised: UInt64 {
    UInt64(documents.count { $0.format == nil && $0.rejected == 0 })
  }
}

extension ImportReader: DocumentVisitor {
  func opens(_ archive: DocumentPlace, at path: FilePath) throws -> Bool {
    guard let knownArchive, let digest = try Digest256.ofFile(at: path, into: archiveBuffer)
    else { return true }
    guard let known = try knownArchive(digest.bytes) else {
      archives.append(
        OpenedArchive(
          name: archive.name, digest: digest.bytes, firstDocument: documents.count))
      return true
    }
    events(.reading(document: archive.name))
    add(known, of: archive.name)
    return false
  }

  func begin(_ place: DocumentPlace) throws {
    self.place = place
    events(.reading(document: place.name))
    reader = DocumentReader(consumer: self, forms: forms)
  }

  func bytes(_ chunk: RawSpan) throws -> Bool {
    try checkInterruption()
    reader?.feed(chunk)
    if let failure { throw failure }
    tellProgress()
    return reader?.wantsMore ?? false
  }

  func end(_ ending: DocumentEnding) throws {
    try judge(ending)
    try onSettled?()
  }

  private func judge(_ ending: DocumentEnding) throws {
    switch ending {
    case .whole: reader?.finish()
    case .refused(let reject): reader?.finish(wasCut: reject)
    case .lost: reader?.finish(wasCut: Reject(.whole, "what it lies in is damaged"))
    }
    reader = nil
    if let failure { throw failure }
    guard let place, let verdict else { return }
    self.verdict = nil
    guard ending != .lost else { return try takeBack(from: outermost, reject: nil) }
    switch verdict {
    case .whole: return
    case .damaged(let format, let reject):
      // A fault of the whole says itself what is wrong.
      let what =
        reject.position == .whole
        ? "it is \(format.rawValue): " : "it is \(format.rawValue) and damaged: "
      try refuse(what + reject.reason, at: place)
      try takeBack(from: outermost, reject: reject)
    case .unrecognised where documents[outermost].bytes == 0 && ending != .whole:
      // Not a byte of it could be read, so what it is cannot be told: that is no reason to
      // ignore it.
      if case .refused(let reject) = ending {
        try refuse(reject.reason, at: place)
        try takeBack(from: outermost, reject: reject)
      }
    case .unrecognised where place.isDirect:
      let reason = "it holds no pump data of a form that is known"
      try refuse(reason, at: place)
      try takeBack(from: outermost, reject: Reject(.whole, reason))
    case .unrecognised: return
    }
  }

  func problem(_ problem: InputProblem) throws {
    switch problem.kind {
    case .skipped: specialFiles += 1
    case .container, .member:
      if problem.kind == .container { try refuse(problem.reject.reason, at: problem.place) }
      if let last = archives.indices.last { archives[last].isSound = false }
      let index = begin(named: problem.place.name, parent: nil)
      if let failure { throw failure }
      documents[index].rejected = 1
      try rejects.add(problem.reject, of: UInt32(index))
    }
  }

  /// The place in `documents` of the input that was read last.
  private var outermost: Int {
    documents.lastIndex { $0.parent == nil } ?? 0
  }

  /// Ends the run over an input that was named, unless it is to go on without it.
  private func refuse(_ reason: String, at place: DocumentPlace) throws {
    guard place.isDirect, !keepsGoing else { return }
    throw RunFailure(
      .unreadable, what: "the input cannot be used: \(reason)", where: place.name,
      next: "Get the file again, or go on without it with --keep-going.")
  }

  /// Takes back a document and all in it; what is left of it is one reject, if there is one.
  func takeBack(from index: Int, reject: Reject?) throws {
    for place in documents.indices[index...] { try clear(place) }
    guard let reject else { return }
    documents[index].rejected = 1
    try rejects.add(reject, of: UInt32(index))
  }

  /// Forgets all that a document gave.
  func clear(_ place: Int) throws {
    try rejects.removeAll(of: UInt32(place))
    documents[place].isWhole = false
    documents[place].accepted = 0
    documents[place].rejected = 0
    documents[place].forgetContent()
  }

  /// Adds a document to the list.
  func begin(named name: String, parent: UInt32?) -> Int {
    if let last = archives.indices.last { archives[last].count(name, at: documents.count) }
    documents.append(RunDocument(index: UInt32(documents.count), parent: parent))
    attempt { try names.append(name) }
    return documents.count - 1
  }

  /// The name of a document.
  func name(of document: UInt32) throws -> String { try names.name(of: Int(document)) }

  /// The name of the input that is being read.
  var currentName: String { place?.name ?? "input" }
}
