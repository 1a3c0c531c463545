/// How text for one stream is to look.
struct TextStyle: Sendable, Equatable {
  /// Whether colours and weights may be used.
  var isColored = false
  /// Whether characters beyond ASCII may be used.
  var isUnicode = true
  /// How many columns a line may have.
  var width = 80

  /// Text that stands out.
  func bold(_ text: String) -> String { marked(text, "1") }
  /// Text that steps back.
  func dim(_ text: String) -> String { marked(text, "2") }
  /// Text of an error.
  func red(_ text: String) -> String { marked(text, "31") }
  /// Text of success.
  func green(_ text: String) -> String { marked(text, "32") }
  /// Text of a warning.
  func yellow(_ text: String) -> String { marked(text, "33") }

  private func marked(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// A text from outside with everything taken out that could move a terminal's cursor or turn its
/// line around.
func printable(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
        default: scalar
        }
      }))
}

/// A count with a comma between thousands, whatever the locale.
func grouped(_ count: Int) -> String {
  var text = ""
  for (index, digit) in String(count.magnitude).reversed().enumerated() {
    if index > 0, index.isMultiple(of: 3) { text.append(",") }
    text.append(digit)
  }
  return (count < 0 ? "-" : "") + String(text.reversed())
}

/// A count with its noun, in the plural where it is not 1.
func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
}

extension String {
  /// The text with spaces after it up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text with spaces before it up to a width.
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// The text in lines of at most a width; a longer word has a line of its own.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
