import Foundation
import Platform
import PumpModel
import Testing

@testable import Emit

@Suite struct AppleHealthSinkTests {
  private let options = AppleHealthOptions(version: "1.2.3")

  private func export(
    _ batches: [OutputBatch], options: AppleHealthOptions? = nil
  ) throws -> String {
    try text(AppleHealthForm(try Fixture.context, options ?? self.options), batches)
  }

  @Test func `an export looks as the golden shows`() throws {
    try expectGolden("export.xml", export([Fixture.batch]))
  }

  @Test func `an export is valid by its own document type`() throws {
    let folder = try TestFolder()
    let contexts = [(try Fixture.context, [Fixture.batch]), (try Fixture.emptyContext, [])]
    for (context, batches) in contexts {
      let path = folder.file("export.xml")
      try Data(text(AppleHealthForm(context, options), batches).utf8)
        .write(to: URL(fileURLWithPath: path))
      guard let result = try run("xmllint", ["--noout", "--valid", path]) else { return }
      #expect(result.status == 0, "\(result.output)")
    }
  }

  @Test func `an export without samples is dated with the pump's first midnight`() throws {
    let export = try text(AppleHealthForm(try Fixture.emptyContext, options), [])
    #expect(export.contains("<ExportDate value=\"2008-01-01 00:00:00 -0500\"/>"))
    #expect(export.hasSuffix("CardioFitnessMedicationsUse=\"None\"/>\n</HealthData>\n"))
  }

  @Test func `all dates have the offset that holds at the export date`() throws {
    let export = try export([Fixture.batch])
    #expect(export.contains("<ExportDate value=\"2026-06-01 12:00:00 +0200\"/>"))
    #expect(export.contains("startDate=\"2026-05-04 18:31:10 +0200\""))
    #expect(!export.contains("-0400\""))
  }

  @Test func `offset and export date can be set`() throws {
    let date = Fixture.instant("2026-12-24T12:00:00")
    let set = AppleHealthOptions(version: "1", exportDate: date, offset: -12_600)
    #expect(
      try export([], options: set).contains("<ExportDate value=\"2026-12-24 08:30:00 -0330\"/>"))
    let dated = AppleHealthOptions(version: "1", exportDate: date)
    #expect(
      try export([], options: dated).contains("<ExportDate value=\"2026-12-24 13:00:00 +0100\"/>"))
  }

  @Test func `made-up data has a source of its own`() throws {
    let sample = Fixture.sample(.carbs, 1, "2026-05-04T16:30:00", amount: 5000) {
      $0.flags = [.demo]
    }
    let export = try export([Fixture.batch(of: [(sample, 0)])])
    #expect(export.contains("sourceName=\"pumpline Demo\""))
    #expect(export.contains("key=\"pumplineDataSource\" value=\"syntheticDemo\""))
  }

  @Test func `samples longer than Health takes are written and counted`() throws {
    let long = Fixture.sample(
      .basal, 1, "2026-05-04T00:00:00", "2026-05-08T00:00:01", amount: 5_000_000)
    let fitting = Fixture.sample(
      .basal, 2, "2026-05-09T00:00:00", "2026-05-13T00:00:00", amount: 5_000_000)
    let output = CollectedOutput()
    let sink = AppleHealthSink(AppleHealthForm(try Fixture.context, options), into: output)
    try sink.write(Fixture.batch(of: [(long, 0), (fitting, 0)]))
    try sink.seal()
    #expect(sink.form.overlongCount == 1)
    #expect(output.text.components(separatedBy: "<Record ").count == 3)
  }

  @Test func `the device string has no separators in its values`() {
    let odd = PumpLabel(
      name: "X:1,2", modelName: " a,\n b:c, d,e ", modelNumber: nil, softwareVersion: ", ,")
    #expect(
      AppleDevice.text(odd)
        == "<<HKDevice: 0x0>, name:a b-c d,e, manufacturer:Tandem Diabetes Care, "
        + "localIdentifier:X-1,2>")
  }

  @Test func `keys of metadata differ in more than case`() throws {
    let pattern = /key="([^"]*)"/
    let keys = Set(try export([Fixture.batch]).matches(of: pattern).map { String($0.1) })
    #expect(Set(keys.map { $0.lowercased() }).count == keys.count)
    #expect(keys.allSatisfy { $0.hasPrefix("HK") || $0.hasPrefix("pumpline") })
  }
}
