import Pipeline

extension CommandSpec {
  /// `pumpline run`.
  static let run = CommandSpec(
    name: "run",
    summary: "Do what a pipeline file says.",
    details: [
      """
      A pipeline file is a run of convert written down: what is read, the zones, the ledger, the \
      outputs; Docs/Pipelines.md has all keys. Relative paths in it count from the file's own folder, wherever it is started, so \
      that it always finds the same ledger; paths that are typed count from the working directory.
      """,
      """
      Every option of convert, and of pull where the source is tandem-source, may be given as well and takes the place of what the file says; an \
      option that may be repeated replaces all that the file names of its kind.
      """,
    ],
    arguments: ArgumentSpec(
      placeholder: "PIPELINE",
      summary: "A pipeline file; every option of convert takes the place of what it says.",
      values: .file(endings: ["yaml", "yml"]), count: 1...1),
    options: [.input],
    borrowed: OptionSpec.convertOptions + OptionSpec.loginOptions + OptionSpec.pullOptions,
    examples: [
      Example(
        purpose: "An archive that was saved just now, by a ready definition.",
        line: "pumpline run Pipelines/archive-to-health.yaml --input archive.zip "
          + "--zone America/New_York"),
      Example(
        purpose: "What tonight's run would change.",
        line: "pumpline run nightly.yaml --dry-run"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let path = arguments.operands[0]
      let definition = try invocation.pipeline.definition(at: path)
      if let pull = definition.pull, !arguments.has(.input) {
        return try invocation.pull(try pullRequest(over: pull, invocation, arguments), arguments)
      }
      var request = definition.request
      if arguments.has(.input) {
        request.inputs = arguments.values(.input)
        request.demo = nil
      }
      request.inputs = try inputs(request.inputs)
      guard request.hasSource else {
        throw RunFailure(
          .usage, what: "the pipeline names no inputs", where: path,
          next: "Name what is to be read with --input, or under source in the file.")
      }
      return try invocation.convert(
        try ConvertArguments(arguments).request(over: request), arguments)
    })
}

/// What a pipeline file says of a pull, with what was typed in its place.
private func pullRequest(
  over definition: PullRequest, _ invocation: Invocation, _ arguments: ParsedArguments
) throws(RunFailure) -> PullRequest {
  var request = try PullArguments(arguments).request(over: definition)
  request.convert = try ConvertArguments(arguments).request(over: definition.convert)
  request.login = try LoginArguments(arguments).request(
    invocation.console, over: definition.login)
  return request
}

extension OptionSpec {
  static let input = OptionSpec(
    long: "input",
    value: .path("INPUT", form: "a file, folder or archive, or - for standard input"),
    isRepeatable: true, group: .reading,
    summary: "Read this in place of the inputs that the file names.")
}
