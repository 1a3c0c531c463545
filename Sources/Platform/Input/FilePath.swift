/// A path as the file system knows it: bytes, which need not be UTF-8.
package struct FilePath: Sendable, Hashable {
  /// The bytes, without a NUL.
  package let bytes: [UInt8]

  /// Creates a path; nil if it is empty or holds a NUL, which no file name can.
  package init?(_ text: String) { self.init(bytes: Array(text.utf8)) }

  /// Creates a path from bytes; nil if they are none or hold a NUL.
  package init?(bytes: [UInt8]) {
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    self.bytes = bytes
  }

  /// The path of a member of this folder.
  package func appending(_ name: FilePath) -> FilePath {
    let separator = bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FilePath(joined: bytes + separator + name.bytes)
  }

  private init(joined bytes: [UInt8]) { self.bytes = bytes }

  /// The path as text, for people; bytes that are no UTF-8 are replaced.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Gives the path to C, closed by a NUL, for the time of one call.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let characters = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe characters.withUnsafeBufferPointer { buffer in
      // The buffer holds at least the closing NUL, so it has an address; the literal is never used.
      guard let base = buffer.baseAddress else { return unsafe "".withCString(body) }
      return unsafe body(base)
    }
  }
}
