import Foundation
import Platform
import PumpModel
import Testing

@testable import Emit

/// How formats say what became of samples.
@Suite struct ChangesTests {
  /// The first rows of the fixture, each with a change.
  private func batch(_ changes: [(OutputChange, isOld: Bool)]) -> OutputBatch {
    var batch = Fixture.batch
    batch.rows = Array(batch.rows.dropFirst(2).prefix(changes.count))
    for index in batch.rows.indices {
      batch.rows[index].change = changes[index].0
      batch.rows[index].isOldForm = changes[index].isOld
    }
    return batch
  }

  private func columns(_ table: String) -> [[Substring]] {
    table.split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
  }

  @Test func `a table of changes has a column for them, and no value of what is gone`() throws {
    let form = CSVForm(try Fixture.context, content: .changes)
    let rows = columns(
      try text(form, [batch([(.fresh, false), (.revised, false), (.withdrawn, true)])]))
    #expect(rows.map(\.last) == ["change", "fresh", "revised", "withdrawn"])
    #expect(rows.map { $0[3] } == ["value", "62.5", "0.070833", ""])
    #expect(Set(rows.map(\.count)) == [22])
  }

  @Test func `what is superseded shows both forms with their values`() throws {
    let form = CSVForm(try Fixture.context, content: .superseded)
    let rows = columns(
      try text(form, [batch([(.withdrawn, true), (.revised, true), (.revised, false)])]))
    #expect(
      rows.map { $0.suffix(2).joined(separator: " ") }
        == ["change form", "withdrawn old", "revised old", "revised new"])
    #expect(rows.map { $0[3] } == ["value", "62.5", "0.070833", "2.083"])
  }

  @Test func `a withdrawn sample is a deletion in NDJSON`() throws {
    let lines = try text(
      SamplesForm(try Fixture.context), [batch([(.withdrawn, true), (.fresh, false)])]
    ).split(separator: "\n")
    #expect(
      lines.first
        == #"{"externalId":"tandem:90556643:13-578752200:carbs","revision":3,"deleted":true}"#)
    #expect(lines.count == 2)
    #expect(lines[1].contains(#""value":"0.070833""#))
  }

  @Test func `an archive has room for what is superseded`() throws {
    let folder = try TestFolder()
    let path = folder.file("export.zip")
    let context = try Fixture.context
    let sink = try AppleHealthSink(
      .file(path), context: context, options: AppleHealthOptions(version: "1"))
    try sink.write(batch([(.fresh, false)]))
    let list = try #require(try sink.beginSuperseded(context))
    try list.write(batch([(.revised, true), (.revised, false)]))
    try list.seal()
    try list.publish()
    guard let xml = try run("unzip", ["-p", path, "apple_health_export/export.xml"]),
      let csv = try run("unzip", ["-p", path, "superseded.csv"]),
      let names = try run("unzip", ["-l", path])
    else { return }
    #expect(xml.output.hasSuffix("</HealthData>\n"))
    #expect(columns(csv.output).map(\.last) == ["form", "old", "new"])
    #expect(try run("unzip", ["-tqq", path])?.status == 0)
    #expect(names.output.contains(" 2 files"))
    // Entries and directory carry the date of the export, 12:00 in Paris, whatever the host's zone.
    let bytes = [UInt8](try folder.bytes("export.zip"))
    let date = [0, 0x60, 0xC1, 0x5C] as [UInt8]
    for (signature, offset) in [([0x50, 0x4B, 3, 4], 10), ([0x50, 0x4B, 1, 2], 12)]
      as [([UInt8], Int)]
    {
      let places = bytes.indices.dropLast(46).filter { Array(bytes[$0..<$0 + 4]) == signature }
      #expect(places.count == 2)
      for place in places { #expect(Array(bytes[place + offset..<place + offset + 4]) == date) }
    }
  }

  @Test func `export.xml alone has no such room`() throws {
    let folder = try TestFolder()
    let sink = try AppleHealthSink(
      .file(folder.file("export.xml")), context: try Fixture.context,
      options: AppleHealthOptions(version: "1"))
    #expect(try sink.beginSuperseded(try Fixture.context) == nil)
  }
}
