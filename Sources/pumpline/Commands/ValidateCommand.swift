import Pipeline

extension CommandSpec {
  /// `pumpline validate`.
  static let validate = CommandSpec(
    name: "validate",
    summary: "Check pipeline files without running them.",
    details: [
      """
      Every problem is told with line and column and, where there is one, the key or value that was \
      probably meant. No input, ledger or output is touched.
      """
    ],
    arguments: ArgumentSpec(
      placeholder: "FILE", summary: "A pipeline file, or a folder with files that end in .yaml.",
      values: .file(endings: ["yaml", "yml"]), count: 1...Int.max),
    options: [
      .json("The keys: valid (true or false), files (file, problems (line, column, what, next)).")
    ],
    examples: [
      Example(purpose: "All files of a folder.", line: "pumpline validate Pipelines"),
      Example(purpose: "The same for a program.", line: "pumpline validate --json nightly.yaml"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let summary = try invocation.pipeline.validate(ValidateRequest(paths: arguments.operands))
      let console = invocation.console
      if arguments.has(.json) {
        try console.put(ValidateJSON.value(of: summary).text + "\n")
      } else {
        try console.put(
          ValidateText(
            summary: summary, style: console.output, isQuiet: console.verbosity == .quiet
          ).text)
      }
      return summary.exitStatus
    })
}
