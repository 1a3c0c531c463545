package import PumpModel

/// What `pumpline decode` was asked for: the records of inputs, a line each.
package struct DecodeRequest: Sendable, Equatable {
  /// At least one file or folder; `-` is standard input.
  package var inputs: [String]
  /// Whether the inputs claim to hold every record between their first and last (N4).
  package var isComplete = false
  /// How numbers and dates of tables are written, where their cells do not tell.
  package var forms = CellForms()
  /// Where the lines go: a path, or `-` for standard output.
  package var output = "-"
  /// Whether events tell how far the run has come.
  package var tellsProgress = false

  /// Creates a request.
  package init(inputs: [String]) { self.inputs = inputs }
}
