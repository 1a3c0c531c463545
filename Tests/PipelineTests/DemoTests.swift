import Foundation
import Pipeline
import Platform
import PumpModel
import TestSupport
import Testing

/// Archives of pumps that never were, and what is made of them.
@Suite("Demo")
struct DemoTests {
  private let work: Workspace

  init() throws { work = try Workspace() }

  private func request(
    _ folder: String, seed: UInt64 = 1, days: Int = 3, pumps: Int = 1,
    _ formats: [DocumentFormat] = [.pumpLogs]
  ) -> DemoRequest {
    var request = DemoRequest(folder: work.path(folder))
    request.plan.seed = seed
    request.plan.days = days
    request.plan.pumps = pumps
    request.formats = formats
    return request
  }

  @discardableResult
  private func demo(_ request: DemoRequest) throws -> DemoSummary {
    try PumplinePipeline().demo(request) { _ in }
  }

  private func failure(_ request: DemoRequest) -> RunFailure? {
    do {
      _ = try PumplinePipeline().demo(request) { _ in }
    } catch {
      return error
    }
    Issue.record("the demo was written")
    return nil
  }

  private func bytes(_ name: String) -> Data? {
    FileManager.default.contents(atPath: work.path(name))
  }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: work.path(name))[.posixPermissions] as? Int
  }

  /// Converts an archive, with the serial number that it needs.
  private func samples(of archive: DemoSummary.Archive) throws -> [String] {
    var convert = work.request([])
    convert.inputs = [archive.path]
    convert.serial = archive.serial
    try work.convert(convert)
    return work.samples
  }

  // MARK: Archives

  @Test(
    "The same seed gives the same bytes, in place of those that were there; another seed others")
  func repeatable() throws {
    try demo(request("a"))
    let first = try #require(bytes("a/pump-logs.zip"))
    try demo(request("b"))
    #expect(bytes("b/pump-logs.zip") == first)
    try demo(request("a", seed: 2))
    #expect(bytes("a/pump-logs.zip") != first)
    try demo(request("a"))
    #expect(bytes("a/pump-logs.zip") == first)
  }

  @Test("Only their owner can read archives and the folder that is made for them")
  func modes() throws {
    let written = try demo(request("a/"))
    #expect(written.archives.map(\.path) == [work.path("a/pump-logs.zip")])
    #expect(try mode("a") == 0o700)
    #expect(try mode("a/pump-logs.zip") == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: work.path("a")) == ["pump-logs.zip"])
  }

  @Test("A folder that holds anything else is refused, and stays as it is")
  func otherContent() throws {
    try work.write("a/mine.json", [1])
    let other = failure(request("a"))
    #expect(other?.exitStatus == .cannotCreate)
    #expect(other?.what.contains("mine.json") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: work.path("a")) == ["mine.json"])
    // Another demo is something else, too: its archives would be read together with these.
    try demo(request("b", [.records]))
    #expect(failure(request("b"))?.exitStatus == .cannotCreate)
    try work.write("file", [1])
    #expect(failure(request("file"))?.exitStatus == .cannotCreate)
    #expect(failure(request("no/such"))?.exitStatus == .cannotCreate)
  }

  @Test("Each pump is worn for a day at least")
  func tooManyPumps() {
    #expect(failure(request("a", days: 2, pumps: 3))?.exitStatus == .usage)
    #expect(bytes("a") == nil)
  }

  // MARK: The history

  @Test("A fortnight shows all that a demo promises", arguments: [1, 2, 3] as [UInt64])
  func content(seed: UInt64) throws {
    let history = DemoHistory(seed: seed, days: 14, pumps: 1)
    let records = try #require(history.pumps.first).records
    let ids = Set(records.map(\.eventID))
    // Meals and corrections, basal, extended parts, suspensions, sites, temp rates, clock changes.
    for id in [64, 20, 279, 59, 21, 11, 12, 33, 61, 63, 2, 13, 14, 399] as [UInt16] {
      #expect(ids.contains(id), "\(id), seed \(seed)")
    }
    let completions = records.filter { $0.eventID == 20 || $0.eventID == 21 }
    #expect(completions.contains { $0.payload.u16(at: 2) == 0 }, "cancelled, seed \(seed)")
    #expect(records.contains { $0.eventID == 65 && $0.payload.u8(at: 1) == 3 }, "seed \(seed)")
    let shifts = records.filter { $0.eventID == 13 }.map {
      Int64($0.payload.u32(at: 4)) - Int64($0.payload.u32(at: 0))
    }
    // Daylight saving, to Paris, and back.
    #expect(shifts.contains { (3_500_000...3_700_000).contains($0) }, "seed \(seed)")
    #expect(shifts.count { abs($0) > 17_000_000 } == 2, "seed \(seed)")
    let gaps = zip(records, records.dropFirst()).filter { $1.number > $0.number + 1 }
    #expect(!gaps.isEmpty, "seed \(seed)")
  }

  @Test("What is made of it is what the simulated pump gave, all of it labelled", arguments: 1...4)
  func roundTrip(seed: UInt64) throws {
    let summary = try demo(request("a", seed: seed, days: 5))
    let samples = try samples(of: try #require(summary.archives.first))
    #expect(samples.count > 500)
    #expect(samples.allSatisfy { $0.contains(#""dataSource":"syntheticDemo""#) })
    #expect(samples.allSatisfy { $0.contains(":DEMO0000001:") })
    var pump = SyntheticPump(
      try #require(DemoHistory(seed: seed, days: 5, pumps: 1).pumps.first).options)
    while pump.next() != nil {}
    #expect(try sum(samples, "insulin.bolus") == pump.totals.bolus, "seed \(seed)")
    #expect(try sum(samples, "nutrition.carbohydrates") == 1000 * pump.totals.carbs, "seed \(seed)")
  }

  /// The sum of samples of a type, in thousandths of their unit.
  private func sum(_ samples: [String], _ type: String) throws -> Int {
    struct Line: Decodable {
      var type: String
      var value: String
    }
    return try samples.reduce(0) { sum, text in
      let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
      let value = try #require(Double(line.value))
      return line.type == type ? sum + Int((value * 1000).rounded()) : sum
    }
  }

  @Test("Pumps are worn one after the other, and long histories come in pieces")
  func severalPumps() throws {
    try demo(request("a", days: 70, pumps: 2))
    let report = try work.report(work.request(["a"]))
    #expect(Set(report.inputs.flatMap(\.pumps)) == ["DEMO0000001", "DEMO0000002"])
    // Thirty-five days of each, in pieces of twenty-eight.
    #expect(report.inputs.count { $0.format == "pump-logs" } == 4)
    #expect(report.rejects.isEmpty)
    #expect(!report.findings.contains { $0.code == "pumps-overlap" })
    #expect(Set(report.days.map(\.day)).count >= 70)
    #expect(report.days.allSatisfy { $0.day < "2026-03-20" })
  }

  // MARK: Forms

  @Test(
    "Every form gives what the pump's records give, or says why not", arguments: DemoRequest.formats
  )
  func form(_ format: DocumentFormat) throws {
    let whole = try demo(request("a"))
    let expected = try samples(of: try #require(whole.archives.first))
    let written = try demo(request("b", [format]))
    let archive = try #require(written.archives.first)
    #expect(written.archives.count == 1)
    #expect(archive.documents >= 2)
    let given = try samples(of: archive)
    #expect(given.allSatisfy { $0.contains(#""dataSource":"syntheticDemo""#) })
    switch format {
    case .pumpLogs, .har, .pumpEvents, .records, .littleEndianRecords, .hexLines, .frames, .btsnoop:
      #expect(given == expected)
    case .sourceCSV, .timelineCSV, .therapyEvents, .nightscout, .glooko, .tidepool:
      #expect(try sum(given, "insulin.bolus") == sum(expected, "insulin.bolus"))
      #expect(
        try sum(given, "nutrition.carbohydrates") == sum(expected, "nutrition.carbohydrates"))
      #expect(try sum(given, "insulin.basal") == 0)
    case .timelineJSON:
      #expect(given.isEmpty)
      var derived = work.request(["b"])
      derived.serial = archive.serial
      derived.selection.includesDerivedBasal = true
      try work.convert(derived)
      #expect(try sum(work.samples, "insulin.basal") > 40_000)
      #expect(work.samples.allSatisfy { $0.contains(#""dataSource":"syntheticDemo""#) })
    case .suspensionsJSON:
      #expect(given.isEmpty)
      var again = work.request(["b"])
      again.serial = archive.serial
      #expect(try work.report(again).ignored["suspensionRow"] ?? 0 > 0)
    case .pumper, .fetched:
      Issue.record("a demo does not come in this form")
    }
  }

  @Test(
    "Third parties tell doses at their times, also on a journey, and rates and readings if asked for",
    arguments: [.nightscout, .glooko, .tidepool] as [DocumentFormat])
  func thirdParty(_ format: DocumentFormat) throws {
    // The wearer is back from Paris, so that New York's zone places the pump's own records.
    let days = 10
    let whole = try demo(request("a", days: days))
    var asked = work.request([])
    asked.inputs = whole.archives.map(\.path)
    asked.selection.includesGlucose = true
    try work.convert(asked)
    let expected = work.samples
    let written = try demo(request("b", days: days, [format]))
    asked.inputs = written.archives.map(\.path)
    asked.serial = written.archives.first?.serial
    asked.selection.includesDerivedBasal = true
    let report = try work.report(asked)
    #expect(report.rejects.isEmpty)
    #expect(report.ignored.isEmpty)
    let given = work.samples
    #expect(given.allSatisfy { $0.contains(#""dataSource":"syntheticDemo""#) })
    #expect(try sum(given, "insulin.bolus") == sum(expected, "insulin.bolus"))
    #expect(try sum(given, "insulin.basal") > 60_000)
    if format != .nightscout {
      #expect(try sum(given, "glucose.cgm") == sum(expected, "glucose.cgm"))
    }
    // Told twice, they are the same doses, also while the clock was not on the zone's time.
    asked.inputs += whole.archives.map(\.path)
    asked.selection.includesDerivedBasal = false
    try work.convert(asked)
    #expect(
      try times(work.samples, "insulin.bolus").map(\.start)
        == times(expected, "insulin.bolus").map(\.start))
    guard format != .glooko else { return }
    // These tell instants: the ends of boluses, or when they were asked for.
    let starts = Set(try times(expected, "insulin.bolus").map(\.start))
    let ends = Set(try times(expected, "insulin.bolus").map(\.end))
    for time in try times(given, "insulin.bolus") {
      let isKnown =
        format == .nightscout
        ? ends.contains { abs($0 - time.end) <= 60 }
        : starts.contains { abs($0 - time.start) <= 600 }
      #expect(isKnown, "\(time)")
    }
  }

  @Test("All exports that tell the pump's clock tell one wearer's doses, with the log and without")
  func onTheClock() throws {
    let whole = try demo(request("a", days: 10))
    try work.convert(work.request(["a"]))
    let expected = try sum(work.samples, "insulin.bolus")
    let boluses = try times(work.samples, "insulin.bolus").count
    var asked = work.request([])
    for (index, format) in [DocumentFormat.sourceCSV, .therapyEvents, .glooko].enumerated() {
      let written = try demo(request("b\(index)", days: 10, [format]))
      asked.inputs += written.archives.map(\.path)
      asked.serial = asked.serial ?? written.archives.first?.serial
      try work.convert(asked)
      #expect(try sum(work.samples, "insulin.bolus") == expected, "\(format)")
    }
    asked.inputs += whole.archives.map(\.path)
    try work.convert(asked)
    #expect(try times(work.samples, "insulin.bolus").count == boluses)
    #expect(try sum(work.samples, "insulin.bolus") == expected)
  }

  /// When samples of a type begin and end, in seconds since 1970.
  private func times(_ samples: [String], _ type: String) throws -> [(start: Int, end: Int)] {
    struct Line: Decodable {
      var type: String
      var startAt: Date
      var endAt: Date
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try samples.compactMap { text in
      let line = try decoder.decode(Line.self, from: Data(text.utf8))
      guard line.type == type else { return nil }
      return (Int(line.startAt.timeIntervalSince1970), Int(line.endAt.timeIntervalSince1970))
    }
  }

  @Test("An archive never passes for a pump's, whatever serial number is given for it")
  func disguised() throws {
    let written = try demo(request("a", DemoRequest.formats))
    for archive in written.archives {
      var convert = work.request([])
      convert.inputs = [archive.path]
      convert.serial = "12345678"
      if archive.serial == nil || archive.format == .suspensionsJSON {
        // Its documents name their pumps, or hold nothing that samples are made of.
        try work.convert(convert)
        #expect(
          work.samples.allSatisfy { $0.contains("syntheticDemo") && $0.contains("DEMO") },
          "\(archive.format)")
      } else if archive.format == .timelineJSON || archive.format == .nightscout {
        // It says itself what it is.
        try work.convert(convert)
        #expect(work.samples.allSatisfy { $0.contains("syntheticDemo") })
      } else {
        #expect(work.failure(convert)?.exitStatus == .refused, "\(archive.format)")
      }
    }
  }

  // MARK: A source of pipelines

  private func definition(_ text: String) throws -> PipelineDefinition {
    try work.write("a.yaml", Array(text.utf8))
    return try PumplinePipeline().definition(at: work.path("a.yaml"))
  }

  private func problems(_ text: String) throws -> [String] {
    try work.write("a.yaml", Array(text.utf8))
    let summary = try PumplinePipeline().validate(ValidateRequest(paths: [work.path("a.yaml")]))
    return summary.pipelines.flatMap(\.problems).map { "\($0.mark.line): \($0.what)" }
  }

  @Test("A pipeline whose source is a demo gives what its archives give")
  func source() throws {
    let written = try demo(request("a", seed: 5, days: 4, pumps: 2))
    let expected = try samples(of: try #require(written.archives.first))
    let read = try definition("source: {demo: {seed: 5, days: 4, pumps: 2}}\n")
    var convert = work.request([])
    convert.demo = read.request.demo
    convert.ledger = work.path("ledger")
    let summary = try work.convert(convert)
    #expect(work.samples == expected)
    #expect(summary.documents == 3)
    // Once more, nothing is new.
    #expect(try work.convert(convert).changes.values.allSatisfy { $0.fresh == 0 })
  }

  @Test("Its name alone is a fortnight, and so are its keys left out")
  func shortForm() throws {
    for text in ["source: demo\n", "source:\n  demo:\n", "source: {demo: {}}\n"] {
      let read = try definition(text)
      #expect(read.request.demo == DemoPlan(), "\(text)")
      #expect(read.request.inputs.isEmpty)
    }
    #expect(try definition("source: {demo: {days: 3}, keep-going: true}\n").request.demo?.days == 3)
  }

  @Test("Mistakes are told with their lines")
  func mistakes() throws {
    #expect(try problems("source: inputs\n") == ["1: source takes keys, not a value"])
    #expect(try problems("source: demos\n") == ["1: source takes keys, not a value"])
    #expect(try problems("source:\n  demo: 3\n") == ["2: demo takes keys, not a value"])
    #expect(
      try problems("source:\n  inputs: a\n  demo: {days: 2}\n") == [
        "3: a pipeline reads inputs or makes up a demo, not both"
      ])
    #expect(
      try problems(
        "source:\n  tandem-source: {credentials: c}\n  demo: {days: 2}\nledger: {file: l.db}\n")
        == [
          "3: a pipeline pulls from tandem-source or makes up a demo, not both"
        ])
    #expect(
      try problems("source:\n  demo:\n    days: 0\n    pumps: ten\n    seed: -1\n") == [
        "3: days cannot be \"0\"", "4: pumps cannot be \"ten\"", "5: seed cannot be \"-1\"",
      ])
    #expect(
      try problems("source: {demo: {days: 1, pumps: 2}}\n") == [
        "1: the demo has more pumps than days"
      ])
  }
}
