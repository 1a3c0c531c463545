import Foundation
import Platform
import PumpModel
import Testing

@testable import Emit

@Suite struct HostTests {
  @Test func `the host's zone and language do not show in any output`() async throws {
    let folder = try TestFolder()
    for (zone, language) in [("UTC", "C"), ("Asia/Kolkata", "de_DE.UTF-8")] {
      let path = folder.file(language)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      // In a process of its own, since the zone is read once.
      await #expect(processExitsWith: .success) {
        [path = path as String, zone = zone as String, language = language as String] in
        unsafe _ = setenv("TZ", zone, 1)
        unsafe _ = setenv("LC_ALL", language, 1)
        unsafe _ = setlocale(LC_ALL, "")
        try HostTests.publish(in: path)
      }
    }
    for name in Self.names {
      #expect(try folder.bytes("C/\(name)") == folder.bytes("de_DE.UTF-8/\(name)"), "\(name)")
    }
  }

  private static let names = ["x.zip", "x.xml", "x.csv", "x.ndjson", "x.sqlite"]

  private static func publish(in folder: String) throws {
    for name in names {
      let format = try #require(SinkFormat(fileName: name))
      let sink = try format.open(
        .file("\(folder)/\(name)"), context: try Fixture.context,
        options: AppleHealthOptions(version: "1"))
      try sink.write(Fixture.batch)
      try sink.seal()
      try sink.publish()
    }
  }
}
