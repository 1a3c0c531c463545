import Pipeline

extension CommandSpec {
  /// `pumpline convert`.
  static let convert = CommandSpec(
    name: "convert",
    summary: "Turn pump history into insulin and carb samples.",
    details: [
      """
      Reads what you have saved from Tandem Source, in any mix and order: pump-logs and pumper \
      answers, a browser's HAR capture, the older service's pumpevents, raw records; as files, in \
      folders, inside zip, tar, gz, zst, xz and 7z archives, or on standard input. Content, not the \
      name, tells what a file is. Nothing is ever unpacked to disk.
      """,
      """
      The samples depend on what was read and on the settings, and on nothing else: not on order, \
      overlap, repetition, or the host's zone and clock. Amounts are what the pump delivered, not \
      what was asked for.
      """,
    ],
    arguments: .inputs, options: OptionSpec.convertOptions,
    examples: [
      Example(
        purpose: "A saved archive, as a file for Apple Health.",
        line: "pumpline convert archive.zip --zone America/New_York -o export.zip"),
      Example(
        purpose: "Several outputs and a report, with a ledger that remembers.",
        line: "pumpline convert downloads --ledger pump.ledger --zone Europe/Berlin "
          + "--to csv --output pump.csv --to sqlite --output pump.db --report report.json"),
      Example(
        purpose: "A trip: from the tenth of May on, the pump's clock showed Berlin's time.",
        line: "pumpline convert logs.json --zone America/New_York "
          + "--zone Europe/Berlin@2026-05-10T16:00 -o export.zip"),
      Example(
        purpose: "The boluses of May, through a pipe.",
        line: "pumpline convert - --zone UTC --only bolus --from 2026-05-01 --until 2026-06-01 "
          + "--to samples --output -"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      try invocation.convert(try ConvertArguments(arguments).request(), arguments)
    })
}

extension Invocation {
  /// Runs a request and says what came of it, for `convert` and `run` alike.
  func convert(
    _ request: ConvertRequest, _ arguments: ParsedArguments
  ) throws(RunFailure) -> ExitStatus {
    var request = request
    request.tellsProgress = console.showsProgress
    let summary = try pipeline.convert(request, events: console.tell)
    if arguments.has(.json) {
      try console.put(ConvertJSON.value(of: summary, request).text + "\n")
    } else {
      console.say(ConvertText(summary: summary, request: request, style: console.error).text)
    }
    return summary.exitStatus
  }
}

extension ArgumentSpec {
  /// What `convert` and `inspect` read.
  static let inputs = ArgumentSpec(
    placeholder: "INPUT", summary: "A file, folder or archive; - is standard input.",
    values: .path, count: 1...Int.max)
}
