package import Platform
package import PumpModel

/// The formats that samples can be written in.
///
/// Raw values are the words of `--to`.
package enum SinkFormat: String, Sendable, CaseIterable {
  /// `export.xml` of Apple Health, or a zip that holds it.
  case appleHealth = "apple-health"
  /// A table for spreadsheets.
  case csv
  /// A database for SQL and Datasette.
  case sqlite
  /// NDJSON, a sample a line.
  case samples

  /// The format that a file's name tells, whatever its case; nil if it tells none.
  package init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: "."), !fileName[dot...].contains("/") else {
      return nil
    }
    switch fileName[dot...].dropFirst().lowercased() {
    case "xml", "zip": self = .appleHealth
    case "csv": self = .csv
    case "sqlite", "db", "sqlite3": self = .sqlite
    case "ndjson", "jsonl": self = .samples
    default: return nil
    }
  }

  /// Whether rows of basal without insulin are shown when asked for (N4).
  package var showsZeroBasal: Bool { self == .csv || self == .sqlite }

  /// The order in which a sink of this format wants its rows.
  package var order: OutputOrder { self == .appleHealth ? .healthType : .device }

  /// Refuses a target before any work is done.
  ///
  /// - Throws: `OutputError.cannotCreate` (exit code 73), see `OutputTarget.check` and
  ///   `SQLiteSink.check`.
  package func check(_ target: OutputTarget) throws(OutputError) {
    if self == .sqlite { try SQLiteSink.check(target) } else { try target.check() }
  }

  /// Begins an output.
  ///
  /// - Parameters:
  ///   - target: Where it goes; a Health export to a file named `….zip` becomes an archive.
  ///   - context: What all outputs of the run share.
  ///   - options: What only Health exports need.
  /// - Returns: A sink that has begun, its target still as it was.
  /// - Throws: `OutputError`, above all `cannotCreate`.
  package func open(
    _ target: OutputTarget, context: OutputContext, options: AppleHealthOptions
  ) throws(OutputError) -> any SampleSink {
    switch self {
    case .appleHealth: try AppleHealthSink(target, context: context, options: options)
    case .csv: try CSVSink(target, context: context)
    case .sqlite: try SQLiteSink(target, context: context)
    case .samples: try SamplesSink(target, context: context)
    }
  }
}

/// Writes an Apple Health export.
package typealias AppleHealthSink = TextSink<AppleHealthForm>
/// Writes a CSV file.
package typealias CSVSink = TextSink<CSVForm>
/// Writes samples as NDJSON.
package typealias SamplesSink = TextSink<SamplesForm>

extension TextSink<AppleHealthForm> {
  /// Begins `export.xml`, or an archive with `apple_health_export/export.xml` if the target's name
  /// ends in `.zip`.
  package convenience init(
    _ target: OutputTarget, context: OutputContext, options: AppleHealthOptions
  ) throws(OutputError) {
    let form = AppleHealthForm(context, options)
    let file = try StagedFile(target)
    guard case .file(let path) = target, path.lowercased().hasSuffix(".zip") else {
      self.init(form, into: file)
      return
    }
    let date = ZipDate(unixSeconds: form.exportDate.unixSeconds, offset: form.offset)
    let archive = try ZipWriter(
      to: file, name: path, entry: "apple_health_export/export.xml", date: date)
    self.init(form, into: archive)
  }
}

extension TextSink<CSVForm> {
  /// Begins a CSV file.
  package convenience init(_ target: OutputTarget, context: OutputContext) throws(OutputError) {
    self.init(CSVForm(context), into: try StagedFile(target))
  }
}

extension TextSink<SamplesForm> {
  /// Begins an NDJSON file.
  package convenience init(_ target: OutputTarget, context: OutputContext) throws(OutputError) {
    self.init(SamplesForm(context), into: try StagedFile(target))
  }
}
