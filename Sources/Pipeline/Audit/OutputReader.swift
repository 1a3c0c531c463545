import Audit
import Decode
import Deduplicate
import Emit
import Platform
import PumpModel

/// Reads the samples of an output, whatever its form, into one side of a store.
///
/// What an output is, its first bytes tell and not its name. Memory does not grow with it.
struct OutputReader {
  let store: SampleStore
  let side: SampleSide
  /// What of a ledger is read.
  let selection: OutputSelection
  /// How long to wait for a ledger.
  let waitSeconds: Int
  /// Whether what is wrong with the form of an output is looked for, where that takes time.
  var looksAtForm = false
  /// Whether what tells neither of type, time and amount nor of the pump may be passed over.
  var isBrief = false

  /// Reads an output; `-` is standard input.
  ///
  /// - Throws: `RunFailure`, `AuditError`, `LedgerError`.
  func read(_ path: String) throws -> ComparedSet {
    if path != "-", case .database(let application) = SQLiteFile(at: path) {
      switch application {
      case SQLiteSink.applicationID: return try readDatabase(path)
      case Ledger.applicationID: return try readLedger(path)
      default: throw Self.unknown(path)
      }
    }
    let collector = Collector(store, side)
    let form = try reading(path) {
      try read(Self.open(path), depth: 0) { stream, form in
        try take(stream, form, collector)
      }
    }
    guard let form else { throw Self.unknown(path) }
    if form == .appleHealth, looksAtForm {
      collector.findings += try reading(path) { try validity(of: path, collector) }
    }
    return set(path, form, collector)
  }

  private func set(_ path: String, _ form: OutputForm, _ collector: Collector) -> ComparedSet {
    var set = ComparedSet(name: path, form: form)
    set.samples = Int(clamping: store.counts[side] ?? 0)
    set.faults = collector.faults
    set.findings = collector.findings
    return set
  }

  private static func unknown(_ path: String) -> RunFailure {
    RunFailure(
      .unreadable, what: "this is no output that samples can be read from", where: name(path),
      next:
        "Name an export.zip or export.xml of Apple Health, treatments of Nightscout, or a CSV, SQLite, "
        + "NDJSON output or a ledger of pumpline.")
  }

  /// The characters of an output's first bytes.
  fileprivate static func text(_ bytes: RawSpan) -> String {
    unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// Runs what reads an output, and says of which output an error is.
  private func reading<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let place = Self.name(path)
    do {
      return try body()
    } catch let error as InputError {
      let status: ExitStatus =
        switch error.kind {
        case .missing, .denied, .notAFile: .inputMissing
        case .failed: .io
        default: .unreadable
        }
      throw RunFailure(
        status, what: "the output \(error.kind.words)", where: place,
        next: "Check the path and the file.")
    } catch let error as XMLError {
      throw Self.broken(error.reason, at: place)
    } catch let fault as WrittenFault where fault.reason == SampleTableReader.changesOnly {
      throw RunFailure(
        .unreadable, what: "the output holds changes, not all samples", where: place,
        next:
          "Look at the ledger that they came from, which holds all, or write all of it: pumpline "
          + "convert --ledger FILE -o OUTPUT.")
    } catch let fault as WrittenFault {
      throw Self.broken(Self.words(fault), at: place)
    } catch AuditError.unreadable(let fault) {
      throw Self.broken(Self.words(fault), at: place)
    }
  }

  private static func broken(_ what: String, at place: String) -> RunFailure {
    RunFailure(
      .unreadable, what: "the output cannot be read to its end: it \(what)", where: place,
      next: "Write it again, and compare that.")
  }

  private static func words(_ fault: WrittenFault) -> String {
    let place = fault.place.map { " in line \($0)" } ?? ""
    return "cannot be used\(place): \(fault.reason)"
  }
}

// MARK: Files

extension OutputReader {
  /// How many archives may lie around an output.
  private static let deepest = 2

  private static func open(_ path: String) throws -> ByteStream {
    let buffer = ReadBuffer()
    guard path != "-" else { return InputFile.standardInput(into: buffer) }
    guard let place = FilePath(path) else { throw InputError(.missing) }
    return try InputFile.open(place, followingLinks: true, into: buffer)
  }

  /// Finds the output that a stream is or holds, and reads it with `body`; nil if it is none.
  private func read(
    _ stream: ByteStream, depth: Int, isMember: Bool = false,
    _ body: (ByteStream, OutputForm) throws -> Void
  ) throws -> OutputForm? {
    let (archive, form) = try stream.peek { (ArchiveKind(firstBytes: $0), OutputForm(first: $0)) }
    if let archive {
      guard depth < Self.deepest else { return nil }
      return try read(archive, stream, depth: depth, body)
    }
    // Lines of no samples are nothing at all.
    if depth == 0, try stream.peek({ $0.isEmpty }) {
      try body(stream, .samples)
      return .samples
    }
    // What lies beside a Health export in its archive is for others.
    guard let form, !isMember || form == .appleHealth else { return nil }
    try body(stream, form)
    return form
  }

