import Foundation
import TestSupport
import Testing

/// The host's zone, locale and terminal are nobody's business.
@Suite("Any host", .needsBuiltTool)
struct HostTests {
  @Test(
    "Zone and locale of the host change nothing",
    arguments: [
      ["TZ": "Pacific/Kiritimati", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"],
      ["TZ": "America/New_York", "LANG": "C", "LC_ALL": "C"],
      ["TZ": "nonsense", "LANG": "tr_TR.UTF-8", "LC_ALL": "ar_EG.UTF-8"],
    ])
  func zoneAndLocale(environment: [String: String]) throws {
    var random = TestRandom(seed: 9000)
    let history = RandomHistory(&random)
    let documents = [history.account, history.wholeAnswer]
    let wanted = try Importer(history.options).run(documents, environment: ["TZ": "UTC"])
    let content = try Importer(history.options).run(documents, environment: environment)
    expectEqual(content, wanted, "\(environment)")
  }

  @Test("The same input gives the same bytes, archives included")
  func sameBytes() throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path)
    let samples = BuiltTool.package.appending(path: "Samples/one-day").path
    var bytes: [Data] = []
    for (index, zone) in ["UTC", "Asia/Tokyo"].enumerated() {
      let names = ["\(index).zip", "\(index).csv", "\(index).xml", "\(index).ndjson"]
      let outcome = try BuiltTool.run(
        ["convert", samples, "--zone", "America/New_York"] + names.flatMap { ["-o", $0] },
        in: url, environment: ["TZ": zone])
      #expect(outcome.code == 0, "\(outcome.errors)")
      for name in names { bytes.append(try Data(contentsOf: url.appending(path: name))) }
    }
    #expect(Array(bytes[0..<4]) == Array(bytes[4..<8]))
  }
}
