#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
internal import CSQLite

/// A file without a name that is written from front to back and read anywhere.
///
/// It lies where SQLite puts its own temporary files and is gone with whoever holds it. It fails
/// with the errors that SQLite has for such a file.
package final class TemporaryFile {
  private let descriptor: Int32
  /// How many bytes were written.
  package private(set) var size = 0

  /// Makes an empty file that only its owner can read.
  ///
  /// - Throws: `SQLiteError` if there is no folder for it.
  package init() throws(SQLiteError) {
    var reason = ENOENT
    for folder in Self.folders {
      let path = "\(folder)/pumpline-\(UInt64.random(in: 0 ... .max))"
      let opened = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      if opened >= 0 {
        descriptor = opened
        unsafe _ = unlink(path)
        return
      }
      reason = errno
    }
    throw Self.failure(reason)
  }

  deinit { close(descriptor) }

  /// Writes bytes behind those that were written before.
  ///
  /// - Throws: `SQLiteError` if there is no room for them.
  package func append(_ bytes: RawSpan) throws(SQLiteError) {
    var done = 0
    while done < bytes.byteCount {
      let rest = bytes.extracting(done..<bytes.byteCount)
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(size))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(count < 0 ? errno : ENOSPC) }
      done += count
      size += count
    }
  }

  /// Reads as many bytes as `target` has room for, which must have been written.
  ///
  /// - Throws: `SQLiteError` if the device fails.
  package func read(
    from offset: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(SQLiteError) {
    var done = 0
    while done < target.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[done...])
      let count = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(count < 0 ? errno : EIO) }
      done += count
    }
  }

  /// The folders that SQLite looks at.
  private static var folders: [String] {
    let names = ["SQLITE_TMPDIR", "TMPDIR"]
    let named = names.compactMap { name in
      unsafe getenv(name).map { value in unsafe String(cString: value) }
    }
    return named + ["/var/tmp", "/usr/tmp", "/tmp", "."]
  }

  private static func failure(_ number: Int32) -> SQLiteError {
    let isFull = number == ENOSPC || number == EDQUOT || number == EFBIG
    return SQLiteError(
      code: isFull ? SQLITE_FULL : SQLITE_IOERR,
      message: "a temporary file: \(unsafe String(cString: strerror(number)))")
  }
}
