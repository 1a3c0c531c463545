import Foundation
import Platform
import PumpModel
import Testing

@testable import Emit

@Suite struct SinkFormatTests {
  private let options = AppleHealthOptions(version: "1.2.3")

  private func publish(
    _ format: SinkFormat, to path: String, _ batches: [OutputBatch] = [Fixture.batch]
  ) throws {
    let sink = try format.open(.file(path), context: try Fixture.context, options: options)
    for batch in batches { try sink.write(batch) }
    try sink.seal()
    try sink.publish()
  }

  @Test(
    arguments: [
      ("export.xml", .appleHealth), ("a/Export.ZIP", .appleHealth), ("x.csv", .csv),
      ("x.sqlite", .sqlite), ("x.db", .sqlite), ("x.sqlite3", .sqlite), ("x.ndjson", .samples),
      ("x.jsonl", .samples), ("x.json", nil), ("xml", nil), ("a.csv/x", nil), ("", nil),
    ] as [(String, SinkFormat?)])
  func `names tell formats`(name: String, format: SinkFormat?) {
    #expect(SinkFormat(fileName: name) == format)
  }

  @Test(
    arguments: [
      (.appleHealth, "export.xml"), (.appleHealth, "export.zip"), (.csv, "x.csv"),
      (.sqlite, "x.sqlite"), (.samples, "x.ndjson"),
    ] as [(SinkFormat, String)])
  func `an output is private, whole and alone`(format: SinkFormat, name: String) throws {
    let folder = try TestFolder()
    try Data().write(to: URL(fileURLWithPath: folder.file(name)))
    try publish(format, to: folder.file(name))
    #expect(try folder.names == [name])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    let first = try folder.bytes(name)
    try publish(format, to: folder.file(name))
    #expect(try folder.bytes(name) == first)
  }

  @Test(arguments: [SinkFormat.appleHealth, .csv, .sqlite, .samples])
  func `a discarded or dropped output leaves nothing`(format: SinkFormat) throws {
    let folder = try TestFolder()
    for name in ["x.zip", "x"] {
      let target = OutputTarget.file(folder.file(name))
      let sink = try format.open(target, context: try Fixture.context, options: options)
      try sink.write(Fixture.batch)
      sink.discard()
      var dropped: (any SampleSink)? = try format.open(
        target, context: try Fixture.context, options: options)
      try dropped?.write(Fixture.batch)
      try dropped?.seal()
      dropped = nil
    }
    #expect(try folder.names == [])
  }

  @Test func `an archive holds the export and nothing of the host`() throws {
    let folder = try TestFolder()
    let path = folder.file("export.zip")
    try publish(.appleHealth, to: path)
    guard let plain = try run("unzip", ["-p", path, "apple_health_export/export.xml"]) else {
      return
    }
    try publish(.appleHealth, to: folder.file("export.xml"))
    #expect(try plain.output == folder.text("export.xml"))
    #expect(try run("unzip", ["-tqq", path])?.status == 0)
    // The entry's own clock field is the export date in the file's offset, 2026-06-01 12:00:00.
    let header = [UInt8](try folder.bytes("export.zip").prefix(14))
    #expect(header[10...] == [0x00, 0x60, 0xC1, 0x5C])
    // Version 2.0: nothing that only readers of zip64 understand.
    #expect(header[4...5] == [20, 0])
  }
}
