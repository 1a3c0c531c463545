import Platform

/// Sorts entries by key in bounded memory: what does not fit goes to a temporary file in sorted
/// runs, which are merged.
///
/// Used once: append, then `finish`, then read.
final class SortSpool {
  private let memory: Int
  private var buffer = SpoolBuffer()
  /// Where runs are kept; nil until there is one.
  private var file: TemporaryFile?
  private var orderedRuns: [Run] = []
  private var lateRuns: [Run] = []
  /// The greatest key of the late runs, and whether each began where the one before had ended.
  private var lastLate: SortKey?
  private var lateRunsFollow = true
  private var partitionSet: Set<UInt32> = []

  /// Creates a spool that holds so many bytes of entries before it writes a run.
  init(memory: Int) { self.memory = memory }

  /// Whether the entries were more than fit in memory.
  var hasSpilled: Bool { file != nil }

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
    // Few histories come in no order at all; of those half as much is held, which must be sorted too.
    guard taken.size > memory || taken.late.sortedSize > memory / 2 else { return }
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
    if file != nil {
      try writeOrdered(&buffer.ordered)
      try writeLate(&buffer.late)
      buffer = SpoolBuffer.empty
    } else {
      buffer.late.sort()
      partitionSet.formUnion(buffer.ordered.partitions)
      partitionSet.formUnion(buffer.late.partitions)
    }
  }

  /// The entries of a partition, in the order of their keys; equal ones as they came.
  func entries(_ partition: UInt32) throws(SQLiteError) -> any ChunkSource {
    var sources: [any ChunkSource] = []
    if file == nil {
      for lane in [buffer.ordered, buffer.late] where lane.partitions.contains(partition) {
        sources.append(MemorySource(lane, partition))
      }
    } else {
      if !orderedRuns.isEmpty { sources.append(ChainedSource(read(orderedRuns, partition))) }
      let late = read(lateRuns, partition)
      if lateRunsFollow, late.count > 1 {
        sources.append(ChainedSource(late))
      } else {
        sources += late
      }
    }
    return sources.count == 1 ? sources[0] : try MergeSource(sources)
  }

  private func read(
    _ runs: [Run], _ partition: UInt32
  ) -> [any ChunkSource] {
    guard let file else { return [] }
    return runs.compactMap { run in
      let chunks = run.chunks(of: partition)
      return chunks.isEmpty ? nil : RunSource(file, chunks)
    }
  }

  /// Frees what the entries take.
  func drop() {
    buffer = SpoolBuffer.empty
    file = nil
    (orderedRuns, lateRuns) = ([], [])
  }

  private func writeOrdered(_ lane: inout SpoolLane) throws(SQLiteError) {
    guard !lane.isEmpty else { return }
    orderedRuns.append(try write(&lane))
  }

  private func writeLate(_ lane: inout SpoolLane) throws(SQLiteError) {
    guard !lane.isEmpty else { return }
    lane.sort()
    if let lastLate, lane.first < lastLate { lateRunsFollow = false }
    lastLate = lane.last
    lateRuns.append(try write(&lane))
  }

  private func write(_ lane: inout SpoolLane) throws(SQLiteError) -> Run {
    let file: TemporaryFile
    if let opened = self.file { file = opened } else { file = try TemporaryFile() }
    self.file = file
    partitionSet.formUnion(lane.partitions)
    var run = Run()
    try lane.forEachPiece { bytes, chunks throws(SQLiteError) in
      var offset = file.size
      try file.append(bytes)
      for (partition, size) in chunks {
        run.chunks.append(Run.Chunk(partition: partition, offset: offset, size: size))
        offset += size
      }
    }
    lane.removeAll()
    return run
  }
}

/// Where the entries of a sorted run lie in a spool's file.
private struct Run {
  var chunks: [Chunk] = []

  /// Whole entries of one partition.
  struct Chunk {
    var partition: UInt32
    var offset: Int
    var size: Int
  }

  /// The chunks of a partition; partitions ascend.
  func chunks(of partition: UInt32) -> ArraySlice<Chunk> {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].partition < partition { low = middle + 1 } else { high = middle }
    }
    return chunks[low...].prefix { $0.partition == partition }
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

  /// Appends an entry of a known size; `body` writes all of its bytes from an offset on.
  @inline(__always)
  mutating func append(
    _ key: SortKey, size: Int, _ body: (UnsafeMutableRawBufferPointer, _ offset: Int) -> Void
  ) {
    if let greatest, key < greatest { return unsafe late.append(key, size: size, body) }
    greatest = key
    unsafe ordered.append(key, size: size, body)
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
  private let file: TemporaryFile
  private var chunks: ArraySlice<Run.Chunk>

  init(_ file: TemporaryFile, _ chunks: ArraySlice<Run.Chunk>) {
    self.file = file
    self.chunks = chunks
  }

  func nextChunk(into arena: inout ByteArena) throws(SQLiteError) -> Bool {
    guard let chunk = chunks.popFirst() else { return false }
    var failure: SQLiteError?
    unsafe arena.append(count: chunk.size) { bytes in
      do throws(SQLiteError) {
        try unsafe file.read(from: chunk.offset, into: bytes)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
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
