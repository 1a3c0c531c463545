/// Why a line of NDJSON cannot be used; texts name keys of ours, never what stood in the line.
package enum LineFault: Error, Sendable, Equatable {
  /// The line is longer than `LineReader.longestLine`.
  case tooLong
  /// The line is no UTF-8.
  case notUTF8
  /// The line is no JSON object, or one with lists and objects too deep in each other.
  case notAnObject
  /// A key that must be there is not.
  case missing(String)
  /// A key stands twice.
  case doubled(String)
  /// A key has a value of the wrong kind, form or size.
  case unusable(String)
  /// Two keys contradict each other.
  case contradiction(String, String)
  /// The line says what this version does not know.
  case unknown(String)

  /// The fault in words.
  package var reason: String {
    switch self {
    case .tooLong: "a line of more than 4 MiB"
    case .notUTF8: "the line is not UTF-8"
    case .notAnObject: "the line is no JSON object"
    case .missing(let key): "\(key) is missing"
    case .doubled(let key): "\(key) stands twice"
    case .unusable(let key): "\(key) cannot be used"
    case .contradiction(let key, let other): "\(key) and \(other) contradict each other"
    case .unknown(let what): "\(what) is not known to this version"
    }
  }
}
