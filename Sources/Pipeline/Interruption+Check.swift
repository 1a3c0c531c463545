import Platform

extension RunFailure {
  /// A run that was asked to end before its commit.
  static let interrupted = RunFailure(
    .interrupted, what: "interrupted; nothing was changed", next: "Run it again.")

  /// A run that was asked to end after its commit.
  static let interruptedLate = RunFailure(
    .interrupted,
    what: "interrupted; all that was read is kept and every file is written, but not all of "
      + "standard output",
    next: "Run it again.")
}

/// Ends the run between two batches if a person, or the system, has asked for it.
func checkInterruption() throws(RunFailure) {
  if Interruption.isRequested { throw .interrupted }
}
