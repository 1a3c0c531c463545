#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where an output goes.
package enum OutputTarget: Sendable, Equatable {
  /// A file, made whole beside this path and then renamed to it.
  case file(String)
  /// Standard output, written as the rows come.
  case standardOutput

  /// The target as a person knows it.
  package var name: String {
    switch self {
    case .file(let path): path
    case .standardOutput: "standard output"
    }
  }

  /// Refuses a target that could not be replaced, before any work is done.
  ///
  /// - Throws: `OutputError.cannotCreate` for something that is not a regular file, for a missing
  ///   folder, and for one that may not be written to.
  package func check() throws(OutputError) {
    guard case .file(let path) = self else { return }
    let place = try FilePlace(path)
    guard unsafe access(place.folder, W_OK | X_OK) == 0 else {
      throw .creating(path, code: errno)
    }
  }
}

/// A file's folder and its path in it, links resolved.
struct FilePlace {
  /// The folder that holds the file.
  let folder: String
  /// The path to rename to: of a link, what it points to, so that the link stays.
  let path: String

  /// Finds where a file is, or would be.
  init(_ path: String) throws(OutputError) {
    guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else {
      throw .cannotCreate(path: path, reason: "it names no file")
    }
    self.path = try Self.resolved(path)
    folder = Self.folder(of: self.path)
  }

  private static func resolved(_ path: String) throws(OutputError) -> String {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      if errno == ENOENT { return path }
      throw .creating(path, code: errno)
    }
    guard status.st_mode & S_IFMT == S_IFLNK else {
      try requireRegular(status, path)
      return path
    }
    guard let real = unsafe realpath(path, nil) else {
      throw .cannotCreate(path: path, reason: "it is a link that leads nowhere")
    }
    defer { unsafe free(real) }
    let target = unsafe String(cString: real)
    guard unsafe lstat(target, &status) == 0 else { throw .creating(path, code: errno) }
    try requireRegular(status, path)
    return target
  }

  private static func requireRegular(_ status: stat, _ path: String) throws(OutputError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR:
      throw .cannotCreate(path: path, reason: "it is a folder; name a file in it")
    default:
      throw .cannotCreate(
        path: path, reason: "it is not a regular file; write to '-' and redirect instead")
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
