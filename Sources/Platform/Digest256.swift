internal import CCrypto

/// SHA-256 of bytes that come in pieces.
@safe package final class Digest256 {
  private let context: OpaquePointer

  /// Begins a digest of nothing yet.
  package init() {
    let context = unsafe EVP_MD_CTX_new()
    precondition(unsafe context != nil, "there is no memory left for a digest")
    unsafe self.context = context.unsafelyUnwrapped
    begin()
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  private func begin() {
    // Fails only where a policy of the host forbids SHA-256, and then nothing here can work.
    let result = unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
    precondition(result == 1, "libcrypto offers no SHA-256")
  }

  /// Adds bytes.
  package func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { raw in
      unsafe _ = EVP_DigestUpdate(context, raw.baseAddress, raw.count)
    }
  }

  /// The digest of all bytes since the beginning; begins anew.
  package func finish() -> Value {
    var bytes = [UInt8](repeating: 0, count: 32)
    unsafe _ = EVP_DigestFinal_ex(context, &bytes, nil)
    // Without a name the digest of before begins anew, which spares looking it up.
    let result = unsafe EVP_DigestInit_ex(context, nil, nil)
    precondition(result == 1, "libcrypto cannot begin a digest")
    return Value(bytes: bytes)
  }

  /// The 32 bytes of a digest.
  package struct Value: Sendable, Hashable {
    /// The bytes, 32 of them.
    package let bytes: [UInt8]

    /// Takes bytes that are a digest.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The digest in 64 lower-case hexadecimal digits.
    package var hex: String {
      let digits = Array("0123456789abcdef".utf8)
      var text: [UInt8] = []
      text.reserveCapacity(64)
      for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// The digest of a whole regular file, which recognises an archive before it is opened.
  ///
  /// - Returns: nil for anything but a regular file, which could not be read twice.
  package static func ofFile(
    at path: FilePath, into buffer: ReadBuffer
  ) throws(InputError) -> Value? {
    guard try InputFile.kind(of: path, followingLinks: true) == .file else { return nil }
    let stream = try InputFile.open(path, followingLinks: true, into: buffer)
    let digest = Digest256()
    while try stream.advance() { stream.withChunk { digest.update($0) } }
    return digest.finish()
  }
}
