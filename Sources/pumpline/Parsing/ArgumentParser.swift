import Pipeline

/// Takes command lines apart by the description of the commands.
///
/// The grammar: `--name value`, `--name=value`, `-n value`, `-nvalue`, `-ab`; a value that may be
/// left out needs the equal sign; an option that takes all words up to the next option does so unless
/// its first value stands behind an equal sign; options and words in any order; after `--` everything
/// is a word; `-` is a word. Names are never abbreviated, so that a script goes on meaning the same
/// when options are added.
struct ArgumentParser {
  private let commands: [CommandSpec]
  private var rest: ArraySlice<String>
  private var parsed = ParsedArguments()

  /// Takes arguments apart; the program's own name is not among them.
  ///
  /// Once help was asked for, what is wrong behind it no longer matters.
  static func parse(
    _ arguments: [String], commands: [CommandSpec] = Catalog.commands
  ) throws(RunFailure) -> ParsedArguments {
    var parser = ArgumentParser(commands: commands, rest: arguments[...])
    do {
      try parser.run()
    } catch {
      guard parser.parsed.has(.help) else { throw error }
    }
    return parser.parsed
  }

  private init(commands: [CommandSpec], rest: ArraySlice<String>) {
    self.commands = commands
    self.rest = rest
  }

  private mutating func run() throws(RunFailure) {
    while let argument = rest.popFirst() {
      if argument == "--" {
        while let word = rest.popFirst() { try takeWord(word) }
      } else if argument.hasPrefix("--") {
        try takeLong(argument.dropFirst(2))
      } else if argument.hasPrefix("-"), argument != "-" {
        try takeLetters(argument.dropFirst())
      } else {
        try takeWord(argument)
      }
    }
  }

  private mutating func takeWord(_ word: String) throws(RunFailure) {
    guard parsed.command == nil else {
      parsed.operands.append(word)
      return
    }
    let name = (parsed.group.map { $0 + " " } ?? "") + word
    if let command = commands.first(where: { $0.name == name }) {
      parsed.command = command
    } else if parsed.group == nil, commands.contains(where: { $0.group == word }) {
      parsed.group = word
    } else {
      throw .unknownCommand(name, commands: commands)
    }
  }

  private mutating func takeLong(_ text: Substring) throws(RunFailure) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first ?? ""
    guard let option = options.first(where: { $0.long == name }) else {
      throw unknown("--" + name)
    }
    if option.value == nil {
      guard parts.count == 1 else {
        throw failure("\(option.name) takes no value", next: "Write \(option.name) alone.")
      }
      try add(option, value: nil, isShort: false)
    } else if option.value?.isOptional == true, parts.count == 1 {
      try add(option, value: nil, isShort: false)
    } else {
      let value = if parts.count == 2 { String(parts[1]) } else { try nextValue(of: option) }
      try add(option, value: value, isShort: false)
      if parts.count == 1, option.value?.takesAll == true { try takeRest(of: option) }
    }
  }

  /// Takes words up to the next option as further values.
  private mutating func takeRest(of option: OptionSpec) throws(RunFailure) {
    while let next = rest.first, next == "-" || !next.hasPrefix("-") {
      rest.removeFirst()
      try add(option, value: next, isShort: false)
    }
  }

  private mutating func takeLetters(_ text: Substring) throws(RunFailure) {
    var letters = text
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        throw unknown("-\(letter)")
      }
      guard option.value != nil else {
        try add(option, value: nil, isShort: true)
        continue
      }
      let value = letters.isEmpty ? try nextValue(of: option) : String(letters)
      try add(option, value: value, isShort: true)
      return
    }
  }

  /// The next argument as a value, unless it looks like an option.
  ///
  /// `--ledger --to csv` lacks a path, but a number such as `-0500` is a value.
  private mutating func nextValue(of option: OptionSpec) throws(RunFailure) -> String {
    let form = "It takes \(option.value?.form ?? "a value")."
    guard let next = rest.first else { throw failure("\(option.name) has no value", next: form) }
    let isNumber = next.dropFirst().first?.isNumber == true
    guard next == "-" || !next.hasPrefix("-") || isNumber else {
      throw failure(
        "\(option.name) has no value", next: "\(form) For one with a dash: \(option.name)=\(next)")
    }
    rest.removeFirst()
    return next
  }

  private mutating func add(
    _ option: OptionSpec, value: String?, isShort: Bool
  ) throws(RunFailure) {
    if !option.isRepeatable, option.value != nil, parsed.has(option) {
      throw failure("\(option.name) is given twice", next: "Keep one of the two.")
    }
    if let value { try check(value, of: option) }
    parsed.occurrences.append(.init(long: option.long, value: value, isShort: isShort))
  }

  private func check(_ value: String, of option: OptionSpec) throws(RunFailure) {
    guard let spec = option.value else { return }
    guard !value.isEmpty else {
      throw failure("\(option.name) has an empty value", next: "It takes \(spec.form).")
    }
    guard case .choices(let choices) = spec.source else { return }
    let words =
      spec.isList
      ? value.split(separator: ",", omittingEmptySubsequences: false).map(String.init) : [value]
    for word in words where !choices.contains(word) {
      throw .badValue(word, of: option, near: NearestName.of(word, in: choices))
    }
  }

  /// The options that may stand here: before the command, those of every command.
  private var options: [OptionSpec] { parsed.command?.allOptions ?? OptionSpec.shared }

  private func unknown(_ typed: String) -> RunFailure {
    let place = parsed.command.map { " of \($0.name)" } ?? " before a command"
    let near = NearestName.of(typed, in: options.map(\.name))
    return failure(
      "\(printable(typed)) is no option\(place)", next: near.map { "Did you mean \($0)?" })
  }

  private func failure(_ what: String, next: String?) -> RunFailure {
    let help = (["pumpline"] + [parsed.command?.name].compactMap(\.self) + ["-h"])
    return RunFailure(
      .usage, what: what, next: next ?? "All options: \(help.joined(separator: " "))")
  }
}
