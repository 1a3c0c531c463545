import Pipeline

extension CommandSpec {
  /// `pumpline diff`.
  static let diff = CommandSpec(
    name: "diff",
    summary: "Compare the samples of two outputs.",
    details: [
      """
      Each may be an export.zip or export.xml of Apple Health or treatments of Nightscout, whoever wrote \
      them, or a CSV, SQLite or NDJSON output or a ledger of pumpline; what it is, its first bytes tell. \
      Samples are compared by external id where both have it, the rest one to one by type, time and \
      amount.
      """,
      """
      A sample is missing if only the first output has it, extra if only the second has it, changed if \
      both have it and it is not the same, and duplicated where one has it once more than the other. \
      Revisions are not compared: they are history. The exit status is 1 if anything differs or cannot \
      be read as a sample. The answer shows amounts and times.
      """,
    ],
    arguments: ArgumentSpec(
      placeholder: "OUTPUT", summary: "The two outputs; - is standard input.", values: .path,
      count: 2...2),
    options: [.diffInclude, .diffZeroBasal, .wait, .comparisonJSON],
    examples: [
      Example(
        purpose: "Whether an export holds what the table holds.",
        line: "pumpline diff samples.csv export.zip"),
      Example(
        purpose: "What a phone exported, compared with a ledger, for a program.",
        line: "pumpline diff pump.ledger export.zip --json"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      var request = DiffRequest(first: arguments.operands[0], second: arguments.operands[1])
      _ = try inputs(arguments.operands)
      for word in arguments.words(.include) {
        request.selection.include(OutputSelection.Extra(rawValue: word))
      }
      request.selection.keepsZeroBasal = arguments.value(.zeroBasal) == "keep"
      request.waitSeconds = try waitSeconds(of: arguments) ?? request.waitSeconds
      return try invocation.compare(arguments) { tell, report throws(RunFailure) in
        try invocation.pipeline.diff(request, events: tell, report: report)
      }
    })
}

extension OptionSpec {
  static let diffInclude = {
    var option = include
    option.summary = "Compare glucose, or derived basal, of a ledger too."
    option.details = "Files are compared as they are; of a ledger, what outputs show unless asked."
    return option
  }()

  static let diffZeroBasal = {
    var option = zeroBasal
    option.summary = "Whether a ledger shows basal of rate 0; drop unless said."
    return option
  }()

  static let comparisonJSON = json(
    """
    The keys: differences (kind, movedBetweenPumps, fields, first and second, each with externalId, \
    type, device, value, unit, startAt, endAt, zone, metadata and place; rule; events with number, \
    seconds, id, name and places; row with name, source, kind and places), sets (name, form, samples, unreadable and the first of them, \
    rejected), matched (byId, byTime), counts (missing, extra, changed, duplicated), same, and clean \
    where the exit status is 0; those of audit are empty.
    """)
}

extension Invocation {
  /// Runs a comparison and says what came of it, for `diff` and `audit` alike.
  func compare(
    _ arguments: ParsedArguments,
    _ run: (
      _ tell: (RunEvent) -> Void,
      _ report: (ExplainedDifference) throws(RunFailure) -> Void
    ) throws(RunFailure) -> ComparisonSummary
  ) throws(RunFailure) -> ExitStatus {
    if arguments.has(.json) {
      var answer = ComparisonJSON()
      let summary = try run(console.tell) { difference throws(RunFailure) in
        try console.put(answer.text(of: difference))
      }
      try console.put(answer.end(summary))
      return summary.exitStatus
    }
    var text = ComparisonText(style: console.output, isWhole: console.verbosity == .verbose)
    let summary = try run(console.tell) { difference throws(RunFailure) in
      if let lines = text.text(of: difference) { try console.put(lines) }
    }
    try console.put(text.end(summary))
    return summary.exitStatus
  }
}
