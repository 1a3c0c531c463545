import Platform
import PumpModel
import TestSupport
import Testing

@testable import Extract

/// Which tokens are believed.
@Suite struct IdentityTokenTests {
  private static let now = Instant(unixSeconds: 1_780_000_000)
  private static let claims = [
    "iss": #""https://a.b""#, "aud": #""client""#, "exp": "1780003600", "pumperId": #""0a-1""#,
  ]

  private func token(_ changes: [String: String] = [:], head: String? = nil) -> String {
    let claims = Self.claims.merging(changes) { $1 }.filter { !$0.value.isEmpty }
      .map { "\"\($0)\":\($1)" }.sorted().joined(separator: ",")
    let signer = TestSigner.shared
    return head.map { signer.token(head: $0, claims: "{\(claims)}") }
      ?? signer.token(claims: "{\(claims)}")
  }

  private func read(
    _ token: String, keys: String = TestSigner.shared.keys
  ) throws(IdentityToken.Fault) -> IdentityToken {
    try IdentityToken(
      token, keys: ReplyJSON.value(of: Array(keys.utf8)) ?? .null, issuer: "https://a.b",
      audience: "client", now: Self.now)
  }

  @Test func aTokenOfTheServiceIsBelieved() throws {
    #expect(try read(token()).pumper == "0a-1")
    #expect(try read(token(["aud": ""])).pumper == "0a-1")
    #expect(try read(token(["aud": #"["other","client"]"#])).pumper == "0a-1")
    #expect(try read(token(head: #"{"alg":"RS256"}"#)).pumper == "0a-1")
  }

  @Test(arguments: [
    (["iss": #""https://a.b.c""#], IdentityToken.Fault.issuer), (["iss": ""], .issuer),
    (["aud": #""another""#], .audience), (["aud": "[]"], .audience), (["aud": "1"], .audience),
    (["exp": ""], .form), (["exp": #""soon""#], .form), (["pumperId": ""], .form),
    (["pumperId": #""a/../b""#], .form), (["exp": "1779999940"], .expired),
    (["nbf": "1780000061"], .expired), (["exp": "9223372036854775807"], .expired),
  ])
  func whatTheClaimsMustSay(changes: [String: String], fault: IdentityToken.Fault) {
    #expect(throws: fault) { try read(token(changes)) }
  }

  @Test func clocksMayDifferByAMinute() throws {
    #expect(try read(token(["exp": "1779999941"])).pumper == "0a-1")
    #expect(try read(token(["nbf": "1780000060"])).pumper == "0a-1")
  }

  @Test(arguments: [#"{"alg":"none"}"#, #"{"alg":"HS256"}"#, "{}"])
  func noOtherWayOfSigningCounts(head: String) {
    #expect(throws: IdentityToken.Fault.algorithm) { try read(token(head: head)) }
  }

  @Test func aChangedTokenIsNotBelieved() {
    let parts = token().split(separator: ".").map(String.init)
    let others = token(["pumperId": #""0a-2""#]).split(separator: ".").map(String.init)
    #expect(throws: IdentityToken.Fault.signature) {
      try read([parts[0], others[1], parts[2]].joined(separator: "."))
    }
    #expect(throws: IdentityToken.Fault.form) { try read(parts[0] + "." + parts[1]) }
    #expect(throws: IdentityToken.Fault.form) { try read("a.b.c") }
  }

  @Test func onlyTheServicesOwnKeysCount() {
    for keys in [
      #"{"keys":[]}"#, "{}", TestSigner().keys,
      TestSigner.shared.keys.replacing("test-key", with: "other"),
      TestSigner.shared.keys.replacing(#""sig""#, with: #""enc""#),
    ] {
      #expect(throws: IdentityToken.Fault.signature) { try read(token(), keys: keys) }
    }
  }

  @Test func proofKeysFollowTheStandard() {
    // RFC 7636, appendix B.
    let proof = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(ProofKey().verifier != ProofKey().verifier)
    #expect(ProofKey().verifier.utf8.count == 43)
  }

  @Test(arguments: 0...40)
  func base64GoesThereAndBack(count: Int) {
    var random = TestRandom(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8(random.integer(0...255)) }
    #expect(Base64URL.bytes(Base64URL.text(bytes)) == bytes, "\(random.describe)")
    #expect(Base64URL.text(bytes) == TestSigner.base64URL(bytes))
  }

  @Test func smallKeysAreNoKeys() {
    #expect(RSAPublicKey(modulus: [UInt8](repeating: 0xFF, count: 128), exponent: [3]) == nil)
    #expect(RSAPublicKey(modulus: [], exponent: []) == nil)
  }
}
