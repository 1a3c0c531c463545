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
  ///   - staging: Whose file it is while it waits, and whether it holds changes only.
  /// - Returns: A sink that has begun, its target still as it was.
  /// - Throws: `OutputError`, above all `cannotCreate`.
  package func open(
    _ target: OutputTarget, context: OutputContext, options: AppleHealthOptions,
    staging: Staging = Staging()
  ) throws(OutputError) -> any SampleSink {
    let owner = staging.owner
    return switch self {
    case .appleHealth:
      try AppleHealthSink(target, context: context, options: options, owner: owner)
    case .csv:
      try CSVSink(
        target, context: context, content: staging.holdsChanges ? .changes : .samples,
        owner: owner)
    case .sqlite: try SQLiteSink(target, context: context, owner: owner, standing: staging.standing)
    case .samples: try SamplesSink(target, context: context, owner: owner)
    }
  }

  /// How an output is staged.
  package struct Staging: Sendable {
    /// Whose file it is while it waits; nil: nobody will look for it.
    package var owner: String?
    /// Whether it holds changes only.
    package var holdsChanges: Bool
    /// What a database remembers of the ledger that it shows.
    package var standing: SQLiteStanding?

    /// Describes a staging; unless said, of an output of all samples that nobody will look for.
    package init(
      owner: String? = nil, holdsChanges: Bool = false, standing: SQLiteStanding? = nil
    ) {
      self.owner = owner
      self.holdsChanges = holdsChanges
      self.standing = standing
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
    _ target: OutputTarget, context: OutputContext, options: AppleHealthOptions,
    owner: String? = nil
  ) throws(OutputError) {
    let form = AppleHealthForm(context, options)
    let file = try StagedFile(target, owner: owner)
    guard Self.isArchive(target) else {
      self.init(form, into: file)
      return
    }
    let date = ZipDate(unixSeconds: form.exportDate.unixSeconds, offset: form.offset)
    let archive = try ZipWriter(
      to: file, name: target.name, entry: "apple_health_export/export.xml", date: date)
    self.init(form, into: archive)
  }

  /// Whether a target becomes an archive, in which there is room for more than `export.xml`.
  package static func isArchive(_ target: OutputTarget) -> Bool {
    guard case .file(let path) = target else { return false }
    return path.lowercased().hasSuffix(".zip")
  }

  /// Ends `export.xml` and begins the archive's `superseded.csv`, which is sealed and published in
  /// its stead.
  ///
  /// - Returns: nil if there is no archive.
  package func beginSuperseded(_ context: OutputContext) throws(OutputError) -> CSVSink? {
    guard let archive = file as? ZipWriter else { return nil }
    try endText()
    try archive.beginEntry("superseded.csv")
    return CSVSink(CSVForm(context, content: .superseded), into: archive)
  }
}

extension TextSink<CSVForm> {
  /// Begins a CSV file.
  package convenience init(
    _ target: OutputTarget, context: OutputContext, content: CSVForm.Content = .samples,
    owner: String? = nil
  ) throws(OutputError) {
    self.init(
      CSVForm(context, content: content), into: try StagedFile(target, owner: owner))
  }
}

extension TextSink<SamplesForm> {
  /// Begins an NDJSON file.
  package convenience init(
    _ target: OutputTarget, context: OutputContext, owner: String? = nil
  ) throws(OutputError) {
    self.init(SamplesForm(context), into: try StagedFile(target, owner: owner))
  }
}
