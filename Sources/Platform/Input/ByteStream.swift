/// Bytes one chunk after the other, with a look at their beginning before they are taken.
///
/// Chunks are handed on where they lie, never copied, but for at most `headSize` bytes when a
/// first chunk is too short to tell what follows. Confined to its owner.
@safe package final class ByteStream {
  /// How many bytes `peek` shows if there are as many: enough for a tar header and the block
  /// header of xz.
  package static let headSize = 512

  private let source: any ChunkSource
  private var chunk: UnsafeRawBufferPointer
  private var queue: [UnsafeRawBufferPointer]
  private var head: UnsafeMutableRawBufferPointer?
  private var hasPeeked = false
  private var hasEnded = false
  /// An error met while looking ahead, kept until the bytes before it were taken.
  private var pending: InputError?

  init(_ source: any ChunkSource) {
    self.source = source
    unsafe chunk = noBytes
    unsafe queue = []
  }

  deinit { unsafe head?.deallocate() }

  /// Bytes held in memory.
  package convenience init(memory bytes: [UInt8]) { self.init(MemorySource(bytes)) }

  /// How many bytes there are, if the stream can go to any of them.
  package var length: UInt64? { source.length }

  /// How many bytes of the outermost compressed form were taken so far; nil if not compressed.
  var compressedBytes: UInt64? { source.compressedBytes }

  /// Moves to the next chunk.
  ///
  /// - Returns: false at the end.
  package func advance() throws(InputError) -> Bool {
    if let queued = unsafe queue.first {
      unsafe queue.removeFirst()
      unsafe chunk = queued
      return true
    }
    unsafe chunk = noBytes
    if let pending {
      self.pending = nil
      hasEnded = true
      throw pending
    }
    guard !hasEnded else { return false }
    unsafe chunk = try source.next()
    unsafe hasEnded = chunk.isEmpty
    return !hasEnded
  }

  /// Gives the current chunk, valid during the call; empty before the first and at the end.
  package func withChunk<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe chunk.bytes
    return try body(bytes)
  }

  /// The current chunk, valid until the next `advance`.
  var currentChunk: UnsafeRawBufferPointer { unsafe chunk }

  /// Shows the first bytes, `headSize` of them or all if there are fewer, without taking them.
  ///
  /// Only before the first `advance`. Throws if not even one byte can be had.
  package func peek<Result>(_ body: (RawSpan) -> Result) throws(InputError) -> Result {
    if !hasPeeked {
      hasPeeked = true
      try fillQueue()
    }
    let first = unsafe queue.first ?? noBytes
    let bytes = unsafe first.bytes
    return body(bytes)
  }

  private func fillQueue() throws(InputError) {
    let first = unsafe try source.next()
    guard unsafe !first.isEmpty else {
      hasEnded = true
      return
    }
    guard first.count < Self.headSize else {
      unsafe queue = [first]
      return
    }
    // Too short to tell: collect a head, because the next chunk makes this one invalid.
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.headSize, alignment: 16)
    unsafe self.head = head
    var filled = 0
    var rest = unsafe first
    while unsafe !rest.isEmpty {
      let count = min(rest.count, Self.headSize - filled)
      unsafe UnsafeMutableRawBufferPointer(rebasing: head[filled...]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
      filled += count
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      if filled == Self.headSize { break }
      do throws(InputError) {
        unsafe rest = try source.next()
        unsafe hasEnded = rest.isEmpty
      } catch {
        pending = error
        unsafe rest = noBytes
      }
    }
    unsafe queue = [UnsafeRawBufferPointer(rebasing: head[..<filled])]
    if unsafe !rest.isEmpty { unsafe queue.append(rest) }
  }

  /// Goes to an offset from the beginning; only for streams with a length.
  func seek(to offset: UInt64) throws(InputError) {
    unsafe queue = []
    unsafe chunk = noBytes
    hasEnded = false
    try source.seek(to: offset)
  }
}

private var noBytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
