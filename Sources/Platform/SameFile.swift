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
}
