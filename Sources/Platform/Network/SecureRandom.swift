internal import CCrypto

/// Chance that nobody can guess, of libcrypto.
package enum SecureRandom {
  /// So many random bytes.
  package static func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = unsafe RAND_bytes(&bytes, Int32(clamping: count))
    // Without chance a login could be guessed: better none than that.
    precondition(result == 1, "the system has no random numbers")
    return bytes
  }

  /// A number from 0 up to, and without, 1.
  package static func fraction() -> Double {
    let number = bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
    return Double(number) / 4_294_967_296
  }
}
