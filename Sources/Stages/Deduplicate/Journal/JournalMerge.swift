import Platform
import PumpModel

/// Merges new records of one pump into its journal.
struct JournalMerge {
  let chunks: JournalChunks
  let sets: DocumentSets
  let holders: Holders

  /// What the holders of new entries are.
  enum Holders {
    /// Documents of the run, with the ledger's document of each; nil: nothing of it is used.
    case documents([UInt32?])
    /// Sets of documents: the entries come from another pump of the ledger.
    case sets
  }

  /// What a merge did.
  struct Outcome {
    /// Where the journal holds copies that it did not hold before.
    var touched = TouchedRecords()
    /// Whether there are any.
    private(set) var hasNewCopies = false
    /// Copies that a document brought and another had already, by the run's document.
    var duplicates: [UInt32: UInt64] = [:]

    @inline(__always)
    mutating func note(_ entry: JournalEntry) {
      hasNewCopies = true
      touched.note(entry.high, eventID: entry.eventID)
    }
  }

  /// Takes in the entries of a cursor, whose holders are documents of the run.
  func merge(_ new: inout EntryStream) throws(SQLiteError) -> Outcome {
    var outcome = Outcome()
    guard !new.isAtEnd else { return outcome }
    let places = try chunks.places(from: new.key)
    var index = -1
    while !new.isAtEnd {
      let key = new.key
      while index + 1 < places.count, !key.precedes(places[index + 1].key) { index += 1 }
      let end = index + 1 < places.count ? places[index + 1].key : nil
      try merge(&new, upTo: end, into: index < 0 ? nil : places[index].chunk, &outcome)
    }
    return outcome
  }

  /// Takes in the entries up to the next row's first key, together with one row of the journal.
  private func merge(
    _ new: inout EntryStream, upTo end: SortKey?, into chunk: Int64?, _ outcome: inout Outcome
  ) throws(SQLiteError) {
    var old = StoredEntries([])
    if let chunk { old = StoredEntries(try chunks.entries(of: chunk)) }
    var writer = ChunkWriter(chunks: chunks)
    var changed = false
    var equals: [JournalEntry] = []
    while !new.isAtEnd {
      if old.next == nil, try moveSingles(&new, upTo: end, to: &writer, &outcome) {
        changed = true
      }
      let key = new.key
      if let end, !key.precedes(end) { break }
      while let next = old.next, next.key.precedes(key) {
        try writer.append(next)
        old.advance()
      }
      let first = new.withBody { JournalEntry(key: key, body: $0) }
      try new.advance()
      equals.removeAll(keepingCapacity: true)
      while let next = old.next, !key.precedes(next.key) {
        equals.append(next)
        old.advance()
      }
      // Most often nothing stands under the key yet, and nothing more comes.
      if equals.isEmpty, new.isAtEnd || key.precedes(new.key) {
        guard let entry = try added(first, &outcome) else { continue }
        changed = true
        try writer.append(entry)
        continue
      }
      if try takeEquals(first, from: &new, into: &equals, &outcome) { changed = true }
      for entry in equals { try writer.append(entry) }
    }
    while let next = old.next {
      try writer.append(next)
      old.advance()
    }
    // Until something changes, no more than the row itself was appended, which is not written yet.
    guard changed else { return }
    if let chunk { try chunks.remove(chunk) }
    try writer.flush()
  }

  /// Appends new entries of which each is the only one of its key, where the journal has none;
  /// says whether there were any.
  private func moveSingles(
    _ new: inout EntryStream, upTo end: SortKey?, to writer: inout ChunkWriter,
    _ outcome: inout Outcome
  ) throws(SQLiteError) -> Bool {
    guard case .documents(let documents) = holders else { return false }
    var (moved, last, set) = (false, UInt32.max, DocumentSets.none)
    try new.takeSingles(before: end) { key, body throws(SQLiteError) in
      var entry = JournalEntry(key: key, body: body)
      if entry.holder != last {
        last = entry.holder
        let isUsed = documents[Int(last)] != nil
        set = isUsed ? try holder(adding: last, to: DocumentSets.none) : DocumentSets.none
      }
      guard set != DocumentSets.none else { return }
      entry.holder = set
      moved = true
      outcome.note(entry)
      try writer.append(entry)
    }
    return moved
  }

