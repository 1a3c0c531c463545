package import PumpModel

/// One output that was asked for.
package struct OutputRequest: Sendable, Equatable {
  /// The format's name; nil if the file's name is to tell it.
  package var format: String?
  /// A path, or `-` for standard output.
  package var target: String
  /// Which changes since the last time it holds; nil: all samples of the ledger.
  package var changes: OutputChanges?
  /// What names its sink in the ledger instead of the path, so that the path may differ from run
  /// to run; nil: the absolute path does.
  package var sinkName: String?

  /// Creates a request.
  package init(
    format: String?, target: String, changes: OutputChanges? = nil, sinkName: String? = nil
  ) {
    self.format = format
    self.target = target
    self.changes = changes
    self.sinkName = sinkName
  }

  /// Whether the output goes to standard output.
  package var isStandardOutput: Bool { target == "-" }

  /// The names of the formats, in the order in which help shows them.
  package static let formatNames = ["apple-health", "csv", "sqlite", "samples"]
}

/// Which of the changes that a sink is owed are written to it; raw values are the words of
/// `--changes`.
package enum OutputChanges: String, Sendable, CaseIterable {
  /// To Apple Health what was never given before, to other formats every change.
  case fresh
  /// To Apple Health also what was given before and is different now.
  case all
}

/// What only Apple Health files are asked.
package struct AppleHealthOptions: Sendable, Equatable {
  /// The file's UTC offset in minutes; nil: the zone's at the export date.
  package var offsetMinutes: Int?
  /// The export date; nil: the newest end among the samples.
  package var exportDate: Instant?

  /// Creates options.
  package init(offsetMinutes: Int? = nil, exportDate: Instant? = nil) {
    self.offsetMinutes = offsetMinutes
    self.exportDate = exportDate
  }
}
