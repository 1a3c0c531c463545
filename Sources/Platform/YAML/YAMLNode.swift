/// A value of a YAML file and where it stands.
package struct YAMLNode: Sendable, Equatable {
  /// What it is.
  package let content: Content
  /// Where it begins.
  package let mark: YAMLMark

  /// Creates a node.
  package init(content: Content, mark: YAMLMark) {
    self.content = content
    self.mark = mark
  }

  /// What a node is; scalars stay text until a schema says what they mean.
  package enum Content: Sendable, Equatable {
    /// A word, a number, a text.
    case scalar(String)
    /// A list.
    case sequence([YAMLNode])
    /// Keys with values, in the order of the file; no key stands twice.
    case mapping([Entry])
  }

  /// A key with its value.
  package struct Entry: Sendable, Equatable {
    /// The key.
    package let key: String
    /// Where the key begins.
    package let mark: YAMLMark
    /// Its value.
    package let value: YAMLNode

    /// Creates an entry.
    package init(key: String, mark: YAMLMark, value: YAMLNode) {
      self.key = key
      self.mark = mark
      self.value = value
    }
  }
}

/// A place in a text, as editors count.
package struct YAMLMark: Sendable, Hashable, Comparable {
  /// The line, from 1.
  package let line: Int
  /// The column in characters, from 1.
  package let column: Int

  /// Creates a mark.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Orders marks as a reader meets them.
  package static func < (left: YAMLMark, right: YAMLMark) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// Why a text is not of the subset of YAML that is read.
///
/// Keys may be shown, values never are.
package struct YAMLError: Error, Sendable, Equatable {
  /// Where.
  package let mark: YAMLMark
  /// What is wrong: a clause without a period.
  package let reason: String

  /// Creates an error.
  package init(_ reason: String, at mark: YAMLMark) {
    self.reason = reason
    self.mark = mark
  }
}
