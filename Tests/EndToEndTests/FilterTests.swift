import Foundation
import PumpModel
import TestSupport
import Testing

/// The stages as filters, together and alone.
@Suite("Stages as filters", .needsBuiltTool)
struct FilterTests {
  private let work: ToolFolder
  private static let samples = BuiltTool.package.appending(path: "Samples")
  private static let now = ["--now", "2027-01-01T00:00:00Z"]

  init() throws { work = try ToolFolder() }

  // MARK: decode and normalize

  @Test(
    "decode and normalize give what convert gives, in whatever order and parts the lines come",
    arguments: Seeds.first(3))
  func decodeAndNormalize(seed: UInt64) throws {
    var random = TestRandom(seed: 9000 + seed)
    let history = RandomHistory(&random)
    let documents = history.windows(3, &random) + [history.account]
    for document in documents { try work.write(document.name, document.bytes) }
    let names = documents.map(\.name)
    let complete = history.options.filter { $0 == "--complete" }
    let options = history.options.filter { $0 != "--complete" } + Self.now
    let converted = try work.run(
      ["convert"] + names + options + complete
        + ["--to", "samples", "-o", "-", "--report", "convert.json"], into: "convert.ndjson")
    #expect(converted.code == 0, "\(converted.errors)")

    try work.run(["decode"] + names + complete, into: "all.lines")
    let normalized = try work.run(
      ["normalize"] + options + ["--report", "normalize.json"], reading: "all.lines")
    #expect(normalized.output == converted.output, "\(random.describe)")
    #expect(try work.text("normalize.json") == work.text("convert.json"), "\(random.describe)")

    try work.write("mixed.lines", try work.lines("all.lines").shuffled(using: &random))
    let mixed = try work.run(["normalize", "mixed.lines"] + options)
    #expect(mixed.output == converted.output, "\(random.describe)")

    var parts: [String] = []
    // One twice: the same document is the same document.
    for name in (names + [names[0]]).shuffled(using: &random) {
      parts.append("\(parts.count).lines")
      try work.run(["decode", name] + complete, into: parts[parts.count - 1])
    }
    let joined = try work.run(["normalize"] + parts + options + ["--report", "joined.json"])
    #expect(joined.output == converted.output, "\(random.describe)")
    let ledger = try ["convert.json", "joined.json"].map { name in
      let report = try work.text(name)
      return report.range(of: "\"pending\":").map { String(report[$0.lowerBound...]) }
    }
    #expect(ledger[0] != nil && ledger[0] == ledger[1], "\(random.describe)")
  }

  @Test("What pumps send over Bluetooth goes through the filters as it goes through convert")
  func radioHistory() throws {
    var random = TestRandom(seed: 9100)
    let history = RandomHistory(&random)
    let options =
      history.options.filter { $0 != "--complete" } + Self.now
      + ["--serial", history.pump.serial]
    for form in history.radioForms {
      // One line of digits that is none of ours, where there are lines.
      let isText = form.name == "records.hex" || form.name == "log.txt"
      try work.write(form.name, form.bytes + (isText ? Array("0123456789abcdef\n".utf8) : []))
      let converted = try work.run(
        ["convert", form.name] + options
          + ["--to", "samples", "-o", "-", "--report", "convert.json"])
      #expect(converted.code == (isText ? 1 : 0), "\(form.name): \(converted.errors)")
      try work.run(["decode", form.name], into: "all.lines")
      let normalized = try work.run(
        ["normalize"] + options + ["--report", "normalize.json"], reading: "all.lines")
      #expect(normalized.output == converted.output, "\(form.name)")
      #expect(try work.text("normalize.json") == work.text("convert.json"), "\(form.name)")
    }
  }

