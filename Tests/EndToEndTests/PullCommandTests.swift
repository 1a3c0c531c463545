import Foundation
import Pipeline
import PumpModel
import Synchronization
import TestSupport
import Testing

/// `login` and `pull` as people run them, against a server on this computer.
@Suite("Pulling", .needsBuiltTool)
struct PullCommandTests {
  private static let password = #"p#a$s"w= 🙂"#

  /// A server, and a folder with credentials and endpoints.
  private final class Scene {
    let server: SourceServer
    let folder: TemporaryFolder
    var url: URL { URL(filePath: folder.path) }

    init(_ world: SourceServer.World) throws {
      server = try SourceServer(world)
      folder = try TemporaryFolder()
      try folder.write("endpoints.json", server.endpoints)
      let lines = "TANDEM_EMAIL=\(world.email)\nTANDEM_PASSWORD=\(PullCommandTests.password)\n"
      let file = try folder.write("tandem.env", Array(lines.utf8))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }

    func run(
      _ command: [String], environment: [String: String] = [:]
    ) throws -> BuiltTool.Outcome {
      try BuiltTool.run(arguments(command), in: url, environment: environment)
    }

    func arguments(_ command: [String]) -> [String] {
      command + ["--credentials", "tandem.env", "--endpoints", "endpoints.json"]
        + (command.first == "pull" ? ["--now", "2027-01-15T08:00:00Z"] : [])
    }

    func text(_ name: String) throws -> String {
      try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }
  }

  private static func world(days: Int, from seed: UInt64 = 3) -> SourceServer.World {
    var options = SyntheticPump.Options(seed: seed, days: days)
    options.hasSensor = false
    var world = SourceServer.World()
    world.pumps = [SourceServer.Pump(PumpIdentity(1), Array(SyntheticPump(options)))]
    return world
  }

  private static let pull = [
    "pull", "--zone", "America/New_York", "--ledger", "p.ledger", "--to", "samples", "--output",
    "out.ndjson",
  ]

  /// What a conversion of the same history gives.
  private static func truth(_ world: SourceServer.World) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write("pumper.json", PumperDocument.bytes(world.pumps.map(\.identity)))
    for pump in world.pumps {
      try folder.write("logs.json", PumpLogsEncoder.document(pump.records, of: pump.identity))
    }
    let outcome = try BuiltTool.run(
      [
        "convert", "pumper.json", "logs.json", "--zone", "America/New_York", "--to", "samples",
        "--output", "-", "--quiet",
      ], in: URL(filePath: folder.path))
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test("commands that need no network load no library for it", .needs("ldd"))
  func libraries() throws {
    let ldd = try #require(BuiltTool.installed("ldd"))
    let outcome = try BuiltTool.run(ldd, [BuiltTool.url.path], in: BuiltTool.package)
    #expect(outcome.output.contains("libsqlite3"))
    #expect(!outcome.output.contains("libcurl"))
    #expect(!outcome.output.contains("Networking"))
  }

  @Test("login lists the pumps of the account")
  func login() throws {
    let scene = try Scene(Self.world(days: 2))
    let outcome = try scene.run(["login"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("90000001, t:slim X2™ Insulin Pump: 2026-05-04 to 2026-05-05"))
    let json = try scene.run(["login", "--json"])
    #expect(json.output.contains(#""firstDay": "2026-05-04""#))
  }

  @Test("what was pulled is what converting the same history gives")
  func pulls() throws {
    let world = Self.world(days: 30)
    let scene = try Scene(world)
    let outcome = try scene.run(Self.pull)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("fetched pump 90000001, 2026-05-08 to 2026-06-02: "))
    #expect(outcome.errors.contains("pump 90000001, 2026-05-04 to 2026-06-02: 2 answers"))
    #expect(try scene.text("out.ndjson") == Self.truth(world))
    let again = try scene.run(Self.pull)
    #expect(again.errors.contains("nothing was missing"), "\(again.errors)")
  }

