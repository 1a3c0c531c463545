import Pipeline

extension CommandSpec {
  /// `pumpline inspect`.
  static let inspect = CommandSpec(
    name: "inspect",
    summary: "Show what is in files, before anything is converted.",
    details: [
      """
      Formats, pumps, the time they cover on the pump's own clock, events by name, clock changes, \
      and a calendar of the days that have records. Needs neither zone nor serial number, writes \
      nothing, and shows no amounts and no person's name.
      """
    ],
    arguments: .inputs, options: [.decimal, .dateOrder, .inspectJSON],
    examples: [
      Example(purpose: "Look into an archive.", line: "pumpline inspect archive.zip"),
      Example(
        purpose: "The same for a program.", line: "pumpline inspect --json downloads logs.json"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let console = invocation.console
      var request = InspectRequest(
        inputs: try inputs(arguments.operands), isJSON: arguments.has(.json))
      request.forms = try ConvertArguments(arguments).forms()
      request.tellsProgress = console.showsProgress
      let summary = try invocation.pipeline.inspect(request, events: console.tell)
      if request.isJSON {
        try console.put(InspectJSON.value(of: summary).text + "\n")
      } else {
        let isWhole = console.verbosity == .verbose
        try console.put(
          InspectText(summary: summary, style: console.output, isWhole: isWhole).text)
      }
      return summary.exitStatus
    })
}

extension OptionSpec {
  /// `--json`, by which it is looked up whatever it says of a command's keys.
  static let json = json("")

  static let inspectJSON = json(
    """
    The keys: documents (name, format, sha256, dataSource, records, rejected, ignored, \
    unknownColumns, missingBodies), unrecognised, pumps (name, assignment, dataSource, serial, \
    model, modelNumber, software, records, spans, clockChanges, events, rows, days), rejected and \
    the first of the rejects. Times are those of the pump's clock and carry no zone.
    """)

  /// `--json` of a command.
  static func json(_ details: String) -> OptionSpec {
    OptionSpec(
      long: "json", group: .writing, summary: "Answer in JSON, with keys that stay.",
      details: details)
  }
}
