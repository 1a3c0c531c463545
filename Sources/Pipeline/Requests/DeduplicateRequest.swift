/// What `pumpline deduplicate` was asked for: the new and changed ones among samples.
package struct DeduplicateRequest: Sendable, Equatable {
  /// At least one file or folder of sample NDJSON; `-` is standard input.
  package var inputs: [String]
  /// The path of a ledger of samples; nil: a private, temporary one.
  package var ledger: String?
  /// Whether all samples of the ledger are written.
  package var writesAll = false
  /// Where the samples go: a path, or `-` for standard output.
  package var output = "-"
  /// The path of the JSON report; nil: none.
  package var report: String?
  /// How many seconds to wait for a ledger that another run holds.
  package var waitSeconds = 10

  /// Creates a request.
  package init(inputs: [String]) { self.inputs = inputs }
}
