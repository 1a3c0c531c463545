import Platform

/// Sorts entries by key in bounded memory: what does not fit goes to a temporary table in sorted
/// runs, which cursors merge.
///
/// Used once: append, then `finish`, then cursors. SQLite keeps the runs, because it already
/// knows how to hold pages in memory up to a bound and where temporary files belong.
final class SortSpool {
  private let database: SQLiteConnection
  private let table: String
  private let memory: Int
  private var arena: ByteArena
  private var entries: [Entry] = []
  private var isSorted = true
  private var insert: SQLiteStatement?
  private var runs: Int64 = 0
  private var partitionSet: Set<UInt32> = []
  /// How many entries were appended.
  private(set) var count = 0

  private static let chunkBytes = 32 * 1024

  struct Entry {
    var high: UInt64
    var low: UInt64
    var partition: UInt32
    var offset: UInt32
    var length: UInt32

    var key: SortKey { SortKey(partition: partition, high: high, low: low) }
  }

  /// Creates a spool.
  ///
  /// - Parameters:
  ///   - database: where runs are kept, in a temporary table.
  ///   - name: of the table; two spools in use at once need two names.
  ///   - memory: how many bytes of entries are held before a run is written.
  init(database: SQLiteConnection, name: String, memory: Int) {
    self.database = database
    table = "temp.spool_\(name)"
    self.memory = memory
    arena = ByteArena(capacity: 64 * 1024)
  }

  /// The partitions that hold entries, ascending.
  var partitions: [UInt32] { partitionSet.sorted() }

  /// Appends an entry; `body` writes its bytes.
  @inline(__always)
  func append(_ key: SortKey, _ body: (inout ByteArena) -> Void) throws(SQLiteError) {
    if let last = entries.last {
      if key < last.key { isSorted = false }
      if key.partition != last.partition { partitionSet.insert(key.partition) }
    } else {
      partitionSet.insert(key.partition)
    }
    let offset = arena.count
    body(&arena)
    entries.append(
      Entry(
        high: key.high, low: key.low, partition: key.partition, offset: UInt32(offset),
        length: UInt32(arena.count - offset)))
    count += 1
    if arena.count + entries.count * MemoryLayout<Entry>.stride > memory { try writeRun() }
  }

  /// Ends appending.
  ///
  /// After that only cursors are asked for.
  func finish() throws(SQLiteError) {
    if runs > 0 {
      try writeRun()
      entries = []
      arena = ByteArena(capacity: 0)
    } else {
      sort()
    }
    insert = nil
  }

  /// A cursor over the entries of a partition, in the order of their keys.
  func cursor(_ partition: UInt32) throws(SQLiteError) -> SpoolCursor {
    guard runs > 0 else { return MemoryCursor(self, partition) }
    var cursors: [RunCursor] = []
    for run in 0..<runs {
      cursors.append(try RunCursor(database, table: table, run: run, partition: partition))
    }
    return MergeCursor(cursors)
  }

  /// Frees what the entries take; cursors are of no use any more.
  func drop() throws(SQLiteError) {
    entries = []
    arena = ByteArena(capacity: 0)
    guard runs > 0 else { return }
    try database.execute("DROP TABLE \(table)")
    runs = 0
  }

  private func sort() {
    if !isSorted { entries.sort { $0.key < $1.key } }
    isSorted = true
  }

  private func writeRun() throws(SQLiteError) {
    guard !entries.isEmpty else { return }
    if insert == nil {
      try database.execute(
        """
        CREATE TABLE \(table) (
          id INTEGER PRIMARY KEY, run INTEGER NOT NULL, partition INTEGER NOT NULL,
          bytes BLOB NOT NULL);
        CREATE INDEX \(table)_order ON \(table.dropFirst(5)) (run, partition, id);
        """)
      insert = try database.prepare("INSERT INTO \(table) (run, partition, bytes) VALUES (?,?,?)")
    }
    sort()
    var chunk = ByteArena(capacity: Self.chunkBytes + 1024)
    var partition = entries[0].partition
    for entry in entries {
      if entry.partition != partition || chunk.count >= Self.chunkBytes {
        try write(chunk, partition)
        chunk.removeAll()
        partition = entry.partition
      }
      chunk.append(entry.high)
      chunk.append(entry.low)
      chunk.append(entry.length)
      arena.withBytes { bytes in
        let from = Int(entry.offset)
        chunk.append(bytes.extracting(from..<from + Int(entry.length)))
      }
    }
    try write(chunk, partition)
    runs += 1
    entries.removeAll(keepingCapacity: true)
    arena.removeAll()
    isSorted = true
  }

