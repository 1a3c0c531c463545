import Platform
import PumpModel
import Synchronization
import TestSupport
import Testing

@testable import Extract

/// A client against a server that speaks as the service does, over real connections to this computer.
@Suite struct SourceClientTests {
  private static let day: Int64 = 20_577

  /// What a client waited, and the requests that it noted.
  private final class Log {
    var waits: [Int] = []
    var notes: [RequestNote] = []
  }

  private func world(_ faults: [(SourceServer.Step, SourceServer.Fault)] = []) -> SourceServer.World
  {
    var world = SourceServer.World()
    let start = TestZones.instant(2026, 5, 4, 12, in: TestZones.newYork)
    world.pumps = [
      SourceServer.Pump(PumpIdentity(1), Array(SyntheticPump(.quiet(minutes: 120, from: start))))
    ]
    world.faults = faults.map { (step: $0.0, fault: $0.1) }
    return world
  }

  private func client(
    _ server: SourceServer, password: String = #"p#a$s"w= 🙂"#, log: Log = Log(),
    limits: CurlTransport.Limits = CurlTransport.Limits()
  ) throws -> SourceClient {
    var surroundings = SourceSurroundings(transport: try CurlTransport(limits: limits))
    surroundings.wait = { milliseconds in
      log.waits.append(milliseconds)
      return true
    }
    surroundings.chance = { 0 }
    surroundings.note = { log.notes.append($0) }
    let credentials = try #require(Credentials(email: "someone@example.com", password: password))
    return SourceClient(
      endpoints: try SourceEndpoints(json: server.endpoints, region: .us),
      credentials: credentials, surroundings)
  }

  private func logs(_ client: SourceClient) throws(SourceFailure) -> [UInt8] {
    try client.pumpLogs(of: PumpIdentity(1).assignment, days: Self.day - 1...Self.day + 1)
  }

