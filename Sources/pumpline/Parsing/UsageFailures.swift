import Pipeline

/// What is wrong with a command line, in the words that a person reads.
extension RunFailure {
  /// A word that should be a command.
  static func unknownCommand(_ word: String, commands: [CommandSpec]) -> RunFailure {
    let names = commands.map(\.name)
    let near = NearestName.of(word, in: names).map { "Did you mean \($0)?" }
    return RunFailure(
      .usage, what: "\(printable(word)) is no command",
      next: near ?? "The commands are \(listed(names, "and")).")
  }

  /// A value that an option cannot take.
  static func badValue(
    _ value: String, of option: OptionSpec, near: String? = nil
  ) -> RunFailure {
    let question = near.map { "Did you mean \($0)? " } ?? ""
    return RunFailure(
      .usage, what: "\(option.name) cannot be \"\(printable(value))\"",
      next: "\(question)It takes \(option.value?.form ?? "no value").")
  }
}
