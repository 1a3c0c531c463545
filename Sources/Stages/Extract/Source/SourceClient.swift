import Platform
import PumpModel

/// Asks Tandem Source for an account and the logs of its pumps (FORMATS A1 to A3).
///
/// Credentials, cookies and tokens stay in memory and go to no host but their own; a redirect to
/// another one ends all. At most two logins are made.
package final class SourceClient {
  private let endpoints: SourceEndpoints
  private let credentials: Credentials
  private let world: SourceSurroundings
  private var session: Session?
  private var logins = 0

  /// What a login gave.
  struct Session {
    var pumper: String
    var accessToken: String
    var ends: Instant
  }

  /// A token that ends so soon is not used any more.
  private static let leastSeconds: Int64 = 300
  private static let mostLogins = 2
  /// How often a password is sent for one login, if the answer fails to come.
  private static let mostLoginAttempts = 2
  private static let mostRedirects = 10

  /// Creates a client that has asked nothing yet.
  package init(
    endpoints: SourceEndpoints, credentials: Credentials, _ world: SourceSurroundings
  ) {
    self.endpoints = endpoints
    self.credentials = credentials
    self.world = world
  }

  /// The account with its pumps.
  package func account() throws(SourceFailure) -> SourceAccount {
    let reply = try report("account", days: nil) { session in
      ("/api/reports/bff/pumper/\(session.pumper)", [])
    }
    guard let account = SourceAccount(reply.body) else {
      throw .unexpected(step: "account", what: "an answer without a list of pumps")
    }
    return account
  }

  /// The log of a pump on some days of its clock, as the service answers it: whole JSON with a list
  /// of events.
  ///
  /// - Parameters:
  ///   - assignment: the pump's assignment id.
  ///   - days: counted from 1970-01-01; at most 28.
  /// - Returns: the answer's body.
  /// - Throws: `SourceFailure`.
  package func pumpLogs(
    of assignment: String, days: ClosedRange<Int64>
  ) throws(SourceFailure) -> [UInt8] {
    let reply = try report("logs", days: days) { session in
      (
        "/api/reports/bff/pump-logs/\(assignment)",
        [
          ("pumperId", session.pumper),
          ("startDate", "\(Self.date(days.lowerBound))T00:00:00Z"),
          ("endDate", "\(Self.date(days.upperBound))T23:59:59Z"),
        ]
      )
    }
    guard ReplyJSON.lists(of: reply.body)?.contains("events") == true else {
      throw .unexpected(step: "logs", what: "an answer without a list of events")
    }
    return reply.body
  }

  private static func date(_ day: Int64) -> String {
    let civil = CivilTime(daysSince1970: day)
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(civil.year, 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))"
  }
}

// MARK: - Reports

extension SourceClient {
  /// Asks the reports, logging in where that is needed.
  private func report(
    _ purpose: String, days: ClosedRange<Int64>?,
    _ target: (Session) -> (path: String, query: [(String, String)])
  ) throws(SourceFailure) -> HTTPReply {
    while true {
      let session = try currentSession()
      let (path, query) = target(session)
      let request = HTTPRequest(
        "GET", endpoints.source.appending(path, query: query).text,
        headers: [
          ("Authorization", "Bearer \(session.accessToken)"), ("Accept", "application/json"),
          ("Origin", endpoints.source.origin), ("Referer", endpoints.source.origin + "/"),
          ("User-Agent", Self.userAgent),
        ])
      let reply = try ask(purpose, request, days: days, wantsJSON: true)
      guard reply.status == 401 else {
        try check(reply, purpose)
        return reply
      }
      // The token holds no longer: one more login, and what follows it.
      self.session = nil
      guard logins < Self.mostLogins else { throw .loggedOut }
    }
  }

  private func currentSession() throws(SourceFailure) -> Session {
    if let session, session.ends > world.clock.now + Self.leastSeconds { return session }
    let fresh = try logIn()
    session = fresh
    return fresh
  }

  /// What the service's own pages are read with.
  private static let userAgent =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36"