  @Test func aLoginLeadsToTheAccountAndItsLogs() throws {
    let server = try SourceServer(world())
    let log = Log()
    let client = try client(server, log: log)
    let account = try client.account()
    #expect(account.pumps.map(\.serial) == ["90000001"])
    #expect(account.pumps.first?.newest != nil)
    let bytes = try logs(client)
    #expect(ReplyJSON.value(of: bytes)?["events"]?.elements?.isEmpty == false)
    #expect(server.count(.login) == 1)
    #expect(server.windows == ["2026-05-03…2026-05-05"])
    #expect(log.waits.isEmpty)
    #expect(
      log.notes.map(\.purpose) == [
        "login page", "login", "authorization", "authorization", "token", "keys", "account", "logs",
      ])
    #expect(log.notes.last?.days == Self.day - 1...Self.day + 1)
  }

  @Test func tokensAndPasswordsGoWhereTheyBelongAlone() throws {
    let server = try SourceServer(world())
    let client = try client(server)
    _ = try client.account()
    _ = try logs(client)
    for seen in server.seen {
      let isReport = seen.step == .pumper || seen.step == .logs
      #expect((seen.request.headers["authorization"] != nil) == isReport)
      #expect(seen.request.text.contains("someone@example.com") == (seen.step == .login))
      #expect(!seen.request.path.contains("secret"))
      for value in seen.request.query.values {
        #expect(!value.contains("access-secret") && !value.contains("p#a$s"))
      }
    }
  }

  @Test func aWrongPasswordIsRefusedAtOnce() throws {
    let server = try SourceServer(world())
    #expect(throws: SourceFailure.credentialsRefused) {
      try client(server, password: "wrong").account()
    }
    #expect(server.count(.login) == 1)
  }

  @Test(arguments: [SourceServer.Step.pumper, .logs])
  func anExpiredTokenIsRenewedOnce(step: SourceServer.Step) throws {
    let server = try SourceServer(world([(step, .status(401))]))
    let client = try client(server)
    _ = try client.account()
    _ = try logs(client)
    #expect(server.count(.login) == 2)
  }

  @Test func twoLoginsAreEnough() throws {
    let server = try SourceServer(world([(.pumper, .status(401)), (.pumper, .status(401))]))
    #expect(throws: SourceFailure.loggedOut) { try client(server).account() }
    #expect(server.count(.login) == 2)
    #expect(server.count(.pumper) == 2)
  }

  @Test(arguments: [
    (403, SourceFailure.blocked), (404, .gone(step: "logs")),
    (400, .unexpected(step: "logs", what: "status 400")), (302, .ledElsewhere(step: "logs")),
  ])
  func whatTryingAgainWouldNotChangeIsAskedOnce(status: Int, failure: SourceFailure) throws {
    let server = try SourceServer(world([(.logs, .status(status))]))
    let log = Log()
    let client = try client(server, log: log)
    #expect(throws: failure) { try logs(client) }
    #expect(server.count(.logs) == 1)
    #expect(log.waits.isEmpty)
    #expect(log.notes.last?.status == status)
  }

  @Test(arguments: [
    SourceServer.Fault.status(500), .status(503), .page, .wrongType, .halfBody, .halfAnswer,
    .hangUp, .silence,
  ])
  func whatPassesIsTriedAgain(fault: SourceServer.Fault) throws {
    let server = try SourceServer(world([(.logs, fault)]))
    let log = Log()
    var limits = CurlTransport.Limits()
    if case .silence = fault { limits.answer = 500 }
    let client = try client(server, log: log, limits: limits)
    let bytes = try logs(client)
    #expect(ReplyJSON.value(of: bytes)?["events"]?.elements?.isEmpty == false)
    #expect(log.waits == [1000])
    #expect(server.count(.logs) == 2)
  }

  @Test func retryAfterIsHonoured() throws {
    let server = try SourceServer(
      world([
        (.logs, .status(429, [("Retry-After", "17")])),
        (.logs, .status(503, [("Retry-After", "5")])),
      ]))
    let log = Log()
    let client = try client(server, log: log)
    _ = try logs(client)
    #expect(log.waits == [17_000, 5000])
  }

  @Test(arguments: [
    (SourceServer.Fault.status(500), SourceFailure.unavailable(step: "logs")),
    (.status(429), .busy), (.halfBody, .unavailable(step: "logs")),
    (.page, .unexpected(step: "logs", what: "a page in the place of JSON")),
  ])
  func enoughIsEnough(fault: SourceServer.Fault, failure: SourceFailure) throws {
    let server = try SourceServer(
      world([(.logs, fault), (.logs, fault), (.logs, fault), (.logs, fault)]))
    let log = Log()
    let client = try client(server, log: log)
    #expect(throws: failure) { try logs(client) }
    #expect(server.count(.logs) == 4)
    #expect(log.waits == [1000, 2000, 4000])
  }

  @Test func aPasswordIsSentTwiceAtMost() throws {
    let server = try SourceServer(world((0..<4).map { _ in (.login, .status(500)) }))
    #expect(throws: SourceFailure.unavailable(step: "login")) { try client(server).account() }
    #expect(server.count(.login) == 2)
  }

  @Test func anAnswerOfNothingIsNoAnswer() throws {
    let server = try SourceServer(world([(.logs, .emptyObject), (.pumper, .emptyObject)]))
    let client = try client(server)
    #expect(
      throws: SourceFailure.unexpected(step: "logs", what: "an answer without a list of events")
    ) { try logs(client) }
    #expect(throws: SourceFailure.self) { try client.account() }
  }

  @Test(arguments: [SourceServer.Step.authorize, .login, .page, .token, .pumper])
  func aRedirectElsewhereEndsAll(step: SourceServer.Step) throws {
    let server = try SourceServer(world([(step, .elsewhere)]))
    let failure = #expect(throws: SourceFailure.self) { try client(server).account() }
    guard case .ledElsewhere = failure else {
      Issue.record("\(step): \(String(describing: failure))")
      return
    }
  }

  @Test(arguments: [
    ("iss", #""https://evil.example""#), ("exp", "1"), ("aud", #""another""#), ("pumperId", ""),
  ])
  func aTokenThatIsNotProvenOpensNothing(claim: String, value: String) throws {
    var world = world()
    world.claims = [claim: value]
    let server = try SourceServer(world)
    #expect(throws: SourceFailure.self) { try client(server).account() }
    #expect(server.count(.pumper) == 0)
  }

  @Test func aServerThatIsNotThereIsUnreachable() throws {
    let port: UInt16
    do { port = try LoopbackServer { _ in .page("") }.port }
    let transport = try CurlTransport()
    // The port may be taken by now, by somebody who does not answer as a web server does.
    #expect(throws: HTTPFailure.self) {
      try transport.send(HTTPRequest("GET", "https://127.0.0.1:\(port)/"))
    }
  }

  @Test func answersHaveABound() throws {
    let server = try LoopbackServer { _ in .json(String(repeating: " ", count: 5000)) }
    var limits = CurlTransport.Limits()
    limits.bytes = 4999
    let transport = try CurlTransport(limits: limits)
    let address = "http://127.0.0.1:\(server.port)/"
    #expect(throws: HTTPFailure.tooLarge) { try transport.send(HTTPRequest("GET", address)) }
    let roomy = try CurlTransport()
    #expect(try roomy.send(HTTPRequest("GET", address)).body.count == 5000)
  }

  @Test func cookiesGoBackAndBodiesDoNotStay() throws {
    let server = try LoopbackServer { request in
      var reply = ServedReply.json(
        "[\"\(request.method)\",\"\(request.text)\",\"\(request.headers["cookie"] ?? "")\"]")
      reply.headers.append(("Set-Cookie", "a=1; Path=/"))
      return reply
    }
    let transport = try CurlTransport()
    let address = "http://127.0.0.1:\(server.port)/"
    func ask(_ method: String, _ body: String? = nil) throws -> String {
      let request = HTTPRequest(method, address, body: body.map { Array($0.utf8) })
      return String(decoding: try transport.send(request).body, as: UTF8.self)
    }
    #expect(try ask("POST", "x") == #"["POST","x",""]"#)
    #expect(try ask("GET") == #"["GET","","a=1"]"#)
    #expect(try ask("POST", "") == #"["POST","","a=1"]"#)
  }

  @Test func theAccountIsReadAsItComes() throws {
    let text = """
      {"pumps":[
        {"assignmentId":"a-1","serialNumber":"90000001","modelName":"Mobi",
         "availableDataRange":{"start":"2026-01-02T03:04:05","end":"2026-01-03"},
         "maxDateOfEvents":"2026-01-02T03:04:06.123","lastUploadDate":"2026-01-04T00:00:00Z"},
        {"assignmentId":"a-2","serialNumber":null,"availableDataRange":null,"maxDateOfEvents":null},
        {"assignmentId":"a-1","serialNumber":"90000009"},
        {"assignmentId":"a-3","serialNumber":"","availableDataRange":{"start":"x","end":"2026-13-01"}}
      ]}
      """
    let account = try #require(SourceAccount(Array(text.utf8)))
    #expect(account.pumps.map(\.name) == ["90000001", "a-2", "a-3"])
    let midnight = CivilTime.days(year: 2026, month: 1, day: 2) * 86_400
    #expect(account.pumps[0].available == midnight + 11_045..<midnight + 86_401)
    #expect(account.pumps[0].newest == midnight + 11_046)
    #expect(account.pumps.map(\.isEmpty) == [false, true, true])
    #expect(SourceAccount(Array(#"{"pumps":[{"assignmentId":"../x"}]}"#.utf8)) == nil)
  }
}
