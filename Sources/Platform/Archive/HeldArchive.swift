/// How much of an archive that must be read out of order is held, where its bytes come in passing.
private let heldBytes = 16 << 20

extension ByteStream {
  /// A stream that can go to the directory at the end of a zip or 7-Zip archive, if these bytes
  /// come in passing and are at most 16 MiB: then they are held in memory.
  ///
  /// A longer zip can be read in passing too; for a longer 7-Zip there is no way.
  func withDirectory(of kind: ArchiveKind) throws(InputError) -> ByteStream {
    guard length == nil, kind == .zip || kind == .sevenZip else { return self }
    var bytes: [UInt8] = []
    while try advance() {
      unsafe bytes.append(contentsOf: currentChunk)
      guard bytes.count > heldBytes else { continue }
      guard kind == .zip else {
        throw InputError(.unsupported, "a 7-Zip of this length must be a file of its own")
      }
      return ByteStream(ContinuedSource(bytes, then: self))
    }
    return ByteStream(memory: bytes)
  }
}

/// Bytes that were taken from a stream already, then the rest of it.
@safe private final class ContinuedSource: ChunkSource {
  private var first: MemorySource?
  private let rest: ByteStream
  let length: UInt64? = nil
  let compressedBytes: UInt64? = nil

  init(_ first: [UInt8], then rest: ByteStream) {
    self.first = MemorySource(first)
    self.rest = rest
  }

  func next() throws(InputError) -> UnsafeRawBufferPointer {
    if let first {
      let bytes = unsafe first.next()
      if unsafe !bytes.isEmpty { return unsafe bytes }
      self.first = nil
    }
    _ = try rest.advance()
    return unsafe rest.currentChunk
  }

  func seek(to offset: UInt64) throws(InputError) { throw InputError(.unsupported) }
}