  /// Sorts an answer that is final.
  private func check(_ reply: HTTPReply, _ step: String) throws(SourceFailure) {
    switch reply.status {
    case 200: return
    case 300..<400: throw .ledElsewhere(step: step)
    case 401: throw .credentialsRefused
    case 403: throw .blocked
    case 404, 410: throw .gone(step: step)
    case 429: throw .busy
    case 500...599: throw .unavailable(step: step)
    default: throw .unexpected(step: step, what: "status \(reply.status)")
    }
  }

  /// Asks until there is an answer that trying again would not change.
  private func ask(
    _ step: String, _ request: HTTPRequest, days: ClosedRange<Int64>? = nil, wantsJSON: Bool,
    attempts: Int = .max
  ) throws(SourceFailure) -> HTTPReply {
    var attempt = 0
    while true {
      attempt += 1
      let outcome = try askOnce(step, request, days, wantsJSON)
      let failure: SourceFailure
      var asked: Int?
      switch outcome {
      case .answer(let reply): return reply
      case .passing(let what, let seconds): (failure, asked) = (what, seconds)
      }
      guard attempt < attempts,
        let wait = world.policy.wait(after: attempt, asked: asked, chance: world.chance())
      else { throw failure }
      guard world.wait(wait) else { throw .interrupted }
    }
  }

  private enum Outcome {
    case answer(HTTPReply)
    /// Something that may be different the next time, and the seconds that the server asks for.
    case passing(SourceFailure, Int?)
  }

  private func askOnce(
    _ step: String, _ request: HTTPRequest, _ days: ClosedRange<Int64>?, _ wantsJSON: Bool
  ) throws(SourceFailure) -> Outcome {
    let (at, start) = (world.clock.now, world.stopwatch())
    var status: Int?
    defer {
      world.note(
        RequestNote(
          at: at, purpose: step, status: status, days: days,
          milliseconds: max(0, world.stopwatch() - start)))
    }
    let reply: HTTPReply
    do {
      reply = try world.transport.send(request)
    } catch {
      switch error {
      case .noLibrary: throw .noLibrary
      case .untrusted: throw .untrusted
      case .interrupted: throw .interrupted
      case .unreachable: return .passing(.unreachable, nil)
      case .timedOut, .broken, .tooLarge: return .passing(.unavailable(step: step), nil)
      }
    }
    status = reply.status
    let asked = RetryPolicy.seconds(ofRetryAfter: reply.header("retry-after"))
    switch reply.status {
    case 429: return .passing(.busy, asked)
    case 500...599: return .passing(.unavailable(step: step), asked)
    case 200 where wantsJSON:
      // A page in the place of an answer, or one that ends in its midst, is no answer.
      let type = reply.header("content-type")?.lowercased() ?? ""
      guard type.hasPrefix("application/json") || type.hasPrefix("text/json") else {
        return .passing(.unexpected(step: step, what: "a page in the place of JSON"), asked)
      }
      guard ReplyJSON.lists(of: reply.body) != nil else {
        return .passing(.unavailable(step: step), asked)
      }
      return .answer(reply)
    default: return .answer(reply)
    }
  }
}

// MARK: - Login

