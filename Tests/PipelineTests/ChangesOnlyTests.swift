import Foundation
import Pipeline
import Platform
import PumpModel
import TestSupport
import Testing

/// Outputs that hold changes only, and databases that are brought up to date.
@Suite("Outputs of changes")
struct ChangesOnlyTests {
  private let work: Workspace
  private static let records = Histories.meal(minutes: 300)

  init() throws {
    work = try Workspace()
    try work.write("pumper.json", Histories.pumper())
    // The first part lacks some rates between, so that the whole revises samples.
    let part = Self.records.prefix(Self.records.count / 2).enumerated()
      .filter { $0.element.eventID != 279 || $0.offset % 4 != 0 }.map(\.element)
    try work.write("part.json", Histories.pumpLogs(part))
    try work.write("whole.json", Histories.pumpLogs(Self.records))
  }

  private func request(
    _ inputs: [String], _ outputs: [String], _ changes: OutputChanges? = .fresh,
    report: Bool = true
  ) -> ConvertRequest {
    var request = work.request(inputs)
    request.ledger = work.path("ledger")
    request.outputs = outputs.map {
      OutputRequest(format: nil, target: work.path($0), changes: changes)
    }
    request.report = report ? work.path("report.json") : nil
    return request
  }

  private func lines(_ name: String) -> [String] {
    (work.text(name) ?? "").split(whereSeparator: \.isNewline).map(String.init)
  }

  /// The external ids of NDJSON.
  private func ids(_ name: String) -> [String] {
    lines(name).compactMap { $0.split(separator: "\"").dropFirst(3).first.map(String.init) }
  }

  @Test("Without a ledger nobody knows what changed")
  func needsLedger() {
    var request = request(["part.json"], ["new.ndjson"])
    request.ledger = nil
    let failure = work.failure(request)
    #expect(failure?.exitStatus == .usage)
    #expect(failure?.place == "--changes")
  }

  @Test("An output that was given more changes than there are ends the run")
  func impossibleMark() throws {
    try work.convert(request(["part.json", "pumper.json"], ["new.ndjson"]))
    try SQLiteConnection(.file(work.path("ledger"))).execute("UPDATE sinks SET mark = mark + 1000")
    #expect(work.failure(request(["whole.json"], ["new.ndjson"]))?.exitStatus == .internal)
  }

