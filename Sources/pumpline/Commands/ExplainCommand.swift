import Pipeline
import PumpModel

extension CommandSpec {
  /// `pumpline explain`.
  static let explain = CommandSpec(
    name: "explain",
    summary: "Tell where a sample comes from, or why there is none.",
    details: [
      """
      Shows the sample of an external id, all samples that rest on an event, or all that an instant lies \
      in: what made a sample of which events or of which row of an export, how its amount was worked out, \
      each event with its fields, the documents where it stands and the offset or line, what the pump's \
      clock showed, and how that became a time.
      """,
      """
      If there is no sample, it tells why: of an event the rule, such as a bolus that was cancelled or a \
      rate whose end is not known yet; of a moment whether it lies in a stretch without data, before or \
      after the history, and the events around it.
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
      summary: """
        An external id, an event as NUMBER-SECONDS, or an instant such as 2026-05-04T16:10:04Z.
        """, values: .text,
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
        purpose: "Why an event gave no sample.",
        line: "pumpline explain 4109-578709410 --ledger pump.ledger"),
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
  } else if let event = eventReference(word) {
    subject = .event(event)
  } else if let instant = Instant(rfc3339: word) {
    subject = .moment(instant)
  } else {
    throw RunFailure(
      .usage, what: "\"\(printable(word))\" is neither an external id nor an event nor an instant",
      next: "Give an id as outputs have it, an event as NUMBER-SECONDS, or an instant with Z or an "
        + "offset, such as 2026-05-04T16:10:04Z.")
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

/// Reads `<number>-<pump seconds>`; nil if it is anything else.
private func eventReference(_ word: String) -> EventReference? {
  let parts = word.split(separator: "-", omittingEmptySubsequences: false)
  guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
    let number = UInt32(parts[0]), let seconds = UInt32(parts[1])
  else { return nil }
  return EventReference(number: number, seconds: seconds)
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
    The keys: samples (those of diff; rule, arithmetic, note, events with number, seconds, id, name, \
    fields, wallTime, at, offsetSeconds, placedBy and places, and row with name, source, kind, fields, \
    wallTime, at and places), hidden, holes (pump, startAt, endAt, reason), silentEvents and silentRows \
    (pump, reason, event or row), and surroundings (pump, reason, before, after).
    """)
}
