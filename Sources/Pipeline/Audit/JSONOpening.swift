import PumpModel

/// What the first characters of a text of JSON say of an output.
struct JSONOpening {
  /// The first characters, from the first that is no white space on.
  private let start: Substring

  /// Takes the first characters.
  init(_ head: String) { start = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" } }

  /// The form of the output; nil if it is none.
  var form: OutputForm? {
    let isOfTreatments = start.contains("\"created_at\"") && !start.contains("\"startAt\"")
    if start.hasPrefix("[") { return isOfTreatments || isEmptyList ? .nightscout : nil }
    guard start.hasPrefix("{") else { return nil }
    return isOfTreatments || isAnswer ? .nightscout : .samples
  }

  /// Whether it is a list of nothing, and nothing else.
  var isEmptyList: Bool {
    start.hasPrefix("[")
      && start.dropFirst().filter { !$0.isWhitespace }.elementsEqual("]")
  }

  /// Whether each line is a treatment of its own.
  var areLines: Bool { start.hasPrefix("{") && !isAnswer }

  /// Whether it is the answer of a service, with the list under a name.
  private var isAnswer: Bool {
    start.hasPrefix("{") && start.prefix { $0 != "[" }.contains("\"result\"")
  }
}