  @Test("Every sample input gives the same both ways, rejects and all")
  func sampleInputs() throws {
    let inputs = [
      "one-day", "clock-change", "two-pumps", "archive.zip", "browser-capture.har",
      "damaged-member.zip", "base64-older-service.json",
    ]
    for input in inputs {
      let path = Self.samples.appending(path: input).path
      let options = ["--zone", "America/New_York", "--serial", "7"] + Self.now
      // Where the account names the pump, a serial number says nothing.
      let convert = try work.run(
        ["convert", path] + options + ["--to", "samples", "-o", "-", "--report", "a.json"])
      let decode = try work.run(["decode", path], into: "lines")
      let normalize = try work.run(
        ["normalize"] + options + ["--report", "b.json"], reading: "lines")
      #expect(normalize.output == convert.output, "\(input)")
      #expect(try work.text("b.json") == work.text("a.json"), "\(input)")
      #expect(normalize.code == convert.code && decode.code == convert.code, "\(input)")
    }
  }

  @Test("Records look as the golden shows, in every form")
  func golden() throws {
    let logs = """
      {"events": [
        {"deviceAssignmentId": "a\\"b", "eventCode": 20, "sequenceGroup": 0, "sequenceNumber": 7,
         "pumpDateTime": "2026-05-04T12:00:00", "eventProperties": {"bolusId": 5,
         "completionStatus": 3, "insulinDelivered": 2.0829997, "insulinRequested": 2.1},
         "estimatedDateTime": "2026-05-04T16:00:00Z"},
        {"deviceAssignmentId": "a\\"b", "eventCode": 4000, "sequenceNumber": 8,
         "pumpDateTime": "2026-05-04T12:00:01", "eventProperties": {"x" : [1,
           "y z"]}},
        {"deviceAssignmentId": "a\\"b", "eventCode": 20, "sequenceNumber": 9,
         "pumpDateTime": "2026-05-04T12:00:02", "eventProperties": {"bolusId": 5}}],
       "clockChanges": [
        {"deviceAssignmentId": "a\\"b", "eventCode": 13, "sequenceNumber": 10,
         "pumpDateTime": "2026-05-04T13:00:03", "eventProperties": {"timePrior": 43203000,
         "timeAfter": 46803000}}]}
      """
    try work.write("logs.json", Array(logs.utf8))
    try work.write("pumper.json", PumperDocument.bytes([PumpIdentity(1)]))
    try work.write(
      "records.bin",
      RecordEncoder.bytes(
        PumpRecord(
          number: 1, seconds: 578_707_200, eventID: 279, payload: .init(3, 850), form: .binary))
        + [UInt8](repeating: 0xFF, count: 26) + [1, 2, 3])
    try work.write(
      "cut.json", Array(logs.utf8.prefix(600)))
    try work.write("foreign.txt", Array("nothing".utf8))
    try work.write("folder/foreign.txt", Array("nothing".utf8))
    let outcome = try BuiltTool.run(
      [
        "decode", "--complete", "logs.json", "pumper.json", "records.bin", "cut.json",
        "foreign.txt", "folder", "nowhere",
      ], in: work.url,
      environment: ["COLUMNS": "80", "NO_COLOR": "1", "LANG": "C.UTF-8", "TZ": "UTC"])
    #expect(outcome.code == 1)
    try GoldenTests.expect(outcome.output, "decode.ndjson")
    try GoldenTests.expect(outcome.errors, "decode.txt")
  }

  @Test("Lines that are missing are missing doses: nothing of their document is used")
  func missingLines() throws {
    let day = Self.samples.appending(path: "suspension").path
    let options = ["--zone", "America/New_York"]
    try work.run(["decode", day], into: "all.lines")
    let all = try work.lines("all.lines")
    let event = try #require(all.firstIndex { $0.hasPrefix(#"{"record":"event""#) })
    let document = try #require(all.firstIndex { $0.hasPrefix(#"{"record":"document""#) })
    for (index, reason) in [
      (event, "records came"), (document, "the line of the document itself is missing"),
    ] {
      var some = all
      some.remove(at: index)
      try work.write("some.lines", some)
      let outcome = try work.run(["normalize"] + options, reading: "some.lines")
      #expect(outcome.code == 1)
      #expect(outcome.output == "")
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }
    // A line too many is no better: it may be of a document that was changed.
    try work.write("more.lines", all + [all[event]])
    #expect(try work.run(["normalize"] + options, reading: "more.lines").code == 1)
    for cut in [Array(all.dropLast()), Array(all.dropFirst())] {
      try work.write("cut.lines", cut)
      let outcome = try work.run(["normalize", "-o", "out.ndjson"] + options, reading: "cut.lines")
      #expect(outcome.code == 65)
      #expect(!FileManager.default.fileExists(atPath: work.url.appending(path: "out.ndjson").path))
    }
  }

