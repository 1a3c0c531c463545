internal import CLibArchive

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What libarchive's callbacks read from, and what went wrong in them.
///
/// libarchive carries only its own errors, so the stream's are kept here.
@safe final class ArchiveInput {
  let stream: ByteStream
  private(set) var failure: InputError?
  private(set) var position: UInt64 = 0
  /// The last eight bytes read, in little-endian order.
  private(set) var lastBytes: UInt64 = 0

  /// Whether the stream begins with the end of a zip's directory.
  let isEmptyZip: Bool

  init(_ stream: ByteStream) throws(InputError) {
    self.stream = stream
    isEmptyZip = try stream.peek { $0.starts(with: [0x50, 0x4B, 5, 6]) }
  }

  var canSeek: Bool { stream.length != nil }

  /// Goes back to the beginning.
  func rewind() throws(InputError) {
    try stream.seek(to: 0)
    position = 0
  }

  /// Tells libarchive to read from here; must outlive the handle.
  func attach(to handle: OpaquePointer) {
    unsafe _ = archive_read_set_read_callback(handle) { _, context, chunk in
      guard let input = unsafe ArchiveInput.from(context),
        let bytes = unsafe input.read()
      else { return la_ssize_t(ARCHIVE_FATAL) }
      unsafe chunk?.pointee = bytes.baseAddress
      return bytes.count
    }
    if canSeek {
      unsafe _ = archive_read_set_seek_callback(handle) { _, context, offset, whence in
        unsafe ArchiveInput.from(context)?.seek(offset, whence) ?? Int64(ARCHIVE_FATAL)
      }
      unsafe _ = archive_read_set_skip_callback(handle) { _, context, count in
        unsafe ArchiveInput.from(context)?.skip(count) ?? 0
      }
    }
    unsafe _ = archive_read_set_callback_data(handle, Unmanaged.passUnretained(self).toOpaque())
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> ArchiveInput? {
    unsafe context.map { unsafe Unmanaged<ArchiveInput>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Reads the next chunk; nil if that failed.
  private func read() -> UnsafeRawBufferPointer? {
    do throws(InputError) {
      _ = try stream.advance()
      let chunk = unsafe stream.currentChunk
      position += UInt64(chunk.count)
      let tail = unsafe [UInt8](chunk.suffix(8))
      for byte in tail { lastBytes = lastBytes >> 8 | UInt64(byte) << 56 }
      return unsafe chunk
    } catch {
      failure = error
      return nil
    }
  }

  /// Whether there are bytes behind the first so many; what was not read yet is looked at.
  func hasBytes(beyond used: UInt64) throws(InputError) -> Bool {
    if position > used { return true }
    guard try stream.advance() else { return false }
    return unsafe !stream.currentChunk.isEmpty
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    guard let length = stream.length.map(Int64.init) else { return Int64(ARCHIVE_FATAL) }
    let base: Int64 =
      switch whence {
      case SEEK_SET: 0
      case SEEK_CUR: Int64(position)
      default: length
      }
    let (sum, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, sum >= 0 else { return Int64(ARCHIVE_FATAL) }
    return move(to: min(sum, length))
  }

  /// Skips forward; 0 says that the bytes must be read instead.
  private func skip(_ count: Int64) -> Int64 {
    guard let length = stream.length.map(Int64.init), count > 0 else { return 0 }
    let from = Int64(position)
    guard count <= length - from else { return 0 }
    return move(to: from + count) < 0 ? 0 : count
  }

  private func move(to target: Int64) -> Int64 {
    do throws(InputError) {
      try stream.seek(to: UInt64(target))
      position = UInt64(target)
      return target
    } catch {
      failure = error
      return Int64(ARCHIVE_FATAL)
    }
  }

  /// Makes sure that nothing lies before or behind a zip that can be read out of order, of which
  /// libarchive sees only the last where several were joined; goes back to the beginning.
  func checkZipStart() throws(InputError) {
    guard let length = stream.length else { return }
    try stream.seek(to: length - min(length, UInt64(ZipEnd.longest)))
    var tail: [UInt8] = []
    while try stream.advance() { unsafe tail.append(contentsOf: stream.currentChunk) }
    try rewind()
    switch ZipEnd.reading(ofTail: tail, ofLength: length) {
    // Where there is no end, libarchive says so.
    case .whole, .missing: return
    case .displaced:
      throw InputError(.damaged, "another zip lies before it in the same file; take them apart")
    case .followed: throw InputError(.damaged, "bytes after its end")
    }
  }

  /// Makes sure that a zip read in passing goes on to the end of its directory, where libarchive
  /// stops looking after the last entry.
  ///
  /// Without this, a zip cut off between two members would look whole.
  func checkZipEnd() throws(InputError) {
    guard !canSeek else { return }
    var tail: [UInt8] = []
    repeat {
      unsafe tail.append(contentsOf: stream.currentChunk)
      if tail.count > 2 * ZipEnd.longest { tail.removeFirst(tail.count - ZipEnd.longest) }
      guard try stream.advance() else { break }
      unsafe position += UInt64(stream.currentChunk.count)
    } while true
    guard ZipEnd.reading(ofTail: tail, ofLength: position) == .whole else {
      throw InputError(.cut)
    }
  }
}
