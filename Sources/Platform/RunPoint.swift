import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A place in a run at which a test can end the process, to show that nothing is lost.
///
/// Points are counted in the order in which a run passes them. In debug builds `PUMPLINE_DIE_AT=5`
/// ends the process at the fifth as SIGKILL does, `PUMPLINE_INTERRUPT_AT=5` sends it SIGINT there,
/// and `PUMPLINE_STOP_AT=5` stops it until it is sent SIGCONT; release builds know none of them.
package enum RunPoint {
  #if DEBUG
  private static let passed = Atomic<Int>(0)
  #endif

  /// Passes a point.
  package static func pass() {
    #if DEBUG
    let number = passed.add(1, ordering: .relaxed).newValue
    if Terminal.environment("PUMPLINE_DIE_AT") == String(number) { kill(getpid(), SIGKILL) }
    if Terminal.environment("PUMPLINE_INTERRUPT_AT") == String(number) { raise(SIGINT) }
    if Terminal.environment("PUMPLINE_STOP_AT") == String(number) { raise(SIGSTOP) }
    #endif
  }
}
