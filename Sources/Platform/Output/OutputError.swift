#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why an output could not be written, by what to do next.
///
/// Descriptions name the path and the way out; they never show what was to be written.
package enum OutputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The output cannot begin: another target is needed. Exit code 73.
  case cannotCreate(path: String, reason: String)
  /// The device or the folder's quota is full. Exit code 74.
  case outOfSpace(path: String)
  /// Writing began and failed. Exit code 74.
  case failed(path: String, reason: String)
  /// Another program holds the output. Exit code 75.
  case busy(path: String)
  /// The reader of standard output is gone: end quietly, the output stays owed.
  case brokenPipe

  /// What, where, and what to do next.
  package var description: String {
    switch self {
    case .cannotCreate(let path, let reason):
      "cannot write \(path): \(reason)"
    case .outOfSpace(let path):
      """
      no space left for \(path): free some, or name another folder, and run again; \
      what stood there before is untouched
      """
    case .failed(let path, let reason):
      "writing \(path) failed: \(reason); run again, what stood there before is untouched"
    case .busy(let path):
      "another program is using \(path): close that and run again"
    case .brokenPipe:
      "the reader of standard output is gone"
    }
  }
}

extension OutputError {
  /// What a failed call means before anything was written.
  static func creating(_ path: String, code: Int32) -> OutputError {
    isFull(code) ? .outOfSpace(path: path) : .cannotCreate(path: path, reason: reason(code))
  }

  /// What a failed call means once writing has begun.
  static func writing(_ path: String, code: Int32) -> OutputError {
    if code == EPIPE { return .brokenPipe }
    return isFull(code) ? .outOfSpace(path: path) : .failed(path: path, reason: reason(code))
  }

  private static func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT, ENOTDIR: "its folder does not exist; make it first"
    case EACCES, EPERM: "its folder may not be written to; name another one"
    case EROFS: "it lies on a read-only file system; name another folder"
    case ENAMETOOLONG: "its name is too long"
    case ELOOP: "its links go round in a circle"
    case EFBIG: "it would grow larger than the file system allows"
    default: unsafe String(cString: strerror(code))
    }
  }
}