  @Test("a demo that is pulled stays one, and its kept answers give the same again, audited")
  func demo() throws {
    let pump = try #require(DemoHistory(seed: 5, days: 40, pumps: 1).pumps.first)
    var world = SourceServer.World()
    world.pumps = [SourceServer.Pump(pump.identity, pump.records)]
    let scene = try Scene(world)
    let settings = ["--zone", "America/New_York", "--now", "2027-01-15T08:00:00Z"]
    let pulled = try scene.run(
      Self.pull + ["--to", "csv", "--output", "out.csv", "--save-raw", "raw"])
    #expect(pulled.code == 0, "\(pulled.errors)")
    let samples = try scene.text("out.ndjson")
    let label = #""dataSource":"syntheticDemo""#
    let lines = samples.split(separator: "\n")
    #expect(lines.count > 5000 && lines.allSatisfy { $0.contains(label) })
    #expect(try scene.text("out.csv").split(separator: "\r\n").count == lines.count + 1)
    let status = try BuiltTool.run(["ledger", "status", "p.ledger"], in: scene.url)
    #expect(status.output.contains("events of made-up data"), "\(status.output)")

    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path + "/raw")
    let stated = names.filter { $0.hasPrefix("fetched-") }
    #expect(names.count == 5 && stated.count == 2)
    for name in stated { #expect(try scene.text("raw/" + name).contains(label)) }
    let converted = try BuiltTool.run(
      ["convert", "raw", "--to", "samples", "--output", "-"] + settings, in: scene.url)
    #expect(Self.masked(converted.output) == Self.masked(samples))

    let decoded = try BuiltTool.run(["decode", "raw"], in: scene.url)
    #expect(decoded.output.split(separator: "\n").count { $0.contains(#""record":"fetched""#) } > 0)
    try scene.folder.write("raw.lines", Array(decoded.output.utf8))
    let normalized = try BuiltTool.run(["normalize", "raw.lines"] + settings, in: scene.url)
    #expect(normalized.output == converted.output)

    for output in ["out.ndjson", "out.csv"] {
      let audit = try BuiltTool.run(
        ["audit", "--output", output, "--source", "raw"] + settings, in: scene.url)
      #expect(audit.code == 0, "\(output): \(audit.output)\(audit.errors)")
    }
    // A dose that is missing is a difference, so that the above proves something.
    let bolus = try #require(lines.firstIndex { $0.contains("insulin.bolus") })
    var fewer = lines
    fewer.remove(at: bolus)
    try scene.folder.write("fewer.ndjson", Array(fewer.joined(separator: "\n").utf8) + [0x0A])
    let audit = try BuiltTool.run(
      ["audit", "--output", "fewer.ndjson", "--source", "raw"] + settings, in: scene.url)
    #expect(audit.code == 1)
  }

  /// Samples without their revisions, which are history.
  private static func masked(_ samples: String) -> String {
    samples.replacing(/"revision":[0-9]+/, with: "")
  }

  @Test("exit statuses tell credentials from servers")
  func statuses() throws {
    var world = Self.world(days: 1)
    world.faults = [(.login, .status(401)), (.pumper, .status(403)), (.pumper, .status(404))]
    let scene = try Scene(world)
    #expect(try scene.run(["login"]).code == 77)
    let blocked = try scene.run(["login"])
    #expect(blocked.code == 69)
    #expect(blocked.errors.contains("firewall"))
    #expect(try scene.run(["login"]).errors.contains("The service has changed"))
    #expect(try BuiltTool.run(["login"], in: scene.url).code == 64)
    #expect(try scene.run(["pull", "--zone", "UTC", "-o", "x.csv"]).code == 64)
    try scene.folder.write(
      "endpoints.json",
      Array(
        #"{"sso":"https://a.example","services":"https://a.example","source":"https://a.example"}"#
          .utf8))
    #expect(try scene.run(["login"]).code == 64)
    // Credentials come from one place.
    #expect(try scene.run(["login", "--credentials-fd", "99"]).code == 64)
  }

