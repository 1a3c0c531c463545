internal import CCrypto

/// Signs tokens with an RSA key that is made for one run of the tests and forgotten with it.
package struct TestSigner: Sendable {
  /// The key's name.
  package let name = "test-key"
  /// The key in DER.
  private let key: [UInt8]

  /// One for all tests, since making a key takes a while.
  package static let shared = TestSigner()

  /// Makes a key.
  package init() {
    let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var made: OpaquePointer?
    let isMade =
      unsafe EVP_PKEY_keygen_init(context) == 1
      && EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048) == 1
      && EVP_PKEY_generate(context, &made) == 1
    precondition(isMade, "libcrypto makes no key")
    defer { unsafe EVP_PKEY_free(made) }
    var bytes = [UInt8](repeating: 0, count: Int(unsafe i2d_PrivateKey(made, nil)))
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      unsafe _ = i2d_PrivateKey(made, &start)
    }
    key = bytes
  }

  private func withKey<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
    let made = unsafe key.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_AutoPrivateKey(nil, &start, buffer.count)
    }
    defer { unsafe EVP_PKEY_free(made) }
    return unsafe body(made)
  }

  /// The list of keys that a server publishes.
  package var keys: String {
    #"{"keys":[{"kty":"RSA","use":"sig","alg":"RS256","kid":"\#(name)","#
      + #""n":"\#(number("n"))","e":"\#(number("e"))"}]}"#
  }

  private func number(_ name: String) -> String {
    unsafe withKey { key in
      var found: OpaquePointer?
      unsafe _ = EVP_PKEY_get_bn_param(key, name, &found)
      defer { unsafe BN_free(found) }
      var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(found) + 7) / 8)
      unsafe _ = BN_bn2bin(found, &bytes)
      return Self.base64URL(bytes)
    }
  }

  /// A token of a head and claims, signed by the key.
  package func token(head: String, claims: String) -> String {
    let signed = Self.base64URL(Array(head.utf8)) + "." + Self.base64URL(Array(claims.utf8))
    return signed + "." + Self.base64URL(signature(of: Array(signed.utf8)))
  }

  /// A token of claims, as the service makes it.
  package func token(claims: String) -> String {
    token(head: #"{"alg":"RS256","kid":"\#(name)","typ":"JWT"}"#, claims: claims)
  }

  private func signature(of message: [UInt8]) -> [UInt8] {
    unsafe withKey { key in
      let context = unsafe EVP_MD_CTX_new()
      defer { unsafe EVP_MD_CTX_free(context) }
      var length = 256
      var bytes = [UInt8](repeating: 0, count: length)
      let isSigned =
        unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
        && EVP_DigestSign(context, &bytes, &length, message, message.count) == 1
      precondition(isSigned, "libcrypto signs nothing")
      return Array(bytes.prefix(length))
    }
  }

  /// The SHA-256 of a text in base64 for addresses.
  package static func challenge(of text: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let message = Array(text.utf8)
    var length: UInt32 = 0
    unsafe _ = EVP_Digest(message, message.count, &bytes, &length, EVP_sha256(), nil)
    return base64URL(bytes)
  }

  /// Bytes in base64 for addresses.
  package static func base64URL(_ bytes: [UInt8]) -> String {
    String(decoding: Base64Encoder.text(bytes), as: UTF8.self)
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
