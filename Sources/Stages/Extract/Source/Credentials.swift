/// What a login is made with; it lives in memory, and never shows itself.
package struct Credentials: Sendable, Equatable {
  /// The account's e-mail address.
  package let email: String
  /// Its password.
  package let password: String

  /// Creates credentials; nil if one of them is empty.
  package init?(email: String, password: String) {
    guard !email.isEmpty, !password.isEmpty else { return nil }
    self.email = email
    self.password = password
  }

  /// Why a text holds no credentials.
  package enum Fault: Error, Sendable, Equatable {
    /// It is not UTF-8.
    case notText
    /// A line, counted from 1, is neither of the two, nor empty, nor a comment.
    case line(Int)
    /// A key stands there twice.
    case twice(String)
    /// A key is missing, or there is nothing behind it.
    case missing(String)
  }

  private static let emailKey = "TANDEM_EMAIL"
  private static let passwordKey = "TANDEM_PASSWORD"

  /// Reads the lines `TANDEM_EMAIL=` and `TANDEM_PASSWORD=`: all behind the first `=` is meant as
  /// it stands, quotes, spaces, number signs and dollars included; a line that begins with `#` is a
  /// comment.
  package init(lines bytes: [UInt8]) throws(Fault) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
    var values: [String: String] = [:]
    // Line by line as bytes: Swift takes a return with its line feed for one character.
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = line.last == 0x0D ? line.dropLast() : line
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { throw .line(index + 1) }
      let key = String(decoding: line[..<equals], as: UTF8.self)
      guard key == Self.emailKey || key == Self.passwordKey else { throw .line(index + 1) }
      guard values[key] == nil else { throw .twice(key) }
      values[key] = String(decoding: line[line.index(after: equals)...], as: UTF8.self)
    }
    for key in [Self.emailKey, Self.passwordKey] where (values[key] ?? "").isEmpty {
      throw .missing(key)
    }
    email = values[Self.emailKey] ?? ""
    password = values[Self.passwordKey] ?? ""
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A word that tells nothing.
  package var description: String { "credentials" }
  /// A word that tells nothing.
  package var debugDescription: String { description }
  /// Nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
