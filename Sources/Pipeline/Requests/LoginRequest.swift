package import PumpModel

/// What `pumpline login` was asked for.
package struct LoginRequest: Sendable, Equatable {
  /// Where the credentials come from.
  package var credentials: CredentialsSource
  /// The cluster that the account is on.
  package var region: SourceRegion = .us
  /// A file that names other servers; nil: Tandem's.
  package var endpoints: String?

  /// Creates a request.
  package init(credentials: CredentialsSource) { self.credentials = credentials }
}

/// Where credentials come from.
package enum CredentialsSource: Sendable, Equatable {
  /// A file that nobody else can read.
  case file(String)
  /// An open file or pipe.
  case descriptor(Int32)
  /// What a person typed.
  case typed(email: String, password: String)
}
