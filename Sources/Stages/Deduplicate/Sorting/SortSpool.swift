import Platform

/// Sorts entries by key in bounded memory: what does not fit goes to a temporary table in sorted
/// runs, which are merged.
///
/// Used once: append, then `finish`, then read. SQLite keeps the runs, because it already knows
/// how to hold pages in memory up to a bound and where temporary files belong.
final class SortSpool {
  private let database: SQLiteConnection
  private let table: String
  private let memory: Int
  private var buffer = SpoolBuffer()
  private var insert: SQLiteStatement?
  private var runs: Int64 = 0
  private var partitionSet: Set<UInt32> = []

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
  }

  /// The partitions that hold entries, ascending.
  var partitions: [UInt32] { partitionSet.sorted() }

  /// Appends an entry; `body` writes its bytes.
  func append(_ key: SortKey, _ body: (inout ByteArena) -> Void) throws(SQLiteError) {
    try fill { buffer throws(SQLiteError) in buffer.append(key, body) }
  }

  /// Appends many entries through the buffer, at most some thousand between two calls.
  @inline(__always)
  func fill(_ body: (inout SpoolBuffer) throws(SQLiteError) -> Void) throws(SQLiteError) {
    // The buffer is taken out, so that it is a value that nothing else can reach meanwhile.
    var taken = SpoolBuffer.empty
    swap(&taken, &buffer)
    defer { swap(&taken, &buffer) }
    try body(&taken)
    if taken.size > memory { try writeRun(&taken) }
  }

  /// Ends appending.
  ///
  /// After that entries are only read.
  func finish() throws(SQLiteError) {
    if runs > 0 {
      try writeRun(&buffer)
      buffer = SpoolBuffer.empty
    } else {
      partitionSet.formUnion(buffer.partitions)
      buffer.sort()
    }
    insert = nil
  }

  /// The entries of a partition, in the order of their keys.
  func entries(_ partition: UInt32) throws(SQLiteError) -> any ChunkSource {
    guard runs > 0 else { return MemorySource(buffer, partition) }
    var sources: [any ChunkSource] = []
    for run in 0..<runs {
      sources.append(try RunSource(database, table: table, run: run, partition: partition))
    }
    return try MergeSource(sources)
  }

  /// Frees what the runs take.
  func drop() throws(SQLiteError) {
    buffer = SpoolBuffer.empty
    guard runs > 0 else { return }
    try database.execute("DROP TABLE \(table)")
    runs = 0
  }

  private func writeRun(_ buffer: inout SpoolBuffer) throws(SQLiteError) {
    guard !buffer.isEmpty else { return }
    let insert = try openTable()
    buffer.sort()
    partitionSet.formUnion(buffer.partitions)
    var chunk = ByteArena(capacity: EntryStream.chunkBytes + 1024)
    var position = 0
    while let partition = buffer.partition(at: position) {
      chunk.removeAll()
      position = buffer.copy(from: position, into: &chunk)
      insert.bind(1, runs)
      insert.bind(2, Int64(partition))
      try chunk.withBytes { bytes throws(SQLiteError) in try insert.run(blob: bytes, at: 3) }
    }
    runs += 1
    buffer.removeAll()
  }

  private func openTable() throws(SQLiteError) -> SQLiteStatement {
    if let insert { return insert }
    try database.execute(
      """
      CREATE TABLE \(table) (
        id INTEGER PRIMARY KEY, run INTEGER NOT NULL, partition INTEGER NOT NULL,
        bytes BLOB NOT NULL);
      CREATE INDEX \(table)_order ON \(table.dropFirst(5)) (run, partition, id);
      """)
    let statement = try database.prepare(
      "INSERT INTO \(table) (run, partition, bytes) VALUES (?,?,?)")
    insert = statement
    return statement
  }
}

/// The entries that a spool holds in memory.
struct SpoolBuffer {
  private var arena: ByteArena
  private var entries: [Entry] = []
  private var isSorted = true
  private(set) var partitions: Set<UInt32> = []
  private var last = SortKey(partition: 0, high: 0, low: 0)

  private struct Entry {
    var high: UInt64
    var low: UInt64
    var partition: UInt32
    var offset: UInt32
    var length: UInt32

    @inline(__always)
    var key: SortKey { SortKey(partition: partition, high: high, low: low) }
  }

  init() { arena = ByteArena(capacity: 64 * 1024) }

  /// A buffer that takes no memory worth speaking of.
  static var empty: SpoolBuffer { SpoolBuffer(capacity: 0) }

  private init(capacity: Int) { arena = ByteArena(capacity: capacity) }

  var isEmpty: Bool { entries.isEmpty }

  /// About how many bytes the entries take.
  var size: Int { arena.count + entries.count * MemoryLayout<Entry>.stride }

  /// Appends an entry; `body` writes its bytes.
  @inline(__always)
  mutating func append(_ key: SortKey, _ body: (inout ByteArena) -> Void) {
    if entries.isEmpty || key.partition != last.partition { partitions.insert(key.partition) }
    if !entries.isEmpty, key < last { isSorted = false }
    last = key
    let offset = arena.count
    body(&arena)
    entries.append(
      Entry(
        high: key.high, low: key.low, partition: key.partition, offset: UInt32(offset),
        length: UInt32(arena.count - offset)))
  }

  mutating func sort() {
    if !isSorted { entries.sort { $0.key < $1.key } }
    isSorted = true
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    arena.removeAll()
    partitions.removeAll()
    isSorted = true
  }

  /// The partition of the entry at a position; nil at the end.
  func partition(at position: Int) -> UInt32? {
    position < entries.count ? entries[position].partition : nil
  }

  /// Where a partition's entries begin.
  func position(of partition: UInt32) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].partition < partition { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Copies entries of one partition from a position on, about a chunk of them; gives the position
  /// after them.
  func copy(from position: Int, into chunk: inout ByteArena) -> Int {
    var position = position
    let partition = entries[position].partition
    arena.withBytes { bytes in
      while position < entries.count, entries[position].partition == partition,
        chunk.count < EntryStream.chunkBytes
      {
        let entry = entries[position]
        EntryStream.appendHeader(entry.key, length: Int(entry.length), to: &chunk)
        chunk.append(bytes.extracting(Int(entry.offset)..<Int(entry.offset + entry.length)))
        position += 1
      }
    }
    return position
  }
}

/// Gives the entries of a partition that were never written out.
private final class MemorySource: ChunkSource {
  private let buffer: SpoolBuffer
  private let partition: UInt32
  private var position: Int

  init(_ buffer: SpoolBuffer, _ partition: UInt32) {
    self.buffer = buffer
    self.partition = partition
    position = buffer.position(of: partition)
  }

  func nextChunk(into arena: inout ByteArena) throws(SQLiteError) -> Bool {
    guard buffer.partition(at: position) == partition else { return false }
    position = buffer.copy(from: position, into: &arena)
    return true
  }
}

/// Gives one run's entries of a partition.
private final class RunSource: ChunkSource {
  private let statement: SQLiteStatement

  init(
    _ database: SQLiteConnection, table: String, run: Int64, partition: UInt32
  ) throws(SQLiteError) {
    statement = try database.prepare(
      "SELECT bytes FROM \(table) WHERE run = ? AND partition = ? ORDER BY id")
    statement.bind(1, run)
    statement.bind(2, Int64(partition))
  }

  func nextChunk(into arena: inout ByteArena) throws(SQLiteError) -> Bool {
    guard try statement.step() else { return false }
    statement.withBlob(0) { arena.append($0) }
    return true
  }
}
