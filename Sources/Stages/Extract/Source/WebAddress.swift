/// An address of the web, taken apart strictly: what is odd is no address.
package struct WebAddress: Sendable, Equatable {
  /// Whether it is `https` and not `http`.
  package let isSecure: Bool
  /// The host in lower case.
  package let host: String
  /// The port; nil: the scheme's own.
  package let port: Int?
  /// The path, empty or with a slash before it.
  package let path: String
  /// What follows the question mark, as it is written; nil without one.
  package let query: String?

  private init(isSecure: Bool, host: String, port: Int?, path: String, query: String?) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  /// A secure address of a host alone.
  init(https host: String) {
    self.init(isSecure: true, host: host, port: nil, path: "", query: nil)
  }

  /// Takes an address apart; nil unless it is `http` or `https` with a plain host, without a user
  /// in it; what follows a `#` is dropped.
  package init?(_ text: String) {
    guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
    else { return nil }
    let rest = text.dropFirst(scheme.count).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard let (host, port) = Self.split(authority) else { return nil }
    let target = rest[authority.endIndex...]
    let path = target.prefix { $0 != "?" }
    let query = path.endIndex < target.endIndex ? target[path.endIndex...].dropFirst() : nil
    self.init(
      isSecure: scheme == "https://", host: host, port: port,
      path: path == "/" ? "" : String(path), query: query.map(String.init))
  }

  /// The address that a `Location` names, counted from this one; nil if it is none.
  package func resolving(_ location: String) -> WebAddress? {
    if location.hasPrefix("//") { return WebAddress((isSecure ? "https:" : "http:") + location) }
    if location.hasPrefix("/") { return WebAddress(origin + location) }
    return WebAddress(location)
  }

  private static func split(_ authority: Substring) -> (host: String, port: Int?)? {
    let isBracketed = authority.hasPrefix("[")
    let host =
      isBracketed
      ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    let rest = authority.dropFirst(host.count)
    let isPlain = host.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: isBracketed ? "[]:".utf8.contains(byte) : "-.".utf8.contains(byte)
      }
    }
    guard isPlain, !host.isEmpty, authority.hasPrefix(host) else { return nil }
    guard !rest.isEmpty else { return (host.lowercased(), nil) }
    guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65_535).contains(port),
      rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return (host.lowercased(), port)
  }

  /// Scheme, host and port, as the header `Origin` writes them.
  package var origin: String {
    let isUsual = port == nil || port == (isSecure ? 443 : 80)
    return (isSecure ? "https://" : "http://") + host + (isUsual ? "" : ":\(port ?? 0)")
  }

  /// The whole address.
  package var text: String { origin + path + (query.map { "?" + $0 } ?? "") }

  /// The address with a path added to its own, and a query.
  package func appending(_ path: String, query: [(String, String)] = []) -> WebAddress {
    WebAddress(
      isSecure: isSecure, host: host, port: port, path: self.path + path,
      query: query.isEmpty ? nil : FormText.encoded(query))
  }

  /// The value of a key of the query; nil if it is not there.
  package func value(of key: String) -> String? {
    guard let query else { return nil }
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.first.map({ FormText.decoded($0) }) == key, parts.count == 2 {
        return FormText.decoded(parts[1])
      }
    }
    return nil
  }

  /// Whether credentials may go there: Tandem's hosts, by a secure connection, and this computer.
  package var isAllowed: Bool {
    if isLoopback { return true }
    return isSecure && (host == "tandemdiabetes.com" || host.hasSuffix(".tandemdiabetes.com"))
  }

  private var isLoopback: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isIPv4 =
      parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in part.utf8.count <= 3 && UInt8(part) != nil }
    return isIPv4 || host == "localhost" || host == "[::1]"
  }
}

/// Texts as forms and queries write them.
enum FormText {
  /// Pairs, joined.
  static func encoded(_ pairs: [(String, String)]) -> String {
    pairs.map { encoded($0.0) + "=" + encoded($0.1) }.joined(separator: "&")
  }

  /// A text of unreserved characters and escapes only.
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  /// What escapes stand for.
  static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, digits.first != "+",
        let value = UInt8(digits, radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
