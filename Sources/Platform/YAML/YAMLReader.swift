/// Reads a strict subset of YAML into a tree: mappings, sequences and scalars of one document.
///
/// Anchors, aliases, tags, directives, merge keys, keys that are no words, keys that stand twice
/// and further documents are errors, so that a file means what it shows. Size and depth are
/// bounded, so that no file costs more than it says.
package struct YAMLReader {
  /// How many bytes a file may have.
  package static let maximalBytes = 64 << 10
  /// How deep values may lie in each other.
  package static let maximalDepth = 16
  /// How many bytes one scalar may have.
  package static let maximalScalarBytes = 4 << 10

  private let parser: YAMLParser
  private var event: YAMLEvent

  /// Reads a text.
  ///
  /// - Throws: `YAMLError` with the first place that is wrong.
  package static func read(_ bytes: [UInt8]) throws(YAMLError) -> YAMLNode {
    guard bytes.count <= maximalBytes else {
      throw YAMLError(
        "the file is larger than \(maximalBytes >> 10) KiB", at: YAMLMark(line: 1, column: 1))
    }
    var reader = try YAMLReader(bytes)
    return try reader.readDocument()
  }

  private init(_ bytes: [UInt8]) throws(YAMLError) {
    parser = try YAMLParser(bytes)
    event = try parser.next()
  }

  private mutating func readDocument() throws(YAMLError) -> YAMLNode {
    try advance()
    guard case .documentStart(let hasDirectives) = event.kind else {
      throw YAMLError("the file says nothing", at: event.mark)
    }
    if hasDirectives { throw YAMLError("a line that begins with % is not read", at: event.mark) }
    try advance()
    let node = try readNode(depth: 1)
    // What was a node is followed by the document's end; another document may follow that.
    try advance()
    try advance()
    guard case .streamEnd = event.kind else {
      throw YAMLError("a second document begins", at: event.mark)
    }
    return node
  }

  private mutating func advance() throws(YAMLError) { event = try parser.next() }

  /// The node that the current event begins; afterwards the current event is its last.
  private mutating func readNode(depth: Int) throws(YAMLError) -> YAMLNode {
    let mark = event.mark
    if let mention = event.mention { throw YAMLError(mention, at: mark) }
    guard depth <= Self.maximalDepth else {
      throw YAMLError("values lie in each other more than \(Self.maximalDepth) deep", at: mark)
    }
    switch event.kind {
    case .scalar(let text):
      try check(text, at: mark)
      return YAMLNode(content: .scalar(text), mark: mark)
    case .sequenceStart: return YAMLNode(content: try readSequence(depth: depth), mark: mark)
    case .mappingStart: return YAMLNode(content: try readMapping(depth: depth), mark: mark)
    default: throw YAMLError("a value is missing", at: mark)
    }
  }

  private func check(_ text: String, at mark: YAMLMark) throws(YAMLError) {
    guard text.utf8.count <= Self.maximalScalarBytes else {
      throw YAMLError("a text is longer than \(Self.maximalScalarBytes >> 10) KiB", at: mark)
    }
    // Escapes such as "\0" can say what the file itself must not hold.
    guard !text.unicodeScalars.contains(where: { $0.value == 0 }) else {
      throw YAMLError("a text holds a NUL", at: mark)
    }
  }

  private mutating func readSequence(depth: Int) throws(YAMLError) -> YAMLNode.Content {
    var nodes: [YAMLNode] = []
    while true {
      try advance()
      if case .sequenceEnd = event.kind { return .sequence(nodes) }
      nodes.append(try readNode(depth: depth + 1))
    }
  }

  private mutating func readMapping(depth: Int) throws(YAMLError) -> YAMLNode.Content {
    var entries: [YAMLNode.Entry] = []
    var places: [String: YAMLMark] = [:]
    while true {
      try advance()
      if case .mappingEnd = event.kind { return .mapping(entries) }
      let mark = event.mark
      if let mention = event.mention { throw YAMLError(mention, at: mark) }
      guard case .scalar(let key) = event.kind else {
        throw YAMLError("a key must be a word", at: mark)
      }
      try check(key, at: mark)
      guard key != "<<" else { throw YAMLError("merge keys (<<) are not read", at: mark) }
      if let first = places.updateValue(mark, forKey: key) {
        throw YAMLError("the key stands twice, first in line \(first.line)", at: mark)
      }
      try advance()
      entries.append(
        YAMLNode.Entry(key: key, mark: mark, value: try readNode(depth: depth + 1)))
    }
  }
}
