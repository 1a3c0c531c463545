import Pipeline

/// Help in the terminal: the short form for those who know, the long one as the manual.
struct HelpPage {
  /// How it is to look.
  var style: TextStyle
  /// Whether details are shown.
  var isLong: Bool

  /// The page of a command, or of pumpline as a whole.
  func text(for command: CommandSpec?) -> String {
    let sections = command.map(commandSections) ?? overviewSections()
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private func overviewSections() -> [[String]] {
    let commands = Catalog.commands.map { entry($0.name, $0.summary, details: "") }
    let more = "More: pumpline help COMMAND"
    return [
      Catalog.summary.wrapped(to: style.width),
      ["\(style.bold("Usage:")) pumpline COMMAND [OPTION...]"],
      [style.bold("Commands")] + commands.flatMap(\.self),
      optionSection(.talking, OptionSpec.shared),
      exampleSection(Catalog.commands.prefix(2).compactMap(\.examples.first)),
    ] + (isLong ? [exitSection()] : []) + [[more]]
  }

  private func commandSections(_ command: CommandSpec) -> [[String]] {
    let details = isLong ? command.details.map { $0.wrapped(to: style.width) } : []
    let arguments = command.arguments
    let options = OptionSpec.Group.allCases.map { group in
      optionSection(group, command.explainedOptions.filter { $0.group == group })
    }
    let examples = isLong ? command.examples : Array(command.examples.prefix(1))
    let more = "More: pumpline help \(command.name)"
    return [command.summary.wrapped(to: style.width)]
      + [["\(style.bold("Usage:")) \(command.usage)"]] + details
      + (arguments.isNone ? [] : [entry(arguments.usage, arguments.summary, details: "")])
      + options + [exampleSection(examples)] + [isLong ? exitSection() : [more]]
  }

  private func optionSection(_ group: OptionSpec.Group, _ options: [OptionSpec]) -> [String] {
    guard !options.isEmpty else { return [] }
    return [style.bold(group.rawValue)]
      + options.flatMap { option in
        let letterless = option.short == nil ? "    " : ""
        return entry(letterless + option.usage, option.summary, details: option.explanation)
      }
  }

  private func exampleSection(_ examples: [Example]) -> [String] {
    [style.bold(examples.count == 1 ? "Example" : "Examples")]
      + examples.flatMap { example in
        ["  \(style.dim("# " + example.purpose))"] + shellLines(example.line, width: style.width)
      }
  }

  private func exitSection() -> [String] {
    [style.bold("Exit status")]
      + ExitStatus.allCases.flatMap { status in
        entry(String(status.rawValue).leftPadded(to: 3), status.meaning, details: "", column: 7)
      }
  }

  /// A name with its text beside it, or below where the name is long.
  private func entry(
    _ name: String, _ summary: String, details: String, column: Int = 26
  ) -> [String] {
    let indent = String(repeating: " ", count: column)
    let texts = [summary] + (isLong && !details.isEmpty ? [details] : [])
    var lines = texts.flatMap { $0.wrapped(to: style.width - column) }.map { indent + $0 }
    let head = "  " + name
    if head.count + 2 <= column, let first = lines.first {
      lines[0] = head.padded(to: column) + first.dropFirst(column)
    } else {
      lines.insert(head, at: 0)
    }
    return lines
  }
}

/// A command line over as many lines as it needs, cut before options so that it can be copied.
func shellLines(_ line: String, width: Int) -> [String] {
  var lines: [String] = []
  var current = "  "
  for part in shellParts(line) {
    if current.count + 1 + part.count + 2 > width, current.count > 2 {
      lines.append(current + " \\")
      current = "     "
    }
    current += (current.last == " " ? "" : " ") + part
  }
  return lines + [current]
}

/// The words of a command line, each option joined with the word that follows it.
private func shellParts(_ line: String) -> [String] {
  var parts: [String] = []
  var previous = ""
  for word in line.split(separator: " ").map(String.init) {
    if previous.hasPrefix("-"), !word.hasPrefix("-"), let last = parts.popLast() {
      parts.append(last + " " + word)
    } else {
      parts.append(word)
    }
    previous = word
  }
  return parts
}

extension CommandSpec {
  /// The usage line.
  var usage: String {
    "pumpline \(name) [OPTION...]" + (arguments.isNone ? "" : " \(arguments.usage)")
  }
}