  /// A new entry as the journal keeps it; nil if nothing of its document is used.
  @inline(__always)
  private func added(
    _ entry: JournalEntry, _ outcome: inout Outcome
  ) throws(SQLiteError) -> JournalEntry? {
    if case .documents(let documents) = holders, documents[Int(entry.holder)] == nil { return nil }
    var entry = entry
    entry.holder = try holder(adding: entry.holder, to: DocumentSets.none)
    outcome.note(entry)
    return entry
  }

  /// Adds the new entries of one key, of which the first was taken already, to the journal's; says
  /// whether anything changed.
  private func takeEquals(
    _ first: JournalEntry, from new: inout EntryStream, into equals: inout [JournalEntry],
    _ outcome: inout Outcome
  ) throws(SQLiteError) -> Bool {
    let key = first.key
    var changed = try take(first, into: &equals, &outcome)
    while !new.isAtEnd, !key.precedes(new.key) {
      let entry = new.withBody { JournalEntry(key: new.key, body: $0) }
      try new.advance()
      if try take(entry, into: &equals, &outcome) { changed = true }
    }
    if equals.count > 1, changed { equals.sort { $0.precedes($1) } }
    return changed
  }

  private func take(
    _ entry: JournalEntry, into equals: inout [JournalEntry], _ outcome: inout Outcome
  ) throws(SQLiteError) -> Bool {
    guard let same = equals.firstIndex(where: { $0.isSame(as: entry) }) else {
      guard let entry = try added(entry, &outcome) else { return false }
      equals.append(entry)
      return true
    }
    if case .documents(let documents) = holders, documents[Int(entry.holder)] == nil {
      return false
    }
    let before = equals[same].holder
    equals[same].holder = try holder(adding: entry.holder, to: before)
    outcome.duplicates[entry.holder, default: 0] += 1
    return equals[same].holder != before
  }
}

extension JournalMerge {
  private func holder(adding new: UInt32, to set: UInt32) throws(SQLiteError) -> UInt32 {
    switch holders {
    case .documents(let documents):
      guard let document = documents[Int(new)] else { return set }
      return try sets.adding(document, to: set)
    case .sets:
      return try sets.union(new, set)
    }
  }
}

/// Reads the entries of a row, one after the other.
struct StoredEntries {
  private let bytes: [UInt8]
  private var offset = 0
  /// The entry that comes next; nil at the end.
  private(set) var next: JournalEntry?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    look()
  }

  mutating func advance() {
    offset += JournalEntry.size
    look()
  }

  /// Appends the records of entries that have no other copy, until there are so many or a number and
  /// pump seconds are reached, as far as the row tells: of its last entry it does not.
  mutating func moveSingles(
    to records: inout [PumpRecord], upTo limit: Int, before stop: UInt64
  ) {
    let bytes = bytes
    let row = unsafe bytes.span.bytes
    var at = offset
    let most = min(limit - records.count, (row.byteCount - at) / JournalEntry.size - 1)
    guard most > 0 else { return }
    records.append(addingCapacity: most) { records in
      unsafe records.withUnsafeMutableBufferPointer { slots, count in
        while count < most, !JournalEntry.areCopies(row, at, at + JournalEntry.size),
          stop == .max || row.load(at, as: UInt64.self) < stop
        {
          unsafe slots.initializeElement(at: count, to: JournalEntry.blankRecord)
          unsafe JournalEntry(row, at: at).fill(&slots[count])
          at += JournalEntry.size
          count += 1
        }
      }
    }
    offset = at
    look()
  }

  private mutating func look() {
    guard offset + JournalEntry.size <= bytes.count else {
      next = nil
      return
    }
    next = JournalEntry(unsafe bytes.span.bytes, at: offset)
  }
}

/// Collects entries in order and writes them as rows.
struct ChunkWriter {
  let chunks: JournalChunks
  private var arena = ByteArena(
    capacity: JournalChunks.entriesPerChunk * JournalEntry.size + JournalEntry.size)

  init(chunks: JournalChunks) {
    self.chunks = chunks
  }

  /// Appends an entry; a full row is written when the next entry comes.
  mutating func append(_ entry: JournalEntry) throws(SQLiteError) {
    if arena.count >= JournalChunks.entriesPerChunk * JournalEntry.size { try flush() }
    entry.append(to: &arena)
  }

  /// Writes what has been collected.
  mutating func flush() throws(SQLiteError) {
    try chunks.add(arena)
    arena.removeAll()
  }
}
