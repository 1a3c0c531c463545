/// Completion for zsh, by its `_arguments`.
enum ZshCompletion {
  /// The script.
  static func script(for commands: [CommandSpec]) -> String {
    let groups = commandGroups(of: commands)
    let list = firstWords(of: commands).map { word in
      let summary =
        groups.first { $0.name == word }?.summary
        ?? commands.first { $0.name == word }?.summary ?? ""
      return "    '\(word):\(quoted(summary))'"
    }
    return """
      #compdef pumpline
      # Completion of pumpline for zsh.
      _pumpline() {
        local -a commands
        commands=(
      \(list.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local command="$words[2]"
        shift words
        (( CURRENT-- ))
      \(groups.map(groupCase).joined(separator: "\n"))
        case "$command" in
      \(commands.map(commandCase).joined(separator: "\n"))
        esac
      }
      # Loaded by the first completion, the function is to complete at once.
      if [[ "$funcstack[1]" == _pumpline ]]; then
        _pumpline "$@"
      else
        compdef _pumpline pumpline
      fi

      """
  }

  /// Completes the second word of a group, or joins it with the first.
  private static func groupCase(_ group: CommandGroup) -> String {
    let list = group.commands.map { "      '\($0.word):\(quoted($0.summary))'" }
    return """
        if [[ "$command" == \(group.name) ]]; then
          if (( CURRENT == 2 )); then
            commands=(
      \(list.joined(separator: "\n"))
            )
            _describe command commands
            return
          fi
          command="\(group.name) $words[2]"
          shift words
          (( CURRENT-- ))
        fi
      """
  }

  private static func commandCase(_ command: CommandSpec) -> String {
    let specs =
      command.allOptions.flatMap(specs)
      + (command.completedWords.map {
        ["'*:\(command.arguments.placeholder):\(action($0))'"]
      } ?? [])
    return "    '\(command.name)')\n      _arguments -s \\\n"
      + specs.map { "        " + $0 }.joined(separator: " \\\n") + " ;;"
  }

  private static func specs(_ option: OptionSpec) -> [String] {
    let names = [option.name] + [option.short.map { "-\($0)" }].compactMap(\.self)
    return names.map { name in
      let star = option.isRepeatable ? "*" : ""
      let isLong = name.hasPrefix("--")
      let isOptional = option.value?.isOptional == true
      let sign = option.value == nil ? "" : isOptional ? "=-" : isLong ? "=" : "+"
      let colon = isOptional ? "::" : ":"
      let value =
        option.value.map { "\(colon)\(escaped($0.placeholder)):\(action($0))" } ?? ""
      return "'\(star)\(name)\(sign)[\(quoted(option.summary))]\(value)'"
    }
  }

  private static func action(_ value: ValueSpec) -> String {
    guard value.isList, case .choices(let choices) = value.source else {
      return action(value.source)
    }
    return "_values -s , values " + choices.joined(separator: " ")
  }

  private static func action(_ source: ValueSpec.Source) -> String {
    switch source {
    case .choices(let choices): "(\(choices.joined(separator: " ")))"
    case .path: "_files"
    case .file(let endings): "_files -g \"*.(\(endings.joined(separator: "|")))\""
    case .zone: "_time_zone"
    case .text: " "
    }
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
  }

  private static func quoted(_ text: String) -> String {
    text.map { character in
      switch character {
      case "'": "'\\''"
      case "[", "]", ":": "\\\(character)"
      default: String(character)
      }
    }.joined()
  }
}
