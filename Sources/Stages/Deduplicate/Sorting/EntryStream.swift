import Platform

/// What gives sorted entries, some kilobytes of them at a time.
protocol ChunkSource: AnyObject {
  /// Writes the next entries into an empty arena, each as `EntryStream` reads them; false at the
  /// end.
  func nextChunk(into arena: inout ByteArena) throws(SQLiteError) -> Bool
}

/// Walks over sorted entries: look at `key` and the body, then `advance`.
///
/// A value, held by whoever walks: a call into a class for every entry would cost more than the
/// work on it.
struct EntryStream {
  private let source: any ChunkSource
  private var chunk = ByteArena(capacity: 64)
  private var offset = 0
  private var length = 0
  /// The key of the entry that the stream stands on; without meaning at the end.
  private(set) var key = SortKey(partition: 0, high: 0, low: 0)
  /// Whether there are no more entries.
  private(set) var isAtEnd = false

  /// The bytes before an entry's body: partition, length, high, low.
  static let header = 24
  /// How many bytes a chunk has about: with its last entry it still fits a page of 32 KiB.
  static let chunkBytes = 31 * 1024

  init(_ source: any ChunkSource) throws(SQLiteError) {
    self.source = source
    try look()
  }

  /// Moves to the next entry.
  @inline(__always)
  mutating func advance() throws(SQLiteError) {
    offset += Self.header + length
    try look()
  }

  @inline(__always)
  private mutating func look() throws(SQLiteError) {
    if offset >= chunk.count {
      chunk.removeAll()
      offset = 0
      guard try source.nextChunk(into: &chunk) else {
        isAtEnd = true
        return
      }
    }
    let at = offset
    (key, length) = chunk.withBytes { bytes in
      (Self.key(bytes, at: at), Self.size(bytes, at: at) - Self.header)
    }
  }

  /// The key of the entry that begins at an offset.
  @inline(__always)
  static func key(_ bytes: RawSpan, at offset: Int) -> SortKey {
    SortKey(
      partition: bytes.load(offset, as: UInt32.self),
      high: bytes.load(offset + 8, as: UInt64.self), low: bytes.load(offset + 16, as: UInt64.self))
  }

  /// How many bytes the entry takes that begins at an offset, its header included.
  @inline(__always)
  static func size(_ bytes: RawSpan, at offset: Int) -> Int {
    header + Int(bytes.load(offset + 4, as: UInt32.self))
  }

  /// Takes entries that are the only ones of their keys and come before a limit, as far as the
  /// chunk tells: of its last entry it does not.
  @inline(__always)
  mutating func takeSingles(
    before limit: SortKey?, _ body: (SortKey, RawSpan) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let start = offset
    let first = key
    offset = try chunk.withBytes { bytes throws(SQLiteError) in
      var (at, key) = (start, first)
      while true {
        let end = at + Self.size(bytes, at: at)
        guard end < bytes.byteCount else { return at }
        let next = Self.key(bytes, at: end)
        guard key.precedes(next), limit.map({ key.precedes($0) }) ?? true else { return at }
        try body(key, bytes.extracting(at + Self.header..<end))
        (at, key) = (end, next)
      }
    }
    try look()
  }

  /// Gives the bytes of the entry that the stream stands on.
  @inline(__always)
  func withBody<Result>(_ body: (RawSpan) -> Result) -> Result {
    chunk.withBytes { bytes in
      body(bytes.extracting(offset + Self.header..<offset + Self.header + length))
    }
  }

  /// Moves entries to an arena, keys and all, from the one that the stream stands on: all that lie
  /// in the same chunk and come before a limit.
  mutating func move(
    upTo limit: (key: SortKey, inclusive: Bool)?, to arena: inout ByteArena
  ) throws(SQLiteError) {
    let start = offset
    offset = chunk.withBytes { bytes in
      guard let limit else { return bytes.byteCount }
      var end = start + Self.header + length
      while end < bytes.byteCount {
        let key = Self.key(bytes, at: end)
        if limit.inclusive ? limit.key.precedes(key) : !key.precedes(limit.key) { break }
        end += Self.size(bytes, at: end)
      }
      return end
    }
    let end = offset
    chunk.withBytes { arena.append($0.extracting(start..<end)) }
    try look()
  }

  /// Writes what stands before an entry's body.
  @inline(__always)
  static func appendHeader(_ key: SortKey, length: Int, to arena: inout ByteArena) {
    unsafe arena.append(count: header) { bytes in
      unsafe storeHeader(key, length: length, in: bytes)
    }
  }

  /// Stores what stands before an entry's body.
  @inline(__always)
  static func storeHeader(
    _ key: SortKey, length: Int, in bytes: UnsafeMutableRawBufferPointer
  ) {
    unsafe bytes.storeBytes(of: key.partition, toByteOffset: 0, as: UInt32.self)
    unsafe bytes.storeBytes(of: UInt32(length), toByteOffset: 4, as: UInt32.self)
    unsafe bytes.storeBytes(of: key.high, toByteOffset: 8, as: UInt64.self)
    unsafe bytes.storeBytes(of: key.low, toByteOffset: 16, as: UInt64.self)
  }

  /// Writes the length of an entry's body once it is known.
  @inline(__always)
  static func setLength(_ length: Int, at offset: Int, in arena: inout ByteArena) {
    arena.replace(at: offset + 4, with: UInt32(truncatingIfNeeded: length))
  }
}

/// Merges sources by what follows the partition in their keys; entries that are equal there come
/// in the order of the sources.
final class MergeSource: ChunkSource {
  private var streams: [EntryStream]

  init(_ sources: [any ChunkSource]) throws(SQLiteError) {
    streams = []
    for source in sources {
      let stream = try EntryStream(source)
      if !stream.isAtEnd { streams.append(stream) }
    }
  }

  func nextChunk(into arena: inout ByteArena) throws(SQLiteError) -> Bool {
    var streams: [EntryStream] = []
    swap(&streams, &self.streams)
    while !streams.isEmpty, arena.count < EntryStream.chunkBytes {
      let (first, limit) = Self.least(of: streams)
      try Self.copy(&streams[first], upTo: limit, into: &arena)
      if streams[first].isAtEnd { streams.remove(at: first) }
    }
    swap(&streams, &self.streams)
    return arena.count > 0
  }

  /// The stream to take from, and the key up to which it may be taken from without another look:
  /// `inclusive` if an entry equal to the key comes before the other stream's.
  private static func least(
    of streams: [EntryStream]
  ) -> (index: Int, limit: (key: SortKey, inclusive: Bool)?) {
    var first = 0
    for index in streams.indices.dropFirst() where streams[index].key.precedes(streams[first].key) {
      first = index
    }
    var second: Int?
    for index in streams.indices where index != first {
      if let other = second, !streams[index].key.precedes(streams[other].key) { continue }
      second = index
    }
    return (first, second.map { (streams[$0].key, first < $0) })
  }

  private static func copy(
    _ stream: inout EntryStream, upTo limit: (key: SortKey, inclusive: Bool)?,
    into arena: inout ByteArena
  ) throws(SQLiteError) {
    repeat {
      try stream.move(upTo: limit, to: &arena)
      if stream.isAtEnd || arena.count >= EntryStream.chunkBytes { return }
      guard let limit else { continue }
      if limit.inclusive ? limit.key.precedes(stream.key) : !stream.key.precedes(limit.key) {
        return
      }
    } while true
  }
}
