import Platform
import PumpModel
import TestSupport
import Testing

@Suite("Files, streams and the kinds of archives")
struct InputTests {
  private func kind(_ bytes: [UInt8]) -> ArchiveKind? {
    unsafe ArchiveKind(firstBytes: bytes.span.bytes)
  }

  @Test("Archives are told by their first bytes")
  func kinds() {
    #expect(kind(Array("PK\u{3}\u{4}".utf8)) == .zip)
    #expect(kind(Array("PK\u{5}\u{6}".utf8)) == .zip)
    #expect(kind(Array("PK".utf8)) == nil)
    #expect(kind([0x1F, 0x8B, 8]) == .gzip)
    #expect(kind([0x28, 0xB5, 0x2F, 0xFD]) == .zstd)
    #expect(kind([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) == .xz)
    #expect(kind([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) == .sevenZip)
    #expect(kind([UInt8](repeating: 0, count: 257) + Array("ustar".utf8)) == .tar)
    #expect(kind([UInt8](repeating: 0, count: 257) + Array("usta".utf8)) == nil)
    #expect(kind([]) == nil)
  }

  @Test("A look at the beginning takes nothing away")
  func peeking() throws {
    let bytes = [UInt8](0..<200)
    let stream = ByteStream(memory: bytes)
    #expect(try stream.peek { $0.byteCount } == 200)
    #expect(try stream.peek { $0.byteCount } == 200)
    #expect(try stream.advance())
    #expect(stream.withChunk { $0.byteCount } == 200)
    #expect(try !stream.advance())
    #expect(try ByteStream(memory: []).peek { $0.byteCount } == 0)
  }

  @Test("Folders are listed in the order of bytes, and links are not followed")
  func folders() throws {
    let folder = try TemporaryFolder()
    for name in ["b", "a", "B", "é", "c/d"] { try folder.write(name, []) }
    let path = try #require(FilePath(folder.path))
    let members = try FolderListing.members(of: path)
    #expect(members.map(\.name.text) == ["B", "a", "b", "c", "é"])
    #expect(members.map(\.kind) == [.file, .file, .file, .folder, .file])
  }

  @Test("No path holds a NUL and none is empty")
  func paths() throws {
    #expect(FilePath("") == nil)
    #expect(FilePath("a\0b") == nil)
    let name = try #require(FilePath("b"))
    #expect(FilePath("a/")?.appending(name).text == "a/b")
  }

  @Test("A clock answers what it is told to")
  func clock() {
    #expect(HostClock.fixed(Instant(unixSeconds: 7)).now == Instant(unixSeconds: 7))
    #expect(HostClock.system.now > Instant(unixSeconds: 1_700_000_000))
  }
}
