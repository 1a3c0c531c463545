import Foundation
import Synchronization

/// What a client asked a loopback server.
package struct ServedRequest: Sendable {
  /// The method.
  package var method = ""
  /// The path, without the query.
  package var path = ""
  /// The query's keys and values, decoded.
  package var query: [String: String] = [:]
  /// The headers, by names in lower case.
  package var headers: [String: String] = [:]
  /// The body.
  package var body: [UInt8] = []

  /// The body as text.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The fields of a form.
  package var form: [String: String] { ServedRequest.fields(text[...]) }

  static func fields(_ text: Substring) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let value = String(parts[1].replacing("+", with: " "))
      fields[String(parts[0])] = value.removingPercentEncoding ?? value
    }
    return fields
  }
}

/// What a loopback server answers.
package struct ServedReply: Sendable {
  /// The status.
  package var status = 200
  /// The headers beside the length.
  package var headers: [(String, String)] = []
  /// The body.
  package var body: [UInt8] = []
  /// How many bytes of the body are sent before the connection is closed; nil: all.
  package var cut: Int?
  /// Whether nothing is ever sent.
  package var isSilent = false
  /// Whether the connection is closed without a word.
  package var hangsUp = false

  /// A JSON answer.
  package static func json(_ text: String, status: Int = 200) -> ServedReply {
    var reply = ServedReply(status: status)
    reply.headers = [("Content-Type", "application/json; charset=utf-8")]
    reply.body = Array(text.utf8)
    return reply
  }

  /// A page.
  package static func page(_ text: String, status: Int = 200) -> ServedReply {
    var reply = ServedReply(status: status)
    reply.headers = [("Content-Type", "text/html")]
    reply.body = Array("<!DOCTYPE html><html><body>\(text)</body></html>".utf8)
    return reply
  }

  /// A redirect.
  package static func redirect(_ location: String) -> ServedReply {
    var reply = ServedReply(status: 302)
    reply.headers = [("Location", location)]
    return reply
  }
}

/// A web server on 127.0.0.1 that answers one request a connection, and stops when it is released.
package final class LoopbackServer: Sendable {
  /// The port that the system chose.
  package let port: UInt16
  private let descriptor: Int32
  private let loop: Loop

  private final class Loop: Sendable {
    let hasStopped = Atomic<Bool>(false)
  }

  /// Why no server could be made.
  package struct Failure: Error {}

  /// Starts a server; `answer` is called on a thread of its own, one request after the other.
  package init(answer: @escaping @Sendable (ServedRequest) -> ServedReply) throws {
    let descriptor = socket(AF_INET, streamSocket, 0)
    guard descriptor >= 0 else { throw Failure() }
    var address = Self.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor, generic, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard isBound else {
      close(descriptor)
      throw Failure()
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    let loop = Loop()
    self.loop = loop
    Thread.detachNewThread {
      while true {
        let client = accept(descriptor, nil, nil)
        if loop.hasStopped.load(ordering: .acquiring) {
          if client >= 0 { close(client) }
          close(descriptor)
          return
        }
        guard client >= 0 else { continue }
        Self.serve(client, answer)
        close(client)
      }
    }
  }

  deinit {
    loop.hasStopped.store(true, ordering: .releasing)
    // Wakes the thread that waits for a client.
    let knock = socket(AF_INET, streamSocket, 0)
    var address = Self.address(port: port)
    unsafe _ = withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe connect(knock, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    close(knock)
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func serve(
    _ client: Int32, _ answer: (ServedRequest) -> ServedReply
  ) {
    guard let request = read(client) else { return }
    let reply = answer(request)
    if reply.hangsUp { return }
    if reply.isSilent {
      // Until the client has had enough.
      var byte: UInt8 = 0
      while unsafe recv(client, &byte, 1, 0) > 0 {}
      return
    }
    var head = "HTTP/1.1 \(reply.status) Status\r\nConnection: close\r\n"
    for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
    head += "Content-Length: \(reply.body.count)\r\n\r\n"
    send(Array(head.utf8) + reply.body.prefix(reply.cut ?? .max), to: client)
    shutdown(client, Int32(SHUT_WR))
  }

  private static func send(_ bytes: [UInt8], to client: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Foundation.send(client, buffer.baseAddress, buffer.count, noSignal)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func read(_ client: Int32) -> ServedRequest? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    func more() -> Bool {
      let count = unsafe recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      bytes += buffer[..<count]
      return true
    }
    let blank = Array("\r\n\r\n".utf8)
    var end = bytes.firstRange(of: blank)
    while end == nil {
      guard more() else { return nil }
      end = bytes.firstRange(of: blank)
    }
    guard let end else { return nil }
    var request = ServedRequest()
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    request.method = String(words[0])
    let target = words[1].split(separator: "?", maxSplits: 1)
    request.path = String(target[0])
    request.query = target.count > 1 ? ServedRequest.fields(target[1]) : [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      request.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    let length = Int(request.headers["content-length"] ?? "0") ?? 0
    while bytes.count < end.upperBound + length { guard more() else { return nil } }
    request.body = Array(bytes[end.upperBound..<end.upperBound + length])
    return request
  }
}

#if canImport(Glibc)
private let streamSocket = Int32(SOCK_STREAM.rawValue)
private let noSignal = Int32(MSG_NOSIGNAL)
#else
private let streamSocket = SOCK_STREAM
private let noSignal: Int32 = 0
#endif
