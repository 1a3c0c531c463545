import Platform
import PumpModel

/// Records and rows of documents that may still be taken back: kept in a private database, since a document
/// may hold any number of them.
final class WaitingRecords {
  private let database: SQLiteConnection
  private let insertRecords: SQLiteStatement
  private let insertText: SQLiteStatement
  private let insertRow: SQLiteStatement

  /// The words of 32 bits of one record.
  private static let wordsPerRecord = 12

  init() throws(SQLiteError) {
    database = try SQLiteConnection(.temporary)
    try database.execute(
      """
      PRAGMA journal_mode = OFF;
      CREATE TABLE records (
        id INTEGER PRIMARY KEY, document INTEGER NOT NULL, words BLOB NOT NULL);
      CREATE INDEX records_of ON records (document, id);
      CREATE TABLE texts (
        id INTEGER PRIMARY KEY, document INTEGER NOT NULL, text BLOB NOT NULL);
      CREATE INDEX texts_of ON texts (document, id);
      CREATE TABLE rows (
        id INTEGER PRIMARY KEY, document INTEGER NOT NULL, line BLOB NOT NULL);
      CREATE INDEX rows_of ON rows (document, id);
      BEGIN;
      """)
    insertRecords = try database.prepare("INSERT INTO records (document, words) VALUES (?, ?)")
    insertText = try database.prepare("INSERT INTO texts (document, text) VALUES (?, ?)")
    insertRow = try database.prepare("INSERT INTO rows (document, line) VALUES (?, ?)")
  }

  /// Adds records of a document with their places.
  func add(
    _ records: Span<PumpRecord>, at places: Span<UInt64>, of document: UInt32
  ) throws(SQLiteError) {
    var words: [UInt32] = []
    words.reserveCapacity(records.count * Self.wordsPerRecord)
    for index in records.indices {
      let record = records[index]
      let payload = record.payload
      words.append(record.number)
      words.append(record.seconds)
      words.append(record.group)
      words.append(record.pump)
      words.append(payload.word0)
      words.append(payload.word1)
      words.append(payload.word2)
      words.append(payload.word3)
      words.append(UInt32(record.present) << 16 | UInt32(record.eventID))
      words.append(Flags(record).rawValue)
      words.append(UInt32(truncatingIfNeeded: places[index] >> 32))
      words.append(UInt32(truncatingIfNeeded: places[index]))
    }
    insertRecords.bind(1, Int64(document))
    try insertRecords.run(blob: unsafe words.span.bytes, at: 2)
  }

  /// Adds the properties of a record of a document.
  func add(text: Span<UInt8>, of document: UInt32) throws(SQLiteError) {
    insertText.bind(1, Int64(document))
    try insertText.run(blob: unsafe text.bytes, at: 2)
  }

  /// Adds what is known of a line of a row of a document.
  func add(row line: RawSpan, of document: UInt32) throws(SQLiteError) {
    insertRow.bind(1, Int64(document))
    try insertRow.run(blob: line, at: 2)
  }

  /// Gives what is known of the lines of a document's rows, in order.
  func forEachRow(of document: UInt32, _ body: (Span<UInt8>) throws -> Void) throws {
    let rows = try database.prepare("SELECT line FROM rows WHERE document = ? ORDER BY id")
    rows.bind(1, Int64(document))
    while try rows.step() {
      let line = rows.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
      try body(line.span)
    }
  }

  /// Gives the records of a document in order, with the properties of those that have them.
  func forEach(
    of document: UInt32, _ body: (PumpRecord, _ place: UInt64, _ text: [UInt8]?) throws -> Void
  ) throws {
    let records = try database.prepare(
      "SELECT words FROM records WHERE document = ? ORDER BY id")
    let texts = try database.prepare("SELECT text FROM texts WHERE document = ? ORDER BY id")
    records.bind(1, Int64(document))
    texts.bind(1, Int64(document))
    while try records.step() {
      let words = records.withBlob(0) { bytes in
        stride(from: 0, to: bytes.byteCount, by: 4).map {
          unsafe bytes.unsafeLoadUnaligned(fromByteOffset: $0, as: UInt32.self)
        }
      }
      for first in stride(from: 0, to: words.count, by: Self.wordsPerRecord) {
        let word = words[first..<first + Self.wordsPerRecord]
        let record = Self.record(word)
        var text: [UInt8]?
        if record.hasText, try texts.step() {
          text = texts.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
        }
        try body(record, UInt64(word[first + 10]) << 32 | UInt64(word[first + 11]), text)
      }
    }
  }

  /// Forgets everything.
  func removeAll() throws(SQLiteError) {
    try database.execute("DELETE FROM records; DELETE FROM texts; DELETE FROM rows;")
  }

  private struct Flags: OptionSet {
    let rawValue: UInt32
    static let json = Flags(rawValue: 1 << 0)
    static let group = Flags(rawValue: 1 << 1)
    static let clockChanges = Flags(rawValue: 1 << 2)
    static let text = Flags(rawValue: 1 << 3)

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ record: PumpRecord) {
      self = record.form == .json ? .json : []
      if record.hasGroup { insert(.group) }
      if record.isFromClockChanges { insert(.clockChanges) }
      if record.hasText { insert(.text) }
    }
  }

  private static func record(_ words: ArraySlice<UInt32>) -> PumpRecord {
    let first = words.startIndex
    let flags = Flags(rawValue: words[first + 9])
    var record = PumpRecord(
      number: words[first], seconds: words[first + 1],
      eventID: UInt16(truncatingIfNeeded: words[first + 8]),
      payload: .init(words[first + 4], words[first + 5], words[first + 6], words[first + 7]),
      form: flags.contains(.json) ? .json : .binary,
      present: UInt16(truncatingIfNeeded: words[first + 8] >> 16), pump: words[first + 3])
    record.group = words[first + 2]
    record.hasGroup = flags.contains(.group)
    record.isFromClockChanges = flags.contains(.clockChanges)
    record.hasText = flags.contains(.text)
    return record
  }
}
