/// A browser's HTTP archive around documents, as developer tools save it (HAR 1.2).
///
/// Its requests carry an address with a query, an authorization header and a cookie, all of them
/// invented, so that a test can look for them where they must never be seen.
package struct HarCapture {
  /// What must never leave a capture: the token, the cookie and the query of its requests.
  package static let secrets = [
    "invented-token-5f1c", "invented-cookie-a77e", "invented-pumper-id",
  ]

  private var entries: [[UInt8]] = []

  /// Starts an empty capture.
  package init() {}

  /// How a response's body stands in the capture.
  package enum Body: Sendable {
    /// As text.
    case plain
    /// As base64 of its bytes.
    case base64
    /// Left out, as browsers do with large ones.
    case missing
  }

  /// Adds a response.
  package mutating func add(
    _ document: [UInt8], as body: Body = .plain, type: String = "application/json",
    status: Int = 200
  ) {
    var entry: [UInt8] = []
    entry.append(
      contentsOf: (#"{"startedDateTime":"2026-05-05T08:00:00.000Z","time":120,"request":"#
        + #"{"method":"GET","url":"https://source.example/api/reports/bff/pump-logs?pumperId="#
        + #"invented-pumper-id","httpVersion":"h2","headers":[{"name":"Authorization","#
        + #""value":"Bearer invented-token-5f1c"}],"cookies":[{"name":"session","#
        + #""value":"invented-cookie-a77e"}],"queryString":[],"headersSize":-1,"bodySize":0},"#
        + #""response":{"status":\#(status),"statusText":"","httpVersion":"h2","headers":[],"#
        + #""cookies":[],"content":{"size":\#(document.count),"mimeType":"\#(type)""#).utf8)
    switch body {
    case .plain:
      entry.append(contentsOf: #","text":"#.utf8)
      JSONText.append(quoted: document, to: &entry)
    case .base64:
      entry.append(contentsOf: #","encoding":"base64","text":""#.utf8)
      entry.append(contentsOf: Base64Encoder.text(document))
      entry.append(UInt8(ascii: "\""))
    case .missing: break
    }
    entry.append(
      contentsOf: (#"},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"#
        + #""timings":{"send":0,"wait":100,"receive":20}}"#).utf8)
    entries.append(entry)
  }

  /// The capture's bytes.
  package var bytes: [UInt8] {
    let start = #"{"log":{"version":"1.2","creator":{"name":"invented","version":"1"},"entries":["#
    return Array(start.utf8) + entries.joined(separator: [UInt8(ascii: ",")])
      + Array("]}}".utf8)
  }
}
