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
  private var orderedRuns: [Int64] = []
  private var lateRuns: [Int64] = []
  /// The greatest key of the late runs, and whether each began where the one before had ended.
  private var lastLate: SortKey?
  private var lateRunsFollow = true
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
    guard taken.size > memory else { return }
    if taken.ordered.size > taken.late.size {
      try writeOrdered(&taken.ordered)
    } else {
      try writeLate(&taken.late)
    }
  }

  /// Ends appending.
  ///
  /// After that entries are only read.
  func finish() throws(SQLiteError) {
    if runs > 0 {
      try writeOrdered(&buffer.ordered)
      try writeLate(&buffer.late)
      buffer = SpoolBuffer.empty
    } else {
      buffer.late.sort()
      partitionSet.formUnion(buffer.ordered.partitions)
      partitionSet.formUnion(buffer.late.partitions)
    }
    insert = nil
  }

  /// The entries of a partition, in the order of their keys; equal ones as they came.
  func entries(_ partition: UInt32) throws(SQLiteError) -> any ChunkSource {
    var sources: [any ChunkSource] = []
    if runs == 0 {
      for lane in [buffer.ordered, buffer.late] where lane.partitions.contains(partition) {
        sources.append(MemorySource(lane, partition))
      }
    } else {
      if !orderedRuns.isEmpty { sources.append(ChainedSource(try read(orderedRuns, partition))) }
      let late = try read(lateRuns, partition)
      if lateRunsFollow, late.count > 1 {
        sources.append(ChainedSource(late))
      } else {
        sources += late
      }
    }
    return sources.count == 1 ? sources[0] : try MergeSource(sources)
  }

  private func read(
    _ runs: [Int64], _ partition: UInt32
  ) throws(SQLiteError) -> [any ChunkSource] {
    var sources: [any ChunkSource] = []
    for run in runs {
      sources.append(try RunSource(database, table: table, run: run, partition: partition))
    }
    return sources
  }

  /// Frees what the runs take.
  func drop() throws(SQLiteError) {
    buffer = SpoolBuffer.empty
    guard runs > 0 else { return }
    try database.execute("DROP TABLE \(table)")
    (runs, orderedRuns, lateRuns) = (0, [], [])
  }

  private func writeOrdered(_ lane: inout SpoolLane) throws(SQLiteError) {
    guard !lane.isEmpty else { return }
    orderedRuns.append(runs)
    try writeRun(&lane)
  }

  private func writeLate(_ lane: inout SpoolLane) throws(SQLiteError) {
    guard !lane.isEmpty else { return }
    lateRuns.append(runs)
    lane.sort()
    if let lastLate, lane.first < lastLate { lateRunsFollow = false }
    lastLate = lane.last
    try writeRun(&lane)
  }

  private func writeRun(_ lane: inout SpoolLane) throws(SQLiteError) {
    let insert = try openTable()
    partitionSet.formUnion(lane.partitions)
    var chunk = ByteArena(capacity: EntryStream.chunkBytes + 1024)
    var position = 0
    while let partition = lane.partition(at: position) {
      chunk.removeAll()
      position = lane.copy(from: position, into: &chunk)
      insert.bind(1, runs)
      insert.bind(2, Int64(partition))
      try chunk.withBytes { bytes throws(SQLiteError) in try insert.run(blob: bytes, at: 3) }
    }
    runs += 1
    lane.removeAll()
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
///
/// Most histories come in order but for a few records, which must not cost the others their place:
/// what comes behind the greatest key so far waits apart.
struct SpoolBuffer {
  /// What came in order, since the spool was made.
  var ordered: SpoolLane
  /// What came too late for that.
  var late: SpoolLane
  private var greatest: SortKey?

  init() { self.init(capacity: 64 * 1024) }

  /// A buffer that takes no memory worth speaking of.
  static let empty = SpoolBuffer(capacity: 0)

  private init(capacity: Int) {
    ordered = SpoolLane(capacity: capacity)
    late = SpoolLane(capacity: 0)
  }

  /// How many bytes the entries take, without what sorting them adds.
  var size: Int { ordered.size + late.size }

  /// Appends an entry; `body` writes its bytes.
  @inline(__always)
  mutating func append(_ key: SortKey, _ body: (inout ByteArena) -> Void) {
    if let greatest, key < greatest { return late.append(key, body) }
    greatest = key
    ordered.append(key, body)
  }
}

/// Gives the entries of a partition that were never written out.
private final class MemorySource: ChunkSource {
  private let lane: SpoolLane
  private let partition: UInt32
  private var position: Int

  init(_ lane: SpoolLane, _ partition: UInt32) {
    self.lane = lane
    self.partition = partition
    position = lane.position(of: partition)
  }

  func nextChunk(into arena: inout ByteArena) throws(SQLiteError) -> Bool {
    guard lane.partition(at: position) == partition else { return false }
    position = lane.copy(from: position, into: &arena)
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

/// Gives what several sources hold, one after the other.
private final class ChainedSource: ChunkSource {
  private var sources: [any ChunkSource]

  init(_ sources: [any ChunkSource]) { self.sources = sources.reversed() }

  func nextChunk(into arena: inout ByteArena) throws(SQLiteError) -> Bool {
    while let source = sources.last {
      if try source.nextChunk(into: &arena) { return true }
      sources.removeLast()
    }
    return false
  }
}
