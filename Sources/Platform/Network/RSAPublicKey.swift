internal import CCrypto

/// An RSA key that signatures are checked with.
package struct RSAPublicKey: Sendable {
  /// The key in the DER form of X.509.
  private let bytes: [UInt8]

  /// Creates a key of its modulus and exponent, big-endian; nil if they cannot be those of a key
  /// that is safe to trust: of 2048 to 8192 bits.
  package init?(modulus: [UInt8], exponent: [UInt8]) {
    let modulus = Array(modulus.drop { $0 == 0 })
    let exponent = Array(exponent.drop { $0 == 0 })
    guard let first = modulus.first, !exponent.isEmpty, exponent.count <= 8 else { return nil }
    let bits = modulus.count * 8 - first.leadingZeroBitCount
    guard (2048...8192).contains(bits) else { return nil }
    let numbers = DER.sequence(DER.integer(modulus) + DER.integer(exponent))
    bytes = DER.sequence(DER.rsaEncryption + DER.bits(numbers))
  }

  /// Whether a signature by RSASSA-PKCS1-v1_5 with SHA-256 ("RS256") is one of a message.
  package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    let key = unsafe bytes.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_PUBKEY(nil, &start, buffer.count)
    }
    guard let key = unsafe key else { return false }
    defer { unsafe EVP_PKEY_free(key) }
    guard let context = unsafe EVP_MD_CTX_new() else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else {
      return false
    }
    return unsafe EVP_DigestVerify(
      context, signature, signature.count, message, message.count) == 1
  }
}

/// The few forms of DER that a public key is made of.
private enum DER {
  /// The algorithm's id 1.2.840.113549.1.1.1, with the empty parameters that it takes.
  static let rsaEncryption: [UInt8] = [
    0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
  ]

  static func sequence(_ content: [UInt8]) -> [UInt8] { tagged(0x30, content) }

  static func bits(_ content: [UInt8]) -> [UInt8] { tagged(0x03, [0] + content) }

  /// A number without leading zeros; one that would look negative gets one.
  static func integer(_ bytes: [UInt8]) -> [UInt8] {
    tagged(0x02, bytes.first.map { $0 >= 0x80 } == true ? [0] + bytes : bytes)
  }

  private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      switch count {
      case ..<0x80: [UInt8(count)]
      case ..<0x100: [0x81, UInt8(count)]
      default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
      }
    return [tag] + length + content
  }
}
