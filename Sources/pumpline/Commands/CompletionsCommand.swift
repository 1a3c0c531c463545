import Pipeline

extension CommandSpec {
  /// `pumpline completions`.
  static let completions = CommandSpec(
    name: "completions",
    summary: "Print what makes a shell complete pumpline's commands and options.",
    details: [],
    arguments: ArgumentSpec(
      placeholder: "SHELL", summary: "The shell: bash, zsh or fish.",
      values: .choices(Shell.allCases.map(\.rawValue)), count: 1...1),
    options: [],
    examples: [
      Example(
        purpose: "For fish.",
        line: "pumpline completions fish > ~/.config/fish/completions/pumpline.fish"),
      Example(
        purpose: "For bash, in this session.", line: "source <(pumpline completions bash)"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let name = arguments.operands[0]
      guard let shell = Shell(rawValue: name) else {
        throw RunFailure(
          .usage, what: "there are no completions for \(printable(name))",
          next: "The shells are \(listed(Shell.allCases.map(\.rawValue), "and")).")
      }
      try invocation.console.put(shell.script(for: Catalog.commands))
      return .ok
    })
}
