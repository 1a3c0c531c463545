import Platform

/// Entries that a spool holds in memory, each as `EntryStream` reads them.
struct SpoolLane {
  private var arena: ByteArena
  /// Where the entries stand, in the order of their keys; filled only if they came in another.
  private var order: [Place] = []
  private var isSorted = true
  /// Where partitions begin, as long as the entries come in order.
  private var starts: [(partition: UInt32, offset: Int)] = []
  private(set) var partitions: Set<UInt32> = []
  /// The key of the entry that came last; once sorted, the greatest one.
  private(set) var last = SortKey(partition: 0, high: 0, low: 0)
  /// The key of the entry that came first; once sorted, the least one.
  private(set) var first = SortKey(partition: 0, high: 0, low: 0)

  private struct Place {
    var high: UInt64
    var low: UInt64
    var partition: UInt32
    var offset: UInt32

    var key: SortKey { SortKey(partition: partition, high: high, low: low) }
  }

  init(capacity: Int) { arena = ByteArena(capacity: capacity) }

  var isEmpty: Bool { arena.count == 0 }

  /// How many bytes the entries take, without what sorting them adds.
  var size: Int { arena.count }
  private var count = 0
  /// How many bytes they take once they are sorted.
  var sortedSize: Int { isSorted ? arena.count : arena.count + count * MemoryLayout<Place>.stride }

  /// Appends an entry; `body` writes its bytes.
  @inline(__always)
  mutating func append(_ key: SortKey, _ body: (inout ByteArena) -> Void) {
    note(key)
    let offset = arena.count
    EntryStream.appendHeader(key, length: 0, to: &arena)
    body(&arena)
    EntryStream.setLength(arena.count - offset - EntryStream.header, at: offset, in: &arena)
  }

  /// Appends an entry of a known size; `body` writes all of its bytes from an offset on.
  @inline(__always)
  mutating func append(
    _ key: SortKey, size: Int, _ body: (UnsafeMutableRawBufferPointer, _ offset: Int) -> Void
  ) {
    note(key)
    unsafe arena.append(count: EntryStream.header + size) { bytes in
      unsafe EntryStream.storeHeader(key, length: size, in: bytes)
      unsafe body(bytes, EntryStream.header)
    }
  }

  @inline(__always)
  private mutating func note(_ key: SortKey) {
    if isEmpty { first = key } else if key < last { isSorted = false }
    if isEmpty || key.partition != last.partition { begin(key.partition) }
    last = key
    count += 1
  }

  @inline(never)
  private mutating func begin(_ partition: UInt32) {
    partitions.insert(partition)
    if isSorted { starts.append((partition, arena.count)) }
  }

  mutating func sort() {
    guard !isSorted, order.isEmpty else { return }
    order.reserveCapacity(count)
    arena.withBytes { bytes in
      var offset = 0
      while offset < bytes.byteCount {
        let key = EntryStream.key(bytes, at: offset)
        order.append(
          Place(
            high: key.high, low: key.low, partition: key.partition,
            offset: UInt32(truncatingIfNeeded: offset)))
        offset += EntryStream.size(bytes, at: offset)
      }
    }
    order.sort { $0.key < $1.key }
    if let least = order.first, let greatest = order.last {
      (first, last) = (least.key, greatest.key)
    }
  }

  mutating func removeAll() {
    order.removeAll(keepingCapacity: true)
    arena.removeAll()
    starts.removeAll(keepingCapacity: true)
    partitions.removeAll()
    (isSorted, count) = (true, 0)
  }

  /// The partition of the entry at a position; nil at the end.
  func partition(at position: Int) -> UInt32? {
    guard isSorted else {
      return position < order.count ? order[position].partition : nil
    }
    guard position < arena.count else { return nil }
    return arena.withBytes { EntryStream.key($0, at: position).partition }
  }

  /// Where a partition's entries begin.
  func position(of partition: UInt32) -> Int {
    guard isSorted else {
      var low = 0
      var high = order.count
      while low < high {
        let middle = (low + high) / 2
        if order[middle].partition < partition { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return starts.first { $0.partition >= partition }?.offset ?? arena.count
  }

  /// Copies entries of one partition from a position on, about a chunk of them; gives the position
  /// after them.
  func copy(from position: Int, into chunk: inout ByteArena) -> Int {
    arena.withBytes { bytes in
      guard isSorted else { return copySorted(bytes, from: position, into: &chunk) }
      let end = Self.chunkEnd(bytes, from: position)
      chunk.append(bytes.extracting(position..<end))
      return end
    }
  }

  /// Gives all entries in order, in pieces of whole chunks: of each the partition and the size.
  func forEachPiece(
    _ body: (RawSpan, [(partition: UInt32, size: Int)]) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard isSorted else {
      var chunk = ByteArena(capacity: EntryStream.chunkBytes + 1024)
      var position = 0
      while let partition = partition(at: position) {
        chunk.removeAll()
        position = copy(from: position, into: &chunk)
        let size = chunk.count
        try chunk.withBytes { bytes throws(SQLiteError) in try body(bytes, [(partition, size)]) }
      }
      return
    }
    try arena.withBytes { bytes throws(SQLiteError) in
      var chunks: [(partition: UInt32, size: Int)] = []
      var position = 0
      while position < bytes.byteCount {
        let end = Self.chunkEnd(bytes, from: position)
        chunks.append((EntryStream.key(bytes, at: position).partition, end - position))
        position = end
      }
      try body(bytes, chunks)
    }
  }

  /// Where a chunk of sorted entries ends that begins at a position: its entries are of one
  /// partition.
  private static func chunkEnd(_ bytes: RawSpan, from position: Int) -> Int {
    let partition = EntryStream.key(bytes, at: position).partition
    var end = position
    while end < bytes.byteCount, end - position < EntryStream.chunkBytes,
      EntryStream.key(bytes, at: end).partition == partition
    {
      end += EntryStream.size(bytes, at: end)
    }
    return end
  }

  private func copySorted(
    _ bytes: RawSpan, from position: Int, into chunk: inout ByteArena
  ) -> Int {
    let partition = order[position].partition
    var position = position
    while position < order.count, order[position].partition == partition,
      chunk.count < EntryStream.chunkBytes
    {
      let offset = Int(order[position].offset)
      chunk.append(bytes.extracting(offset..<offset + EntryStream.size(bytes, at: offset)))
      position += 1
    }
    return position
  }
}
