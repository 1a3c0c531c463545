import Demo
import Foundation
import PumpModel
import TestSupport

/// Serves an account of invented pumps as Tandem Source does, on the loopback address, to try pulls by
/// hand; ends by itself.
struct Serve {
  /// Writes `endpoints.json` and `credentials`, which only their owner can read, into a folder, says
  /// when it is ready, and serves for so many seconds.
  static func run(_ arguments: Arguments) throws {
    guard let folder = arguments.files.first else { throw Usage("name a folder for the files") }
    let days = try arguments.integer("days") ?? 70
    let pumps = try arguments.integer("pumps") ?? 1
    let seconds = try arguments.integer("seconds") ?? 300
    var world = SourceServer.World()
    for ordinal in 1...max(1, pumps) {
      let options = SyntheticPump.Options(seed: UInt64(ordinal + 6), days: days)
      world.pumps.append(
        SourceServer.Pump(PumpIdentity(ordinal), Array(SyntheticPump(options))))
    }
    let server = try SourceServer(world)
    try write(server.endpoints, to: folder + "/endpoints.json")
    try write(
      Array("TANDEM_EMAIL=\(world.email)\nTANDEM_PASSWORD=\(world.password)\n".utf8),
      to: folder + "/credentials")
    Terminal.say("\(server.base) for \(seconds) s; its files are in \(folder)")
    Thread.sleep(forTimeInterval: Double(seconds))
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let isWritten = FileManager.default.createFile(
      atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    guard isWritten else { throw Usage("cannot write \(path)") }
  }
}
