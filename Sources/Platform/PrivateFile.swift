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
  if descriptor >= 0 { close(descriptor) }
}
