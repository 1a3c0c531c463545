/// What `pumpline diff` was asked for: to compare two outputs, whoever wrote them.
package struct DiffRequest: Sendable, Equatable {
  /// The first output; `-` is standard input.
  package var first: String
  /// The second output; `-` is standard input.
  package var second: String
  /// What of a ledger is compared; files are compared as they are.
  package var selection = OutputSelection()
  /// How many seconds to wait while another run holds a ledger.
  package var waitSeconds = 10

  /// Creates a request.
  package init(first: String, second: String) {
    self.first = first
    self.second = second
  }
}
