import Platform
import TestSupport
import Testing

@Suite("SHA-256")
struct Digest256Tests {
  private func hex(_ pieces: [String]) -> String {
    let digest = Digest256()
    for piece in pieces {
      let bytes = Array(piece.utf8)
      unsafe digest.update(bytes.span.bytes)
    }
    return digest.finish().hex
  }

  private let ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private let ofABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test("The published vectors come out, in pieces too")
  func vectors() {
    #expect(hex([]) == ofNothing)
    #expect(hex(["abc"]) == ofABC)
    #expect(hex(["a", "", "bc"]) == ofABC)
    #expect(
      hex(["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"])
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test("A digest begins anew when it was finished")
  func reuse() {
    let digest = Digest256()
    let bytes = Array("abc".utf8)
    unsafe digest.update(bytes.span.bytes)
    #expect(digest.finish().hex == ofABC)
    #expect(digest.finish().hex == ofNothing)
    #expect(digest.finish().bytes.count == 32)
  }

  @Test("A regular file has a digest, and nothing else")
  func files() throws {
    let folder = try TemporaryFolder()
    let buffer = ReadBuffer()
    let path = try #require(FilePath(folder.write("a", Array("abc".utf8))))
    #expect(try Digest256.ofFile(at: path, into: buffer)?.hex == ofABC)
    let place = try #require(FilePath(folder.path))
    #expect(try Digest256.ofFile(at: place, into: buffer) == nil)
    let missing = try #require(FilePath(folder.path + "/none"))
    #expect(throws: InputError.self) { try Digest256.ofFile(at: missing, into: buffer) }
  }
}
