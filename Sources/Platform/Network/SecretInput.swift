#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where secrets come from, so that they stand in no argument, variable or core dump.
package enum SecretInput {
  /// The most that is read.
  package static let maximalBytes = 64 << 10

  /// Why a secret could not be read.
  package enum Failure: Error, Sendable, Equatable {
    /// The file cannot be read.
    case unreadable(InputError)
    /// Others than its owner may read the file.
    case readableByOthers
    /// There is more than any secret needs.
    case tooLarge
  }

  /// The bytes of a file that nobody but its owner can read, or of a pipe.
  package static func bytes(ofFile path: String) throws(Failure) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(InputError(systemError: errno)) }
    defer { close(descriptor) }
    return try bytes(ofDescriptor: descriptor)
  }

  /// The bytes of an open file or pipe, up to its end; it is left open.
  package static func bytes(ofDescriptor descriptor: Int32) throws(Failure) -> [UInt8] {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .unreadable(InputError(systemError: errno))
    }
    let kind = FileKind(mode: status.st_mode)
    guard kind == .file || kind == .pipe else { throw .unreadable(InputError(.notAFile)) }
    if kind == .file, status.st_mode & 0o077 != 0 { throw .readableByOthers }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR, !Interruption.isRequested { continue }
      guard count >= 0 else { throw .unreadable(InputError(systemError: errno)) }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: buffer[..<count])
      if bytes.count > maximalBytes { throw .tooLarge }
    }
  }

  /// A line typed at standard input's terminal that does not appear on it; nil at its end.
  package static func readLineWithoutEcho() -> String? {
    var before = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    silent.c_lflag |= tcflag_t(ECHONL)
    guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return nil }
    defer { unsafe _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
    return readLine()
  }

  /// Keeps this process from leaving its memory behind, whatever becomes of it.
  package static func forbidCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
    unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
    unsafe _ = setrlimit(RLIMIT_CORE, &none)
    #endif
  }
}
