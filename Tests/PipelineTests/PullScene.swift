import Deduplicate
import Foundation
import Pipeline
import Platform
import PumpModel
import TestSupport
import Testing

/// A server with a pump or more, a folder, and what a pull of both needs.
final class PullScene {
  let server: SourceServer
  let workspace: Workspace
  let zone = TestZones.newYork
  var limits = CurlTransport.Limits()

  init(_ world: SourceServer.World) throws {
    server = try SourceServer(world)
    workspace = try Workspace()
    try workspace.write("endpoints.json", server.endpoints)
    let file = try workspace.write(
      "credentials",
      Array("TANDEM_EMAIL=someone@example.com\nTANDEM_PASSWORD=p#a$s\"w= 🙂\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }

  /// A pull into `ledger` that writes `out.ndjson`.
  func request(now: Instant = PullScene.now) -> PullRequest {
    var convert = workspace.request([])
    convert.ledger = workspace.path("ledger")
    convert.now = now
    var login = LoginRequest(credentials: .file(workspace.path("credentials")))
    login.endpoints = workspace.path("endpoints.json")
    return PullRequest(convert: convert, login: login)
  }

  /// What counts as now; tokens are checked by the host's clock all the same.
  static let now = Instant(unixSeconds: 1_800_000_000)

  private var pipeline: PumplinePipeline {
    let limits = self.limits
    return PumplinePipeline(
      network: Network(
        transport: { () throws(HTTPFailure) in try CurlTransport(limits: limits) },
        wait: { _ in true }, chance: { 0 }))
  }

  @discardableResult
  func pull(_ request: PullRequest) throws -> PullSummary {
    try pipeline.pull(request) { _ in }
  }

  func pull() throws -> PullSummary { try pull(request()) }

  func failure(_ request: PullRequest) -> RunFailure? {
    do {
      _ = try pipeline.pull(request) { _ in }
    } catch {
      return error
    }
    return nil
  }

  /// The samples of the records when they are converted at once.
  func truth(_ pumps: [SourceServer.Pump]) throws -> [String] {
    let other = try Workspace()
    var inputs = ["pumper.json"]
    try other.write("pumper.json", PumperDocument.bytes(pumps.map(\.identity)))
    for pump in pumps {
      let name = "\(pump.identity.serial).json"
      try other.write(name, PumpLogsEncoder.document(pump.records, of: pump.identity))
      inputs.append(name)
    }
    try other.convert(other.request(inputs))
    return other.samples.map(Self.masked).sorted()
  }

  var samples: [String] { workspace.samples.map(Self.masked).sorted() }

  /// A sample without its revision, which is history.
  private static func masked(_ line: String) -> String {
    line.replacing(/"revision":[0-9]+/, with: "")
  }

  func ledger() throws -> Ledger {
    try Ledger(.existing(workspace.path("ledger")), waitMilliseconds: 1000)
  }
}