  @Test("Each sample is given once, and again when it is different")
  func onceEach() throws {
    try work.convert(request(["part.json", "pumper.json"], ["new.ndjson"]))
    let first = ids("new.ndjson")
    #expect(first.count > 10)
    let report = try work.report(request(["whole.json"], ["new.ndjson"]))
    #expect(report.changes.revised > 0)
    #expect(lines("new.ndjson").count == report.changes.fresh + report.changes.revised)
    let again = lines("new.ndjson").filter { !$0.contains(#""revision":1,"#) }
    #expect(again.count == report.changes.revised)
    #expect(Set(ids("new.ndjson")).intersection(first).count == report.changes.revised)
  }

  @Test("Nothing new leaves a file as it is, and an empty one where it was taken away")
  func nothingNew() throws {
    let names = ["new.ndjson", "new.csv", "new.xml", "new.zip"]
    try work.convert(request(["part.json", "pumper.json"], names))
    let before = names.map { FileManager.default.contents(atPath: work.path($0)) }
    let summary = try work.convert(request(["part.json"], names))
    #expect(summary.outputs.map(\.isUntouched) == [true, true, true, true])
    #expect(names.map { FileManager.default.contents(atPath: work.path($0)) } == before)
    for name in names { try FileManager.default.removeItem(atPath: work.path(name)) }
    try work.convert(request(["part.json"], names))
    #expect(work.text("new.ndjson") == "")
    #expect(lines("new.csv").count == 1)
    #expect(work.text("new.xml")?.hasSuffix("</HealthData>\n") == true)
    #expect(work.text("new.xml")?.contains("<Record ") == false)
  }

  @Test("Apple Health gets what is new; what must be deleted first is listed in the report")
  func appleHealth() throws {
    try work.convert(request(["part.json", "pumper.json"], ["new.xml"]))
    let report = try work.report(request(["whole.json"], ["new.xml"]))
    let records = lines("new.xml").count { $0.hasPrefix(" <Record ") }
    #expect(records == report.changes.fresh)
    #expect(report.superseded.count == report.changes.revised)
    #expect(
      report.superseded.allSatisfy { $0.output.hasSuffix("new.xml") && $0.change == "revised" })
    for superseded in report.superseded {
      #expect(work.text("new.xml")?.contains(superseded.externalId) == false)
      #expect(superseded.old.revision + 1 == superseded.new?.revision)
      #expect(superseded.old.value != superseded.new?.value)
    }
  }

  @Test("With all changes the file holds the new forms too")
  func allChanges() throws {
    try work.convert(request(["part.json", "pumper.json"], ["new.xml"], .all))
    let report = try work.report(request(["whole.json"], ["new.xml"], .all))
    let records = lines("new.xml").count { $0.hasPrefix(" <Record ") }
    #expect(records == report.changes.fresh + report.changes.revised)
    #expect(report.superseded.count == report.changes.revised)
  }

  @Test(
    "An export.xml without a report to list what must be deleted is refused, and nothing changes")
  func noPlaceForTheList() throws {
    try work.convert(request(["part.json", "pumper.json"], ["new.xml"], report: false))
    let before = work.text("new.xml")
    let failure = work.failure(request(["whole.json"], ["new.xml"], report: false))
    #expect(failure?.exitStatus == .usage)
    #expect(failure?.next?.contains("--report") == true)
    #expect(work.text("new.xml") == before)
    let report = try work.report(request(["whole.json"], ["new.xml"]))
    #expect(report.changes.fresh > 0)
  }

  @Test("The summary says how many samples to delete, and of a database how many it holds")
  func summary() throws {
    let names = ["new.zip", "all.db", "new.csv"]
    try work.convert(request(["part.json", "pumper.json"], names))
    let summary = try work.convert(request(["whole.json"], names))
    let revised = summary.changes.values.reduce(0) { $0 + $1.revised }
    let fresh = summary.changes.values.reduce(0) { $0 + $1.fresh }
    let unchanged = summary.changes.values.reduce(0) { $0 + $1.unchanged }
    #expect(summary.outputs.map(\.superseded) == [revised, 0, 0])
    #expect(
      summary.outputs.map(\.samples) == [fresh, fresh + revised + unchanged, fresh + revised])
    #expect(summary.outputs.map(\.holdsChanges) == [true, false, true])
  }

