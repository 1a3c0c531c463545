import Pipeline
import PumpModel

/// The manual page, in mdoc.
enum ManualPage {
  /// The page of pumpline with all its commands.
  static func text(of commands: [CommandSpec] = Catalog.commands) -> String {
    let head = [
      ".Dd \(Release.date)", ".Dt PUMPLINE 1", ".Os", ".Sh NAME", ".Nm pumpline",
      ".Nd \(macro(Catalog.summary.lowercasedFirst.withoutPeriod))", ".Sh SYNOPSIS",
    ]
    let synopsis = commands.flatMap { command in
      [".Nm", ".Cm \(command.name)", ".Op Ar option ..."]
        + (command.arguments.isNone ? [] : [".Ar \(command.arguments.placeholder)"])
    }
    let lines =
      head + synopsis + [".Sh DESCRIPTION"] + prose(Catalog.summary)
      + commands.flatMap(section) + [".Ss Options of every command"] + list(OptionSpec.shared)
      + [".Sh EXIT STATUS", ".Bl -tag -width 4n"]
      + ExitStatus.allCases.flatMap { [".It \($0.rawValue)"] + prose($0.meaning) } + [".El"]
      + [".Sh EXAMPLES"] + commands.flatMap(\.examples).flatMap(example).dropFirst()
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(_ command: CommandSpec) -> [String] {
    [".Ss pumpline \(command.name)"] + prose(command.summary)
      + command.details.flatMap { [".Pp"] + prose($0) } + list(command.options)
  }

  private static func list(_ options: [OptionSpec]) -> [String] {
    guard !options.isEmpty else { return [] }
    let items = options.flatMap { option in
      let letter = option.short.map { "Fl \($0) , " } ?? ""
      let value =
        option.value.map {
          $0.isOptional
            ? " Ns Op = Ns Ar \(macro($0.placeholder))" : " Ar \(macro($0.placeholder))"
        } ?? ""
      return [".It \(letter)Fl \\-\(macro(option.long))\(value)"] + prose(option.summary)
        + prose(option.explanation)
    }
    return [".Bl -tag -width Ds"] + items + [".El"]
  }

  private static func example(_ example: Example) -> [String] {
    [".Pp"] + prose(example.purpose) + [".Bd -literal"]
      + shellLines(example.line, width: 76).map(escaped) + [".Ed"]
  }

  /// Sentences, each on lines of its own as manuals want it.
  private static func prose(_ text: String) -> [String] {
    var sentences = [""]
    for word in text.split(separator: " ") {
      let isFirst = sentences[sentences.count - 1].isEmpty
      sentences[sentences.count - 1] += (isFirst ? "" : " ") + word
      if word.hasSuffix(".") { sentences.append("") }
    }
    return sentences.flatMap { $0.wrapped(to: 76) }.map(escaped)
  }

  /// Text of a line of its own.
  private static func escaped(_ text: String) -> String {
    let text = text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "±": "\\(+-"
      default: String(character)
      }
    }.joined()
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  /// Text within a macro's line, where punctuation would be taken for something else.
  private static func macro(_ text: String) -> String {
    let text = escaped(text)
    return text.contains { "|,[]():".contains($0) } ? "\"\(text)\"" : text
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
  fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
