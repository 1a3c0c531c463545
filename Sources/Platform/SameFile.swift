#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Tells whether two paths lead to one file.
package enum SameFile {
  /// Whether both exist and are one file, through links or other spellings.
  package static func isSame(_ left: String, _ right: String) -> Bool {
    var first = stat()
    var second = stat()
    guard unsafe stat(left, &first) == 0, unsafe stat(right, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// A path's place in one spelling, whether a file is there or not: the real path of its folder,
  /// or of what it links to, and the name.
  package static func place(of path: String) -> String {
    if let real = real(path) { return real }
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let name = parts.last else { return path }
    let start = path.hasPrefix("/") ? "/" : ""
    let folder = start + parts.dropLast().joined(separator: "/")
    return (real(folder.isEmpty ? "." : folder) ?? folder) + "/" + name
  }

  /// Whether a path leads to a database or to what belongs to it.
  package static func belongs(_ path: FilePath, to database: String) -> Bool {
    let name = path.text
    let suffixes = ["", "-wal", "-shm", "-journal"].filter { name.hasSuffix($0) }
    return suffixes.contains { isSame(name, database + $0) }
  }

  /// The places where SQLite keeps what belongs to a database.
  package static func sidecars(of database: String) -> Set<String> {
    let place = place(of: database)
    return [place + "-wal", place + "-shm", place + "-journal"]
  }

  private static func real(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}

extension Digest256 {
  /// The digest of a file; nil if it is no regular file that can be read.
  package static func ofFile(at path: String) -> [UInt8]? {
    guard let path = FilePath(path) else { return nil }
    return try? ofFile(at: path, into: ReadBuffer())?.bytes
  }
}
