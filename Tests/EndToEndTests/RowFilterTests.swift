import Foundation
import PumpModel
import TestSupport
import Testing

/// Rows of exports between the stages.
@Suite("Rows of exports as lines", .needsBuiltTool)
struct RowFilterTests {
  private let work: ToolFolder
  private static let now = ["--now", "2027-01-01T00:00:00Z"]

  init() throws { work = try ToolFolder() }

  private func options(_ history: RandomHistory) -> [String] {
    history.options.filter { $0 != "--complete" } + Self.now
      + ["--serial", history.pump.serial, "--include", "glucose,derived-basal"]
  }

  // MARK: The same as convert

  @Test(
    "Rows of every form give by the filters what they give by convert, alone and beside events",
    arguments: Seeds.first(1))
  func everyForm(seed: UInt64) throws {
    var random = TestRandom(seed: 9700 + seed)
    let history = RandomHistory(&random)
    var exports = ExportDocuments(of: history, &random)
    let documents = exports.all
    for document in documents + [history.wholeAnswer, history.account] {
      try work.write(document.name, document.bytes)
    }
    for document in documents {
      try expectSame([document.name], history, "\(random.describe), \(document.name)")
      let rows = try work.lines("all.lines").count { $0.hasPrefix(#"{"record":"row""#) }
      let mayBeEmpty = ["suspensions.js", "bg_data_1.csv"].contains(document.name)
      #expect(rows > 0 || mayBeEmpty, "\(document.name)")
    }
    let names = ["whole.json", "pumper.json"] + documents.map(\.name)
    let output = try expectSame(names, history, random.describe)

    try work.write("mixed.lines", try work.lines("all.lines").shuffled(using: &random))
    let mixed = try work.run(["normalize", "mixed.lines"] + options(history))
    #expect(mixed.output == output, "\(random.describe)")

    // Documents that come twice are there once.
    var parts: [String] = []
    for name in (names + documents.map(\.name)).shuffled(using: &random) {
      parts.append("\(parts.count).lines")
      try work.run(["decode", name], into: parts[parts.count - 1])
    }
    let joined = try work.run(["normalize"] + parts + options(history))
    #expect(joined.output == output, "\(random.describe)")

    try work.write("samples.ndjson", Array(output.utf8))
    let convert = try work.run(
      ["convert"] + names + options(history) + ["--to", "csv", "-o", "-", "--keep-going"])
    try work.run(["deduplicate"], reading: "samples.ndjson", into: "fresh.ndjson")
    let zones = zip(history.options, history.options.dropFirst()).filter { $0.0 == "--zone" }
    let emit = try work.run(
      ["emit", "--to", "csv", "-o", "-"] + zones.flatMap { [$0.0, $0.1] },
      reading: "fresh.ndjson")
    // Rates of zero are not among samples.
    #expect(emit.output.split(separator: "\r\n").count > 50)
    let emitted = Set(emit.output.split(separator: "\r\n"))
    #expect(emitted.isSubset(of: Set(convert.output.split(separator: "\r\n"))))
  }

  /// Converts inputs both ways, and gives the samples.
  @discardableResult
  private func expectSame(
    _ names: [String], _ history: RandomHistory, _ comment: String
  ) throws -> String {
    let options = options(history)
    let converted = try work.run(
      ["convert"] + names + options + ["--to", "samples", "-o", "-", "--report", "convert.json"])
    let decoded = try work.run(["decode"] + names, into: "all.lines")
    let normalized = try work.run(
      ["normalize"] + options + ["--report", "normalize.json"], reading: "all.lines")
    #expect(normalized.output == converted.output, "\(comment)")
    #expect(try work.text("normalize.json") == work.text("convert.json"), "\(comment)")
    #expect(
      converted.code == decoded.code && converted.code == normalized.code,
      "\(comment): \(converted.errors)\(decoded.errors)\(normalized.errors)")
    return converted.output
  }

  @Test("Tables in a browser's capture are lines too, read as the flags say")
  func capture() throws {
    var random = TestRandom(seed: 9800)
    let history = RandomHistory(&random)
    var exports = ExportDocuments(of: history, &random)
    var capture = HarCapture()
    for document in exports.all { capture.add(document.bytes) }
    for document in exports.all.prefix(2) { capture.add(document.bytes, as: .base64) }
    var ambiguous = TableEncoder(.source)
    ambiguous.dates = .monthFirst
    let bolus = TableEncoder.Row(
      serial: history.pump.serial,
      row: ExportRow(
        source: .csv, pump: 0, time: 1_777_896_000, place: 0,
        content: .reading(glucose: 142, isManual: false)))
    capture.add(ambiguous.bytes([bolus]))
    try work.write("capture.har", capture.bytes)
    try expectSame(["capture.har"], history, random.describe)
    let undecided = try work.run(["decode", "capture.har"])
    let reason =
      #"dates such as the one here can be read in several ways: say which with --date-order"#
    #expect(undecided.output.contains(reason))
    #expect(undecided.code == 1)
    let decided = try work.run(["decode", "capture.har", "--date-order", "mdy"], into: "all.lines")
    #expect(!decided.output.contains(reason))
    let rows = { (text: String) in text.matches(of: /"record":"row"/).count }
    #expect(rows(decided.output) == rows(undecided.output) + 1)
  }

  // MARK: What is missing or wrong

  private static let bolusTable = GlookoExport().table(
    """
    Timestamp,Insulin Type,Blood Glucose Input (mg/dl),Carbs Input (g),Carbs Ratio,\
    Insulin Delivered (U),Initial Delivery (U),Extended Delivery (U),Serial Number
    """,
    [
      ["2026-05-04 12:00:00", "Normal", "", "30.0", "", "2.35", "", "", "90000001"],
      ["2026-05-04 13:00:00", "Normal", "", "", "", "1.5", "", "", "90000001"],
      ["2026-05-04 14:00:00", "Normal", "", "", "", "99", "", "", "90000001"],
    ])

  private static let normalize = ["normalize", "--zone", "America/New_York"] + now

  @Test("A row's line has all that the row says, and its document what no line says")
  func golden() throws {
    try work.write(
      "bolus.csv", Array(Self.bolusTable.replacing("Carbs Ratio", with: "Mood").utf8))
    try work.run(["decode", "bolus.csv"], into: "all.lines")
    let lines = try work.lines("all.lines")
    #expect(lines.count == 6)
    #expect(
      lines[1].contains(#","records":2,"ignored":{"unknownColumn":1},"unknownColumns":["Mood"]"#))
    #expect(
      lines[2].contains(
        #","line":3,"source":"glooko","serial":"90000001","seconds":578750400,"#
          + #""time":"2026-05-04T12:00:00","kind":"bolus","#
          + #""normal":{"milliunits":2350,"decimals":2},"carbMilligrams":30000}"#))
    #expect(lines[4].contains(#""line":5,"reason":"Insulin Delivered (U) is above 80 U"}"#))
  }

  @Test("Rows that are missing, doubled or changed are doses: nothing of their document is used")
  func missingLines() throws {
    try work.write("bolus.csv", Array(Self.bolusTable.utf8))
    try work.run(["decode", "bolus.csv"], into: "all.lines")
    let all = try work.lines("all.lines")
    let whole = try work.run(Self.normalize, reading: "all.lines")
    #expect(whole.code == 1 && whole.output.split(separator: "\n").count == 3)
    let (document, first, second) = (all[1], all[2], all[3])
    func otherwise(_ old: String, _ new: String) -> String { first.replacing(old, with: new) }
    // One row is not there, but another is twice; or they are two of one place.
    for (name, rows) in [
      ("one missing", [document, first]), ("no document", [first, second]),
      ("one twice", [document, first, second, second]),
      ("one for another", [document, first, first]),
      ("two of one place", [document, first, otherwise(":2350", ":2400")]),
      (
        "a document that came twice, changed",
        [document, document, first, second, second, otherwise(":2350", ":2400")]
      ),
      ("too much", [document, second, otherwise(":2350", ":80001")]),
      ("negative", [document, second, otherwise(":2350", ":-1")]),
      ("a fraction", [document, second, otherwise(":2350", ":2350.5")]),
      ("no place", [document, second, otherwise(#""line":3"#, #""offset":3"#)]),
      ("a bad pump", [document, second, otherwise("90000001", "9 1")]),
      ("another kind", [document, second, otherwise(#"kind":"bolus"#, #"kind":"dose"#)]),
      ("another source", [document, second, otherwise("glooko", "tidepool")]),
      ("no time", [document, second, otherwise("578750400", "null")]),
    ] {
      try work.write("some.lines", [all[0]] + rows + [all[5]])
      let outcome = try work.run(Self.normalize, reading: "some.lines")
      #expect(outcome.code == 1 && outcome.output == "", "\(name): \(outcome.errors)")
      #expect(outcome.errors.contains("rejected"), "\(name)")
    }
    // The document whole, twice.
    try work.write("twice.lines", [all[0]] + Array(all[1...4]) + Array(all[1...4]) + [all[5]])
    #expect(try work.run(Self.normalize, reading: "twice.lines").output == whole.output)
    // What is for people only does not matter.
    let shown = first.replacing("2026-05-04T12:00:00", with: "noon")
    try work.write("shown.lines", [all[0], document, shown, second, all[4], all[5]])
    #expect(try work.run(Self.normalize, reading: "shown.lines").output == whole.output)
  }
}
