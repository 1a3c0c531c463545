/// Completion for bash; needs nothing but bash.
enum BashCompletion {
  /// The script.
  static func script(for commands: [CommandSpec]) -> String {
    """
    # Completion of pumpline for bash.
    # The last of words that are joined by commas.
    _pumpline_list() {
      local before=""
      [[ "$1" == *,* ]] && before="${1%,*},"
      COMPREPLY=($(compgen -P "$before" -W "$2" -- "${1##*,}"))
    }
    _pumpline() {
      local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="" i
      COMPREPLY=()
      # In --name=value the equal sign is a word of its own.
      if [[ "$word" == "=" ]]; then
        word=""
      elif [[ "$previous" == "=" ]]; then
        previous="${COMP_WORDS[COMP_CWORD-2]}"
      fi
      for ((i = 1; i < COMP_CWORD; i++)); do
        case "${COMP_WORDS[i]}" in
          \(commands.filter { $0.group == nil }.map(\.name).joined(separator: "|"))) \
    command="${COMP_WORDS[i]}"; break ;;
    \(commandGroups(of: commands).map(groupCase).joined(separator: "\n"))
        esac
      done
      case "$command $previous" in
    \((valueCases(OptionSpec.shared, of: "") + commands.flatMap(valueCases))
      .joined(separator: "\n"))
      esac
      case "$command" in
    \(commands.map(commandCase).joined(separator: "\n"))
    \(commandGroups(of: commands).map(groupReply).joined(separator: "\n"))
        *) COMPREPLY=($(compgen -W "\(words(firstWords(of: commands) + names(OptionSpec.shared)))" \
    -- "$word")) ;;
      esac
    }
    complete -o filenames -F _pumpline pumpline

    """
  }

  private static func valueCases(_ command: CommandSpec) -> [String] {
    valueCases(command.allOptions, of: command.name)
  }

  private static func valueCases(_ options: [OptionSpec], of command: String) -> [String] {
    options.compactMap { option in
      guard let value = option.value, !value.isOptional else { return nil }
      let names = ([option.name] + [option.short.map { "-\($0)" }].compactMap(\.self))
      let pattern = names.map { "\"\(command) \($0)\"" }.joined(separator: "|")
      return "    \(pattern)) \(reply(value)); return ;;"
    }
  }

  /// Joins a group's word with the one after it, once that is typed.
  private static func groupCase(_ group: CommandGroup) -> String {
    """
          \(group.name)) command="\(group.name)"
            if ((i + 1 < COMP_CWORD)); then command="\(group.name) ${COMP_WORDS[i+1]}"; fi
            break ;;
    """
  }

  private static func groupReply(_ group: CommandGroup) -> String {
    "    \(group.name)) \(reply(.choices(group.commands.map(\.word)))) ;;"
  }

  private static func commandCase(_ command: CommandSpec) -> String {
    """
        "\(command.name)")
          if [[ "$word" == -* ]]; then
            \(reply(.choices(names(command.allOptions))))
          else
            \(reply(command.completedWords ?? .text))
          fi ;;
    """
  }

  private static func reply(_ value: ValueSpec) -> String {
    guard value.isList, case .choices(let choices) = value.source else {
      return reply(value.source)
    }
    return "_pumpline_list \"$word\" \"\(words(choices))\""
  }

  private static func reply(_ source: ValueSpec.Source) -> String {
    switch source {
    case .choices(let choices): "COMPREPLY=($(compgen -W \"\(words(choices))\" -- \"$word\"))"
    case .path: "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
    case .file(let endings):
      "mapfile -t COMPREPLY < <(compgen -d -- \"$word\"; "
        + endings.map { "compgen -f -X '!*.\($0)' -- \"$word\"" }.joined(separator: "; ") + ")"
    case .zone: "COMPREPLY=($(compgen -W \"$(\(Shell.zoneNames))\" -- \"$word\"))"
    case .text: "COMPREPLY=()"
    }
  }

  private static func names(_ options: [OptionSpec]) -> [String] { options.map(\.name) }

  /// Words to choose from, each once: a name of two words is two of them.
  private static func words(_ words: [String]) -> String {
    var unique: [String] = []
    for word in words.flatMap({ $0.split(separator: " ").map(String.init) })
    where !unique.contains(word) { unique.append(word) }
    return unique.joined(separator: " ")
  }
}
