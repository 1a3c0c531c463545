import Pipeline
import Platform
import PumpModel

/// One run of the program, with all that it touches handed in.
struct Invocation {
  /// Who does the work.
  let pipeline: any PipelineCommands
  /// The terminal around it.
  let surroundings: Surroundings
  /// Where it speaks.
  private(set) var console: Console

  /// Creates an invocation that writes through a closure.
  init(
    pipeline: any PipelineCommands, surroundings: Surroundings,
    write: @escaping (String, Terminal.Stream) -> Terminal.WriteResult,
    readLine: @escaping () -> String? = { nil }, readSecret: @escaping () -> String? = { nil }
  ) {
    self.pipeline = pipeline
    self.surroundings = surroundings
    console = Console(
      surroundings, nil, write: write, readLine: readLine, readSecret: readSecret)
  }

  /// Does what the arguments ask; the program's own name is not among them.
  mutating func run(_ arguments: [String]) -> ExitStatus {
    do throws(RunFailure) {
      // What was no UTF-8 has been replaced, and two different names could have become one.
      if arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
        throw RunFailure(
          .usage, what: "an argument is not UTF-8 text", next: "Rename the file, and try again.")
      }
      let parsed = try ArgumentParser.parse(arguments)
      console = Console(
        surroundings, parsed, write: console.write, readLine: console.readLine,
        readSecret: console.readSecret)
      return try run(parsed)
    } catch {
      console.report(error)
      return error.exitStatus
    }
  }

  private func run(_ parsed: ParsedArguments) throws(RunFailure) -> ExitStatus {
    if let help = parsed.occurrences.first(where: { $0.long == OptionSpec.help.long }) {
      try console.put(
        HelpPage(style: console.output, isLong: !help.isShort).text(for: parsed.command))
      return .ok
    }
    if parsed.has(.version) {
      try console.put("pumpline \(Release.version)\n")
      return .ok
    }
    guard let command = parsed.command else {
      if let group = parsed.group {
        let words = Catalog.commands.filter { $0.group == group }.map(\.word)
        throw RunFailure(
          .usage, what: "\(group) needs a word that says what to do",
          next: "Its words are \(listed(words, "and")): pumpline \(group) \(words[0])")
      }
      _ = console.write(HelpPage(style: console.error, isLong: false).text(for: nil), .error)
      return .usage
    }
    if parsed.has(.quiet), parsed.has(.verbose) {
      throw RunFailure(
        .usage, what: "--quiet and --verbose contradict each other", next: "Keep one of the two.")
    }
    try checkCount(of: parsed.operands, command)
    return try command.run(self, parsed)
  }

  private func checkCount(of words: [String], _ command: CommandSpec) throws(RunFailure) {
    let arguments = command.arguments
    guard !arguments.count.contains(words.count) else { return }
    let isMissing = words.count < arguments.count.lowerBound
    throw RunFailure(
      .usage,
      what: isMissing
        ? "\(command.name) needs a word for \(arguments.placeholder)"
        : "\"\(words[arguments.count.upperBound])\" is one word too many for \(command.name)",
      next: "Usage: \(command.usage)")
  }
}
