#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Folders for what only their owner is to read.
package enum PrivateFolder {
  /// Makes a folder (mode 0700) if there is none; what lies above it must be there.
  ///
  /// - Throws: `OutputError.cannotCreate` if it cannot be made, or something else bears the name.
  package static func make(at path: String) throws(OutputError) {
    guard unsafe mkdir(path, 0o700) != 0 else { return }
    guard errno == EEXIST else { throw .creating(path, code: errno) }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .creating(path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .cannotCreate(path: path, reason: "it is no folder")
    }
  }
}