  @Test("What a pull kept of fetched time goes through the filters, and is missed if it is lost")
  func fetchedTime() throws {
    let identity = PumpIdentity(1)
    let midnight = CivilTime.days(year: 2026, month: 5, day: 4) * 86_400
    let records = BasalChanges.records(after: midnight, [(20, 1000), (30, 500), (32, 0)])
    func piece(_ from: String, _ until: String) -> String {
      """
      {"assignmentId":"\(identity.assignment)","from":"\(from)","until":"\(until)","state":"held"}
      """
    }
    let (first, second) = (
      piece("2026-05-04T00:00:00", "2026-05-05T00:00:00"),
      piece("2026-05-05T05:00:00", "2026-05-06T00:00:00")
    )
    try work.write("logs.json", PumpLogsEncoder.document(records, of: identity))
    try work.write("pumper.json", PumperDocument.bytes([identity]))
    // A piece that stands twice is one.
    let document = #"{"pumplineFetched":[\#(first),\#(second),\#(first)]}"#
    try work.write("fetched.json", Array(document.utf8))
    let names = ["pumper.json", "logs.json", "fetched.json"]
    let options = ["--zone", "America/New_York"] + Self.now
    let convert = try work.run(["convert"] + names + options + ["--to", "samples", "-o", "-"])
    let without = try work.run(
      ["convert"] + names.dropLast() + options + ["--to", "samples", "-o", "-"])
    // The rate is not closed across the time that nobody fetched.
    #expect(convert.output != without.output)
    try work.run(["decode"] + names, into: "all.lines")
    let lines = try work.lines("all.lines")
    #expect(lines.count { $0.hasPrefix(#"{"record":"fetched""#) } == 2)
    for order in [lines, lines.reversed(), lines + lines] {
      try work.write("order.lines", order)
      let normalize = try work.run(["normalize", "order.lines"] + options)
      #expect(normalize.output == convert.output, "\(normalize.errors)")
      #expect(normalize.code == 0)
    }

    let place = try #require(lines.firstIndex { $0.hasPrefix(#"{"record":"fetched""#) })
    var lost = lines
    lost.remove(at: place)
    try work.write("lost.lines", lost)
    let missing = try work.run(["normalize", "lost.lines"] + options)
    #expect(missing.code == 1)
    #expect(missing.errors.contains("1 of its 2 pieces of fetched time came"))
    lost.insert(lines[place].replacing("held", with: "hold"), at: place)
    try work.write("broken.lines", lost)
    let broken = try work.run(["normalize", "broken.lines"] + options)
    #expect(broken.code == 1)
    #expect(broken.errors.contains("line \(place + 1): state cannot be used"), "\(broken.errors)")
  }

