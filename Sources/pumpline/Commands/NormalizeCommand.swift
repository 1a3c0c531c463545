import Pipeline

extension CommandSpec {
  /// `pumpline normalize`.
  static let normalize = CommandSpec(
    name: "normalize",
    summary: "Make samples of the lines of decode.",
    details: [
      """
      Reads lines of decode, in any order, sorts them in a temporary file, and writes samples as \
      convert --to samples does: the bytes are the same. A document of which not all lines came is \
      one reject, and nothing of it is used. Lines that cannot be read are rejects too.
      """
    ],
    arguments: .inputsOrNone,
    options: [
      .zoneAlone, .serialAlone, .clock, .insulin, .now, .pump, .only, .include, .from, .until,
      .lines, .report,
    ],
    examples: [
      Example(
        purpose: "Samples of an archive.",
        line: "pumpline decode archive.zip | pumpline normalize --zone America/New_York"),
      Example(
        purpose: "Lines that were kept, with a report of all that was missing or odd.",
        line: "pumpline normalize a.lines b.lines --zone UTC -o day.ndjson --report report.json"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let outputs = [OutputRequest(format: "samples", target: arguments.value(.lines) ?? "-")]
      var lines = ConvertRequest(inputs: try inputsOrNone(of: arguments))
      lines.readsLines = true
      lines.outputs = outputs
      var request = try ConvertArguments(arguments).request(over: lines)
      // What `--output` names is samples, whatever its name tells.
      request.outputs = outputs
      return try invocation.convert(request, arguments)
    })
}
