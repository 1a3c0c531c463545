import Pipeline
import PumpModel

extension CommandSpec {
  /// `pumpline audit`.
  static let audit = CommandSpec(
    name: "audit",
    summary: "Look for what is wrong in an output, and prove it against its archives.",
    details: [
      """
      By itself, an output is looked at for what none can rightly hold: basal that overlaps, rates and \
      amounts that no pump gives, samples in the future, doses and ids that stand twice, ids that \
      contradict their samples, damaged databases, tables and documents. Docs/Findings.md explains each finding.
      """,
      """
      With --source it also makes the samples of the sources again, as convert does, in a private ledger that is gone \
      afterwards, and compares the output with them: what is missing, extra, changed or duplicated. \
      Each difference is told with the events or the row of an export that the sample rests on, the \
      documents where they stand and the offset or line, and what makes a sample of them. Nothing is asked of a network, and nothing is \
      written but the page that --html names.
      """,
      """
      Say what the run was told that made the output: zones, serial number, and which samples. The \
      output may be another program's, such as an export of Apple Health that holds another app's \
      insulin, or treatments of Nightscout: then samples are compared one to one by time and amount, within \
      a minute and 0.005 IU. \
      The exit status is 1 if anything differs, cannot be read, or is found that weighs enough. The \
      answer shows amounts and times.
      """,
    ],
    arguments: .none,
    options: [
      .auditOutput, .auditSource, .failOn, .accept, .html, .complete, .decimal, .dateOrder,
      .zoneAlone, .serialAlone, .clock, .insulin, .now, .pump, .only, .include, .zeroBasal, .from,
      .until, .wait, .auditJSON,
    ],
    examples: [
      Example(
        purpose: "Whether every dose of the archive is in the export, once and unchanged.",
        line: "pumpline audit --output export.zip --source archive.zip --zone America/New_York"),
      Example(
        purpose: "An output by itself, strictly.",
        line: "pumpline audit --output samples.csv --fail-on warning"),
      Example(
        purpose: "A page to look at, with what was looked at before accepted.",
        line: "pumpline audit --html audit.html --accept accepted.yaml -o export.zip "
          + "--zone America/New_York --source archive.zip"),
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
      _ = try inputs([output] + sources)
      var request = AuditRequest(
        output: output, sources: try ConvertArguments(arguments).sourcesRequest(sources))
      request.failsOn = arguments.value(.failOn).flatMap(Severity.init) ?? request.failsOn
      request.accepted = arguments.value(.accept)
      request.page = arguments.value(.html)
      request.tellsDays = invocation.console.showsPlots && !arguments.has(.json)
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
      An export.zip or export.xml of Apple Health, treatments of Nightscout, or a CSV, SQLite or NDJSON \
      output or a ledger of pumpline.
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

  static let failOn = OptionSpec(
    long: "fail-on", value: .choice([Severity.error.rawValue, Severity.warning.rawValue]),
    group: .reading, summary: "From which weight on findings end with 1; error unless said.",
    details: "Differences, rejects and what cannot be read always do.")

  static let accept = OptionSpec(
    long: "accept", value: .path(), group: .reading,
    summary: "A file of findings that are accepted, each with its reason.",
    details: """
      A list under accept; each entry has a code, a reason, and a pump and a day where it is not meant \
      for all. Accepted findings are shown apart and never lead to 1. Docs/Audit.md has an example.
      """)

  static let html = OptionSpec(
    long: "html", value: .path(), group: .writing,
    summary: "Write the audit as one page that needs nothing but itself.",
    details: """
      What was read, findings with links to their days, coverage, insulin and carbs per day, a view of \
      each day, and the pump's clock. It opens without a network, prints, and holds health data, so only \
      its owner can read it.
      """)

  static let auditJSON = json(
    """
    The keys of diff, with rejected parts of the sources, and beside them: findings of the output (code, \
    severity, count and the first), sourceFindings (of each weight: count and the first), accepted (code, pump, day, \
    reason, line, idle, count and the first), pending and \
    holes of the sources.
    """)
}
