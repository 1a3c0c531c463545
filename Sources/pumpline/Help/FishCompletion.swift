/// Completion for fish.
enum FishCompletion {
  /// The script.
  static func script(for commands: [CommandSpec]) -> String {
    let groups = commandGroups(of: commands)
    let names = firstWords(of: commands).map { word in
      let summary =
        groups.first { $0.name == word }?.summary
        ?? commands.first { $0.name == word }?.summary ?? ""
      return "complete -c pumpline -n __fish_use_subcommand -f -a \(word) -d '\(quoted(summary))'"
    }
    let lines =
      ["# Completion of pumpline for fish."] + names + groups.flatMap(lines)
      + commands.flatMap(lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ group: CommandGroup) -> [String] {
    let words = group.commands.map(\.word).joined(separator: " ")
    return group.commands.map { command in
      "complete -c pumpline -n '__fish_seen_subcommand_from \(group.name); "
        + "and not __fish_seen_subcommand_from \(words)' -f -a \(command.word) "
        + "-d '\(quoted(command.summary))'"
    }
  }

  private static func lines(_ command: CommandSpec) -> [String] {
    let words = command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
    let start = "complete -c pumpline -n '\(words.joined(separator: "; and "))'"
    let options = command.allOptions.map { option in
      let short = option.short.map { " -s \($0)" } ?? ""
      let value = option.value.map { ($0.isOptional ? "" : " -r") + action($0) } ?? ""
      return "\(start)\(short) -l \(option.long)\(value) -d '\(quoted(option.summary))'"
    }
    switch command.completedWords {
    case .choices, .file: return options + [start + action(command.arguments.values)]
    case .path, .zone, .text, nil: return options
    }
  }

  private static func action(_ value: ValueSpec) -> String {
    guard value.isList, case .choices(let choices) = value.source else {
      return action(value.source)
    }
    return " -f -a '(__fish_append , \(choices.joined(separator: " ")))'"
  }

  private static func action(_ source: ValueSpec.Source) -> String {
    switch source {
    case .choices(let choices): " -f -a '\(choices.joined(separator: " "))'"
    case .path: " -F"
    case .file(let endings):
      // It puts these files first and offers the others after them.
      " -k -f -a '(\(endings.map { "__fish_complete_suffix .\($0)" }.joined(separator: "; ")))'"
    case .zone: " -f -a '(\(quoted(Shell.zoneNames)))'"
    case .text: " -f"
    }
  }

  private static func quoted(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
  }
}
