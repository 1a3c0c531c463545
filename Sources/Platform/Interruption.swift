import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Whether a person, or the system, has asked this process to end.
///
/// The first SIGINT, SIGTERM or SIGHUP is only noted, so that a run can end between two batches with its
/// files taken back; a second one ends the process at once, which loses nothing either.
package enum Interruption {
  private static let signals = Atomic<Int>(0)

  /// Notes signals from now on; what waits in the system is woken by them.
  package static func watch() {
    // Made before a handler can need it.
    signals.store(0, ordering: .relaxed)
    var action = sigaction()
    unsafe setHandler(&action) { _ in Interruption.signals.add(1, ordering: .relaxed) }
    unsafe sigemptyset(&action.sa_mask)
    action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
    var watched = sigset_t()
    unsafe sigemptyset(&watched)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      // What nohup started is to outlive its terminal.
      if signal == SIGHUP, isIgnored(signal) { continue }
      unsafe _ = sigaction(signal, &action, nil)
      unsafe sigaddset(&watched, signal)
    }
    // Whoever started this process may have had them blocked, as threads of pools have.
    unsafe pthread_sigmask(SIG_UNBLOCK, &watched, nil)
  }

  /// Whether a signal has come.
  package static var isRequested: Bool { signals.load(ordering: .relaxed) > 0 }
}

private func isIgnored(_ signal: Int32) -> Bool {
  var action = sigaction()
  unsafe _ = sigaction(signal, nil, &action)
  #if canImport(Glibc)
  let handler = unsafe action.__sigaction_handler.sa_handler
  #else
  let handler = unsafe action.__sigaction_u.__sa_handler
  #endif
  return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

private func setHandler(
  _ action: UnsafeMutablePointer<sigaction>, _ handler: @escaping @convention(c) (Int32) -> Void
) {
  #if canImport(Glibc)
  unsafe action.pointee.__sigaction_handler.sa_handler = handler
  #else
  unsafe action.pointee.__sigaction_u.__sa_handler = handler
  #endif
}
