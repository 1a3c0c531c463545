import Platform

/// The proof that whoever ends a login began it (PKCE, RFC 7636).
struct ProofKey {
  /// What is told last.
  let verifier: String
  /// What is told first: the verifier's digest.
  let challenge: String

  /// Makes one that nobody can guess.
  init() { self.init(verifier: Base64URL.text(SecureRandom.bytes(32))) }

  init(verifier: String) {
    self.verifier = verifier
    let digest = Digest256()
    let bytes = Array(verifier.utf8)
    digest.update(unsafe bytes.span.bytes)
    challenge = Base64URL.text(digest.finish().bytes)
  }
}

/// Base64 in the alphabet of addresses, without padding (RFC 4648, 5).
enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Bytes as text.
  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var (word, bits): (UInt32, Int) = (0, 0)
    for byte in bytes {
      word = word << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(word >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(word << UInt32(6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Text as bytes; nil if it is not in this form.
  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    var (word, bits): (UInt32, Int) = (0, 0)
    for character in text.utf8 {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      word = word << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    return bytes
  }
}
