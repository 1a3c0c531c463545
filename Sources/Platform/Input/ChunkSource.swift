#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where a `ByteStream` takes its bytes from.
protocol ChunkSource: AnyObject {
  /// The next bytes, valid until the next call; none at the end.
  func next() throws(InputError) -> UnsafeRawBufferPointer

  /// How many bytes there are in all, if the source can go to any of them.
  var length: UInt64? { get }

  /// Goes to an offset from the beginning; only for sources with a length.
  func seek(to offset: UInt64) throws(InputError)

  /// How many bytes were taken from the outermost compressed form so far, nil if these bytes are
  /// not the content of one.
  var compressedBytes: UInt64? { get }
}

/// The buffer that files are read into, one at a time.
///
/// Made once and handed from file to file, because touching fresh memory costs more than reading.
@safe package final class ReadBuffer {
  /// How much one read asks for: large enough that calls do not count, small enough for caches.
  static let size = 256 << 10

  let memory: UnsafeMutableRawBufferPointer

  /// How many bytes were read into it so far, for showing progress.
  package fileprivate(set) var bytesRead: UInt64 = 0

  /// Creates a buffer of 256 KiB.
  package init() {
    unsafe memory = .allocate(byteCount: Self.size, alignment: 4096)
  }

  deinit { unsafe memory.deallocate() }
}

/// Bytes of an open file, a pipe or standard input.
@safe final class DescriptorSource: ChunkSource {
  private let descriptor: Int32
  private let closes: Bool
  private let buffer: ReadBuffer
  private let start: off_t
  let length: UInt64?
  var compressedBytes: UInt64? { nil }

  /// Takes over a descriptor; `closes` says whether to close it at the end.
  init(_ descriptor: Int32, closes: Bool, into buffer: ReadBuffer) {
    self.descriptor = descriptor
    self.closes = closes
    self.buffer = buffer
    var status = stat()
    let isRegular =
      unsafe fstat(descriptor, &status) == 0 && (status.st_mode & S_IFMT) == S_IFREG
    let position = isRegular ? lseek(descriptor, 0, SEEK_CUR) : -1
    start = max(position, 0)
    length = position >= 0 ? UInt64(max(status.st_size - position, 0)) : nil
  }

  deinit { if closes { close(descriptor) } }

  func next() throws(InputError) -> UnsafeRawBufferPointer {
    var filled = 0
    let memory = unsafe buffer.memory
    // A pipe gives a few bytes at a time; whole buffers keep what follows independent of that.
    while filled < ReadBuffer.size {
      let count = try retryingInterrupted {
        unsafe read(descriptor, memory.baseAddress?.advanced(by: filled), ReadBuffer.size - filled)
      }
      if count == 0 { break }
      filled += count
    }
    buffer.bytesRead += UInt64(filled)
    return unsafe UnsafeRawBufferPointer(rebasing: memory[..<filled])
  }

  func seek(to offset: UInt64) throws(InputError) {
    guard let offset = off_t(exactly: offset), lseek(descriptor, start + offset, SEEK_SET) >= 0
    else { throw InputError(.failed, "cannot go to another place in it") }
  }
}

/// Bytes held in memory.
@safe final class MemorySource: ChunkSource {
  private let memory: UnsafeMutableRawBufferPointer
  private var position = 0
  var length: UInt64? { unsafe UInt64(memory.count) }
  let compressedBytes: UInt64? = nil

  /// Copies bytes.
  init(_ bytes: [UInt8]) {
    unsafe memory = .allocate(byteCount: bytes.count, alignment: 16)
    unsafe memory.copyBytes(from: bytes)
  }

  deinit { unsafe memory.deallocate() }

  func next() -> UnsafeRawBufferPointer {
    // In pieces: what measures how far a reader has come sees no more than one at a time.
    let end = unsafe min(position + ReadBuffer.size, memory.count)
    defer { position = end }
    return unsafe UnsafeRawBufferPointer(rebasing: memory[position..<end])
  }

  func seek(to offset: UInt64) throws(InputError) {
    unsafe position = Int(min(offset, UInt64(memory.count)))
  }
}
