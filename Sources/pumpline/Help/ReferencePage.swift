import Pipeline

/// `Docs/CLI.md`: everything about the command line, for people who read before they type.
enum ReferencePage {
  /// The page.
  static func text(of commands: [CommandSpec] = Catalog.commands) -> String {
    let parts =
      [
        "# The command line",
        Catalog.summary
          + " Data goes to standard output, everything else to standard error; `-` names either "
          + "standard stream. Options may stand anywhere, `--name=value` and `--name value` are the "
          + "same, and after `--` everything is an input. Names are never abbreviated.",
        "This page is made from the description of the commands in `Sources/pumpline`; a test "
          + "compares the two.",
        commands.map { "- [`pumpline \($0.name)`](#pumpline-\($0.slug)): \($0.summary)" }
          .joined(separator: "\n"),
      ] + commands.flatMap(sections) + shared + [exitStatuses]
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func sections(of command: CommandSpec) -> [String] {
    let groups = OptionSpec.Group.allCases.compactMap { group -> String? in
      let options = command.options.filter { $0.group == group }
      return options.isEmpty ? nil : "### \(group.rawValue)\n\n\(list(options))"
    }
    return ["## pumpline \(command.name)", "```\n\(command.usage)\n```", command.summary]
      + command.details
      + (command.arguments.isNone
        ? [] : ["`\(command.arguments.usage)`: \(command.arguments.summary)"]) + groups
      + ["### Examples"] + command.examples.map(example)
  }

  private static func list(_ options: [OptionSpec]) -> String {
    options.map { option in
      let repeats = option.isRepeatable ? " May be repeated." : ""
      let details = option.explanation.isEmpty ? "" : " " + option.explanation
      return "- `\(option.usage)`: \(option.summary)\(repeats)\(details)"
    }.joined(separator: "\n")
  }

  private static func example(_ example: Example) -> String {
    let lines = shellLines(example.line, width: 92).map { $0.dropFirst(2) }.joined(separator: "\n")
    return "\(example.purpose)\n\n```sh\n\(lines)\n```"
  }

  private static var shared: [String] { ["## Options of every command", list(OptionSpec.shared)] }

  private static var exitStatuses: String {
    "## Exit status\n\n| status | meaning |\n|---|---|\n"
      + ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }.joined(separator: "\n")
  }
}
