/// One question to a web server.
package struct HTTPRequest: Sendable {
  /// The method, such as `GET`.
  package var method: String
  /// The address, with its query.
  package var url: String
  /// The headers, in order.
  package var headers: [(name: String, value: String)]
  /// What is sent; nil: nothing.
  package var body: [UInt8]?

  /// Creates a question.
  package init(
    _ method: String, _ url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What a web server answered, whatever its status.
package struct HTTPReply: Sendable {
  /// The status, such as 200.
  package var status: Int
  /// The headers, in order.
  package var headers: [(name: String, value: String)]
  /// The body, whole.
  package var body: [UInt8]

  /// Creates an answer.
  package init(
    status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first header of a name in lower case; nil if there is none.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }
}

/// Why there is no answer.
package enum HTTPFailure: Error, Sendable, Equatable {
  /// The library that speaks HTTP is not installed.
  case noLibrary
  /// The server could not be found or does not take connections.
  case unreachable
  /// The server's certificate does not prove that it is the server.
  case untrusted
  /// Nothing came for too long.
  case timedOut
  /// The connection broke, or the answer ended before its end.
  case broken
  /// The answer is larger than any answer should be.
  case tooLarge
  /// A signal asked the process to end.
  case interrupted
}

/// Asks web servers; cookies that they set are sent back to them, redirects are not followed.
package protocol HTTPTransport: AnyObject {
  /// Asks and waits for the whole answer.
  ///
  /// - Throws: `HTTPFailure` if there is none.
  func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPReply
}
