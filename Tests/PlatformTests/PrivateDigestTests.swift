import Testing

@testable import Platform

@Suite("Digests of which nobody is told")
struct PrivateDigestTests {
  private func digest(_ pieces: [[UInt8]], _ key: PrivateDigest.Key) throws -> [UInt8] {
    let digest = try #require(PrivateDigest(key))
    for piece in pieces { digest.update(unsafe piece.span.bytes) }
    return digest.taken()
  }

  @Test("are the same for the same bytes however they are cut, and others for others")
  func pieces() throws {
    let key = try #require(PrivateDigest.Key())
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 7) }
    let whole = try digest([bytes], key)
    #expect(whole.count == 32)
    for cut in [0, 1, 15, 16, 17, 4096, 99_999, 100_000] {
      #expect(try digest([Array(bytes[..<cut]), Array(bytes[cut...])], key) == whole, "\(cut)")
    }
    var seen: Set<[UInt8]> = [whole]
    for place in [0, 1, 50_000, 99_999] {
      var other = bytes
      other[place] ^= 1
      #expect(try seen.insert(digest([other], key)).inserted, "\(place)")
    }
    // Zeros at the end count, and so does nothing at all.
    for count in 0..<40 {
      #expect(try seen.insert(digest([[UInt8](repeating: 0, count: count)], key)).inserted)
    }
  }

  @Test("are other ones in another run")
  func keys() throws {
    let (first, second) = (try #require(PrivateDigest.Key()), try #require(PrivateDigest.Key()))
    #expect(try digest([[1, 2, 3]], first) != digest([[1, 2, 3]], second))
  }
}
