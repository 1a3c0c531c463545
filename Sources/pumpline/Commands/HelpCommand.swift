import Pipeline

extension CommandSpec {
  /// `pumpline help`.
  static let help = CommandSpec(
    name: "help",
    summary: "Show the manual of pumpline or of one command.",
    details: [],
    arguments: ArgumentSpec(
      placeholder: "COMMAND", summary: "The command to explain.",
      values: .choices([
        "convert", "pull", "login", "run", "validate", "inspect", "ledger status", "ledger totals",
        "ledger verify", "ledger export", "ledger forget", "audit", "diff", "explain", "decode",
        "normalize", "deduplicate",
        "emit", "demo",
        "completions", "help",
      ]), count: 0...2),
    options: [],
    examples: [
      Example(purpose: "All about convert.", line: "pumpline help convert")
    ],
    run: { invocation, arguments throws(RunFailure) in
      let page = HelpPage(style: invocation.console.output, isLong: true)
      let name = arguments.operands.joined(separator: " ")
      guard !name.isEmpty else {
        try invocation.console.put(page.text(for: nil))
        return .ok
      }
      guard let command = Catalog.command(named: name) else {
        throw .unknownCommand(name, commands: Catalog.commands)
      }
      try invocation.console.put(page.text(for: command))
      return .ok
    })
}
