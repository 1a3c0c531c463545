import Foundation
import PumpModel
import TestSupport
import Testing

/// A ledger that is fed on two nights, with outputs of every kind: the second night brings samples
/// that are new, some that are different and one that is no more.
final class Nights {
  private let temporary: TemporaryFolder
  /// The folder.
  let url: URL
  private let options: [String]
  /// The names of the outputs; a database is compared by what is in it.
  static let outputs = ["out.zip", "out.xml", "out.csv", "out.ndjson", "out.db"]

  /// How outputs are asked for.
  enum Outputs: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case whole
    case changes = "--changes"
    case allChanges = "--changes=all"

    var testDescription: String { rawValue }
  }

  /// Makes a folder with the inputs of a history, or puts them into one that is there.
  init(_ outputs: Outputs, seed: UInt64 = 1, in folder: URL? = nil) throws {
    temporary = try TemporaryFolder()
    url = folder ?? URL(filePath: temporary.path)
    options =
      ["--zone", "America/New_York", "--ledger", "ledger", "--report", "report.json", "--quiet"]
      + (outputs == .whole ? [] : [outputs.rawValue]) + Self.outputs.flatMap { ["-o", $0] }
    var random = TestRandom(seed: seed)
    let records = Self.records(&random)
    let pump = PumpIdentity(1)
    try Data(PumperDocument.bytes([pump])).write(to: url.appending(path: "pumper.json"))
    let (first, second) = Self.parts(of: records, &random)
    try Data(PumpLogsEncoder.document(first, of: pump))
      .write(to: url.appending(path: "first.json"))
    try Data(PumpLogsEncoder.document(second, of: pump))
      .write(to: url.appending(path: "second.json"))
  }

  private static func records(_ random: inout TestRandom) -> [PumpRecord] {
    Array(
      SyntheticPump(
        .quiet(
          minutes: 420, from: TestZones.instant(2026, 5, 4, 20, in: TestZones.newYork),
          incidents: [
            .init(random.integer(5...60), .meal(grams: 30)),
            .init(random.integer(70...130), .combo(grams: 60, percentNow: 40, minutes: 60)),
            .init(random.integer(200...260), .suspension(minutes: 25)),
            .init(random.integer(300...400), .meal(grams: 45)),
          ])))
  }

  /// The records of both nights.
  ///
  /// The first one lacks the end and some in between; two neighbours
  /// are never seen, and that they are missing is known only on the second night, which says that
  /// it is complete.
  private static func parts(
    of records: [PumpRecord], _ random: inout TestRandom
  ) -> (first: [PumpRecord], second: [PumpRecord]) {
    let rates = records.indices.filter { records[$0].eventID == 279 }
    let lost = rates.indices.dropFirst(4).dropLast(8).first { place in
      let between = records[rates[place + 2]].seconds - records[rates[place - 1]].seconds
      return (601...900).contains(between)
        && rates[place + 2] - rates[place - 1] == 3
    }
    let never = lost.map { Set([rates[$0], rates[$0] + 1]) } ?? []
    let end = records.count * 3 / 4
    let late = Set(rates.filter { _ in random.happens(inThousand: 150) })
    let second = records.indices.filter { !never.contains($0) }
    let first = second.filter { $0 < end && !late.contains($0) }
    return (first.map { records[$0] }, second.map { records[$0] })
  }

  /// The arguments of a night's run.
  func arguments(_ night: Int) -> [String] {
    ["convert"]
      + (night == 1 ? ["first.json", "pumper.json"] : ["second.json", "--complete"]) + options
  }

  /// Runs a night.
  @discardableResult
  func run(_ night: Int, _ environment: [String: String] = [:]) throws -> BuiltTool.Outcome {
    try BuiltTool.run(arguments(night), in: url, environment: environment)
  }

  /// Runs a night that must succeed.
  func succeed(_ night: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try run(night)
    #expect(outcome.code == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
  }

  /// What stands in each output; nil where none is.
  var contents: [String: Data] {
    get throws {
      var contents: [String: Data] = [:]
      for name in Self.outputs {
        let file = url.appending(path: name)
        contents[name] = name == "out.db" ? try rows(of: file) : try? Data(contentsOf: file)
      }
      return contents
    }
  }

  /// All that is in a database, and that it is whole; nothing where no program can tell.
  ///
  /// A copy is asked, with its journal if there is one: whoever opens a database that a dead run was
  /// writing to takes back what that run had begun, and that is for the next run to show.
  private func rows(of database: URL) throws -> Data? {
    guard FileManager.default.fileExists(atPath: database.path),
      let tool = BuiltTool.installed("sqlite3")
    else { return nil }
    let query = """
      PRAGMA integrity_check; SELECT * FROM samples ORDER BY external_id;
      SELECT * FROM basal_over_midnight; SELECT * FROM pump_events ORDER BY id;
      SELECT change, shows FROM ledger;
      """
    let scratch = try TemporaryFolder()
    for end in ["", "-journal"] where FileManager.default.fileExists(atPath: database.path + end) {
      try FileManager.default.copyItem(
        atPath: database.path + end, toPath: scratch.path + "/copy.db" + end)
    }
    let outcome = try BuiltTool.run(tool, [scratch.path + "/copy.db", query], in: url)
    return Data((outcome.output + outcome.errors).utf8)
  }

  /// The outputs that hold neither of two states: half of something.
  func broken(_ old: [String: Data], _ new: [String: Data]) throws -> [String] {
    let now = try contents
    return Self.outputs.filter { now[$0] != old[$0] && now[$0] != new[$0] }
  }

  /// The outputs that differ from a state.
  func differing(from wanted: [String: Data]) throws -> [String] {
    let now = try contents
    return Self.outputs.filter { now[$0] != wanted[$0] }
  }

  /// What a run leaves and should not.
  var leftovers: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: url.path).filter { name in
        [".partial", "-wal", "-shm", "-journal"].contains { name.hasSuffix($0) }
      }
    }
  }

  /// Keeps how the folder is now.
  func saved() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      files[name] = try Data(contentsOf: url.appending(path: name))
    }
    return files
  }

  /// Makes the folder as it was.
  func restore(_ files: [String: Data]) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      try FileManager.default.removeItem(at: url.appending(path: name))
    }
    for (name, bytes) in files { try bytes.write(to: url.appending(path: name)) }
  }

  /// The arrays of the report.
  func changes() throws -> [String: Int] {
    struct Report: Decodable { var changes: [String: Int] }
    let data = try Data(contentsOf: url.appending(path: "report.json"))
    return try JSONDecoder().decode(Report.self, from: data).changes
  }
}
