/// An option as data.
struct OptionSpec: Sendable {
  /// Its name without the dashes.
  var long: String
  /// Its letter, if it has one.
  var short: Character?
  /// What it takes; nil: it is on or off.
  var value: ValueSpec?
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// Under which heading help shows it.
  var group: Group
  /// What it does, in one sentence.
  var summary: String
  /// What else a person should know, for `--help` and manuals; may be empty.
  var details = ""

  /// Its details, with the form of its value where the placeholder does not show it.
  var explanation: String {
    guard let value, value.source == .text || value.source == .zone else { return details }
    return ["It takes \(value.form).", details].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// How a person names it.
  var name: String { "--" + long }

  /// How help shows it, such as `-o, --output FILE`.
  var usage: String {
    let letter = short.map { "-\($0), " } ?? ""
    guard let value else { return letter + name }
    if value.isOptional { return letter + name + "[=\(value.placeholder)]" }
    return letter + name + " " + value.placeholder + (value.takesAll ? "..." : "")
  }

  /// The headings of help; raw values are their words.
  enum Group: String, Sendable, CaseIterable {
    case account = "Account"
    case reading = "Reading"
    case time = "Time and pump"
    case selection = "Which samples"
    case writing = "Writing"
    case talking = "Everywhere"
  }
}

/// What an option takes.
struct ValueSpec: Sendable {
  /// The word that stands for it in help.
  var placeholder: String
  /// Its form, to end a sentence that begins with "It takes".
  var form: String
  /// Where its values come from.
  var source: Source
  /// Whether several may be joined by commas.
  var isList = false
  /// Whether the option may stand alone; its value then needs the equal sign.
  var isOptional = false
  /// Whether all words up to the next option are values of it.
  var takesAll = false

  /// Where values come from: what the parser checks and completions offer.
  enum Source: Sendable, Equatable {
    /// One of a few words.
    case choices([String])
    /// A path of the file system.
    case path
    /// A path to a file whose name ends in one of these, without the dot.
    case file(endings: [String])
    /// The name of a time zone.
    case zone
    /// Anything; the command checks it.
    case text
  }

  /// A value that is one of a few words.
  static func choice(_ words: [String], isList: Bool = false) -> ValueSpec {
    ValueSpec(
      placeholder: words.joined(separator: isList ? "," : "|"),
      form: isList && words.count > 1
        ? "any of \(listed(words, "and")), joined by commas" : listed(words, "or"),
      source: .choices(words), isList: isList)
  }

  /// A value that is one of a few words, under a name since they are too many for a usage line.
  static func choice(_ placeholder: String, _ words: [String]) -> ValueSpec {
    ValueSpec(placeholder: placeholder, form: listed(words, "or"), source: .choices(words))
  }

  /// A path.
  static func path(_ placeholder: String = "FILE", form: String = "a path") -> ValueSpec {
    ValueSpec(placeholder: placeholder, form: form, source: .path)
  }

  /// A text of some form.
  static func text(_ placeholder: String, form: String) -> ValueSpec {
    ValueSpec(placeholder: placeholder, form: form, source: .text)
  }
}

/// Words as a sentence lists them: `a, b or c`.
func listed(_ words: [String], _ conjunction: String) -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
}
