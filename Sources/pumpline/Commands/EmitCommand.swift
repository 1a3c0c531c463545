import Pipeline

extension CommandSpec {
  /// `pumpline emit`.
  static let emit = CommandSpec(
    name: "emit",
    summary: "Write samples in other formats.",
    details: [
      """
      Reads samples as lines of JSON, in any order, and writes what convert would have written: \
      the bytes of Apple Health files, CSV and NDJSON are the same. Of several lines of one id the \
      greatest revision counts, then the last. Lines that cannot be read are rejects.
      """,
      """
      Lines of samples say nothing of zones and of the pump's model, so name the zone, and for \
      Apple Health the account answer. Pump events and rates of zero are not in them either: a \
      SQLite file has samples only.
      """,
    ],
    arguments: .inputsOrNone,
    options: [
      .zoneAlone, .account, .pump, .only, .from, .until, .to, .output, .rejectsReport, .offset,
      .exportDate,
    ],
    examples: [
      Example(
        purpose: "A file for Apple Health.",
        line: "pumpline emit day.ndjson --zone America/New_York --account pumper.json "
          + "-o export.zip"),
      Example(
        purpose: "A table of what is new.",
        line: "pumpline emit new.ndjson --zone UTC --to csv --output -"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      guard try !OutputPairs(arguments).requests().isEmpty else {
        throw RunFailure(
          .usage, what: "nothing is to be written",
          next: "Name an output, such as -o export.zip or --to csv --output -")
      }
      let convert = try ConvertArguments(arguments).request(
        over: ConvertRequest(inputs: try inputsOrNone(of: arguments)))
      var request = EmitRequest(inputs: convert.inputs)
      request.accounts = arguments.values(.account)
      request.zones = convert.zones
      request.outputs = convert.outputs
      request.selection = convert.selection
      // Readings and derived basal are among the lines because somebody asked for them.
      request.selection.includesGlucose = convert.selection.only == nil
      request.selection.includesDerivedBasal = true
      request.report = convert.report
      request.appleHealth = convert.appleHealth
      guard !request.accounts.contains("-") || !request.inputs.contains("-") else {
        throw RunFailure(
          .usage, what: "standard input is named twice", next: "It can be read once; keep one -.")
      }
      let console = invocation.console
      let summary = try invocation.pipeline.emit(request, events: console.tell)
      console.say(
        FilterText(
          summary: summary, what: "sample", report: request.report, style: console.error
        ).text)
      return summary.exitStatus
    })
}

extension OptionSpec {
  static let account = OptionSpec(
    long: "account", value: .path(), isRepeatable: true, group: .reading,
    summary: "Read the model and software of pumps in this account answer (pumper).",
    details: "They are in the device string of an Apple Health file, and nowhere in samples.")
}
