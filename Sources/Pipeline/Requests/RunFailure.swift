/// Why a command could not do what it was asked: what, where, and what to do next.
///
/// The texts are for a person. They never hold a sample's value, a credential or the query of a
/// URL; names of files are allowed, since only standard error and the report show them.
package struct RunFailure: Error, Sendable, Equatable {
  /// How the process ends.
  package var exitStatus: ExitStatus
  /// What is wrong: a clause without a period at its end.
  package var what: String
  /// The file, document or option in question, if there is one.
  package var place: String?
  /// What to do about it: a sentence, or a command to type.
  package var next: String?

  /// Creates a failure.
  package init(
    _ exitStatus: ExitStatus, what: String, where place: String? = nil, next: String? = nil
  ) {
    self.exitStatus = exitStatus
    self.what = what
    self.place = place
    self.next = next
  }
}
