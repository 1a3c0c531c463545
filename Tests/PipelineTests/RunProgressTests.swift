import Foundation
import Pipeline
import TestSupport
import Testing

/// What a run tells of how far it has come.
@Suite("Progress of a run")
struct RunProgressTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.write("in/a.json", Histories.pumpLogs(Histories.meal(minutes: 3000)))
    try work.write("in/b/c.json", Histories.pumpLogs(Histories.meal(), pump: 2))
    try work.write("in/notes.txt", Array(repeating: 0x20, count: 5000))
  }

  private func progress(
    _ inputs: [String], change: (inout ConvertRequest) -> Void = { _ in }
  ) throws -> [RunProgress] {
    var request = work.request(inputs)
    request.tellsProgress = true
    change(&request)
    var told: [RunProgress] = []
    _ = try PumplinePipeline().convert(request) { event in
      if case .progress(let progress) = event { told.append(progress) }
    }
    return told
  }

  private func size(_ name: String) throws -> UInt64 {
    let attributes = try FileManager.default.attributesOfItem(atPath: work.path(name))
    return try #require(attributes[.size] as? UInt64)
  }

  @Test("Stages come in order, and none goes back")
  func stages() throws {
    let told = try progress(["in"])
    var stages: [RunProgress.Stage] = []
    for stage in told.map(\.stage) where stages.last != stage { stages.append(stage) }
    #expect(stages == RunProgress.Stage.allCases)
    for stage in RunProgress.Stage.allCases {
      let done = told.filter { $0.stage == stage }.map(\.done)
      #expect(done == done.sorted())
    }
    let written = try #require(told.last)
    #expect(written.total == written.done)
    #expect(written.done == UInt64(work.samples.count))
  }

  @Test("Bytes of files are those of all inputs, in folders too")
  func bytes() throws {
    let reading = try progress(["in"]).filter { $0.stage == .reading }
    let total = try ["in/a.json", "in/b/c.json", "in/notes.txt"].reduce(0) { try $0 + size($1) }
    #expect(reading.allSatisfy { $0.total == total && $0.done <= total })
    // The last chunk told is that of the last document, which is no pump data and left early.
    #expect(try reading.last.map { $0.done > total - (try size("in/notes.txt")) } == true)
  }

  @Test("Bytes of an archive are those of its file")
  func archives() throws {
    try work.write(
      "in.zip",
      ArchiveBuilder.archive(
        .zip,
        [
          .file("a.json", Histories.pumpLogs(Histories.meal(minutes: 3000))),
          .file("b.json", Histories.pumpLogs(Histories.meal(), pump: 2)),
        ]))
    let size = try size("in.zip")
    let reading = try progress(["in.zip"]).filter { $0.stage == .reading }
    #expect(reading.allSatisfy { $0.total == size && $0.done <= size })
    #expect(reading.last?.done == size)
  }

  @Test("An archive that the ledger knows counts whole, though it is not read")
  func known() throws {
    try work.write(
      "in.zip",
      ArchiveBuilder.archive(.zip, [.file("a.json", Histories.pumpLogs(Histories.meal()))]))
    try work.write("z.json", Histories.pumpLogs(Histories.meal(), pump: 2))
    _ = try progress(["in.zip"]) { $0.ledger = work.path("ledger") }
    let again = try progress(["in.zip", "z.json"]) { $0.ledger = work.path("ledger") }
    let total = try size("in.zip") + size("z.json")
    #expect(
      again.first { $0.stage == .reading } == RunProgress(.reading, done: total, total: total))
  }

  @Test("A look into inputs tells of their reading too")
  func inspect() throws {
    var request = InspectRequest(inputs: [work.path("in")])
    request.tellsProgress = true
    var told: [RunProgress] = []
    _ = try PumplinePipeline().inspect(request) { event in
      if case .progress(let progress) = event { told.append(progress) }
    }
    #expect(told == (try progress(["in"])).filter { $0.stage == .reading })
    #expect(!told.isEmpty)
  }

  @Test("A run that is not asked tells nothing")
  func silence() throws {
    #expect(try progress(["in"]) { $0.tellsProgress = false }.isEmpty)
  }
}
