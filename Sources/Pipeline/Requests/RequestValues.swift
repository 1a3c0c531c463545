/// Values of requests that are texts of some form, read in one way from command lines and pipeline
/// files.
package enum RequestValue {
  /// A pump's serial number: without spaces, colons, and what moves a cursor; nil if it is none.
  package static func serial(_ text: String) -> String? {
    let isName = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
      default: scalar != ":" && !scalar.properties.isWhitespace
      }
    }
    return isName && !text.isEmpty ? text : nil
  }

  /// Whole seconds of at most a day; nil if the text is anything else.
  package static func waitSeconds(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let seconds = Int(text)
    else { return nil }
    return (0...86_400).contains(seconds) ? seconds : nil
  }

  /// A whole number of days, 1 to 20000; nil if the text is anything else.
  package static func days(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let days = Int(text)
    else { return nil }
    return (1...20_000).contains(days) ? days : nil
  }
}

extension SelectionBound {
  /// Whether nothing can lie between, whatever the zone.
  package func isCertainlyNotBefore(_ other: SelectionBound) -> Bool {
    switch (self, other) {
    case (.day(let left), .day(let right)): left >= right
    case (.instant(let left), .instant(let right)): left >= right
    default: false
    }
  }
}