extension SourceClient {
  private func logIn() throws(SourceFailure) -> Session {
    guard logins < Self.mostLogins else { throw .loggedOut }
    logins += 1
    let referer = endpoints.sso.origin + "/"
    func headers(_ others: (name: String, value: String)...) -> [(name: String, value: String)] {
      [("User-Agent", Self.userAgent), ("Referer", referer)] + others
    }
    try check(
      try ask(
        "login page",
        HTTPRequest("GET", referer, headers: [("User-Agent", Self.userAgent)]), wantsJSON: false),
      "login page")
    let login = try ask(
      "login",
      HTTPRequest(
        "POST", endpoints.services.appending("/accounts/api/login").text,
        headers: headers(("Content-Type", "application/json"), ("Accept", "application/json")),
        body: Array(
          "{\"username\":\(quoted(credentials.email)),\"password\":\(quoted(credentials.password))}"
            .utf8)), wantsJSON: true, attempts: Self.mostLoginAttempts)
    try check(login, "login")
    guard ReplyJSON.value(of: login.body)?["status"]?.text == "SUCCESS" else {
      throw .unexpected(step: "login", what: "neither success nor a refusal")
    }
    let proof = ProofKey()
    let code = try authorize(proof, headers())
    let token = try ask(
      "token",
      HTTPRequest(
        "POST", endpoints.services.appending("/accounts/api/connect/token").text,
        headers: headers(
          ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")),
        body: Array(
          FormText.encoded([
            ("grant_type", "authorization_code"), ("client_id", endpoints.clientID),
            ("code", code), ("redirect_uri", endpoints.redirect.text),
            ("code_verifier", proof.verifier),
          ]).utf8)), wantsJSON: true)
    try check(token, "token")
    return try session(of: ReplyJSON.value(of: token.body) ?? .null)
  }

  /// Asks for a code, following the service's redirects as long as they stay with it.
  private func authorize(
    _ proof: ProofKey, _ headers: [(name: String, value: String)]
  ) throws(SourceFailure) -> String {
    var address = endpoints.services.appending(
      "/accounts/api/connect/authorize",
      query: [
        ("client_id", endpoints.clientID), ("response_type", "code"),
        ("scope", "openid profile email"), ("redirect_uri", endpoints.redirect.text),
        ("code_challenge", proof.challenge), ("code_challenge_method", "S256"),
      ])
    for _ in 0..<Self.mostRedirects {
      let reply = try ask(
        "authorization", HTTPRequest("GET", address.text, headers: headers), wantsJSON: false)
      guard (300..<400).contains(reply.status) else {
        try check(reply, "authorization")
        throw .unexpected(step: "authorization", what: "an answer without a code")
      }
      guard let next = reply.header("location").flatMap({ address.resolving($0) }) else {
        throw .unexpected(step: "authorization", what: "a redirect without an address")
      }
      guard endpoints.allow(next) else { throw .ledElsewhere(step: "authorization") }
      if next.origin == endpoints.redirect.origin, next.path == endpoints.redirect.path {
        guard let code = next.value(of: "code"), !code.isEmpty else {
          throw .unexpected(step: "authorization", what: "a redirect without a code")
        }
        return code
      }
      address = next
    }
    throw .unexpected(step: "authorization", what: "too many redirects")
  }

  private func session(of token: ReplyValue) throws(SourceFailure) -> Session {
    guard let access = token["access_token"]?.text, !access.isEmpty,
      access.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let identity = token["id_token"]?.text
    else { throw .unexpected(step: "token", what: "an answer without tokens") }
    let keys = try ask(
      "keys",
      HTTPRequest(
        "GET",
        endpoints.services.appending("/accounts/api/.well-known/openid-configuration/jwks").text,
        headers: [("User-Agent", Self.userAgent), ("Accept", "application/json")]),
      wantsJSON: true)
    try check(keys, "keys")
    let now = world.clock.now
    do {
      let proven = try IdentityToken(
        identity, keys: ReplyJSON.value(of: keys.body) ?? .null,
        issuer: endpoints.services.appending("/accounts/api").text,
        audience: endpoints.clientID, now: now)
      // Tokens live for hours; one that says nothing is asked for anew in an hour.
      let seconds = min(max(token["expires_in"]?.integer ?? 3600, 0), 86_400)
      return Session(
        pumper: proven.pumper, accessToken: access,
        ends: now + max(seconds, Self.leastSeconds + 1))
    } catch {
      throw .unexpected(step: "token", what: error.words)
    }
  }
}

extension IdentityToken.Fault {
  /// What is wrong, for a person.
  fileprivate var words: String {
    switch self {
    case .form: "an identity token that cannot be read"
    case .algorithm: "an identity token that is signed in an unknown way"
    case .signature: "an identity token that the service's keys did not sign"
    case .issuer: "an identity token of another service"
    case .audience: "an identity token for somebody else"
    case .expired: "an identity token out of its time; is this computer's clock right?"
    }
  }
}

/// A text as a JSON string.
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": result += "\\\(scalar)"
    case _ where scalar.value < 0x20 || scalar.value == 0x7F:
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
