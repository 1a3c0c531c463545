#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Makes an empty file that only its owner can read, if there is none.
///
/// SQLite would create its database with the process's umask; made here first, the database and
/// the journals beside it, which take over its mode, are private from their first byte. A failure
/// is left for the opening that follows to report.
func createPrivateFile(_ path: String) {
  let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
  if descriptor >= 0 {
    close(descriptor)
    return
  }
  // An empty file that stands there already is about to be filled, so it becomes private too.
  var status = stat()
  if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
    unsafe _ = chmod(path, 0o600)
  }
}

/// The rights of files that this process makes.
package enum PrivateFiles {
  /// Lets only the owner read whatever file is made from now on, links and odd file systems
  /// included.
  package static func makeDefault() { umask(0o077) }
}