  private func read(
    _ kind: ArchiveKind, _ stream: ByteStream, depth: Int,
    _ body: (ByteStream, OutputForm) throws -> Void
  ) throws -> OutputForm? {
    let reader = try ArchiveReader(kind, reading: stream, budget: ExpansionBudget())
    var found: OutputForm?
    while let entry = try reader.nextEntry() {
      guard entry.kind == .file else { continue }
      if entry.isEncrypted { throw InputError(.encrypted) }
      let member = reader.entryStream()
      if found != nil {
        // Which of two is meant nobody knows: an importer may take either, or both.
        if try member.peek({ OutputForm(first: $0) }) == .appleHealth { throw Self.severalExports }
      } else {
        found = try read(member, depth: depth + 1, isMember: !kind.isCompressedStream, body)
      }
    }
    return found
  }

  private static let severalExports = WrittenFault("it holds several exports of Apple Health")

  private func take(
    _ stream: ByteStream, _ form: OutputForm, _ collector: Collector
  ) throws {
    switch form {
    case .appleHealth: try readHealth(stream, collector)
    case .csv: try readTable(stream, collector)
    case .samples: try readLines(stream, collector)
    case .nightscout: try readTreatments(stream, collector)
    // Databases are known before they are opened as a stream.
    case .sqlite, .ledger: break
    }
  }

  /// Whether an export of Health keeps to its document type; only if its type is like none of Health's
  /// is a file read a second time for that.
  private func validity(of path: String, _ collector: Collector) throws -> [Finding] {
    if collector.validity == nil, path != "-" {
      _ = try read(Self.open(path), depth: 0) { stream, _ in
        collector.validity = try XMLValidity.of(stream)
      }
    }
    // Nobody can read standard input a second time.
    switch collector.validity ?? .valid {
    case .valid: return []
    case .unknown:
      return [
        Finding(
          .documentInvalid,
          text:
            "the document has no document type that says everything itself, so it cannot be held to one"
        )
      ]
    case .invalid(let line):
      return [
        Finding(.documentInvalid, text: "the document breaks its own document type in line \(line)")
      ]
    case .malformed(let line):
      return [
        Finding(.documentInvalid, text: "the document type is not well formed in line \(line)")
      ]
    }
  }

