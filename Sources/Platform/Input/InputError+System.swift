#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension InputError {
  /// The error for a number that the system gave.
  init(systemError number: Int32) {
    switch number {
    case ENOENT, ENOTDIR: self.init(.missing)
    case EACCES, EPERM: self.init(.denied)
    case ELOOP: self.init(.notAFile, "a symbolic link")
    case EISDIR: self.init(.notAFile, "a folder")
    default: self.init(.failed, unsafe String(cString: strerror(number)))
    }
  }
}

/// Repeats a system call that a signal interrupted, unless the signal was to end the process.
func retryingInterrupted(_ call: () -> Int) throws(InputError) -> Int {
  while true {
    let result = call()
    if result >= 0 { return result }
    let number = errno
    if number != EINTR || Interruption.isRequested { throw InputError(systemError: number) }
  }
}
