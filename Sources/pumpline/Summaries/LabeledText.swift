/// Lines with a word in the margin that says what they are about.
struct LabeledText {
  /// How it is to look.
  let style: TextStyle
  /// The text so far.
  private(set) var text = ""

  /// How wide the margin is.
  static let margin = 10

  init(style: TextStyle) { self.style = style }

  /// Adds a paragraph; continued lines stand under its first.
  mutating func add(_ label: String, _ paragraph: String) {
    addLines(label, paragraph.wrapped(to: style.width - Self.margin))
  }

  /// Adds a paragraph with a mark before it.
  mutating func add(mark: Character, color: (String) -> String, _ paragraph: String) {
    let lines = paragraph.wrapped(to: style.width - Self.margin - 2)
    for (index, line) in lines.enumerated() {
      addLines("", [(index == 0 ? color(String(mark)) : " ") + " " + line])
    }
  }

  /// Adds lines as they are, which a person may want to copy.
  mutating func addLines(_ label: String, _ lines: [String]) {
    for (index, line) in lines.enumerated() {
      let margin = (index == 0 ? label : "").padded(to: Self.margin)
      text += style.bold(margin) + line + "\n"
    }
  }
}