  @Test("A record that was made impossible is a reject, and so is what is no line of decode")
  func badLines() throws {
    let day = Self.samples.appending(path: "suspension").path
    try work.run(["decode", day], into: "all.lines")
    var all = try work.lines("all.lines")
    // A commanded rate of 65534 mU/h.
    let delivery = try #require(all.firstIndex { $0.contains(#""id":279,"#) })
    let payload = try #require(all[delivery].range(of: #""payload":""#))
    let from = all[delivery].index(payload.upperBound, offsetBy: 12)
    all[delivery].replaceSubrange(from..<all[delivery].index(from, offsetBy: 4), with: "fffe")
    try work.write("bad.lines", all + ["no JSON", #"{"record":"dose"}"#])
    let outcome = try work.run(
      ["normalize", "--zone", "America/New_York", "--report", "report.json"],
      reading: "bad.lines")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("insulin.basal"))
    #expect(outcome.errors.contains("line \(delivery + 1): basal rate above 15 U/h"))
    #expect(outcome.errors.contains("line \(all.count + 1): the line is no JSON object"))
    #expect(outcome.errors.contains("line \(all.count + 2): this kind of record is not known"))
    #expect(try work.text("report.json").contains("\"line\":\(delivery + 1)"))
  }

  // MARK: deduplicate

  /// The samples of a day, kept as `day.ndjson`.
  private func convertDay() throws -> [String] {
    let day = Self.samples.appending(path: "one-day").path
    try work.run(["convert", day, "--zone", "America/New_York", "-o", "day.ndjson", "-q"])
    return try work.lines("day.ndjson")
  }

  @Test("deduplicate writes every sample once, changed ones again, and keeps what is not there")
  func deduplicate() throws {
    var day = try convertDay()
    let ledger = ["--ledger", "sent.ledger"]
    #expect(try work.run(["deduplicate", "day.ndjson"]).output == work.text("day.ndjson"))
    let first = try work.run(["deduplicate"] + ledger, reading: "day.ndjson")
    #expect(first.code == 0)
    #expect(first.output == (try work.text("day.ndjson")))
    #expect(first.errors.contains("210 fresh"))
    let second = try work.run(["deduplicate", "day.ndjson"] + ledger)
    #expect(second.output == "")
    #expect(second.errors.contains("210 unchanged"))

    let bolus = try #require(day.firstIndex { $0.contains("insulin.bolus") })
    let value = try #require(day[bolus].firstRange(of: /"value":"[0-9.]+"/))
    day[bolus].replaceSubrange(value, with: "\"value\":\"0.125\"")
    try work.write("changed.ndjson", [day[0], day[bolus]])
    let changed = try work.run(["deduplicate", "changed.ndjson"] + ledger)
    let revised = day[bolus].replacing("\"revision\":1", with: "\"revision\":2")
    #expect(changed.output == revised + "\n")
    day[bolus] = revised
    #expect(
      try work.run(["deduplicate", "--all"] + ledger, reading: "changed.ndjson").output
        == day.map { $0 + "\n" }.joined())
    let mode =
      try FileManager.default.attributesOfItem(
        atPath: work.url.appending(path: "sent.ledger").path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("A ledger keeps nothing of what could not be written, and the next run writes it")
  func unwritten() throws {
    _ = try convertDay()
    let arguments = ["deduplicate", "day.ndjson", "--ledger", "sent.ledger"]
    // A reader that went away before anything was written.
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let process = Process()
    process.executableURL = BuiltTool.url
    process.arguments = arguments
    process.currentDirectoryURL = work.url
    process.standardOutput = pipe.fileHandleForWriting
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
    let refused = try work.run(arguments + ["-o", "nowhere/out.ndjson"])
    #expect(refused.code == 73)
    #expect(try work.run(arguments).output == work.text("day.ndjson"))
    #expect(try work.run(arguments).output == "")
  }

  @Test("Bad lines are rejects with their number and a reason, and the rest is used")
  func badSamples() throws {
    let day = try convertDay()
    let long = String(repeating: "x", count: 5 << 20)
    try work.write(
      "bad.ndjson",
      [
        day[0], "", "garbage", #"{"externalId":"\#(long)"}"#, "{\"a\":\"\(long)\"}",
        #"{"externalId":"tandem:9:1-2:bolus","revision":1,"deleted":true}"#, day[1],
      ])
    let outcome = try work.run(["deduplicate", "--report", "report.json"], reading: "bad.ndjson")
    #expect(outcome.code == 1)
    #expect(outcome.output == day[...1].map { $0 + "\n" }.joined())
    #expect(outcome.errors.contains("standard input, line 3: the line is no JSON object"))
    #expect(outcome.errors.contains("line 4: a line of more than 4 MiB"))
    #expect(outcome.errors.contains("line 6: a withdrawn sample"))
    let report = try work.text("report.json")
    #expect(report.matches(of: /"line":/).count == 4)
    #expect(report.contains(#""fresh":2"#))
    #expect(!report.contains("xxxx"))
  }

  @Test("Ledgers of pump history and of samples do not mix")
  func kinds() throws {
    _ = try convertDay()
    let day = Self.samples.appending(path: "one-day").path
    let zone = ["--zone", "America/New_York"]
    try work.run(["deduplicate", "day.ndjson", "--ledger", "samples.ledger"])
    let convert = try work.run(["convert", day, "--ledger", "samples.ledger"] + zone)
    #expect(convert.code == 78 && convert.output == "")
    try work.run(["convert", day, "--ledger", "events.ledger"] + zone)
    let other = try work.run(["deduplicate", "day.ndjson", "--ledger", "events.ledger"])
    #expect(other.code == 78 && other.output == "")
  }

  // MARK: emit

  @Test("emit gives what convert gives, whatever the order of lines", arguments: Seeds.first(2))
  func emit(seed: UInt64) throws {
    var random = TestRandom(seed: 9500 + seed)
    let histories = [RandomHistory(pump: 1, &random), RandomHistory(pump: 2, &random)]
    let account = Document("pumper.json", PumperDocument.bytes(histories.map(\.pump)))
    try work.write(account.name, account.bytes)
    for (index, history) in histories.enumerated() {
      try work.write("\(index).json", history.wholeAnswer.bytes)
    }
    let outputs = ["export.zip", "export.xml", "out.csv", "out.db"]
    let zone = ["--zone", "America/New_York", "--zone", "Europe/Paris@2026-05-05T12:00:00"]
    let convert = try work.run(
      ["convert", "0.json", "1.json", "pumper.json", "--include", "glucose"] + zone
        + outputs.flatMap { ["-o", $0] } + ["--to", "samples", "-o", "samples.ndjson"])
    #expect(convert.code == 0, "\(convert.errors)")
    try work.write("mixed.ndjson", try work.lines("samples.ndjson").shuffled(using: &random))
    let emit = try work.run(
      ["emit", "--account", "pumper.json"] + zone + outputs.flatMap { ["-o", "emitted-" + $0] }
        + ["--to", "samples", "-o", "-"], reading: "mixed.ndjson")
    #expect(emit.code == 0, "\(emit.errors)")
    #expect(emit.output == (try work.text("samples.ndjson")), "\(random.describe)")
    for name in outputs.dropLast() {
      let (own, wanted) = (
        try Data(contentsOf: work.url.appending(path: "emitted-" + name)),
        try Data(contentsOf: work.url.appending(path: name))
      )
      #expect(own == wanted, "\(random.describe), \(name)")
    }
    try expectEqualTables("out.db", "emitted-out.db", random.describe)
  }

  private func expectEqualTables(_ name: String, _ other: String, _ comment: String) throws {
    guard let sqlite = BuiltTool.installed("sqlite3") else { return }
    let query = "SELECT * FROM samples; SELECT * FROM basal_over_midnight"
    let rows = try [name, other].map {
      try BuiltTool.run(sqlite, [$0, query], in: work.url).output
    }
    #expect(rows[0].count > 1000)
    #expect(rows[0] == rows[1], "\(comment)")
  }

  @Test("Word of a withdrawal takes a sample out of what emit writes")
  func withdrawn() throws {
    let day = try convertDay()
    let id = try #require(day[0].firstMatch(of: /"externalId":"([^"]+)"/)?.output.1)
    try work.write(
      "changes.ndjson", day + [#"{"externalId":"\#(id)","revision":1,"deleted":true}"#])
    let outcome = try work.run(["emit", "changes.ndjson", "--to", "samples", "-o", "-"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == day.dropFirst().map { $0 + "\n" }.joined())
  }

  @Test("What emit lacks is asked for: a zone, an output, a pump that is there")
  func usage() throws {
    _ = try convertDay()
    for (code, arguments) in [
      (64, ["emit", "day.ndjson", "-o", "out.csv"]), (64, ["emit", "day.ndjson"]),
      (64, ["emit", "day.ndjson", "--zone", "UTC", "--pump", "x", "-o", "out.csv"]),
      (73, ["emit", "day.ndjson", "-o", "day.ndjson"]),
      (73, ["deduplicate", "day.ndjson", "-o", "day.ndjson"]),
      (73, ["decode", "day.ndjson", "-o", "day.ndjson"]),
      (64, ["normalize", "day.ndjson"]), (66, ["emit", "nowhere", "--to", "samples", "-o", "-"]),
    ] as [(Int32, [String])] {
      let outcome = try work.run(arguments)
      #expect(outcome.code == code, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains("next: "))
      #expect(outcome.output == "")
    }
    #expect(!FileManager.default.fileExists(atPath: work.url.appending(path: "out.csv").path))
  }
}
