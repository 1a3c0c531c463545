import Pipeline
import PumpModel

extension CommandSpec {
  /// `pumpline explain`.
  static let explain = CommandSpec(
    name: "explain",
    summary: "Tell where a sample comes from, or what holds at a moment.",
    details: [
      """
      Shows the sample of an external id, or all samples that an instant lies in: what made a sample of \
      which events, how its amount was worked out, each event with its fields, the documents and \
      offsets where it stands, what the pump's clock showed, and how that became a time. Of a moment \
      it also tells whether the pump said nothing then.
      """,
      """
      The samples are made of sources, as convert makes them, or a ledger is asked, which says \
      everything but offsets. Write the id or the instant before --source, which takes every word up \
      to the next option. Nothing is written, and the exit status is 1 if there is nothing to explain. \
      The answer shows amounts and times.
      """,
    ],
    arguments: ArgumentSpec(
      placeholder: "ID|TIME",
      summary: "An external id, or an instant such as 2026-05-04T16:10:04Z.", values: .text,
      count: 1...1),
    options: [
      .explainSource, .explainLedger, .complete, .decimal, .dateOrder, .zoneAlone, .serialAlone,
      .clock, .insulin, .now, .wait, .explainJSON,
    ],
    examples: [
      Example(
        purpose: "Why a bolus is what it is.",
        line: "pumpline explain tandem:90000001:4112-578709541:bolus --source archive.zip "
          + "--zone America/New_York"),
      Example(
        purpose: "What a ledger knows of a moment.",
        line: "pumpline explain 2026-05-04T16:10:04Z --ledger pump.ledger"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let console = invocation.console
      var request = try explainRequest(arguments)
      request.sources.tellsProgress = console.showsProgress
      let explanation = try invocation.pipeline.explain(request, events: console.tell)
      if arguments.has(.json) {
        try console.put(ExplanationJSON.value(of: explanation).text + "\n")
      } else {
        try console.put(
          ExplanationText(explanation: explanation, request: request, style: console.output).text)
      }
      return explanation.exitStatus
    })
}

private func explainRequest(_ arguments: ParsedArguments) throws(RunFailure) -> ExplainRequest {
  let word = arguments.operands[0]
  let subject: ExplainRequest.Subject
  if WrittenSample.isExternalID(word) {
    subject = .sample(word)
  } else if let instant = Instant(rfc3339: word) {
    subject = .moment(instant)
  } else {
    throw RunFailure(
      .usage, what: "\"\(printable(word))\" is neither an external id nor an instant",
      next: "Give an id as outputs have it, or an instant such as 2026-05-04T16:10:04Z.")
  }
  let sources = try inputs(arguments.values(.explainSource))
  guard sources.isEmpty != arguments.values(.explainLedger).isEmpty else {
    throw RunFailure(
      .usage,
      what: sources.isEmpty
        ? "neither sources nor a ledger are named" : "a ledger needs no sources",
      next: "Give one of --source ARCHIVE and --ledger FILE.")
  }
  var request = try ConvertArguments(arguments).sourcesRequest(sources)
  request.ledger = arguments.value(.explainLedger)
  return ExplainRequest(subject: subject, sources: request)
}

extension OptionSpec {
  static let explainSource = {
    var option = auditSource
    option.summary = "What samples are made of: every word up to the next option."
    return option
  }()

  static let explainLedger = OptionSpec(
    long: "ledger", value: .path(), group: .reading, summary: "The ledger that is asked.")

  static let explainJSON = json(
    """
    The keys: samples (those of diff; rule, arithmetic, and events with number, seconds, id, name, \
    fields, wallTime, at, offsetSeconds, placedBy and places), hidden, and holes (pump, startAt, endAt, \
    reason).
    """)
}