  @Test("A sink that could not be written is owed everything the next time")
  func failedSink() throws {
    try work.convert(request(["part.json", "pumper.json"], ["new.ndjson"]))
    let folder = work.path("gone")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try work.convert(request(["part.json"], ["gone/other.ndjson"]))
    let given = ids("gone/other.ndjson")
    try FileManager.default.removeItem(atPath: folder)
    #expect(
      work.failure(request(["whole.json"], ["gone/other.ndjson", "new.ndjson"]))?.exitStatus
        == .cannotCreate)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let report = try work.report(request(["whole.json"], ["gone/other.ndjson", "new.ndjson"]))
    #expect(report.changes.fresh > 0)
    #expect(lines("gone/other.ndjson") == lines("new.ndjson"))
    #expect(Set(ids("gone/other.ndjson")).intersection(given).count == report.changes.revised)
  }

  @Test("A sink with a name of its own is one sink, wherever its file lies")
  func named() throws {
    func request(_ inputs: [String], _ target: String) -> ConvertRequest {
      var request = self.request(inputs, [])
      request.outputs = [
        OutputRequest(
          format: "samples", target: work.path(target), changes: .fresh, sinkName: "nightly")
      ]
      return request
    }
    try work.convert(request(["part.json", "pumper.json"], "first.ndjson"))
    let report = try work.report(request(["whole.json"], "second.ndjson"))
    #expect(lines("second.ndjson").count == report.changes.fresh + report.changes.revised)
  }

  @Test("Standard output is given once too")
  func standardOutputIsASink() throws {
    // Of the pipeline's own process: nothing is owed, so nothing is written there.
    var request = request(["part.json", "pumper.json"], ["new.ndjson"])
    try work.convert(request)
    request.outputs[0].sinkName = "both"
    try work.convert(request)
    request.outputs[0].target = "-"
    request.outputs[0].format = "samples"
    let summary = try work.convert(request)
    #expect(summary.outputs.first?.samples == 0)
  }

  /// What a database holds, in an order of its own.
  private func rows(_ name: String) throws -> [String] {
    let connection = try SQLiteConnection(.readOnlyFile(work.path(name)))
    var rows: [String] = []
    for sql in [
      """
      SELECT external_id || type || amount || start_utc || end_utc || start_local || zone || metadata
      FROM samples ORDER BY external_id
      """, "SELECT external_id || day || amount FROM basal_over_midnight ORDER BY 1",
      "SELECT id || name || at_utc || at_local || sequence || details FROM pump_events ORDER BY id",
    ] {
      let statement = try connection.prepare(sql)
      while try statement.step() { rows.append(statement.text(0)) }
    }
    return rows
  }

  private func place(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: work.path(name))
    return (attributes[.systemFileNumber] as? NSNumber)?.intValue ?? 0
  }

  @Test("A database is brought up to date in its place, and holds what one made at once would")
  func database() throws {
    try work.convert(request(["part.json", "pumper.json"], ["all.db"], nil))
    let place = try place("all.db")
    try work.convert(request(["whole.json"], ["all.db"], nil))
    #expect(try self.place("all.db") == place)
    var once = work.request(["whole.json", "pumper.json"])
    once.outputs = [OutputRequest(format: nil, target: work.path("once.db"))]
    try work.convert(once)
    #expect(try rows("all.db") == rows("once.db"))
  }

  @Test(
    "A database that shows something else is made anew",
    arguments: ["selection", "other run", "zones"])
  func remade(reason: String) throws {
    var next = request(["whole.json"], ["all.db"], nil)
    try work.convert(request(["part.json", "pumper.json"], ["all.db"], nil))
    switch reason {
    case "selection": next.selection.only = [.bolus]
    case "zones": next.zones.append(ZoneArgument(name: "Europe/Paris", from: 1_900_000_000))
    default:
      var once = work.request(["part.json", "pumper.json"])
      once.outputs = [OutputRequest(format: nil, target: work.path("all.db"))]
      try work.convert(once)
    }
    let place = try place("all.db")
    try work.convert(next)
    #expect(try self.place("all.db") != place)
    // Now it shows the ledger, and is brought up to date.
    let settled = try self.place("all.db")
    try work.convert(next)
    #expect(try self.place("all.db") == settled)
    var once = work.request(["whole.json", "pumper.json"])
    once.zones = next.zones
    once.selection = next.selection
    once.outputs = [OutputRequest(format: nil, target: work.path("once.db"))]
    try work.convert(once)
    #expect(try rows("all.db") == rows("once.db"))
  }

  @Test("A file of all samples that would be the same is left as it is")
  func sameBytes() throws {
    let names = ["all.ndjson", "all.csv", "all.zip"]
    try work.convert(request(["part.json", "pumper.json"], names, nil))
    let places = try names.map(place)
    let summary = try work.convert(request(["part.json"], names, nil))
    #expect(summary.outputs.map(\.isUntouched) == [true, true, true])
    #expect(try names.map(place) == places)
    try Data("x".utf8).write(to: URL(filePath: work.path("all.csv")))
    try work.convert(request(["part.json"], names, nil))
    #expect(lines("all.csv").count == lines("all.ndjson").count + 1)
  }
}
