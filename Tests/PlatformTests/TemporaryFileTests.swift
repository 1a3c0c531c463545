import Platform
import Testing

/// What sorting does not hold in memory.
@Suite("A temporary file")
struct TemporaryFileTests {
  private func read(_ count: Int, from offset: Int, of file: TemporaryFile) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(from: offset, into: $0) }
    return bytes
  }

  @Test("Bytes are written one after the other, and come back from anywhere")
  func reads() throws {
    let file = try TemporaryFile()
    #expect(file.size == 0)
    for part in [[1, 2, 3], [], [4, 5]] as [[UInt8]] { try unsafe file.append(part.span.bytes) }
    #expect(file.size == 5)
    #expect(try read(3, from: 1, of: file) == [2, 3, 4])
    #expect(try read(0, from: 5, of: file) == [])
  }

  @Test("What was never written cannot be read")
  func ends() throws {
    let file = try TemporaryFile()
    try unsafe file.append(([7, 8] as [UInt8]).span.bytes)
    #expect(throws: SQLiteError.self) { try read(2, from: 1, of: file) }
  }
}
