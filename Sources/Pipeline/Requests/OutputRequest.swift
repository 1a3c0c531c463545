package import PumpModel

/// One output that was asked for.
package struct OutputRequest: Sendable, Equatable {
  /// The format's name; nil if the file's name is to tell it.
  package var format: String?
  /// A path, or `-` for standard output.
  package var target: String

  /// Creates a request.
  package init(format: String?, target: String) {
    self.format = format
    self.target = target
  }

  /// Whether the output goes to standard output.
  package var isStandardOutput: Bool { target == "-" }

  /// The names of the formats, in the order in which help shows them.
  package static let formatNames = ["apple-health", "csv", "sqlite", "samples"]
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
