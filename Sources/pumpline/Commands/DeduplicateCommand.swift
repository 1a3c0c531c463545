import Pipeline

extension CommandSpec {
  /// `pumpline deduplicate`.
  static let deduplicate = CommandSpec(
    name: "deduplicate",
    summary: "Write the samples that are new or changed, each once.",
    details: [
      """
      Reads samples as lines of JSON, as normalize and convert --to samples write them, compares \
      each with what the ledger holds under its external id, and writes those that are fresh or \
      revised, with their revision. A sample that is not among the lines stays as it is: nothing \
      is ever withdrawn. Of several lines of one id the greatest revision counts, then the last.
      """,
      """
      Without a ledger the lines are compared with each other only. A ledger of samples is of a \
      kind of its own: convert refuses it. If the reader of standard output goes away, the ledger \
      keeps nothing, and the next run writes the same again.
      """,
    ],
    arguments: .inputsOrNone,
    options: [.sampleLedger, .wait, .all, .lines, .rejectsReport],
    examples: [
      Example(
        purpose: "What tonight's samples add to those that were sent before.",
        line: "pumpline deduplicate tonight.ndjson --ledger sent.ledger > new.ndjson"),
      Example(
        purpose: "Samples of several files, each once.",
        line: "pumpline deduplicate a.ndjson b.ndjson -o all.ndjson"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      var request = DeduplicateRequest(inputs: try inputsOrNone(of: arguments))
      request.ledger = arguments.value(.sampleLedger)
      request.writesAll = arguments.has(.all)
      request.output = arguments.value(.lines) ?? "-"
      request.report = arguments.value(.rejectsReport)
      request.waitSeconds = try waitSeconds(of: arguments) ?? request.waitSeconds
      guard request.ledger != "-" else {
        throw RunFailure(
          .usage, what: "a ledger cannot be standard output", next: "Name a file: --ledger FILE")
      }
      try checkApart([request.ledger, request.output, request.report])
      let console = invocation.console
      let summary = try invocation.pipeline.deduplicate(request, events: console.tell)
      console.say(
        FilterText(
          summary: summary, what: "sample", report: request.report, style: console.error
        ).text)
      return summary.exitStatus
    })
}

/// Refuses two things that would be written to one place, and a file that is standard output.
func checkApart(_ targets: [String?]) throws(RunFailure) {
  let files = targets.compactMap(\.self)
  for (index, target) in files.enumerated() where files[..<index].contains(target) {
    throw RunFailure(
      .usage, what: "two things would be written to one place",
      where: target == "-" ? "standard output" : target,
      next: "Give each output, the report and the ledger a place of its own.")
  }
}

extension OptionSpec {
  static let sampleLedger = OptionSpec(
    long: "ledger", value: .path(), group: .writing,
    summary: "Keep in this file what was written, so that later runs write only what is new.",
    details: "The first run makes it, readable for you alone.")

  static let all = OptionSpec(
    long: "all", group: .writing,
    summary: "Write all samples of the ledger, not only the new and changed ones.")
}
