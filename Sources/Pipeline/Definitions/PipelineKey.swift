import Platform

/// A key of pipeline files as data: the reader, its errors and `Docs/Pipelines.md` follow from it.
package struct PipelineKey: Sendable {
  /// The word before the colon.
  package let name: String
  /// What it says, in one sentence.
  package let summary: String
  /// What may follow the colon.
  package let kind: Kind
  /// Is done where the key stands, whatever follows; such a key needs nothing behind it, and its name
  /// alone may stand in the place of the keys of its section.
  var begin: (@Sendable (inout PipelineDraft, YAMLMark) -> Void)?

  /// What may follow the colon of a key.
  package indirect enum Kind: Sendable {
    /// Keys.
    case keys([PipelineKey])
    /// A list whose elements are keys.
    case elements([PipelineKey], begin: @Sendable (inout PipelineDraft) -> Void)
    /// One value or, if it is a list, one or several.
    case value(PipelineValue)
  }
}

/// What a key takes as a value.
package struct PipelineValue: Sendable {
  /// Its form, to end a sentence that begins with "It takes".
  package let form: String
  /// The words that it may be; empty: anything of the form.
  package let choices: [String]
  /// Whether several may be given as a list.
  package let isList: Bool
  /// Puts a value where it belongs; false if it is not of the form.
  let take: @Sendable (inout PipelineDraft, PipelineWord) -> Bool
}

/// A value as it stands in a file.
struct PipelineWord {
  let text: String
  let mark: YAMLMark
}

/// What a pipeline file has said so far, with the places that later checks name.
package struct PipelineDraft {
  /// The folder of the file, with a slash at its end; empty: the working directory.
  let folder: String
  var request = ConvertRequest(inputs: [])
  var tests: [String] = []
  /// What was said of a live account.
  var account = AccountDraft()
  /// Where each of these stands.
  var zoneMarks: [(zone: ZoneArgument, mark: YAMLMark)] = []
  var targetMarks: [(target: String, mark: YAMLMark)] = []
  var untilMark: YAMLMark?
  /// Where a demo was asked for.
  var demoMark: YAMLMark?

  init(folder: String) { self.folder = folder }

  /// A path of the file as one of the working directory; nil if it is none.
  ///
  /// Relative ones count from the file's folder. Nothing expands `~` here, so it is refused
  /// rather than made a folder of that name.
  func path(_ text: String) -> String? {
    guard !text.isEmpty, text != "~", !text.hasPrefix("~/") else { return nil }
    return text.hasPrefix("/") ? text : folder + text
  }

  /// A path, or `-` for a standard stream.
  func pathOrStream(_ text: String) -> String? { text == "-" ? text : path(text) }
}
