import Pipeline

extension CommandSpec {
  /// `pumpline audit`.
  static let audit = CommandSpec(
    name: "audit",
    summary: "Prove an output against the archives that it was made of.",
    details: [
      """
      Makes the samples of the sources again, as convert does, in a private ledger that is gone \
      afterwards, and compares the output with them: what is missing, extra, changed or duplicated. \
      Each difference is told with the events that the sample rests on, the documents and offsets where \
      they stand, and what makes a sample of them. Nothing is asked of a network, and nothing is \
      written.
      """,
      """
      Say what the run was told that made the output: zones, serial number, and which samples. The \
      output may be another program's, such as an export of Apple Health that holds another app's \
      insulin: then samples are compared one to one by time and amount, within a minute and 0.005 IU. \
      The exit status is 1 if anything differs or cannot be read. The answer shows amounts and times.
      """,
    ],
    arguments: .none,
    options: [
      .auditOutput, .auditSource, .complete, .decimal, .dateOrder, .zoneAlone, .serialAlone, .clock,
      .insulin, .now, .pump, .only, .include, .zeroBasal, .from, .until, .wait, .auditJSON,
    ],
    examples: [
      Example(
        purpose: "Whether every dose of the archive is in the export, once and unchanged.",
        line: "pumpline audit --output export.zip --source archive.zip --zone America/New_York"),
      Example(
        purpose: "Two archives and a folder, for a program.",
        line: "pumpline audit --json -o samples.csv --zone UTC --source may.zip june.zip downloads"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      guard let output = arguments.value(.auditOutput) else {
        throw RunFailure(
          .usage, what: "no output is named", where: "--output",
          next: "Name the one to look at, such as --output export.zip.")
      }
      let sources = try inputs(arguments.values(.auditSource))
      guard !sources.isEmpty else {
        throw RunFailure(
          .usage, what: "no source is named", where: "--source",
          next: "Name what the output was made of: --source archive.zip. To compare two outputs: "
            + "pumpline diff.")
      }
      _ = try inputs([output] + sources)
      var request = AuditRequest(
        output: output, sources: try ConvertArguments(arguments).sourcesRequest(sources))
      request.sources.tellsProgress = invocation.console.showsProgress
      return try invocation.compare(arguments) { tell, report throws(RunFailure) in
        try invocation.pipeline.audit(request, events: tell, report: report)
      }
    })
}

extension OptionSpec {
  static let auditOutput = OptionSpec(
    long: "output", short: "o", value: .path(form: "a path, or - for standard input"),
    group: .reading, summary: "The output to look at.",
    details: """
      An export.zip or export.xml of Apple Health, or a CSV, SQLite or NDJSON output or a ledger of \
      pumpline.
      """)

  static let auditSource = OptionSpec(
    long: "source",
    value: {
      var value = ValueSpec.path("ARCHIVE", form: "paths of files, folders or archives")
      value.takesAll = true
      return value
    }(),
    isRepeatable: true, group: .reading,
    summary: "What the output was made of: every word up to the next option.")

  static let auditJSON = comparisonJSON
}