  @Test("nothing that is printed or kept holds a secret")
  func secrets() throws {
    var world = Self.world(days: 3)
    world.faults = [(.logs, .status(401)), (.logs, .page)]
    let scene = try Scene(world)
    let good = try scene.run(
      Self.pull + ["--verbose", "--save-raw", "raw", "--report", "report.json"])
    #expect(good.code == 0, "\(good.errors)")
    scene.server.change { $0.faults = [(.token, .elsewhere)] }
    let bad = try scene.run(Self.pull + ["--verbose"])
    #expect(bad.code == 69, "\(bad.errors)")
    var bytes = Data((good.output + good.errors + bad.output + bad.errors).utf8)
    let files = try #require(FileManager.default.enumerator(atPath: scene.folder.path))
    for case let name as String in files where name != "tandem.env" {
      bytes += FileManager.default.contents(atPath: scene.folder.path + "/" + name) ?? Data()
    }
    #expect(bytes.range(of: Data("90000001".utf8)) != nil)
    for secret in [Self.password, "secret", "someone@example.com", "eyJ", "Bearer", "code="] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
  }

  @Test("an interrupted pull keeps what is whole, and the next one goes on")
  func interrupted() throws {
    let world = Self.world(days: 60)
    let scene = try Scene(world)
    let process = Process()
    process.executableURL = BuiltTool.url
    process.arguments = scene.arguments(Self.pull)
    process.currentDirectoryURL = scene.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let signaller = Signaller()
    scene.server.change { world in
      world.faults = [(.logs, .silence)]
      world.faultsBegin = 2
      world.beforeLogs = { _ in signaller.note() }
    }
    try process.run()
    signaller.begin(process.processIdentifier)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    if let limits = signaller.limits {
      #expect(limits.contains(/Max core file size +0 +0/))
    }
    #expect(scene.server.count(.logs) == 2)
    scene.server.change {
      $0.faults = []
      $0.beforeLogs = nil
    }
    let outcome = try scene.run(Self.pull)
    #expect(outcome.code == 0, "\(outcome.errors)")
    // The first window was kept: two were left.
    #expect(scene.server.count(.logs) == 4)
    #expect(try scene.text("out.ndjson") == Self.truth(world))
  }

  @Test("a pipeline file can name an account")
  func pipeline() throws {
    let world = Self.world(days: 2)
    let scene = try Scene(world)
    try scene.folder.write(
      "pull.yaml",
      Array(
        """
        source:
          tandem-source:
            credentials: tandem.env
            lane: recent
        normalize:
          zones: America/New_York
        ledger:
          file: p.ledger
        emit:
          outputs:
            - file: out.ndjson
              format: samples
        """.utf8))
    let outcome = try BuiltTool.run(
      ["run", "pull.yaml", "--endpoints", "endpoints.json", "--now", "2027-01-15T08:00:00Z"],
      in: scene.url)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try scene.text("out.ndjson") == Self.truth(world))
    try FileManager.default.removeItem(at: scene.url.appending(path: "p.ledger"))
    let dry = try BuiltTool.run(
      [
        "run", "pull.yaml", "--dry-run", "--endpoints", "endpoints.json", "--now",
        "2027-01-15T08:00:00Z",
      ], in: scene.url)
    #expect(dry.code == 0, "\(dry.errors)")
    #expect(dry.errors.contains("pump 90000001, 2026-05-04 to 2026-05-05 (recent)"))
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path + "/p.ledger"))
  }
}

/// Sends SIGINT to a process once the second log was asked for and the process is known.
private final class Signaller: Sendable {
  private typealias State = (logs: Int, child: Int32, limits: String?)
  private let state = Mutex<State>((0, 0, nil))

  /// The limits of the process when it had its password in memory; nil where systems do not tell.
  var limits: String? { state.withLock { $0.limits } }

  func note() { change { $0.logs += 1 } }

  func begin(_ child: Int32) { change { $0.child = child } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      guard state.logs == 2, state.child > 0 else { return }
      state.limits = try? String(contentsOfFile: "/proc/\(state.child)/limits", encoding: .utf8)
      kill(state.child, SIGINT)
    }
  }
}
