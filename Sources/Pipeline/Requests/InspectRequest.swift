package import PumpModel

/// What `pumpline inspect` was asked for: a look into inputs that needs neither zone nor serial.
package struct InspectRequest: Sendable, Equatable {
  /// At least one file or folder; `-` is standard input.
  package var inputs: [String]
  /// Whether the answer is for machines.
  package var isJSON: Bool
  /// How numbers and dates of tables are written, where their cells do not tell.
  package var forms = CellForms()
  /// Whether events tell how far the reading has come.
  package var tellsProgress = false

  /// Creates a request.
  package init(inputs: [String], isJSON: Bool = false) {
    self.inputs = inputs
    self.isJSON = isJSON
  }
}
