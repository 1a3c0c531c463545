/// Commands whose names begin with one word.
struct CommandGroup {
  /// The word.
  var name: String
  /// The commands, in the order in which help shows them.
  var commands: [CommandSpec]

  /// What completions say of the word.
  var summary: String { "Commands: \(listed(commands.map(\.word), "and"))." }
}

/// The groups of commands, in the order in which help shows them.
func commandGroups(of commands: [CommandSpec]) -> [CommandGroup] {
  firstWords(of: commands).compactMap { word in
    let members = commands.filter { $0.group == word }
    return members.isEmpty ? nil : CommandGroup(name: word, commands: members)
  }
}

/// The words that a command line may begin with.
func firstWords(of commands: [CommandSpec]) -> [String] {
  var words: [String] = []
  for command in commands {
    let word = command.group ?? command.name
    if !words.contains(word) { words.append(word) }
  }
  return words
}
