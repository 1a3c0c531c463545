/// Completion for fish.
enum FishCompletion {
  /// The script.
  static func script(for commands: [CommandSpec]) -> String {
    let names = commands.map {
      "complete -c pumpline -n __fish_use_subcommand -f -a \($0.name) -d '\(quoted($0.summary))'"
    }
    let lines = ["# Completion of pumpline for fish."] + names + commands.flatMap(lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ command: CommandSpec) -> [String] {
    let start = "complete -c pumpline -n '__fish_seen_subcommand_from \(command.name)'"
    let options = command.allOptions.map { option in
      let short = option.short.map { " -s \($0)" } ?? ""
      let value = option.value.map { " -r" + action($0.source) } ?? ""
      return "\(start)\(short) -l \(option.long)\(value) -d '\(quoted(option.summary))'"
    }
    guard case .choices(let choices) = command.arguments.values else { return options }
    return options + ["\(start) -f -a '\(choices.joined(separator: " "))'"]
  }

  private static func action(_ source: ValueSpec.Source) -> String {
    switch source {
    case .choices(let choices): " -f -a '\(choices.joined(separator: " "))'"
    case .path: " -F"
    case .text: " -f"
    }
  }

  private static func quoted(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
  }
}
