import Pipeline

/// A command as data: parser, help, manual, completions and `Docs/CLI.md` are made from this one
/// value.
struct CommandSpec: Sendable {
  /// The word that is typed, or two: a group's and its own.
  var name: String
  /// What it does, in one sentence.
  var summary: String
  /// What else a person should know: paragraphs, for `--help` and manuals.
  var details: [String]
  /// What it takes beside options.
  var arguments: ArgumentSpec
  /// Its own options; those of `OptionSpec.shared` come on top.
  var options: [OptionSpec]
  /// Options that another command explains, so that help need not say everything twice.
  var borrowed: [OptionSpec] = []
  /// Lines to copy; at least one.
  var examples: [Example]
  /// Does it.
  var run: @Sendable (Invocation, ParsedArguments) throws(RunFailure) -> ExitStatus

  /// The first word of a name of two; nil if it is one word.
  var group: String? {
    let words = name.split(separator: " ")
    return words.count > 1 ? String(words[0]) : nil
  }

  /// The word that names it within its group.
  var word: String { String(name.split(separator: " ").last ?? "") }

  /// Its name where spaces cannot stand: in names of files and places in a page.
  var slug: String { name.replacing(" ", with: "-") }

  /// All options that may be typed.
  var allOptions: [OptionSpec] { options + borrowed + OptionSpec.shared }

  /// What completions offer where no option and no value of one stands: its words, or further values
  /// of an option that takes all words; nil if there are neither.
  var completedWords: ValueSpec.Source? {
    arguments.isNone
      ? options.compactMap(\.value).first { $0.takesAll }?.source : arguments.values
  }

  /// The options that its help explains.
  var explainedOptions: [OptionSpec] { options + OptionSpec.shared }
}

/// The words that a command takes beside options.
struct ArgumentSpec: Sendable {
  /// How help names one of them.
  var placeholder: String
  /// What they are, in one sentence.
  var summary: String
  /// What completions offer.
  var values: ValueSpec.Source
  /// How many there may be.
  var count: ClosedRange<Int>

  /// No words at all.
  static let none = ArgumentSpec(
    placeholder: "", summary: "There are only options.", values: .text, count: 0...0)

  /// Whether there are no words.
  var isNone: Bool { count.upperBound == 0 }

  /// The words as a usage line shows them.
  var usage: String {
    if isNone { return "" }
    let name = placeholder + (count.upperBound > 1 ? "..." : "")
    return count.lowerBound > 0 ? name : "[\(name)]"
  }
}

/// A line to copy, with what it is for.
struct Example: Sendable {
  /// What it does, in one sentence.
  var purpose: String
  /// The line, beginning with `pumpline`.
  var line: String
}
