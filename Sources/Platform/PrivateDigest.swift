internal import CCrypto

/// Takes bytes that come in pieces, and gives 32 that stand for them.
package protocol ContentDigest: AnyObject {
  /// Adds bytes.
  func update(_ bytes: RawSpan)
  /// The 32 bytes that stand for all since the beginning; ends it.
  func taken() -> [UInt8]
}

extension Digest256: ContentDigest {
  package func taken() -> [UInt8] { finish().bytes }
}

/// A digest under a key that only this process has: the tag of AES-GMAC, which takes an eighth of the time
/// of SHA-256.
///
/// It tells bytes apart within a run, whoever made them up, and says nothing to anybody else.
@safe package final class PrivateDigest: ContentDigest {
  /// A key of this run, drawn at random.
  package struct Key: Sendable {
    fileprivate let bytes: [UInt8]

    /// Draws a key; nil where libcrypto gives no random bytes or has no AES-GCM, as by a policy of the host.
    package init?() {
      var bytes = [UInt8](repeating: 0, count: PrivateDigest.keySize + PrivateDigest.nonceSize)
      guard unsafe RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { return nil }
      self.bytes = bytes
      guard let context = unsafe PrivateDigest.context(self) else { return nil }
      unsafe EVP_CIPHER_CTX_free(context)
    }
  }

  fileprivate static let (keySize, nonceSize) = (16, 12)
  private static let tagSize: Int32 = 16
  /// libcrypto takes no more at once.
  private static let mostAtOnce = 1 << 30

  private let context: OpaquePointer

  /// Begins a digest of nothing yet; nil if there is no memory left for it.
  package init?(_ key: Key) {
    guard let context = unsafe Self.context(key) else { return nil }
    unsafe self.context = context
  }

  deinit { unsafe EVP_CIPHER_CTX_free(context) }

  fileprivate static func context(_ key: Key) -> OpaquePointer? {
    guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
    let begun = unsafe key.bytes.withUnsafeBufferPointer { bytes in
      unsafe EVP_EncryptInit_ex(
        context, EVP_aes_128_gcm(), nil, bytes.baseAddress, bytes.baseAddress?.advanced(by: keySize)
      )
    }
    guard begun == 1 else {
      unsafe EVP_CIPHER_CTX_free(context)
      return nil
    }
    return unsafe context
  }

  package func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset < raw.count {
        let count = min(raw.count - offset, Self.mostAtOnce)
        var written: Int32 = 0
        // Without an output the bytes are authenticated only.
        let result = unsafe EVP_EncryptUpdate(
          context, nil, &written,
          raw.baseAddress?.advanced(by: offset).assumingMemoryBound(to: UInt8.self), Int32(count))
        precondition(result == 1, "libcrypto cannot go on with a digest")
        offset += count
      }
    }
  }

  package func taken() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    var written: Int32 = 0
    let ended = unsafe EVP_EncryptFinal_ex(context, &bytes, &written)
    let given = unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Self.tagSize, &bytes)
    precondition(ended == 1 && given == 1, "libcrypto cannot end a digest")
    return bytes
  }
}
