import Pipeline

extension CommandSpec {
  /// `pumpline decode`.
  static let decode = CommandSpec(
    name: "decode",
    summary: "Write every record and row of the inputs as a line of JSON.",
    details: [
      """
      Reads all that convert reads, and needs neither zone nor serial number. Each line tells what \
      it is in its first key: document, event, row, pump, estimate, reject or ignored. An input \
      that is damaged, missing or no pump data is a reject among the lines, and the others are \
      read on. Of a damaged document there is no other line.
      """,
      """
      The lines may be split, joined and put in any order; normalize makes samples of them. See \
      Docs/Filters.md for their keys.
      """,
    ],
    arguments: .inputsOrNone, options: [.complete, .decimal, .dateOrder, .lines],
    examples: [
      Example(
        purpose: "How often the pump wrote what.",
        line: "pumpline decode archive.zip | jq -r 'select(.record == \"event\").name' | sort "
          + "| uniq -c"),
      Example(
        purpose: "Lines to keep, of everything in a folder.",
        line: "pumpline decode downloads -o downloads.lines"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      var request = DecodeRequest(inputs: try inputsOrNone(of: arguments))
      request.forms = try ConvertArguments(arguments).forms()
      request.isComplete = arguments.has(.complete)
      request.output = arguments.value(.lines) ?? "-"
      let console = invocation.console
      // Standard output may be the same terminal.
      request.tellsProgress = console.showsProgress && request.output != "-"
      let summary = try invocation.pipeline.decode(request, events: console.tell)
      console.say(
        FilterText(
          summary: summary, what: "record", report: nil, style: console.error
        ).text)
      return summary.exitStatus
    })
}

extension ArgumentSpec {
  /// What filters read.
  static let inputsOrNone = ArgumentSpec(
    placeholder: "INPUT",
    summary: "A file, folder or archive; - is standard input, and so is no input at all.",
    values: .path, count: 0...Int.max)
}

/// The inputs as they were typed; standard input if there are none.
func inputsOrNone(of arguments: ParsedArguments) throws(RunFailure) -> [String] {
  let inputs = try inputs(arguments.operands)
  return inputs.isEmpty ? ["-"] : inputs
}

extension OptionSpec {
  /// Where a filter writes.
  static let lines = OptionSpec(
    long: "output", short: "o", value: .path(), group: .writing,
    summary: "Write the lines to a file; to standard output unless said.",
    details: "The file is readable for you alone, and is replaced as a whole or not at all.")

  /// The report of a filter whose data goes to standard output.
  static let rejectsReport = OptionSpec(
    long: "report", value: .path(), group: .writing,
    summary: "Write a JSON report of the lines that were rejected, and of what changed.")
}
