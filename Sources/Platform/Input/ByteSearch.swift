/// Looks for strings of bytes in a file.
package enum ByteSearch {
  /// Whether a file holds any of some strings, each of two bytes or more; a file that is not there
  /// holds none.
  ///
  /// Closing a file lets go of all locks that the process has on it, so never search a database
  /// that is open.
  package static func holds(any strings: [[UInt8]], at path: String) throws(InputError) -> Bool {
    guard let path = FilePath(path), !strings.isEmpty else { return false }
    let stream: ByteStream
    do {
      stream = try InputFile.open(path, followingLinks: true, into: ReadBuffer())
    } catch {
      if error.kind == .missing { return false }
      throw error
    }
    let index = Index(strings)
    var window: [UInt8] = []
    while try stream.advance() {
      stream.withChunk { chunk in
        window.reserveCapacity(window.count + chunk.byteCount)
        for offset in 0..<chunk.byteCount {
          window.append(unsafe chunk.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        }
      }
      if index.isIn(window) { return true }
      // A string may lie across two chunks.
      window.removeFirst(max(0, window.count - index.longest + 1))
    }
    return false
  }

  /// The strings by their first two bytes.
  private struct Index {
    private var byStart: [[Int]] = Array(repeating: [], count: 1 << 16)
    private let strings: [[UInt8]]
    let longest: Int

    init(_ strings: [[UInt8]]) {
      self.strings = strings
      longest = strings.map(\.count).max() ?? 0
      for (index, string) in strings.enumerated() where string.count > 1 {
        byStart[Int(string[0]) << 8 | Int(string[1])].append(index)
      }
    }

    func isIn(_ bytes: [UInt8]) -> Bool {
      guard var start = bytes.first.map(Int.init) else { return false }
      for end in bytes.indices.dropFirst() {
        start = (start << 8 | Int(bytes[end])) & 0xFFFF
        for index in byStart[start] where bytes[(end - 1)...].starts(with: strings[index]) {
          return true
        }
      }
      return false
    }
  }
}