  private func write(_ chunk: borrowing ByteArena, _ partition: UInt32) throws(SQLiteError) {
    guard chunk.count > 0, let insert else { return }
    insert.bind(1, runs)
    insert.bind(2, Int64(partition))
    chunk.withBytes { insert.bind(3, blob: $0) }
    try insert.run()
  }

  /// The entries held in memory, for the cursor over them.
  fileprivate func position(of partition: UInt32) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].partition < partition { low = middle + 1 } else { high = middle }
    }
    return low
  }

  fileprivate func entry(_ index: Int) -> Entry? { index < entries.count ? entries[index] : nil }

  fileprivate func withBody<Result>(of entry: Entry, _ body: (RawSpan) -> Result) -> Result {
    arena.withBytes { bytes in
      let from = Int(entry.offset)
      return body(bytes.extracting(from..<from + Int(entry.length)))
    }
  }
}

/// Walks over sorted entries: look at `key` and the body, then `advance`.
class SpoolCursor {
  /// The key of the entry that the cursor stands on; nil at the end.
  var key: SortKey?

  /// Moves to the next entry.
  func advance() throws(SQLiteError) {}

  /// Gives the bytes of the entry that the cursor stands on.
  func withBody<Result>(_ body: (RawSpan) -> Result) -> Result { body(RawSpan()) }
}

/// A cursor over entries that were never written out.
private final class MemoryCursor: SpoolCursor {
  private let spool: SortSpool
  private let partition: UInt32
  private var index: Int
  private var entry: SortSpool.Entry?

  init(_ spool: SortSpool, _ partition: UInt32) {
    self.spool = spool
    self.partition = partition
    index = spool.position(of: partition)
    super.init()
    look()
  }

  private func look() {
    entry = spool.entry(index)
    if entry?.partition != partition { entry = nil }
    key = entry?.key
  }

  override func advance() throws(SQLiteError) {
    index += 1
    look()
  }

  override func withBody<Result>(_ body: (RawSpan) -> Result) -> Result {
    guard let entry else { return body(RawSpan()) }
    return spool.withBody(of: entry, body)
  }
}

/// A cursor over one run's entries of a partition.
private final class RunCursor: SpoolCursor {
  private let statement: SQLiteStatement
  private let partition: UInt32
  private var chunk: [UInt8] = []
  private var offset = 0
  private var length = 0

  private static let header = 20

  init(_ database: SQLiteConnection, table: String, run: Int64, partition: UInt32)
    throws(SQLiteError)
  {
    self.partition = partition
    statement = try database.prepare(
      "SELECT bytes FROM \(table) WHERE run = ? AND partition = ? ORDER BY id")
    statement.bind(1, run)
    statement.bind(2, Int64(partition))
    super.init()
    try look()
  }

  private func look() throws(SQLiteError) {
    if offset >= chunk.count {
      guard try statement.step() else {
        key = nil
        return
      }
      chunk = statement.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
      offset = 0
    }
    let chunk = self.chunk
    let bytes = unsafe chunk.span.bytes
    key = SortKey(
      partition: partition, high: bytes.load(offset, as: UInt64.self),
      low: bytes.load(offset + 8, as: UInt64.self))
    length = Int(bytes.load(offset + 16, as: UInt32.self))
  }

  override func advance() throws(SQLiteError) {
    offset += Self.header + length
    try look()
  }

  override func withBody<Result>(_ body: (RawSpan) -> Result) -> Result {
    let chunk = self.chunk
    let bytes = unsafe chunk.span.bytes
    return body(bytes.extracting(offset + Self.header..<offset + Self.header + length))
  }
}

/// Merges cursors by what follows the partition in their keys; entries that are equal there come in
/// the order of the cursors.
final class MergeCursor: SpoolCursor {
  /// The cursors that are not at their end, the one with the least key last.
  private var waiting: [(order: Int, cursor: SpoolCursor)] = []

  init(_ cursors: [SpoolCursor]) {
    super.init()
    for (order, cursor) in cursors.enumerated() { put(order, cursor) }
    key = waiting.last?.cursor.key
  }

  override func advance() throws(SQLiteError) {
    guard let (order, cursor) = waiting.popLast() else { return }
    try cursor.advance()
    put(order, cursor)
    key = waiting.last?.cursor.key
  }

  override func withBody<Result>(_ body: (RawSpan) -> Result) -> Result {
    guard let cursor = waiting.last?.cursor else { return body(RawSpan()) }
    return cursor.withBody(body)
  }

  /// Puts a cursor in its place; most often that is the end, where it came from.
  private func put(_ order: Int, _ cursor: SpoolCursor) {
    guard let key = cursor.key else { return }
    var place = waiting.count
    while place > 0, let other = waiting[place - 1].cursor.key,
      other.precedes(key) || (!key.precedes(other) && waiting[place - 1].order < order)
    {
      place -= 1
    }
    waiting.insert((order, cursor), at: place)
  }
}
