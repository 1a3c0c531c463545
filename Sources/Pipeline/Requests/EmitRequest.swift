/// What `pumpline emit` was asked for: samples in other formats.
package struct EmitRequest: Sendable, Equatable {
  /// At least one file or folder of sample NDJSON; `-` is standard input.
  package var inputs: [String]
  /// Account answers that tell the model and software of pumps.
  package var accounts: [String] = []
  /// The zones, those from the beginning first, then ascending; needed but for NDJSON.
  package var zones: [ZoneArgument] = []
  /// The outputs, in the order they were given.
  package var outputs: [OutputRequest] = []
  /// Which samples the outputs show.
  package var selection = {
    var selection = OutputSelection(includesGlucose: true)
    selection.includesDerivedBasal = true
    return selection
  }()
  /// The path of the JSON report; nil: none.
  package var report: String?
  /// What only Apple Health files are asked.
  package var appleHealth = AppleHealthOptions()

  /// Creates a request.
  package init(inputs: [String]) { self.inputs = inputs }
}
