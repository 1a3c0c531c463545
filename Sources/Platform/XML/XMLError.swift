/// Why a document is not read as XML.
///
/// It shows nothing of the document but a line.
package struct XMLError: Error, Equatable, Sendable {
  /// What kind of thing is wrong.
  package let kind: Kind
  /// The line, counted from 1.
  package let line: Int

  /// Creates an error.
  package init(_ kind: Kind, line: Int) {
    self.kind = kind
    self.line = line
  }

  /// What kind of thing is wrong.
  package enum Kind: Equatable, Sendable {
    /// It is not well formed; the number is libxml2's.
    case malformed(code: Int)
    /// It ends too early.
    case cut
    /// It declares entities.
    case declaresEntities
    /// It has two document types.
    case severalTypes
    /// What stands before its first element is longer than any export has it.
    case longProlog
    /// Its elements lie deeper in each other than those of any export.
    case tooDeep
    /// There was no memory for the parser.
    case outOfMemory
  }

  /// What is wrong, in words that follow the name of a thing.
  package var reason: String {
    switch kind {
    case .malformed(let code): "is not well formed in line \(line) (libxml2 error \(code))"
    case .cut: "is cut off in line \(line)"
    case .declaresEntities:
      "declares entities in line \(line), which no export does and which are not read"
    case .severalTypes: "has a second document type in line \(line)"
    case .longProlog: "has a document type of more than 1 MiB"
    case .tooDeep: "has elements too deep in each other in line \(line)"
    case .outOfMemory: "needs more memory than there is"
    }
  }
}
