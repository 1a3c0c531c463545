import Platform

/// Where a document, or something that holds documents, was found.
package struct DocumentPlace: Sendable, Equatable {
  /// Which of the walker's inputs it belongs to, counted from 0.
  package let input: Int
  /// The name for people, such as `a.zip › b.json`; safe to print.
  package let name: String
  /// Whether it was named on the command line or is standard input itself, and does not lie in an
  /// archive or a folder.
  ///
  /// One document compressed on its own, `a.json.gz`, is the document that was named.
  package let isDirect: Bool

  /// Creates a place; the name is made safe to print.
  init(input: Int, name: String, isDirect: Bool) {
    self.input = input
    self.name = printable(name)
    self.isDirect = isDirect
  }

  /// The place of a file in a folder.
  func file(at path: FilePath) -> DocumentPlace {
    DocumentPlace(input: input, name: path.text, isDirect: false)
  }

  /// The place of an archive's member.
  func member(_ name: String) -> DocumentPlace {
    DocumentPlace(
      input: input, name: "\(self.name) › \(name.isEmpty ? "?" : name)", isDirect: false)
  }
}

/// Names come from outside: what would move a terminal's cursor or turn its text around is shown
/// as a replacement character, and what is longer than any real name is cut.
private func printable(_ name: String) -> String {
  var text = String.UnicodeScalarView()
  for scalar in name.unicodeScalars.prefix(1024) {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
      text.append("\u{FFFD}")
    default: text.append(scalar)
    }
  }
  return String(text)
}