  private func forEachChunk(of stream: ByteStream, _ body: (RawSpan) throws -> Void) throws {
    while try stream.advance() {
      try checkInterruption()
      // The error goes around the closure, whose own type it would have to be.
      var failure: (any Error)?
      stream.withChunk { bytes in
        do { try body(bytes) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }

  private func readHealth(_ stream: ByteStream, _ collector: Collector) throws {
    let reader = try HealthExportReader(checksType: looksAtForm, isBrief: isBrief) {
      try collector.take($0)
    }
    try forEachChunk(of: stream) { try reader.feed($0) }
    try reader.finish()
    collector.validity = reader.validity
    collector.findings = reader.findings
  }

  private func readTable(_ stream: ByteStream, _ collector: Collector) throws {
    var reader = SampleTableReader(offset: Self.offsets())
    try forEachChunk(of: stream) { try reader.feed($0) { try collector.take($0) } }
    try reader.finish { try collector.take($0) }
    collector.findings = reader.findings
  }

  private func readLines(_ stream: ByteStream, _ collector: Collector) throws {
    var reader = LineReader()
    try forEachChunk(of: stream) { bytes in
      try reader.feed(bytes) { try collector.take(line: $0, $1, $2) }
    }
    try reader.finish { try collector.take(line: $0, $1, $2) }
  }

  private func readTreatments(_ stream: ByteStream, _ collector: Collector) throws {
    let opening = try stream.peek { JSONOpening(Self.text($0)) }
    guard !opening.isEmptyList else { return }
    let reader = TreatmentReader(areLines: opening.areLines)
    try forEachChunk(of: stream) { try reader.feed($0) { try collector.take($0) } }
    try reader.finish { try collector.take($0) }
    try store.endRates(of: side) { try checkInterruption() }
  }

  private func readDatabase(_ path: String) throws -> ComparedSet {
    let collector = Collector(store, side)
    try reading(path) {
      let database = try SampleDatabase(at: path, offset: Self.offsets())
      if looksAtForm { collector.findings = try database.findings(Self.databaseForm) }
      try database.forEach { try collector.take($0) }
    }
    return set(path, .sqlite, collector)
  }
}

// MARK: Databases

extension OutputReader {
  /// What databases of this version look like.
  static let databaseForm = DatabaseForm(
    statements: SQLiteSchema.statements, version: SQLiteSchema.version)

  /// The offsets of zones, each of which is looked up once.
  static func offsets() -> (String, Instant) -> Int64? {
    let zones = KnownZones()
    return { name, instant in try? zones.rules(named: name).offset(at: instant) }
  }

  /// Compares the events that a SQLite output shows with those that sources give.
  func compareEvents(of path: String, with writer: OutputWriter) throws -> [Finding] {
    try reading(path) {
      let database = try SampleDatabase(at: path, offset: Self.offsets())
      guard try database.isOf(Self.databaseForm) else { return [] }
      let comparison = try EventComparison(store)
      try database.forEachEvent { event, device, lines in
        try comparison.add(event, of: device, lines: lines, to: .second)
      }
      try writer.forEachEvents(of: Array(writer.pumps.enumerated())) { events in
        for event in events {
          let details = WrittenMetadata(event.details.map { ($0.name, $0.value) })
          try comparison.add(
            event, of: writer.pumps[event.pump].label.name, lines: details.lines, to: .first)
        }
        try checkInterruption()
      }
      return try comparison.findings()
    }
  }
}

// MARK: Ledgers

extension OutputReader {
  private func readLedger(_ path: String) throws -> ComparedSet {
    do {
      return try readOpened(path)
    } catch let error as LedgerError {
      throw RunFailure(sorting: error, ledger: path)
    }
  }

  private func readOpened(_ path: String) throws -> ComparedSet {
    let ledger = try Ledger(
      .existing(path), waitMilliseconds: Int32(clamping: waitSeconds * 1000))
    try ledger.beginReading()
    defer { ledger.rollback() }
    let held = try ledger.settings()
    var request = ConvertRequest(inputs: [])
    // A ledger of samples knows no zones.
    if held == nil { request.zones = [ZoneArgument(name: "UTC")] }
    request.selection = selection
    let settings = try RunSettings(request, held: held, known: KnownZones())
    let pumps = try ledger.pumps()
    let shown =
      selection.pumps.isEmpty ? pumps : pumps.filter { selection.pumps.contains($0.label.name) }
    let samples = try OrderedSamples(
      ledger, pumps: shown,
      selection: SampleSelection(
        kinds: selection.kinds, keepsZeroBasal: selection.keepsZeroBasal,
        showsDerivedBasal: selection.includesDerivedBasal,
        from: selection.from.map { $0.instant(in: settings.schedule) },
        until: selection.until.map { $0.instant(in: settings.schedule) }),
      order: .device)
    let context = OutputContext(
      schedule: settings.schedule, pumps: shown.map(\.label), newestEnd: samples.newestEnd,
      statusWords: try ledger.statusWords(), names: try ledger.names())
    var set = ComparedSet(name: path, form: .ledger)
    set.samples = try store.add(
      samples, WrittenRows(context, tellsZones: held != nil), to: side)
    if looksAtForm, held != nil {
      set.findings = try LedgerTotalsCheck(ledger, settings.schedule).findings()
    }
    return set
  }
}

extension SampleStore {
  /// Adds a ledger's samples, and says how many there are.
  func add(
    _ samples: OrderedSamples, _ rows: WrittenRows, to side: SampleSide
  ) throws -> Int {
    var batch = OutputBatch()
    while try samples.next(into: &batch) {
      for row in batch.rows { try add(rows.sample(of: row, in: batch), to: side) }
      try checkInterruption()
    }
    return samples.count
  }
}

/// Takes what an output holds.
private final class Collector {
  private let store: SampleStore
  private let side: SampleSide
  private(set) var faults = Shortlist<WrittenFault>()
  var findings: [Finding] = []
  /// Whether a document keeps to its own type; nil if that could not be told in passing.
  var validity: XMLValidity?

  init(_ store: SampleStore, _ side: SampleSide) {
    self.store = store
    self.side = side
  }

  func take(_ entry: WrittenEntry) throws {
    switch entry {
    case .sample(let sample):
      try store.add(sample, to: side)
    case .fault(let fault): faults.add(fault)
    }
  }

  func take(line: UInt64, _ bytes: RawSpan, _ fault: LineFault?) throws {
    let entry: WrittenEntry
    do throws(LineFault) {
      if let fault { throw fault }
      entry = .sample(try WrittenLineParser.parse(bytes, line: line))
    } catch {
      if error == WrittenLineParser.deleted {
        throw WrittenFault(at: line, SampleTableReader.changesOnly)
      }
      entry = .fault(WrittenFault(at: line, error.reason))
    }
    try take(entry)
  }
}

extension OutputForm {
  /// Tells a text form by its first bytes; nil for anything else.
  fileprivate init?(first bytes: RawSpan) {
    let head = OutputReader.text(bytes)
    let start = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if start.hasPrefix("<") {
      guard head.contains("HealthData") else { return nil }
      self = .appleHealth
    } else if start.hasPrefix("[") || start.hasPrefix("{") {
      guard let form = JSONOpening(head).form else { return nil }
      self = form
    } else if head.contains("start_utc"), head.contains("type"), head.contains(",") {
      self = .csv
    } else {
      return nil
    }
  }
}
