internal import CLibArchive

/// Reads an archive entry by entry, block by block, as a stream: nothing is ever written to disk.
///
/// Blocks are libarchive's own, handed on without a copy. Confined to its owner. After an error
/// that sets `failure` nothing more can be read; after any other, the next entry can.
@safe package final class ArchiveReader {
  /// What is read.
  package let kind: ArchiveKind
  /// How far an entry may expand; nil: as far as the budget lets it.
  package var limits: ExpansionLimits?
  /// What broke the archive itself, and not only an entry.
  package private(set) var failure: InputError?
  /// Bytes that the current entry has given so far.
  package private(set) var produced: UInt64 = 0

  private let input: ArchiveInput
  private let budget: ExpansionBudget
  private var handle: ArchiveHandle
  private var block: UnsafeRawBufferPointer
  private var entryStart: UInt64 = 0
  private var entriesMet = 0
  private var hasEntryEnded = true
  private var mustReopen = false
  private var reopenings = 0
  private var gzipCheck: GzipCheck?

  /// How often a zip is opened again after an entry whose damage libarchive cannot step over.
  private static let maximalReopenings = 16

  /// Opens the archive that a stream consists of; nothing must have been taken from the stream.
  ///
  /// - Throws: `InputError` if it cannot be opened.
  package init(
    _ kind: ArchiveKind, reading stream: ByteStream, limits: ExpansionLimits? = ExpansionLimits(),
    budget: ExpansionBudget
  ) throws(InputError) {
    if kind == .xz {
      let dictionary = try stream.peek { XZDictionary.size(firstBytes: $0) }
      if let dictionary, dictionary > XZDictionary.limit { throw InputError(.dictionaryTooLarge) }
    }
    self.kind = kind
    gzipCheck = kind == .gzip ? GzipCheck() : nil
    self.limits = limits
    self.budget = budget
    input = try ArchiveInput(stream.withDirectory(of: kind))
    if kind == .zip { try input.checkZipStart() }
    unsafe block = UnsafeRawBufferPointer(start: nil, count: 0)
    handle = try ArchiveHandle(kind, input)
  }

  /// Moves to the next entry; what is left of the current one is skipped.
  ///
  /// - Returns: nil at the archive's end.
  package func nextEntry() throws(InputError) -> ArchiveEntry? {
    try skipRest()
    produced = 0
    let header: ArchiveEntry?
    do throws(InputError) {
      if mustReopen { try reopen() }
      let end = try entryEnd()
      header = try handle.nextEntry()
      if header == nil {
        if kind == .zip { try input.checkZipEnd() }
        if let end, handle.position < end + Self.tarBlock { throw InputError(.cut) }
      }
    } catch {
      failure = error
      throw error
    }
    guard let header else { return nil }
    try budget.spendEntry()
    entriesMet += 1
    entryStart = handle.position
    hasEntryEnded = false
    return header
  }

  private static let tarBlock: UInt64 = 512

  /// Where a tape archive's entry ends; nil of any other.
  ///
  /// A block of zeros ends the archive. libarchive does not miss it, and an archive that was cut off
  /// between two entries would look whole.
  private func entryEnd() throws(InputError) -> UInt64? {
    guard kind == .tar else { return nil }
    if entriesMet > 0 { try handle.skipEntry() }
    return handle.position
  }

  /// Moves to the next block of the current entry.
  ///
  /// - Returns: false at the entry's end, where its checksum, if any, has been checked.
  /// - Throws: `InputError`; the rest of the entry is lost.
  package func advance() throws(InputError) -> Bool {
    guard try load() else { return false }
    if let limits, !limits.allow(expanded: produced, compressed: compressedBytes) {
      throw InputError(.oversized)
    }
    return true
  }

  /// The current entry's content as a stream, good until the next entry.
  package func entryStream() -> ByteStream { ByteStream(EntrySource(self)) }

  /// The current block, valid until the next call.
  var currentBlock: UnsafeRawBufferPointer { unsafe block }

  /// How many compressed bytes stand behind the current entry; nil if nothing is compressed.
  ///
  /// In what is compressed as a whole, all bytes taken so far.
  var compressedBytes: UInt64? {
    switch kind {
    case .tar: input.stream.compressedBytes
    case .zip: handle.position >= entryStart ? handle.position - entryStart : 0
    case .sevenZip, .gzip, .zstd, .xz: handle.position
    }
  }

  private func load() throws(InputError) -> Bool {
    unsafe block = UnsafeRawBufferPointer(start: nil, count: 0)
    guard !hasEntryEnded else { return false }
    do throws(ArchiveFailure) {
      guard let (bytes, offset) = unsafe try handle.nextBlock() else {
        hasEntryEnded = true
        try checkGzip()
        try checkEnd()
        return false
      }
      guard offset == produced else {
        throw ArchiveFailure(error: InputError(.unsupported, "a file with holes"), isFatal: false)
      }
      unsafe block = bytes
      unsafe gzipCheck?.update(bytes)
      produced += UInt64(bytes.count)
    } catch {
      hasEntryEnded = true
      if error.isFatal { recoverOrBreak(error.error) }
      throw error.error
    }
    // What a tape archive gives has been counted where it was unpacked, if it was.
    if kind != .tar || input.stream.compressedBytes == nil {
      unsafe try budget.spend(bytes: block.count)
    }
    return true
  }

  /// Whether an archive without entries is one of nothing, and not one cut off so early that
  /// libarchive gave nothing of it: gzip then ends with a checksum and a length of zero.
  package var isWhollyEmpty: Bool {
    gzipCheck == nil || input.lastBytes == 0
  }

  private func checkGzip() throws(ArchiveFailure) {
    guard let gzipCheck, gzipCheck.isContradicted(byLastBytes: input.lastBytes) else { return }
    throw ArchiveFailure(error: InputError(.damaged, "wrong checksum"), isFatal: false)
  }

  /// Where what follows a member of a gzip stream does not begin as another one, libarchive takes it
  /// for padding and says nothing; it may be the rest of the document.
  private func checkEnd() throws(ArchiveFailure) {
    guard kind == .gzip else { return }
    do throws(InputError) {
      guard try input.hasBytes(beyond: handle.position) else { return }
    } catch {
      throw ArchiveFailure(error: error, isFatal: true)
    }
    throw ArchiveFailure(
      error: InputError(.damaged, "bytes after the end of what is compressed"), isFatal: false)
  }

  /// A zip's other entries can still be found through its directory.
  private func recoverOrBreak(_ error: InputError) {
    let canReopen = kind == .zip && input.canSeek && input.failure == nil
    if canReopen, reopenings < Self.maximalReopenings { mustReopen = true } else { failure = error }
  }

  private func reopen() throws(InputError) {
    mustReopen = false
    reopenings += 1
    try input.rewind()
    handle = try ArchiveHandle(kind, input)
    for _ in 0..<entriesMet { _ = try handle.nextEntry() }
  }

  private func skipRest() throws(InputError) {
    if let failure { throw failure }
    // With its directory at hand, libarchive goes to the next entry without reading.
    guard !hasEntryEnded, !(kind == .zip && input.canSeek) else { return }
    var goesOn = true
    while goesOn {
      do throws(InputError) {
        goesOn = try load()
      } catch {
        let isOverBudget = error.kind == .inputTooLarge || error.kind == .tooManyEntries
        if failure != nil || isOverBudget { throw error }
        goesOn = false
      }
    }
  }
}

/// The content of an archive's current entry.
@safe private final class EntrySource: ChunkSource {
  private let reader: ArchiveReader
  let length: UInt64? = nil
  var compressedBytes: UInt64? { reader.compressedBytes }

  init(_ reader: ArchiveReader) { self.reader = reader }

  func next() throws(InputError) -> UnsafeRawBufferPointer {
    _ = try reader.advance()
    return unsafe reader.currentBlock
  }

  func seek(to offset: UInt64) throws(InputError) { throw InputError(.unsupported) }
}
