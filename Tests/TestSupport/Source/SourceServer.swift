import Foundation
package import PumpModel
import Synchronization

/// A server that speaks as Tandem Source does (FORMATS A1 to A3), with invented pumps, and with
/// faults where a test wants them.
package final class SourceServer: Sendable {
  private let server: LoopbackServer
  private let state: State

  /// What a request is for.
  package enum Step: String, Sendable, CaseIterable {
    /// The page that a login begins at.
    case page
    /// E-mail address and password.
    case login
    /// The code of an authorization.
    case authorize
    /// Tokens for the code.
    case token
    /// The keys that tokens are signed with.
    case keys
    /// The account answer.
    case pumper
    /// The log of a pump.
    case logs
  }

  /// Something that goes wrong.
  package enum Fault: Sendable {
    /// Another status, with headers.
    case status(Int, [(String, String)] = [])
    /// A page with status 200.
    case page
    /// The right body under another type.
    case wrongType
    /// A connection that closes after half the body.
    case halfBody
    /// Half the body, as if it were all.
    case halfAnswer
    /// JSON that is whole and says nothing.
    case emptyObject
    /// No answer at all, for as long as anybody waits.
    case silence
    /// A redirect to another host.
    case elsewhere
    /// A connection that closes at once.
    case hangUp
  }

  /// A pump of the account.
  package struct Pump: Sendable {
    /// Who it is.
    package var identity: PumpIdentity
    /// Its history, in order.
    package var records: [PumpRecord]
    /// Whether the account says what can be had.
    package var tellsRange = true
    /// The first day that can be had, counted from 1970-01-01; nil: that of the first record.
    package var firstDay: Int64?
    /// What the account says was newest; nil: the newest record.
    package var newest: String?
    /// When something was uploaded last; nil: never, and nothing else is told of it.
    package var lastUpload: String? = "2026-06-01T05:50:12Z"

    /// Creates a pump.
    package init(_ identity: PumpIdentity, _ records: [PumpRecord]) {
      self.identity = identity
      self.records = records
    }
  }

  /// A request that came, and the days that it asked for, if it did.
  package struct Seen: Sendable {
    /// What it was for; nil: something else.
    package var step: Step?
    /// All of it.
    package var request: ServedRequest
  }

  /// What can be changed while it serves.
  package struct World: Sendable {
    /// The account.
    package var email = "someone@example.com"
    /// Its password.
    package var password = #"p#a$s"w= 🙂"#
    /// The pumps.
    package var pumps: [Pump] = []
    /// What goes wrong next, each once, at the next request of its step.
    package var faults: [(step: Step, fault: Fault)] = []
    /// At which request of its step, counted from 1, the first of the faults comes.
    package var faultsBegin = 1
    /// What goes wrong each time that more days than these are asked for.
    package var mostDays = Int64.max
    /// Claims in the place of the usual ones, by name, as JSON; an empty text takes a claim out.
    package var claims: [String: String] = [:]
    /// What happens before a log is answered: new events may come in.
    package var beforeLogs: (@Sendable (inout World) -> Void)?

    /// Creates a world without pumps.
    package init() {}
  }

  private final class State: Sendable {
    struct Inner {
      var world: World
      var seen: [Seen] = []
      var challenges: [String: String] = [:]
      var tokens: Set<String> = []
      var port: UInt16 = 0
    }
    let inner: Mutex<Inner>
    init(_ world: World) { inner = Mutex(Inner(world: world)) }
  }

  /// The account's id.
  package static let pumper = "0ddba115-0000-4000-8000-0000000000aa"
  /// The client that may log in.
  package static let clientID = "0oa4wnbvtladeyVZX4h7"

  /// Starts a server.
  package init(_ world: World) throws {
    let state = State(world)
    self.state = state
    server = try LoopbackServer { request in
      state.inner.withLock { Self.answer(request, &$0) }
    }
    state.inner.withLock { $0.port = server.port }
  }

  /// Its address.
  package var base: String { "http://127.0.0.1:\(server.port)" }

  /// A file of endpoints that leads to it.
  package var endpoints: [UInt8] {
    Array(#"{"sso":"\#(base)","services":"\#(base)","source":"\#(base)"}"#.utf8)
  }

  /// Changes what it serves.
  package func change(_ body: @Sendable (inout World) -> Void) {
    state.inner.withLock { body(&$0.world) }
  }

  /// All requests so far.
  package var seen: [Seen] { state.inner.withLock { $0.seen } }

  /// How many requests of a step came.
  package func count(_ step: Step) -> Int { seen.count { $0.step == step } }

  /// The windows that were asked for, as their texts of the first and last day.
  package var windows: [String] {
    seen.compactMap { seen in
      guard seen.step == .logs, let start = seen.request.query["startDate"],
        let end = seen.request.query["endDate"]
      else { return nil }
      return "\(start.prefix(10))…\(end.prefix(10))"
    }
  }
}

// MARK: - Answers

extension SourceServer {
  private static func step(of request: ServedRequest) -> Step? {
    switch (request.method, request.path) {
    case ("GET", "/"): .page
    case ("POST", "/accounts/api/login"): .login
    case ("GET", "/accounts/api/connect/authorize"), ("GET", "/accounts/api/connect/callback"):
      .authorize
    case ("POST", "/accounts/api/connect/token"): .token
    case ("GET", "/accounts/api/.well-known/openid-configuration/jwks"): .keys
    case ("GET", "/api/reports/bff/pumper/\(pumper)"): .pumper
    case ("GET", let path) where path.hasPrefix("/api/reports/bff/pump-logs/"): .logs
    default: nil
    }
  }

  private static func answer(
    _ request: ServedRequest, _ state: inout State.Inner
  ) -> ServedReply {
    let step = step(of: request)
    state.seen.append(Seen(step: step, request: request))
    guard let step else { return .page("Not found", status: 404) }
    let reply =
      switch step {
      case .page:
        ServedReply.page("Log in")
      case .login: login(request, state)
      case .authorize: authorize(request, &state)
      case .token: token(request, &state)
      case .keys: ServedReply.json(TestSigner.shared.keys)
      case .pumper, .logs: report(step, request, &state)
      }
    guard let index = state.world.faults.firstIndex(where: { $0.step == step }),
      state.seen.count(where: { $0.step == step }) >= state.world.faultsBegin
    else { return reply }
    return spoiled(reply, state.world.faults.remove(at: index).fault)
  }

  private static func spoiled(_ reply: ServedReply, _ fault: Fault) -> ServedReply {
    var reply = reply
    switch fault {
    case .status(let status, let headers):
      reply = .page("Status \(status)", status: status)
      reply.headers += headers
    case .page: reply = .page("We will be back soon")
    case .wrongType: reply.headers = [("Content-Type", "text/plain")]
    case .halfBody: reply.cut = reply.body.count / 2
    case .halfAnswer: reply.body = Array(reply.body.prefix(reply.body.count / 2))
    case .emptyObject: reply = .json("{}")
    case .silence: reply.isSilent = true
    case .elsewhere: reply = .redirect("https://elsewhere.example/accounts/api/connect?code=stolen")
    case .hangUp: reply.hangsUp = true
    }
    return reply
  }

  private static func base(_ state: State.Inner) -> String { "http://127.0.0.1:\(state.port)" }

  private static func login(_ request: ServedRequest, _ state: State.Inner) -> ServedReply {
    guard request.headers["referer"] == base(state) + "/" else {
      return .page("The request is blocked", status: 403)
    }
    let fields = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: String]
    guard fields == ["username": state.world.email, "password": state.world.password] else {
      return .json(#"{"error":"account/invalid_credentials"}"#, status: 401)
    }
    var reply = ServedReply.json(#"{"redirectUrl":"/","status":"SUCCESS"}"#)
    reply.headers.append(("Set-Cookie", "session=cookie-secret; Path=/; HttpOnly"))
    return reply
  }

  /// The code comes at the second of two redirects, the first one without a host.
  private static func authorize(
    _ request: ServedRequest, _ state: inout State.Inner
  ) -> ServedReply {
    guard request.headers["cookie"]?.contains("session=cookie-secret") == true else {
      return .page("Log in first")
    }
    let redirect = base(state) + "/auth/callback"
    if request.path.hasSuffix("/callback") {
      return .redirect("\(redirect)?code=\(request.query["code"] ?? "")&scope=openid")
    }
    guard request.query["client_id"] == clientID, request.query["response_type"] == "code",
      request.query["scope"] == "openid profile email", request.query["redirect_uri"] == redirect,
      request.query["code_challenge_method"] == "S256",
      let challenge = request.query["code_challenge"]
    else { return .json(#"{"message":"Check input parameters."}"#, status: 400) }
    let code = "code-secret-\(state.challenges.count)"
    state.challenges[code] = challenge
    return .redirect("/accounts/api/connect/callback?code=\(code)")
  }

  private static func token(
    _ request: ServedRequest, _ state: inout State.Inner
  ) -> ServedReply {
    let form = request.form
    guard form["grant_type"] == "authorization_code", form["client_id"] == clientID,
      form["redirect_uri"] == base(state) + "/auth/callback", let code = form["code"],
      let challenge = state.challenges.removeValue(forKey: code),
      TestSigner.challenge(of: form["code_verifier"] ?? "") == challenge
    else { return .json(#"{"error":"invalid_grant"}"#, status: 400) }
    let token = "access-secret-\(state.tokens.count)"
    state.tokens.insert(token)
    let now = Int64(Date().timeIntervalSince1970)
    var claims = [
      "iss": "\"\(base(state))/accounts/api\"", "aud": "\"\(clientID)\"",
      "exp": "\(now + 28_800)", "nbf": "\(now - 5)", "pumperId": "\"\(pumper)\"",
      "email": "\"someone@example.com\"", "name": "\"Invented Person\"",
    ].merging(state.world.claims) { $1 }
    claims = claims.filter { !$0.value.isEmpty }
    let text = claims.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    let identity = TestSigner.shared.token(claims: "{\(text.joined(separator: ","))}")
    return .json(
      #"{"access_token":"\#(token)","id_token":"\#(identity)","expires_in":28800,"#
        + #""token_type":"Bearer"}"#)
  }

  private static func report(
    _ step: Step, _ request: ServedRequest, _ state: inout State.Inner
  ) -> ServedReply {
    let base = base(state)
    guard request.headers["origin"] == base, request.headers["referer"] == base + "/",
      request.headers["user-agent"]?.hasPrefix("Mozilla/5.0") == true
    else { return .page("The request is blocked", status: 403) }
    let token = request.headers["authorization"]?.split(separator: " ").last.map(String.init)
    guard let token, state.tokens.contains(token) else {
      return .json(#"{"message":"Unauthorized"}"#, status: 401)
    }
    guard step == .logs else {
      return .json(String(decoding: account(state.world), as: UTF8.self))
    }
    state.world.beforeLogs?(&state.world)
    return logs(request, state.world)
  }
}

// MARK: - Reports

extension SourceServer {
  private static func logs(_ request: ServedRequest, _ world: World) -> ServedReply {
    let assignment = request.path.split(separator: "/").last.map(String.init)
    guard let pump = world.pumps.first(where: { $0.identity.assignment == assignment }),
      request.query["pumperId"] == pumper
    else { return .json(#"{"message":"Not yours"}"#, status: 403) }
    guard let start = day(request.query["startDate"], "T00:00:00Z"),
      let end = day(request.query["endDate"], "T23:59:59Z"), start <= end
    else { return .json(#"{"message":"Check input parameters."}"#, status: 400) }
    guard end - start < world.mostDays else { return .page("Internal error", status: 500) }
    let days = start...min(end, start + 27)
    let first = pump.firstDay ?? .min
    var records = pump.records.filter { record in
      let day = PumpTime(seconds: record.seconds).wallSeconds.flooredDivision(by: 86_400)
      return days.contains(day) && day >= first
    }
    // The service promises no order.
    var random = TestRandom(seed: UInt64(bitPattern: start))
    for index in records.indices.dropFirst() {
      records.swapAt(index, random.integer(0...index))
    }
    let changes = pump.records.filter { $0.eventID == 13 || $0.eventID == 14 }
    let bytes = PumpLogsEncoder.document(records, of: pump.identity, known: changes)
    return .json(String(decoding: bytes, as: UTF8.self))
  }

  private static func day(_ text: String?, _ ending: String) -> Int64? {
    guard let text, text.hasSuffix(ending), text.utf8.count == 20 else { return nil }
    let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]) else {
      return nil
    }
    return CivilTime.days(year: parts[0], month: parts[1], day: parts[2])
  }

  /// The account answer.
  private static func account(_ world: World) -> [UInt8] {
    let entries = world.pumps.map { pump in
      let times = pump.records.map { PumpTime(seconds: $0.seconds).wallSeconds }
      let first = pump.firstDay.map { $0 * 86_400 } ?? times.min()
      func text(_ seconds: Int64?) -> String {
        guard let seconds else { return "null" }
        var bytes: [UInt8] = []
        JSONText.append(
          time: UInt32(clamping: seconds - PumpTime.epochInUnixSeconds), to: &bytes)
        return "\"\(String(decoding: bytes, as: UTF8.self))\""
      }
      let newest = pump.newest.map { "\"\($0)\"" } ?? text(times.max())
      let isKnown = pump.lastUpload != nil
      let range =
        pump.tellsRange && isKnown ? #"{"start":\#(text(first)),"end":\#(newest)}"# : "null"
      let identity = pump.identity
      return #"{"assignmentId":"\#(identity.assignment)","serialNumber":"\#(identity.serial)","#
        + #""modelName":"\#(identity.modelName)","modelNumber":"\#(identity.modelNumber)","#
        + #""softwareVersion":"\#(identity.softwareVersion)","availableDataRange":\#(range),"#
        + #""maxDateOfEvents":\#(isKnown ? newest : "null"),"#
        + #""lastUploadDate":\#(pump.lastUpload.map { "\"\($0)\"" } ?? "null"),"settings":null}"#
    }
    return Array(
      (#"{"firstName":"Invented","lastName":"Person","dateOfBirth":"1990-01-01","pumps":["#
        + entries.joined(separator: ",") + "]}").utf8)
  }
}
