#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder for what only its owner is to read.
package enum PrivateFolder {
  /// Makes a folder with mode 0700, if there is none.
  ///
  /// - Throws: `OutputError.cannotCreate` if it cannot be made, or not be written to.
  package static func make(_ path: String) throws(OutputError) {
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw .creating(path, code: errno) }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .creating(path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .cannotCreate(path: path, reason: "it is no folder")
    }
    guard unsafe access(path, W_OK | X_OK) == 0 else { throw .creating(path, code: errno) }
  }
}
