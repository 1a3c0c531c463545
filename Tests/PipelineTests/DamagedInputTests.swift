import Pipeline
import PumpModel
import TestSupport
import Testing

/// What becomes of documents that are damaged or no pump data (N2).
@Suite("Damaged and foreign documents")
struct DamagedInputTests {
  private let work: Workspace
  private static let whole = Histories.pumpLogs(Histories.meal())
  private static let cut = Array(whole.dropLast(30))
  private static let foreign = Array(#"{"name":"a page","items":[1,2,3]}"#.utf8)

  init() throws {
    work = try Workspace()
    try work.write("whole.json", Self.whole)
    try work.write("cut.json", Self.cut)
    try work.write("foreign.json", Self.foreign)
    try work.write("pumper.json", Histories.pumper())
  }

  private func keepGoing(_ inputs: [String]) -> ConvertRequest {
    var request = work.request(inputs)
    request.keepsGoing = true
    return request
  }

  /// The samples of the healthy history alone.
  private func healthy() throws -> [String] {
    try work.convert(work.request(["whole.json", "pumper.json"]))
    return work.samples
  }

  @Test(
    "Named itself, a damaged or foreign document ends the run",
    arguments: ["cut.json", "foreign.json"])
  func named(name: String) throws {
    let failure = work.failure(work.request(["whole.json", name]))
    #expect(failure?.exitStatus == .unreadable)
    #expect(failure?.place == work.path(name))
    #expect(work.text("out.ndjson") == nil)
  }

  @Test("--keep-going makes it one reject", arguments: ["cut.json", "foreign.json"])
  func keptGoing(name: String) throws {
    let expected = try healthy()
    let request = keepGoing(["whole.json", name, "pumper.json"])
    let report = try work.report(request)
    #expect(report.rejects.count == 1)
    #expect(report.rejects.first?.document == work.path(name))
    #expect(report.ignored["unrecognisedDocument"] == nil)
    #expect(work.samples == expected)
    #expect(try work.convert(request).exitStatus == .rejects)
  }

  @Test("A container that cannot be opened ends the run, unless --keep-going")
  func container() throws {
    let expected = try healthy()
    let archive = ArchiveBuilder.archive(.sevenZip, [.file("a.json", Self.whole)])
    try work.write("broken.7z", Array(archive.prefix(40)))
    let inputs = ["whole.json", "broken.7z", "pumper.json"]
    #expect(work.failure(work.request(inputs))?.exitStatus == .unreadable)
    let report = try work.report(keepGoing(inputs))
    #expect(report.rejects.map(\.document) == [work.path("broken.7z")])
    #expect(work.samples == expected)
  }

  @Test("In a container, a foreign document is ignored and a damaged one is one reject")
  func members() throws {
    let expected = try healthy()
    let zip = ArchiveBuilder.archive(
      .zip,
      [
        .file("cut.json", Self.cut), .file("page.json", Self.foreign),
        .file("readme.txt", Array("Dear reader".utf8)), .file("whole.json", Self.whole),
        .file("pumper.json", Histories.pumper()),
      ])
    try work.write("all.zip", zip)
    let report = try work.report(work.request(["all.zip"]))
    #expect(report.rejects.count == 1)
    #expect(report.rejects.first?.document.hasSuffix("cut.json") == true)
    #expect(report.ignored["unrecognisedDocument"] == 2)
    #expect(report.input("cut.json")?.records == 0)
    #expect(report.input("cut.json")?.pumps == [])
    #expect(work.samples == expected)
  }

  @Test("A document that comes twice is one, whether anybody is told its digest or not")
  func twice() throws {
    let expected = try healthy()
    try work.write("again/whole.json", Self.whole)
    let request = work.request(["whole.json", "again", "whole.json", "pumper.json"])
    try work.convert(request)
    #expect(work.samples == expected)
    #expect(try work.report(request).inputs.map(\.duplicates).filter { $0 > 0 }.count == 2)
    #expect(work.samples == expected)
  }

  @Test("Every one of hundreds of members is told under its own name")
  func names() throws {
    let expected = try healthy()
    let members = (0..<700).map { number in
      let body = number % 2 == 0 ? Self.cut : Self.foreign
      return ArchiveBuilder.Entry.file("m\(number).json", number == 699 ? Self.whole : body)
    }
    try work.write("many.zip", ArchiveBuilder.archive(.zip, members))
    let report = try work.report(work.request(["many.zip", "pumper.json"]))
    let cut = stride(from: 0, to: 700, by: 2).map { work.path("many.zip") + " › m\($0).json" }
    #expect(report.rejects.map(\.document) == cut)
    #expect(
      report.inputs.map(\.document) == cut + [
        work.path("many.zip") + " › m699.json", work.path("pumper.json"),
      ])
    #expect(work.samples == expected)
  }

  @Test("A folder is a container too")
  func folder() throws {
    let expected = try healthy()
    for (name, bytes) in [("cut", Self.cut), ("page", Self.foreign), ("whole", Self.whole)] {
      try work.write("folder/\(name).json", bytes)
    }
    try work.write("folder/pumper.json", Histories.pumper())
    let report = try work.report(work.request(["folder"]))
    #expect(report.rejects.count == 1)
    #expect(report.ignored["unrecognisedDocument"] == 1)
    #expect(work.samples == expected)
  }

  @Test("A single bad record is one reject, and the rest of its document is used")
  func badRecord() throws {
    let expected = try healthy()
    let bad =
      #"{"deviceAssignmentId":"\#(PumpIdentity(1).assignment)","eventCode":20,"#
      + #""sequenceGroup":0,"sequenceNumber":9000,"pumpDateTime":"2026-05-04T12:30:00","#
      + #""eventProperties":{"bolusId":"many","completionStatus":3,"insulinDelivered":1}},"#
    let start = try #require(Self.whole.firstIndex(of: UInt8(ascii: "["))) + 1
    try work.write("bad.json", Self.whole[..<start] + Array(bad.utf8) + Self.whole[start...])
    let report = try work.report(work.request(["bad.json", "pumper.json"]))
    #expect(report.rejects.count == 1)
    let whole = Histories.meal().count
    #expect(report.input("bad.json")?.records == whole + 1)
    #expect(report.input("bad.json")?.rejected == 1)
    #expect(report.input("bad.json")?.used == whole)
    #expect(work.samples == expected)
  }
}
