/// A JSON value whose keys stay in the order they were given.
indirect enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case string(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  /// A text, or null.
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A count.
  static func count(_ count: Int) -> JSONValue { .integer(Int64(count)) }

  /// The JSON text, two spaces a level; an object without objects or lists in it is one line.
  var text: String {
    var text = ""
    write(to: &text, indent: "")
    return text
  }

  private func write(to text: inout String, indent: String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let number): text += String(number)
    case .string(let string): Self.write(string, to: &text)
    case .array(let values):
      Self.write(values, to: &text, indent: indent, brackets: ("[", "]"), isFlat: false) {
        $0.write(to: &$1, indent: $2)
      }
    case .object(let members):
      Self.write(
        members, to: &text, indent: indent, brackets: ("{", "}"),
        isFlat: members.allSatisfy { $0.value.isSimple }
      ) { member, text, indent in
        Self.write(member.key, to: &text)
        text += ": "
        member.value.write(to: &text, indent: indent)
      }
    }
  }

  private var isSimple: Bool {
    switch self {
    case .null, .boolean, .integer, .string: true
    case .array, .object: false
    }
  }

  private static func write<Element>(
    _ elements: [Element], to text: inout String, indent: String, brackets: (String, String),
    isFlat: Bool, element: (Element, inout String, String) -> Void
  ) {
    let inner = indent + "  "
    text += brackets.0
    for (index, value) in elements.enumerated() {
      if index > 0 { text += isFlat ? ", " : "," }
      if !isFlat { text += "\n" + inner }
      element(value, &text, inner)
    }
    if !isFlat, !elements.isEmpty { text += "\n" + indent }
    text += brackets.1
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where scalar.properties.generalCategory == .control:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
