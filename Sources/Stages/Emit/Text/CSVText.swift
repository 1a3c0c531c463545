/// Text inside a field of a CSV file (RFC 4180).
enum CSVText {
  /// The UTF-8 bytes of a field, quoted where it must be.
  ///
  /// A spreadsheet takes text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for
  /// a formula and runs it. Such text gets an apostrophe before it and quotes around it; numbers
  /// do not come through here.
  static func field(_ text: String) -> [UInt8] {
    let isFormula = isFormulaLike(text)
    guard isFormula || text.utf8.contains(where: needsQuotes) else { return Array(text.utf8) }
    var bytes: [UInt8] = [quote]
    if isFormula { bytes.append(UInt8(ascii: "'")) }
    bytes += doubled(text)
    bytes.append(quote)
    return bytes
  }

  /// Whether a field with this text must stand in quotes.
  static func mustBeQuoted(_ text: String) -> Bool { text.utf8.contains(where: needsQuotes) }

  /// The UTF-8 bytes of a text between quotes.
  static func doubled(_ text: String) -> [UInt8] {
    text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
  }

  private static let quote = UInt8(ascii: "\"")

  private static func isFormulaLike(_ text: String) -> Bool {
    switch text.utf8.first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
      UInt8(ascii: "\t"), UInt8(ascii: "\r"):
      true
    default: false
    }
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    byte == quote || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "\r")
  }
}
