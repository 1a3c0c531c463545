/// Why Tandem Source did not give what it was asked for.
package enum SourceFailure: Error, Sendable, Equatable {
  /// The e-mail address, the password or the region is wrong.
  case credentialsRefused
  /// Two logins were made, and the service still wants another.
  case loggedOut
  /// The firewall before the service blocks the request, or this computer.
  case blocked
  /// What was asked for is not there: the service has changed.
  case gone(step: String)
  /// The service asks to wait for longer than a run should.
  case busy
  /// The service answers with errors, too late, or in part.
  case unavailable(step: String)
  /// The service cannot be reached.
  case unreachable
  /// Its certificate does not prove who it is.
  case untrusted
  /// It answers something that nobody expected.
  case unexpected(step: String, what: String)
  /// It wants to lead to a host that credentials may not go to.
  case ledElsewhere(step: String)
  /// libcurl is not installed.
  case noLibrary
  /// A signal asked the process to end.
  case interrupted

  /// Whether less at once might be answered.
  package var mayPassInParts: Bool {
    if case .unavailable = self { return true }
    return false
  }

  /// Whether other requests might be answered.
  package var concernsOneRequest: Bool {
    switch self {
    case .unavailable, .unexpected: true
    default: false
    }
  }
}
