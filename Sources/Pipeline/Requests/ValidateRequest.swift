/// What `pumpline validate` was asked for.
package struct ValidateRequest: Sendable, Equatable {
  /// At least one pipeline file, or folder of such files.
  package var paths: [String]

  /// Creates a request.
  package init(paths: [String]) { self.paths = paths }
}
