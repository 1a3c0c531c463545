import Platform
import PumpModel

/// What a login proves, once its signature was checked.
struct IdentityToken: Equatable {
  /// The account's id in the reports.
  let pumper: String

  /// Why a token is not believed.
  enum Fault: Error, Equatable {
    /// It is not three parts of JSON in base64, or a claim that is needed is missing.
    case form
    /// It is signed in another way than RS256.
    case algorithm
    /// No key of the server's made the signature.
    case signature
    /// Another service made it.
    case issuer
    /// It is meant for somebody else.
    case audience
    /// Its time is over, or has not begun.
    case expired
  }

  /// By how many seconds two clocks may differ.
  static let leeway: Int64 = 60

  /// Checks a token against the server's keys.
  ///
  /// - Parameters:
  ///   - text: the token, in the compact form of RFC 7515.
  ///   - keys: the answer that lists the keys (RFC 7517).
  ///   - issuer: who must have made it.
  ///   - audience: whom it must be meant for, where it says so.
  ///   - now: the time.
  /// - Throws: `Fault` if it is not to be believed.
  init(
    _ text: String, keys: ReplyValue, issuer: String, audience: String, now: Instant
  ) throws(Fault) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let head = Self.json(parts[0]), let claims = Self.json(parts[1]),
      let signature = Base64URL.bytes(parts[2])
    else { throw .form }
    guard head["alg"]?.text == "RS256" else { throw .algorithm }
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    let isProven = Self.keys(keys, named: head["kid"]?.text)
      .contains { $0.verify(signature, of: signed) }
    guard isProven else { throw .signature }
    guard claims["iss"]?.text == issuer else { throw .issuer }
    switch claims["aud"] {
    case nil: break
    case .string(let one)?: guard one == audience else { throw .audience }
    case .array(let several)?:
      guard several.contains(.string(audience)) else { throw .audience }
    default: throw .audience
    }
    guard let expiry = claims["exp"]?.integer else { throw .form }
    guard now.unixSeconds < expiry.addingReportingOverflow(Self.leeway).partialValue else {
      throw .expired
    }
    if let begin = claims["nbf"]?.integer, begin > now.unixSeconds + Self.leeway { throw .expired }
    guard let pumper = claims["pumperId"]?.text, isPathWord(pumper) else { throw .form }
    self.pumper = pumper
  }

  private static func json(_ part: Substring) -> ReplyValue? {
    Base64URL.bytes(part).flatMap { ReplyJSON.value(of: $0) }
  }

  /// The RSA keys for signatures: the one of a name, or all if the token names none.
  private static func keys(_ answer: ReplyValue, named name: String?) -> [RSAPublicKey] {
    (answer["keys"]?.elements ?? []).compactMap { key in
      guard key["kty"]?.text == "RSA", key["use"] == nil || key["use"]?.text == "sig",
        key["alg"] == nil || key["alg"]?.text == "RS256",
        name == nil || key["kid"]?.text == name,
        let modulus = key["n"]?.text.flatMap({ Base64URL.bytes($0) }),
        let exponent = key["e"]?.text.flatMap({ Base64URL.bytes($0) })
      else { return nil }
      return RSAPublicKey(modulus: modulus, exponent: exponent)
    }
  }
}

/// Whether a text can stand in a path as it is: letters, digits and dashes, as ids have them.
func isPathWord(_ text: String) -> Bool {
  (1...64).contains(text.utf8.count)
    && text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
      default: false
      }
    }
}
